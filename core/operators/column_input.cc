// column_input: the columns of a Spark operator as batches.
//
// Input: a ColumnSource, whose batches are as large as their giver likes. Output: Arrow columns of
// the same fields, in the same order, as many rows at once as the rest of the core has. Example:
// the batches {[1, 2]} and {[null]} become one batch {[1, 2, null]}.
//
// The time in which the source makes its batches is Spark's, so it is not own time; that of copying
// them is.

#include "operators/column_input.h"

#include <arrow/type_traits.h>

#include <algorithm>

#include "base/trace.h"
#include "transitions/copied_column.h"

namespace reprise {

namespace {

class ColumnInput final : public Operator {
 public:
  ColumnInput(OperatorSpec spec, std::unique_ptr<ColumnSource> source,
              std::vector<std::unique_ptr<CopiedColumn>> columns, const TaskContext& context)
      : Operator(std::move(spec), {}, context),
        source_(std::move(source)),
        columns_(std::move(columns)) {
    for (const auto& field : output_schema()->fields()) {
      const arrow::DataType& type = *field->type();
      if (arrow::is_fixed_width(type)) fixed_bytes_ += std::max(1, type.bit_width() / 8);
      if (!arrow::is_fixed_width(type)) ++variable_columns_;
    }
  }

 private:
  Result<std::optional<Batch>> NextBatch() override {
    rows_ = 0;
    const int64_t rows_max =
        std::clamp<int64_t>(bounds().bytes / std::max<int64_t>(1, fixed_bytes_), 1, bounds().rows);
    while (rows_ < rows_max) {
      if (given_ == available_) {
        ARROW_ASSIGN_OR_RAISE(const bool goes_on, Advance());
        if (!goes_on) break;
        continue;
      }
      if (rows_ == 0) RETURN_NOT_OK(Begin(rows_max));
      ARROW_ASSIGN_OR_RAISE(const int64_t copied,
                            Copy(std::min(available_ - given_, rows_max - rows_)));
      if (copied == 0) break;
      rows_ += copied;
      given_ += copied;
    }
    if (rows_ == 0) return std::nullopt;
    return Finish();
  }

  /// Goes on to the source's next batch. False where this one of ours ends: there is no more, or an
  /// error is due once the rows before have left.
  Result<bool> Advance() {
    if (ended_) return false;
    const int64_t start = MonotonicNs();
    auto next = failed_ ? ColumnSource::kFailed : source_->Next();
    mutable_metrics().own_time_ns -= MonotonicNs() - start;
    RETURN_NOT_OK(next);
    failed_ = *next == ColumnSource::kFailed;
    if (failed_) {
      if (rows_ == 0) return source_->Raise();
      return false;
    }
    ended_ = *next < 0;
    available_ = std::max<int64_t>(0, *next);
    given_ = 0;
    return !ended_;
  }

  Status Begin(int64_t rows_max) {
    const int64_t rows = std::min(rows_max, std::max(available_ - given_, rows_before_));
    for (auto& column : columns_) RETURN_NOT_OK(column->Begin(rows));
    return Status::OK();
  }

  /// Copies up to `count` rows of all columns. None where the batch is full, or where the next row
  /// is an error, which is due once the rows before have left.
  Result<int64_t> Copy(int64_t count) {
    int64_t left = std::max<int64_t>(0, bounds().bytes - rows_ * fixed_bytes_);
    for (const auto& column : columns_) left -= column->variable_bytes(rows_);
    // The first columns leave the others so much, lest many rows of them are copied for few rows.
    const int64_t share = left / std::max<int64_t>(1, variable_columns_);
    int64_t taken = 0;
    for (size_t i = 0; i < columns_.size();) {
      CopiedColumn& column = *columns_[i];
      const int64_t before = column.variable_bytes(rows_);
      ARROW_ASSIGN_OR_RAISE(const int64_t copied,
                            column.Append(source_.get(), given_, count, rows_,
                                          before + std::max(share, left - taken)));
      if (copied == ColumnSource::kFailed) {
        // One of these rows: half of them may do without it.
        if (count == 1) return rows_ == 0 ? Result<int64_t>(source_->Raise()) : 0;
        count /= 2;
        taken = 0;
        i = 0;
        continue;
      }
      count = copied;
      if (count == 0) return 0;
      taken += column.variable_bytes(rows_ + count) - before;
      ++i;
    }
    return count;
  }

  Result<std::optional<Batch>> Finish() {
    Batch batch{output_schema(), {}, rows_, nullptr};
    for (auto& column : columns_) {
      ARROW_ASSIGN_OR_RAISE(auto array, column->Finish(rows_));
      batch.columns.push_back(std::move(array));
    }
    rows_before_ = rows_;
    return batch;
  }

  const std::unique_ptr<ColumnSource> source_;
  const std::vector<std::unique_ptr<CopiedColumn>> columns_;
  int64_t fixed_bytes_ = 0;  // of a row
  int64_t variable_columns_ = 0;
  int64_t rows_ = 0;         // of the batch that is being made
  int64_t rows_before_ = 0;  // of the batch before
  int64_t available_ = 0;    // rows of the source's batch
  int64_t given_ = 0;        // of these
  bool ended_ = false;
  bool failed_ = false;  // the source's next batch is an error that is not told yet
};

}  // namespace

Result<std::unique_ptr<Operator>> MakeColumnInput(OperatorSpec spec,
                                                  std::unique_ptr<ColumnSource> source,
                                                  const TaskContext& context) {
  if (!spec.inputs.empty()) {
    return Status::Invalid(ErrorPrefix(spec), "column_input is a leaf, but its spec has ",
                           spec.inputs.size(), " inputs");
  }
  std::vector<std::unique_ptr<CopiedColumn>> columns;
  for (const Field& field : spec.output) {
    ARROW_ASSIGN_OR_RAISE(
        auto column, CopiedColumn::Make(field, static_cast<int>(columns.size()), context.pool));
    columns.push_back(std::move(column));
  }
  return std::make_unique<ColumnInput>(std::move(spec), std::move(source), std::move(columns),
                                       context);
}

}  // namespace reprise
