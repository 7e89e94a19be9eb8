// The rows of a batch in pieces that can be evaluated at once.
#pragma once

#include <limits>
#include <optional>

#include "base/batch_bounds.h"

namespace reprise {

/// Gives a batch as a whole where evaluating makes no more bytes than it is given. Where it may
/// (expressions/widening.h), the first rows are a sample; then a piece has so many rows that it
/// makes about what a batch should have. A piece that turns out too large for memory, or for a
/// column, is halved where evaluating it leaves nothing behind (`may_retry`).
class EvaluationPieces {
 public:
  explicit EvaluationPieces(bool may_widen, bool may_retry = true)
      : may_widen_(may_widen), may_retry_(may_retry) {}

  void Start(Batch batch);
  bool has_more() const { return batch_.has_value(); }

  /// Calls `evaluate` on the next piece, and returns what that returns.
  template <typename Evaluate>
  auto Next(const BatchBounds& bounds, arrow::MemoryPool* pool, Evaluate&& evaluate)
      -> decltype(evaluate(Batch())) {
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const Batch piece, Take(bounds, pool));
      const int64_t before = pool->total_bytes_allocated();
      auto result = evaluate(piece);
      if (result.ok()) {
        Measure(piece.selected_count(), pool->total_bytes_allocated() - before);
        return result;
      }
      if (!TakeBack(piece.selected_count(), StatusOf(result))) return result;
    }
  }

 private:
  static const Status& StatusOf(const Status& status) { return status; }
  template <typename T>
  static const Status& StatusOf(const Result<T>& result) {
    return result.status();
  }

  Result<Batch> Take(const BatchBounds& bounds, arrow::MemoryPool* pool);
  void Measure(int64_t rows, int64_t bytes);
  bool TakeBack(int64_t rows, const Status& failure);

  const bool may_widen_;
  const bool may_retry_;
  std::optional<Batch> batch_;
  int64_t position_ = 0;
  int64_t row_bytes_ = 0;  // that were allocated for a row of the last piece; 0: there was none
  int64_t rows_max_ = std::numeric_limits<int64_t>::max();  // more were too many
};

}  // namespace reprise
