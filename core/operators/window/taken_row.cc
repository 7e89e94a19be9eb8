// Window functions whose value is that of another row: lead and lag, which count rows from their
// own one (Spark's FrameLessOffsetWindowFunctionFrame), and first, last and nth_value, which count
// in the frame. Example: over 1, null, 3 lead by 1 is null, 3, null; ignoring nulls 3, 3, null.
#include <arrow/array/concatenate.h>

#include <algorithm>

#include "operators/fixed_values.h"
#include "operators/gather.h"
#include "operators/window/window_function.h"

namespace reprise {

namespace {

/// Counts rows, all or those with a value.
class CountedRows {
 public:
  CountedRows(const arrow::Array& column, bool skips_nulls) : count_(column.length()) {
    const Validity valid(column);
    if (!skips_nulls || valid.all()) return;
    is_sparse_ = true;
    before_.reserve(static_cast<size_t>(count_) + 1);
    for (int64_t row = 0; row < count_; ++row) {
      before_.push_back(static_cast<int32_t>(rows_.size()));
      if (valid[row]) rows_.push_back(static_cast<int32_t>(row));
    }
    before_.push_back(static_cast<int32_t>(rows_.size()));
  }

  /// How many of the rows before `row` count.
  int64_t CountBefore(int64_t row) const {
    return is_sparse_ ? before_[static_cast<size_t>(row)] : row;
  }
  /// The row before which so many count, and that counts itself; beyond all where there is none.
  int64_t RowAt(int64_t number) const {
    if (!is_sparse_) return number;
    return number < static_cast<int64_t>(rows_.size()) ? rows_[static_cast<size_t>(number)]
                                                       : count_;
  }

 private:
  const int64_t count_;
  bool is_sparse_ = false;
  std::vector<int32_t> rows_;    // that count
  std::vector<int32_t> before_;  // by row
};

class Offset final : public WindowFunctionRun {
 public:
  explicit Offset(const WindowFunctionSpec& spec)
      : offset_(spec.number),
        skips_nulls_(spec.skips_nulls && spec.number != 0),
        has_default_(spec.fallback.has_value()) {}

  Result<std::shared_ptr<arrow::Array>> Compute(const WindowRows& rows,
                                                const arrow::ArrayVector& inputs, int32_t wanted,
                                                const TaskContext& context) override {
    arrow::MemoryPool* const pool = context.pool;
    const CountedRows counted(*inputs[0], skips_nulls_);
    PoolVector<int32_t> taken(pool);
    RETURN_NOT_OK(taken.ResizeUninitialised(wanted));
    for (size_t i = 0; i + 1 < rows.partitions.size() && rows.partitions[i] < wanted; ++i) {
      const int32_t begin = rows.partitions[i];
      const int32_t end = rows.partitions[i + 1];
      for (int32_t row = begin; row < std::min(end, wanted); ++row) {
        const int64_t found = Find(counted, row);
        const bool is_there = found >= begin && found < end;
        taken[row] =
            is_there ? static_cast<int32_t>(found) : (has_default_ ? rows.count + row : -1);
      }
    }
    std::shared_ptr<arrow::Array> from = inputs[0];
    if (has_default_) {
      ARROW_ASSIGN_OR_RAISE(const auto plain, DecodeDictionary(inputs[0], pool));
      ARROW_ASSIGN_OR_RAISE(const auto defaults, DecodeDictionary(inputs[1], pool));
      ARROW_ASSIGN_OR_RAISE(from, arrow::Concatenate({plain, defaults}, pool));
    }
    return GatherRows(*from, {taken.data(), static_cast<size_t>(wanted)}, Missing::kNull, pool);
  }

 private:
  /// The row that is `offset_` rows that count away from `row`; below 0 where there is none before.
  int64_t Find(const CountedRows& counted, int32_t row) const {
    if (offset_ == 0) return row;
    if (offset_ > 0) return counted.RowAt(counted.CountBefore(row + 1) + offset_ - 1);
    const int64_t number = counted.CountBefore(row) + offset_;
    return number < 0 ? -1 : counted.RowAt(number);
  }

  const int64_t offset_;
  const bool skips_nulls_;
  const bool has_default_;
};

class NthOfFrame final : public WindowFunctionRun {
 public:
  NthOfFrame(const WindowFunctionSpec& spec, FrameFinder frames)
      : number_(spec.number), skips_nulls_(spec.skips_nulls), finder_(std::move(frames)) {}

  Result<std::shared_ptr<arrow::Array>> Compute(const WindowRows& rows,
                                                const arrow::ArrayVector& inputs, int32_t wanted,
                                                const TaskContext& context) override {
    arrow::MemoryPool* const pool = context.pool;
    Frames frames(pool);
    RETURN_NOT_OK(finder_.Find(rows, wanted, pool, &frames));
    const CountedRows counted(*inputs[0], skips_nulls_);
    PoolVector<int32_t> taken(pool);
    RETURN_NOT_OK(taken.ResizeUninitialised(wanted));
    for (int32_t row = 0; row < wanted; ++row) {
      const int64_t begin = counted.CountBefore(frames.begins[row]);
      const int64_t end = counted.CountBefore(frames.ends[row]);
      const int64_t number = number_ > 0 ? begin + number_ - 1 : end + number_;
      const bool is_there = number >= begin && number < end;
      taken[row] = is_there ? static_cast<int32_t>(counted.RowAt(number)) : -1;
    }
    return GatherRows(*inputs[0], {taken.data(), static_cast<size_t>(wanted)}, Missing::kNull,
                      pool);
  }

 private:
  const int64_t number_;
  const bool skips_nulls_;
  const FrameFinder finder_;
};

}  // namespace

Result<std::unique_ptr<WindowFunctionRun>> MakeTakenRow(const WindowFunctionSpec& spec,
                                                        const WindowSpec& window) {
  if (spec.function == WindowFunction::kOffset) return std::make_unique<Offset>(spec);
  ARROW_ASSIGN_OR_RAISE(FrameFinder frames, FrameFinder::Make(spec.frame, window));
  return std::make_unique<NthOfFrame>(spec, std::move(frames));
}

}  // namespace reprise
