// Purpose: give Python rows group by group, as Spark would.
// Input:   one, sorted by the keys.  Output: its rows in batches of one group each, with a mark on
// the last batch of a group.
// Example: k = [a, a, b] with "rows":1 leaves as [a] [a, last] [b, last].
#include "operators/python_groups.h"

#include <arrow/array/util.h>
#include <arrow/scalar.h>

#include <deque>

#include "operators/python_rows.h"
#include "operators/sort.h"
#include "operators/spec_members.h"
#include "operators/window/row_changes.h"
#include "transitions/foreign_columns.h"

namespace reprise {

namespace {

/// Rows of one group, that follow each other.
struct GroupRows {
  Batch rows;
  bool begins_group = false;
};

class PythonGroups final : public Operator {
 public:
  PythonGroups(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
               const TaskContext& context, RowChanges keys, PythonRows rows,
               std::shared_ptr<arrow::Schema> schema)
      : Operator(std::move(spec), std::move(inputs), context),
        keys_(std::move(keys)),
        rows_(std::move(rows)),
        schema_(std::move(schema)) {}

 private:
  bool may_be_cut() const override { return false; }

  Result<std::optional<Batch>> NextBatch() override {
    while (true) {
      RETURN_NOT_OK(ReadNext());
      const bool is_whole = next_.empty() || next_.front().begins_group;
      if (!rows_.empty() && (is_whole || rows_.is_full(bounds()))) {
        RETURN_NOT_OK(Reserve(rows_.bytes()));
        ARROW_ASSIGN_OR_RAISE(Batch batch, rows_.Take(pool()));
        return Marked(std::move(batch), is_whole && rows_.empty());
      }
      if (next_.empty()) return std::nullopt;
      RETURN_NOT_OK(rows_.Add(std::move(next_.front().rows), pool()));
      next_.pop_front();
    }
  }

  /// Has the next rows at hand, unless there are none: whether a batch is the last of its group,
  /// they tell.
  Status ReadNext() {
    while (next_.empty()) {
      ARROW_ASSIGN_OR_RAISE(const std::optional<Batch> batch, Pull());
      if (!batch.has_value()) return Status::OK();
      if (batch->selected_count() > 0) RETURN_NOT_OK(Divide(*batch));
    }
    return Status::OK();
  }

  Status Divide(const Batch& batch) {
    ARROW_ASSIGN_OR_RAISE(const auto records, ToRecordBatch(batch, pool()));
    const Batch plain = ToBatch(records);
    EvalInput input(plain, pool());
    ARROW_ASSIGN_OR_RAISE(const arrow::ArrayVector keys, keys_.Evaluate(input));
    std::vector<uint8_t> changed(static_cast<size_t>(plain.row_count));
    RETURN_NOT_OK(keys_.Mark(keys, plain.row_count, pool(), changed.data()));
    int64_t begin = 0;
    for (int64_t row = 1; row <= plain.row_count; ++row) {
      if (row < plain.row_count && changed[static_cast<size_t>(row)] == 0) continue;
      ARROW_ASSIGN_OR_RAISE(Batch rows, PieceOf(plain, begin, row - begin, pool()));
      next_.push_back({std::move(rows), changed[static_cast<size_t>(begin)] != 0});
      begin = row;
    }
    return Status::OK();
  }

  Result<Batch> Marked(Batch batch, bool is_last) const {
    ARROW_ASSIGN_OR_RAISE(auto mark, arrow::MakeArrayFromScalar(arrow::BooleanScalar(is_last),
                                                                batch.row_count, pool()));
    batch.columns.push_back(std::move(mark));
    batch.schema = schema_;
    return batch;
  }

  RowChanges keys_;
  PythonRows rows_;
  const std::shared_ptr<arrow::Schema> schema_;
  std::deque<GroupRows> next_;  // behind rows_
};

}  // namespace

Result<std::unique_ptr<Operator>> MakePythonGroups(OperatorSpec spec,
                                                   std::vector<std::unique_ptr<Operator>> inputs,
                                                   const TaskContext& context) {
  RETURN_NOT_OK(CheckInputFirst(spec));
  const std::vector<Field>& input = spec.inputs[0];
  if (spec.output.size() != input.size() + 1 || !spec.output.back().type.is(TypeKind::kBoolean)) {
    return Status::Invalid("its output is not its input and a boolean");
  }
  ARROW_ASSIGN_OR_RAISE(const auto keys, ExpressionsMember(spec.arguments, "keys"));
  ARROW_ASSIGN_OR_RAISE(RowChanges changes, RowChanges::Make(keys, input));
  ARROW_ASSIGN_OR_RAISE(PythonRows rows, ReadPythonRows(spec.arguments, input));
  ARROW_ASSIGN_OR_RAISE(auto schema, ForeignSchema(spec.output));
  return std::make_unique<PythonGroups>(std::move(spec), std::move(inputs), context,
                                        std::move(changes), std::move(rows), std::move(schema));
}

}  // namespace reprise
