#include "checksums/row_gaps.h"

#include <cstring>

namespace reprise {

// Of runs between rows that are dropped most are short: no call, and few branches, for each.
void CopyOthers(const uint64_t* words, int64_t from, int64_t span, std::span<const int32_t> dropped,
                uint64_t* others) {
  int64_t at = 0;
  const auto copy_until = [&](int64_t end) {
    for (int64_t i = at; i < end; i += kCopied) {
      std::memcpy(others + (i - at), words + i, kCopied * sizeof(uint64_t));
    }
    others += end - at;
    at = end + 1;
  };
  for (const int32_t row : dropped) copy_until(row - from);
  copy_until(span);
}

}  // namespace reprise
