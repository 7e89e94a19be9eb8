// Purpose: give each row once for every projection: grouping sets, several distinct aggregates.
// Input:   one, any columns.  Output: as many batches as projections for each of the input.
// Example: projections [[a, 0], [null, 1]] over a = [5] gives (5, 0) and (null, 1) (Spark's
// ExpandExec; its order of rows, row by row, is not promised).
#include "operators/expand.h"

#include "expressions/expression.h"
#include "expressions/row_error.h"
#include "operators/spec_members.h"
#include "plan/value_form.h"

namespace reprise {

namespace {

using Projection = std::vector<std::unique_ptr<Expression>>;

class Expand final : public Operator {
 public:
  Expand(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
         const TaskContext& context, std::vector<Projection> projections)
      : Operator(std::move(spec), std::move(inputs), context),
        projections_(std::move(projections)) {}

 private:
  Result<std::optional<Batch>> NextBatch() override {
    if (next_ == projections_.size()) {
      RETURN_NOT_OK(due_.status());
      rows_.reset();
      ARROW_ASSIGN_OR_RAISE(batch_, Pull());
      if (!batch_.has_value()) return std::nullopt;
      rows_.emplace(*batch_, pool());
      next_ = 0;
    }
    auto output = Projected(*rows_, projections_[next_]);
    if (!output.ok()) {
      // A row is given for every projection before the next one is looked at.
      RETURN_NOT_OK(due_.Cut(&*batch_, output.status(), [this](const Batch& rows) {
        EvalInput input(rows, pool());
        for (size_t i = next_; i < projections_.size(); ++i) {
          RETURN_NOT_OK(Projected(input, projections_[i]));
        }
        return Status::OK();
      }));
      rows_.emplace(*batch_, pool());
      output = Projected(*rows_, projections_[next_]);
    }
    ++next_;
    return output;
  }

  Result<std::optional<Batch>> Projected(EvalInput& input, const Projection& projection) const {
    Batch output{output_schema(), {}, input.row_count(), nullptr};
    for (const auto& expression : projection) {
      ARROW_ASSIGN_OR_RAISE(auto column, EvaluateToArray(*expression, input));
      output.columns.push_back(std::move(column));
    }
    return output;
  }

  const std::vector<Projection> projections_;
  size_t next_ = projections_.size();
  std::optional<Batch> batch_;
  std::optional<EvalInput> rows_;  // of batch_
  DueError due_;
};

Result<Projection> ParseProjection(const nlohmann::json& json, const OperatorSpec& spec) {
  Projection projection;
  if (!json.is_array() || json.size() != spec.output.size()) {
    return Status::Invalid("a projection must have ", spec.output.size(),
                           " expressions, one an output column");
  }
  for (size_t i = 0; i < json.size(); ++i) {
    ARROW_ASSIGN_OR_RAISE(const ExpressionSpec expression, ExpressionSpecFromJson(json[i]));
    ARROW_ASSIGN_OR_RAISE(auto made, MakeExpression(expression, spec.inputs[0]));
    if (!HaveSameForm(made->type(), spec.output[i].type)) {
      return Status::Invalid("expression ", i, " of a projection is ", made->type().ToString(),
                             ", its output column ", spec.output[i].name, " is ",
                             spec.output[i].type.ToString());
    }
    projection.push_back(std::move(made));
  }
  return projection;
}

}  // namespace

Result<std::unique_ptr<Operator>> MakeExpand(OperatorSpec spec,
                                             std::vector<std::unique_ptr<Operator>> inputs,
                                             const TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto* list, ArrayMember(spec.arguments, "projections"));
  if (list->empty()) return Status::Invalid("\"projections\" is empty");
  std::vector<Projection> projections;
  for (const auto& json : *list) {
    ARROW_ASSIGN_OR_RAISE(auto projection, ParseProjection(json, spec));
    projections.push_back(std::move(projection));
  }
  return std::make_unique<Expand>(std::move(spec), std::move(inputs), context,
                                  std::move(projections));
}

}  // namespace reprise
