// Purpose: the first rows of a partition in an order, without sorting the others.
// Input:   one, any columns.  Output: the same columns, or those of a projection.
// Example: ordering [a descending], limit 2 over a = [3, 9, 1, 7] gives [9, 7].
//
// Keeps not much more than `limit` rows, and of equal rows those that Spark's
// TakeOrderedAndProjectExec keeps (first_rows.h). When memory is wanted, the rows so far become a
// sorted run in a spill file.
#include "operators/take_ordered.h"

#include <algorithm>

#include "expressions/row_error.h"
#include "expressions/widening.h"
#include "operators/evaluation_pieces.h"
#include "operators/first_rows.h"
#include "operators/sort.h"
#include "operators/spec_members.h"
#include "plan/value_form.h"

namespace reprise {

namespace {

/// Empty: the input's columns.
struct TakenColumns {
  std::vector<std::unique_ptr<Expression>> expressions;
  bool may_widen = false;
};

/// Which rows are taken.
struct TakenRows {
  int64_t limit = 0;
  int64_t offset = 0;             ///< of these the first so many are left out
  bool bounded_selection = true;  ///< see FirstRows
};

class TakeOrdered final : public Operator {
 public:
  TakeOrdered(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
              const TaskContext& context, SortKeys keys, const TakenRows& taken,
              TakenColumns project)
      : Operator(std::move(spec), std::move(inputs), context),
        keys_(std::move(keys)),
        limit_(taken.limit),
        offset_(taken.offset),
        project_(std::move(project.expressions)),
        pieces_(project.may_widen),
        rows_(&keys_, *ToArrowSchema(this->spec().inputs[0]),
              {context, [this](int64_t bytes) { CountSpilled(bytes); }}, taken.limit,
              taken.bounded_selection) {}

  int64_t SpillableBytes() const override { return rows_.SpillableBytes(); }
  Result<int64_t> Spill() override { return rows_.Spill(); }

 private:
  Result<std::optional<Batch>> NextBatch() override {
    RETURN_NOT_OK(due_.status());
    if (!is_complete_) {
      is_complete_ = true;
      if (limit_ > 0) RETURN_NOT_OK(Collect());
      RETURN_NOT_OK(rows_.Finish());
    }
    while (!pieces_.has_more()) {
      ARROW_ASSIGN_OR_RAISE(auto rows, rows_.Next(bounds()));
      if (!rows.has_value()) return std::nullopt;
      const int64_t skipped = std::clamp<int64_t>(offset_ - passed_, 0, rows->row_count);
      passed_ += rows->row_count;
      if (skipped == rows->row_count) continue;
      ARROW_ASSIGN_OR_RAISE(*rows, PieceOf(*rows, skipped, rows->row_count - skipped, pool()));
      if (project_.empty()) {
        rows->schema = output_schema();
        return rows;
      }
      pieces_.Start(*std::move(rows));
    }
    return pieces_.Next(bounds(), pool(), [this](const Batch& rows) {
      return due_.UpTo(rows, [this](const Batch& some) { return Projected(some); });
    });
  }

  Result<std::optional<Batch>> Projected(const Batch& rows) const {
    EvalInput input(rows, pool());
    Batch output{output_schema(), {}, rows.row_count, nullptr};
    for (const auto& expression : project_) {
      ARROW_ASSIGN_OR_RAISE(auto column, EvaluateToArray(*expression, input));
      output.columns.push_back(std::move(column));
    }
    return output;
  }

  Status Collect() {
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const std::optional<Batch> batch, Pull());
      if (!batch.has_value()) return Status::OK();
      if (batch->selected_count() == 0) continue;
      RETURN_NOT_OK(rows_.Add(*batch, [this](int64_t bytes) { return Reserve(bytes); }));
    }
  }

  const SortKeys keys_;
  const int64_t limit_;
  const int64_t offset_;
  const std::vector<std::unique_ptr<Expression>> project_;
  EvaluationPieces pieces_;
  FirstRows rows_;
  int64_t passed_ = 0;  // rows that have been given, or skipped
  bool is_complete_ = false;
  DueError due_;
};

Result<TakenColumns> ParseTakenColumns(const OperatorSpec& spec) {
  TakenColumns made;
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
  made.may_widen = std::ranges::any_of(expressions, MayWiden);
  for (size_t i = 0; i < expressions.size(); ++i) {
    ARROW_ASSIGN_OR_RAISE(auto expression, MakeExpression(expressions[i], spec.inputs[0]));
    if (!HaveSameForm(expression->type(), spec.output[i].type)) {
      return Status::Invalid("expression ", i, " of \"project\" is ", expression->type().ToString(),
                             ", its output column ", spec.output[i].name, " is ",
                             spec.output[i].type.ToString());
    }
    made.expressions.push_back(std::move(expression));
  }
  return made;
}

}  // namespace

Result<std::unique_ptr<Operator>> MakeTakeOrdered(OperatorSpec spec,
                                                  std::vector<std::unique_ptr<Operator>> inputs,
                                                  const TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto* ordering, ArrayMember(spec.arguments, "ordering"));
  ARROW_ASSIGN_OR_RAISE(SortKeys keys, SortKeys::Make(*ordering, spec.inputs[0]));
  TakenRows taken;
  ARROW_ASSIGN_OR_RAISE(taken.limit, IntegerMember(spec.arguments, "limit"));
  ARROW_ASSIGN_OR_RAISE(taken.offset, IntegerMember(spec.arguments, "offset"));
  if (taken.limit < 0 || taken.offset < 0) {
    return Status::Invalid("\"limit\" ", taken.limit, " and \"offset\" ", taken.offset,
                           " must not be negative");
  }
  if (spec.arguments.contains("boundedSelection")) {
    ARROW_ASSIGN_OR_RAISE(taken.bounded_selection,
                          BooleanMember(spec.arguments, "boundedSelection"));
  }
  ARROW_ASSIGN_OR_RAISE(auto project, ParseTakenColumns(spec));
  return std::make_unique<TakeOrdered>(std::move(spec), std::move(inputs), context, std::move(keys),
                                       taken, std::move(project));
}

}  // namespace reprise
