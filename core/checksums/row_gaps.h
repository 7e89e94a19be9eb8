// Rows of which some do not count.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace reprise {

/// Adds those of the rows, `row_at(0)` to `row_at(count - 1)`, that are not selected. All selected
/// are among the rows; both ascend.
template <typename RowAt>
void AddOthers(std::span<const int32_t> selected, int64_t count, RowAt&& row_at,
               std::vector<int32_t>* others) {
  constexpr int64_t kRun = 16;
  const int64_t selected_count = std::ssize(selected);
  int64_t at = 0;
  for (int64_t i = 0; i < selected_count;) {
    // Where the last of a run is in its place, all of it are.
    const int64_t last = i + kRun - 1;
    if (last < selected_count && row_at(at + kRun - 1) == selected[last]) {
      i += kRun;
      at += kRun;
      continue;
    }
    if (const int32_t row = row_at(at++); row == selected[i]) {
      ++i;
    } else {
      others->push_back(row);
    }
  }
  for (; at < count; ++at) others->push_back(row_at(at));
}

/// CopyOthers copies so many words at a time: up to that many less one beyond the last are read and
/// written, too.
constexpr int64_t kCopied = 8;

/// Copies the words of the rows from `from` on, `span` of them, but of those dropped, which ascend.
void CopyOthers(const uint64_t* words, int64_t from, int64_t span, std::span<const int32_t> dropped,
                uint64_t* others);

}  // namespace reprise
