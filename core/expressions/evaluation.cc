#include <numeric>

#include "base/check.h"
#include "expressions/expression.h"
#include "expressions/nulls.h"
#include "expressions/values.h"

namespace reprise {

EvalInput::EvalInput(const Batch& batch, arrow::MemoryPool* pool)
    : batch_(&batch),
      row_count_(batch.selected_count()),
      pool_(pool),
      columns_(batch.columns.size()) {}

EvalInput::EvalInput(EvalInput& parent, std::span<const int32_t> rows)
    : parent_(&parent),
      rows_(rows),
      row_count_(static_cast<int64_t>(rows.size())),
      pool_(parent.pool_),
      columns_(parent.columns_.size()) {}

Result<std::shared_ptr<arrow::Array>> EvalInput::column(int index) {
  REPRISE_CHECK(index >= 0 && index < static_cast<int>(columns_.size()),
                "column {} of an input of {} columns", index, columns_.size());
  if (columns_[index]) return columns_[index];
  if (batch_) {
    ARROW_ASSIGN_OR_RAISE(columns_[index], GatherColumn(*batch_, index, pool_));
  } else {
    ARROW_ASSIGN_OR_RAISE(auto whole, parent_->column(index));
    ARROW_ASSIGN_OR_RAISE(columns_[index], Gather(*whole, rows_, pool_));
  }
  return columns_[index];
}

void EvalInput::Bind(int variable, std::shared_ptr<arrow::Array> values) {
  variables_.emplace_back(variable, std::move(values));
}

Result<std::shared_ptr<arrow::Array>> EvalInput::variable(int variable) {
  for (const auto& [number, values] : variables_) {
    if (number == variable) return values;
  }
  if (parent_ == nullptr) {
    return Status::Invalid("lambda_variable ", variable, " is used outside of its lambda");
  }
  ARROW_ASSIGN_OR_RAISE(auto around, parent_->variable(variable));
  ARROW_ASSIGN_OR_RAISE(auto values, Gather(*around, rows_, pool_));
  Bind(variable, values);
  return values;
}

Status EvalInput::ErrorIn(int index) {
  for (const ValueError& error : errors()) {
    if (error.column == index) return error.status;
  }
  return Status::OK();
}

Status EvalInput::Doubt(int64_t row) {
  if (parent_ != nullptr) return parent_->Doubt(rows_[static_cast<size_t>(row)]);
  if (doubts_ == nullptr) return Status::Invalid("a value is in doubt, and nobody to resolve it");
  doubts_->push_back(static_cast<int32_t>(row));
  return Status::OK();
}

const ValueErrors& EvalInput::errors() {
  if (!errors_) errors_ = batch_ ? ErrorsByPlace(*batch_) : ErrorsAt(parent_->errors(), rows_);
  return *errors_;
}

Result<std::shared_ptr<arrow::Array>> EvaluateToArray(const Expression& expression,
                                                      EvalInput& input) {
  ARROW_ASSIGN_OR_RAISE(Column column, expression.Evaluate(input));
  if (!column.is_scalar()) return column.array;
  return arrow::MakeArrayFromScalar(*column.scalar, input.row_count(), input.pool());
}

Result<int64_t> Expression::Select(const Batch& batch, RowSet rows, arrow::MemoryPool* pool,
                                   int32_t* out) const {
  // Rows that do not count may be evaluated too where that cannot fail and saves gathering the
  // columns.
  const bool dense = rows.indices == nullptr || (!can_fail_ && 2 * rows.count >= batch.row_count);
  Batch view = batch;
  view.selection = nullptr;
  if (rows.indices == nullptr) view.row_count = rows.count;
  if (!dense) {
    view.selection =
        std::make_shared<arrow::Buffer>(reinterpret_cast<const uint8_t*>(rows.indices),
                                        rows.count * static_cast<int64_t>(sizeof(int32_t)));
  }
  EvalInput input(view, pool);
  ARROW_ASSIGN_OR_RAISE(Column column, Evaluate(input));
  if (column.is_scalar()) {
    if (!column.scalar->is_valid || !ConstantOf<bool>(*column.scalar)) return 0;
    return WriteSelection(rows, out, [](int64_t) { return true; });
  }
  const arrow::Array& array = *column.array;
  const uint8_t* bits = array.data()->buffers[1]->data();
  const uint8_t* valid = array.null_count() > 0 ? array.null_bitmap_data() : nullptr;
  const int64_t offset = array.offset();
  const auto is_true = [=](int64_t row) {
    return arrow::bit_util::GetBit(bits, offset + row) &
           (valid == nullptr || arrow::bit_util::GetBit(valid, offset + row));
  };
  if (dense) return WriteSelection(rows, out, is_true);
  int64_t written = 0;
  for (int64_t i = 0; i < rows.count; ++i) {
    out[written] = rows.indices[i];
    written += is_true(i);
  }
  return written;
}

}  // namespace reprise
