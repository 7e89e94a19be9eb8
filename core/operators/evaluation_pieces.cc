#include "operators/evaluation_pieces.h"

#include <algorithm>

namespace reprise {

namespace {

constexpr int64_t kSampleRows = 64;
// What is allocated on the way to a result counts as well, though much of it is given back.
constexpr int64_t kBatchesAllocated = 2;

}  // namespace

void EvaluationPieces::Start(Batch batch) {
  position_ = 0;
  batch_.reset();
  if (batch.selected_count() > 0) batch_ = std::move(batch);
}

Result<Batch> EvaluationPieces::Take(const BatchBounds& bounds, arrow::MemoryPool* pool) {
  const int64_t left = batch_->selected_count() - position_;
  int64_t count = std::min(left, rows_max_);
  if (may_widen_) {
    const int64_t wanted =
        row_bytes_ == 0 ? kSampleRows : kBatchesAllocated * bounds.bytes / row_bytes_;
    count = std::clamp<int64_t>(wanted, 1, count);
  }
  const int64_t begin = position_;
  position_ += count;
  if (count == batch_->selected_count()) return *batch_;
  return PieceOf(*batch_, begin, count, pool);
}

void EvaluationPieces::Measure(int64_t rows, int64_t bytes) {
  row_bytes_ = std::max<int64_t>(1, bytes / rows);
  if (position_ == batch_->selected_count()) batch_.reset();
}

// Whether the piece is to be tried again in smaller ones.
bool EvaluationPieces::TakeBack(int64_t rows, const Status& failure) {
  const bool is_too_large = failure.IsCapacityError() || failure.IsOutOfMemory();
  if (!may_retry_ || rows == 1 || !is_too_large) return false;
  position_ -= rows;
  rows_max_ = (rows + 1) / 2;
  return true;
}

}  // namespace reprise
