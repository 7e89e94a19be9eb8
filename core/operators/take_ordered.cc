// Purpose: the first rows of a partition in an order, without sorting the others.
// Input:   one, any columns.  Output: the same columns, or those of a projection.
// Example: ordering [a descending], limit 2 over a = [3, 9, 1, 7] gives [9, 7].
//
// Keeps little more than `limit` rows: once there are, a row that is not before the last of them is
// dropped by its key, before any of its columns is copied (Spark's TakeOrderedAndProjectExec).
#include "operators/take_ordered.h"

#include "operators/interleave.h"
#include "operators/sort.h"
#include "operators/sort_keys.h"
#include "operators/spec_members.h"

namespace reprise {

namespace {

class TakeOrdered final : public Operator {
 public:
  TakeOrdered(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
              const TaskContext& context, SortKeys keys, int64_t limit, int64_t offset,
              std::vector<std::unique_ptr<Expression>> project)
      : Operator(std::move(spec), std::move(inputs), context),
        keys_(std::move(keys)),
        limit_(limit),
        offset_(offset),
        project_(std::move(project)),
        input_schema_(*ToArrowSchema(this->spec().inputs[0])),
        keyed_(pool()),
        candidates_(pool()),
        bound_(pool()) {}

 private:
  Result<std::optional<Batch>> NextBatch() override {
    if (!is_complete_) {
      is_complete_ = true;
      if (limit_ > 0) RETURN_NOT_OK(Collect());
      RETURN_NOT_OK(Prune());
      position_ = offset_;
    }
    const int64_t kept = batches_.empty() ? 0 : batches_[0].row_count;
    if (position_ >= kept) {
      batches_.clear();
      return std::nullopt;
    }
    const int64_t count = std::min(context().batch_rows_target, kept - position_);
    Batch output{output_schema(), {}, count, nullptr};
    Batch rows{input_schema_, {}, count, nullptr};
    for (const auto& column : batches_[0].columns) {
      rows.columns.push_back(column->Slice(position_, count));
    }
    position_ += count;
    if (project_.empty()) {
      output.columns = std::move(rows.columns);
      return output;
    }
    EvalInput input(rows, pool());
    for (const auto& expression : project_) {
      ARROW_ASSIGN_OR_RAISE(auto column, EvaluateToArray(*expression, input));
      output.columns.push_back(std::move(column));
    }
    return output;
  }

  Status Collect() {
    while (true) {
      ARROW_ASSIGN_OR_RAISE(std::optional<Batch> batch, Pull());
      if (!batch.has_value()) return Status::OK();
      if (batch->selected_count() == 0) continue;
      RETURN_NOT_OK(Add(std::move(*batch)));
      if (keyed_.items().size() >= 2 * limit_ + context().batch_rows_target) RETURN_NOT_OK(Prune());
    }
  }

  // Adds those rows of the batch that are before the last row kept.
  Status Add(Batch batch) {
    if (has_bound_) {
      candidates_.Clear(/*release=*/false);
      RETURN_NOT_OK(keys_.Append(batch, 0, pool(), &candidates_));
      std::vector<int32_t> rows;
      for (int64_t i = 0; i < candidates_.items().size(); ++i) {
        const SortItem& item = candidates_.items()[i];
        if (KeyedRows::Compare(candidates_, item, bound_, bound_.items()[0]) >= 0) continue;
        rows.push_back(batch.has_selection() ? batch.selected()[item.row] : item.row);
      }
      if (rows.empty()) return Status::OK();
      if (static_cast<int64_t>(rows.size()) < batch.selected_count()) {
        batch.selection = arrow::Buffer::FromVector(std::move(rows));
      }
    }
    RETURN_NOT_OK(Reserve(ByteSize(batch)));
    RETURN_NOT_OK(keys_.Append(batch, static_cast<int32_t>(batches_.size()), pool(), &keyed_));
    ARROW_ASSIGN_OR_RAISE(Batch compacted, Compacted(batch, pool()));
    batches_.push_back(std::move(compacted));
    return Status::OK();
  }

