#include "scan/batch_validity.h"

#include <arrow/util/bit_util.h>

#include <cstring>

namespace reprise {

Status BatchValidity::AddLevels(int64_t begin, int64_t count, const int16_t* levels) {
  if (bitmap_ == nullptr) {
    ARROW_ASSIGN_OR_RAISE(bitmap_, arrow::AllocateBitmap(rows_, pool_));
    std::memset(bitmap_->mutable_data(), 0xFF, bitmap_->size());
  }
  uint8_t* bits = bitmap_->mutable_data();
  for (int64_t i = 0; i < count; ++i) {
    if (levels[i] != 0) continue;
    arrow::bit_util::ClearBit(bits, begin + i);
    ++null_count_;
  }
  return Status::OK();
}

}  // namespace reprise
