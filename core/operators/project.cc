// Purpose: compute one output column an expression, row by row.
// Input:   one, any columns.  Output: as many rows, up to one that fails; columns that are only
// passed on are not copied. As Spark's generated code does, it evaluates first what stands in the
// expressions more than once (common_subexpressions.h), and lets a value that cannot be computed
// fail where it is used (value_errors.h); not so where {"commons": false} and {"deferred": false}
// say that Spark does not.
// Example: arguments {"expressions": [b, a + 1]} over a = [1, 2], b = ["x", "y"] gives ["x", "y"],
// [2, 3].
#include "operators/project.h"

#include <algorithm>

#include "expressions/common_subexpressions.h"
#include "expressions/deferred_values.h"
#include "expressions/expression.h"
#include "expressions/row_error.h"
#include "expressions/widening.h"
#include "operators/evaluation_pieces.h"
#include "operators/spec_members.h"
#include "plan/value_form.h"

namespace reprise {

namespace {

struct ProjectedColumn {
  std::unique_ptr<Expression> expression;
  // The same, for batches in which values are missing. Where something is computed and it is null,
  // the columns that are read are not handed on.
  std::unique_ptr<Expression> checked;
  int column = -1;  // the input's column that is passed on as it is; -1: computed
};

struct Projections {
  std::vector<ProjectedColumn> columns;
  std::vector<CommonSubexpression> commons;  // for their errors, which come first
  std::vector<bool> is_used;                 // of the input's columns: evaluated here
  bool only_columns = true;
  bool deferred = true;
  bool may_widen = false;
};

class Project final : public Operator {
 public:
  Project(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
          const TaskContext& context, Projections projections)
      : Operator(std::move(spec), std::move(inputs), context),
        projections_(std::move(projections)),
        pieces_(projections_.may_widen) {}

 private:
  bool hands_on(int /*index*/, int column) const override {
    return !projections_.is_used[static_cast<size_t>(column)];
  }

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
    return projections_.only_columns ? Chosen(batch) : Computed(batch);
  }

  Batch Chosen(const Batch& batch) const {
    Batch output{output_schema(), {}, batch.row_count, batch.selection};
    output.columns.reserve(projections_.columns.size());
    for (const ProjectedColumn& projection : projections_.columns) {
      output.columns.push_back(batch.columns[projection.column]);
    }
    if (batch.errors != nullptr) output.errors = ToBatchErrors(HandedOn(*batch.errors));
    return output;
  }

  // For the selected rows only; so every column is gathered to those rows.
  Result<std::optional<Batch>> Computed(const Batch& batch) const {
    Batch output{output_schema(), {}, 0, nullptr};
    output.columns.reserve(projections_.columns.size());
    EvalInput input(batch, pool());
    output.row_count = input.row_count();
    RETURN_NOT_OK(EvaluateCommons(projections_.commons, input, /*all=*/false));
    // What is common is evaluated before, and is not deferred.
    const auto commons = [&] { return EvaluateCommons(projections_.commons, input, /*all=*/true); };
    ValueErrors errors;
    for (const ProjectedColumn& projection : projections_.columns) {
      const auto number = static_cast<int>(output.columns.size());
      auto column = projection.column >= 0
                        ? input.column(projection.column)
                        : Values(ExpressionFor(projection, batch), input, number, &errors);
      if (!column.ok()) {
        RETURN_NOT_OK(commons());
        return column.status();
      }
      output.columns.push_back(*std::move(column));
    }
    if (!errors.empty()) RETURN_NOT_OK(commons());
    errors = Named(std::move(errors));
    for (ValueError& error : HandedOn(ErrorsByPlace(batch))) errors.push_back(std::move(error));
    output.errors = ToBatchErrors(std::move(errors));
    return output;
  }

  static const Expression& ExpressionFor(const ProjectedColumn& projection, const Batch& batch) {
    const bool is_checked = batch.errors != nullptr && projection.checked != nullptr;
    return is_checked ? *projection.checked : *projection.expression;
  }

  Result<std::shared_ptr<arrow::Array>> Values(const Expression& expression, EvalInput& input,
                                               int number, ValueErrors* errors) const {
    return projections_.deferred ? EvaluateDeferred(expression, input, number, errors)
                                 : EvaluateToArray(expression, input);
  }

  // Errors of the input's columns as those of the output's.
  ValueErrors HandedOn(ValueErrors errors) const {
    return ErrorsOfColumns(std::move(errors), [this](int column) {
      const auto found = std::ranges::find(projections_.columns, column, &ProjectedColumn::column);
      return found == projections_.columns.end()
                 ? -1
                 : static_cast<int>(found - projections_.columns.begin());
    });
  }

  const Projections projections_;
  DueError due_;
  EvaluationPieces pieces_;
};

// Which columns Spark evaluates here for all that is made of them: those that are read more than
// once (ProjectExec.usedInputs). And those of expressions that take no argument that can fail.
std::vector<bool> UsedColumns(const std::vector<ExpressionSpec>& expressions,
                              const std::vector<ProjectedColumn>& columns, size_t column_count) {
  std::vector<int> reads(column_count, 0);
  for (size_t i = 0; i < expressions.size(); ++i) {
    CountColumns(expressions[i], &reads);
    const bool is_computed = columns[i].column < 0;
    if (is_computed && columns[i].checked == nullptr) CountColumns(expressions[i], &reads);
  }
  std::vector<bool> used;
  for (const int count : reads) used.push_back(count > 1);
  return used;
}

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
  Projections projections;
  projections.columns.resize(expressions.size());
  for (size_t i = 0; i < expressions.size(); ++i) {
    ProjectedColumn& column = projections.columns[i];
    ARROW_ASSIGN_OR_RAISE(column.expression, MakeExpression(expressions[i], spec.inputs[0]));
    const DataType& type = column.expression->type();
    if (!HaveSameForm(type, spec.output[i].type)) {
      return Status::Invalid("expression ", i, " of \"expressions\" is ", type.ToString(),
                             ", its output column ", spec.output[i].name, " is ",
                             spec.output[i].type.ToString());
    }
    column.column = PlainColumn(expressions[i]);
    projections.only_columns &= column.column >= 0;
    if (column.column >= 0) continue;
    auto checked = MakeExpression(WithCheckedColumns(expressions[i]), spec.inputs[0]);
    if (checked.ok()) column.checked = *std::move(checked);
  }
  if (spec.arguments.value("commons", true)) {
    ARROW_ASSIGN_OR_RAISE(
        projections.commons,
        MakeCommonSubexpressions(expressions, spec.inputs[0], [](size_t) { return true; }));
  }
  projections.deferred = spec.arguments.value("deferred", true);
  projections.is_used = UsedColumns(expressions, projections.columns, spec.inputs[0].size());
  projections.may_widen = std::ranges::any_of(expressions, MayWiden);
  return std::make_unique<Project>(std::move(spec), std::move(inputs), context,
                                   std::move(projections));
}

}  // namespace reprise