  // Keeps the first `limit_` rows, sorted, as one batch.
  Status Prune() {
    if (batches_.empty()) return Status::OK();
    keyed_.SortFirst(limit_);
    const int64_t count = std::min(limit_, keyed_.items().size());
    std::vector<RowOfBatch> rows;
    rows.reserve(count);
    for (int64_t i = 0; i < count; ++i) {
      rows.push_back({keyed_.items()[i].batch, keyed_.items()[i].row});
    }
    ARROW_ASSIGN_OR_RAISE(Batch kept, Interleave(batches_, rows, input_schema_, pool()));
    keyed_.Clear(/*release=*/false);
    batches_.clear();
    RETURN_NOT_OK(keys_.Append(kept, 0, pool(), &keyed_));
    has_bound_ = kept.row_count == limit_;
    if (has_bound_) {
      Batch last{input_schema_, {}, 1, nullptr};
      for (const auto& column : kept.columns) last.columns.push_back(column->Slice(limit_ - 1));
      bound_.Clear(/*release=*/false);
      RETURN_NOT_OK(keys_.Append(last, 0, pool(), &bound_));
    }
    batches_.push_back(std::move(kept));
    return Status::OK();
  }

  const SortKeys keys_;
  const int64_t limit_;
  const int64_t offset_;
  const std::vector<std::unique_ptr<Expression>> project_;
  const std::shared_ptr<arrow::Schema> input_schema_;
  KeyedRows keyed_;
  KeyedRows candidates_;  // of one batch
  KeyedRows bound_;       // the last row kept
  std::vector<Batch> batches_;
  int64_t position_ = 0;
  bool has_bound_ = false;
  bool is_complete_ = false;
};

Result<std::vector<std::unique_ptr<Expression>>> ProjectionOf(const OperatorSpec& spec) {
  std::vector<std::unique_ptr<Expression>> made;
  const auto project = spec.arguments.find("project");
  if (project == spec.arguments.end() || project->is_null()) {
    RETURN_NOT_OK(CheckSameColumns(spec));
    return made;
  }
  ARROW_ASSIGN_OR_RAISE(auto expressions, ExpressionsMember(spec.arguments, "project"));
  if (expressions.size() != spec.output.size()) {
    return Status::Invalid("\"project\" has ", expressions.size(), " expressions for an output of ",
                           spec.output.size(), " columns");
  }
  for (size_t i = 0; i < expressions.size(); ++i) {
    ARROW_ASSIGN_OR_RAISE(auto expression, MakeExpression(expressions[i], spec.inputs[0]));
    if (expression->type() != spec.output[i].type) {
      return Status::Invalid("expression ", i, " of \"project\" is ", expression->type().ToString(),
                             ", its output column ", spec.output[i].name, " is ",
                             spec.output[i].type.ToString());
    }
    made.push_back(std::move(expression));
  }
  return made;
}

}  // namespace

Result<std::unique_ptr<Operator>> MakeTakeOrdered(OperatorSpec spec,
                                                  std::vector<std::unique_ptr<Operator>> inputs,
                                                  const TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto* ordering, ArrayMember(spec.arguments, "ordering"));
  ARROW_ASSIGN_OR_RAISE(SortKeys keys, SortKeys::Make(*ordering, spec.inputs[0]));
  ARROW_ASSIGN_OR_RAISE(const int64_t limit, IntegerMember(spec.arguments, "limit"));
  ARROW_ASSIGN_OR_RAISE(const int64_t offset, IntegerMember(spec.arguments, "offset"));
  if (limit < 0 || offset < 0) {
    return Status::Invalid("\"limit\" ", limit, " and \"offset\" ", offset,
                           " must not be negative");
  }
  ARROW_ASSIGN_OR_RAISE(auto project, ProjectionOf(spec));
  return std::make_unique<TakeOrdered>(std::move(spec), std::move(inputs), context, std::move(keys),
                                       limit, offset, std::move(project));
}

}  // namespace reprise
