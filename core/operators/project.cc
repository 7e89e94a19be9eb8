// Purpose: compute one output column an expression, row by row.
// Input:   one, any columns.  Output: as many rows, up to one that fails; columns that are only
// passed on are not copied. What stands in the expressions more than once is evaluated first
// (common_subexpressions.h), but where {"commons": false} says that Spark does not.
// Example: arguments {"expressions": [b, a + 1]} over a = [1, 2], b = ["x", "y"] gives ["x", "y"],
// [2, 3].
#include "operators/project.h"

#include <algorithm>

#include "expressions/common_subexpressions.h"
#include "expressions/expression.h"
#include "expressions/row_error.h"
#include "expressions/widening.h"
#include "operators/evaluation_pieces.h"
#include "operators/spec_members.h"

namespace reprise {

namespace {

struct ProjectedColumn {
  std::unique_ptr<Expression> expression;
  int column = -1;  // the input's column that is passed on as it is; -1: computed
};

class Project final : public Operator {
 public:
  Project(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
          const TaskContext& context, std::vector<ProjectedColumn> projections,
          std::vector<std::unique_ptr<Expression>> commons, bool may_widen)
      : Operator(std::move(spec), std::move(inputs), context),
        projections_(std::move(projections)),
        commons_(std::move(commons)),
        pieces_(may_widen) {
    for (const ProjectedColumn& projection : projections_) only_columns_ &= projection.column >= 0;
  }

 private:
  Result<std::optional<Batch>> NextBatch() override {
    RETURN_NOT_OK(due_.status());
    while (!pieces_.has_more()) {
      ARROW_ASSIGN_OR_RAISE(std::optional<Batch> batch, Pull());
      if (!batch.has_value()) return std::nullopt;
      pieces_.Start(*std::move(batch));
    }
    return pieces_.Next(bounds(), pool(), [this](const Batch& rows) {
      return due_.UpTo(rows, [this](const Batch& some) { return Projected(some); });
    });
  }

  Result<std::optional<Batch>> Projected(const Batch& batch) const {
    Batch output{output_schema(), {}, 0, nullptr};
    output.columns.reserve(projections_.size());
    if (only_columns_) {
      for (const ProjectedColumn& projection : projections_) {
        output.columns.push_back(batch.columns[projection.column]);
      }
      output.row_count = batch.row_count;
      output.selection = batch.selection;
      return output;
    }
    // Something is computed, for the selected rows only; so every column is gathered to those rows.
    EvalInput input(batch, pool());
    output.row_count = input.row_count();
    for (const auto& common : commons_) RETURN_NOT_OK(common->Evaluate(input));
    for (const ProjectedColumn& projection : projections_) {
      ARROW_ASSIGN_OR_RAISE(auto column, projection.column >= 0
                                             ? input.column(projection.column)
                                             : EvaluateToArray(*projection.expression, input));
      output.columns.push_back(std::move(column));
    }
    return output;
  }

  std::vector<ProjectedColumn> projections_;
  std::vector<std::unique_ptr<Expression>> commons_;  // for their errors, which come first
  bool only_columns_ = true;
  DueError due_;
  EvaluationPieces pieces_;
};

}  // namespace

Result<std::unique_ptr<Operator>> MakeProject(OperatorSpec spec,
                                              std::vector<std::unique_ptr<Operator>> inputs,
                                              const TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(std::vector<ExpressionSpec> expressions,
                        ExpressionsMember(spec.arguments, "expressions"));
  if (expressions.size() != spec.output.size()) {
    return Status::Invalid("\"expressions\" has ", expressions.size(),
                           " expressions for an output of ", spec.output.size(), " columns");
  }
  std::vector<ProjectedColumn> projections(expressions.size());
  for (size_t i = 0; i < expressions.size(); ++i) {
    ARROW_ASSIGN_OR_RAISE(projections[i].expression,
                          MakeExpression(expressions[i], spec.inputs[0]));
    const DataType& type = projections[i].expression->type();
    if (type != spec.output[i].type) {
      return Status::Invalid("expression ", i, " of \"expressions\" is ", type.ToString(),
                             ", its output column ", spec.output[i].name, " is ",
                             spec.output[i].type.ToString());
    }
    projections[i].column = PlainColumn(expressions[i]);
  }
  std::vector<std::unique_ptr<Expression>> commons;
  if (spec.arguments.value("commons", true)) {
    ARROW_ASSIGN_OR_RAISE(commons, MakeCommonSubexpressions(expressions, spec.inputs[0]));
  }
  return std::make_unique<Project>(std::move(spec), std::move(inputs), context,
                                   std::move(projections), std::move(commons),
                                   std::ranges::any_of(expressions, MayWiden));
}

}  // namespace reprise
