#include "replay/failing_place.h"

#include <functional>

#include "base/figure_text.h"
#include "dump/meta.h"
#include "expressions/expression.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

class FailureFinder {
 public:
  FailureFinder(const OperatorSpec& spec, const Batch& row, const Status& raised)
      : spec_(spec), row_(row), raised_(raised) {}

  // The first expression within `json` that fails so, in the order of the specification.
  std::string Within(const Json& json) const {
    if (json.is_object() && json.contains("function")) {
      const auto expression = ExpressionSpecFromJson(json);
      if (expression.ok() && FailsSo(*expression)) return InnermostOf(*expression);
    }
    if (!json.is_structured()) return "";
    for (const Json& part : json) {
      if (std::string found = Within(part); !found.empty()) return found;
    }
    return "";
  }

 private:
  std::string InnermostOf(const ExpressionSpec& expression) const {
    for (const ExpressionSpec& argument : expression.arguments) {
      if (FailsSo(argument)) return InnermostOf(argument);
    }
    return ToString(expression, spec_.inputs[0]);
  }

  // The operator has put its name in front of what the expression has said.
  bool FailsSo(const ExpressionSpec& spec) const {
    const auto expression = MakeExpression(spec, spec_.inputs[0]);
    if (!expression.ok()) return false;
    EvalInput input(row_, arrow::default_memory_pool());
    const Status status = (*expression)->Evaluate(input).status();
    return !status.ok() && raised_.message().ends_with(status.message());
  }

  const OperatorSpec& spec_;
  const Batch& row_;
  const Status& raised_;
};

}  // namespace

std::string ToString(const FailingPlace& place) {
  std::string text = fmt::format("{}, batch {}", StreamName(place.input), Thousands(place.batch));
  if (place.row) text += ", row " + Thousands(*place.row);
  if (!place.expression.empty()) text += ": " + place.expression;
  return text;
}

std::string FailingExpression(const OperatorSpec& spec, const Batch& row, const Status& raised) {
  if (spec.inputs.size() != 1) return "";
  const FailureFinder finder(spec, row, raised);
  for (const char* member : {"condition", "expressions", "keys", "aggregates"}) {
    if (!spec.arguments.contains(member)) continue;
    if (std::string found = finder.Within(spec.arguments[member]); !found.empty()) return found;
  }
  return "";
}

}  // namespace reprise
