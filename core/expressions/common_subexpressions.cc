#include "expressions/common_subexpressions.h"

#include <algorithm>

namespace reprise {

namespace {

using List = std::span<const ExpressionSpec>;

void DropContexts(nlohmann::json* expression) {
  const auto attributes = expression->find("attributes");
  if (attributes != expression->end()) attributes->erase("context");
  const auto arguments = expression->find("arguments");
  if (arguments == expression->end()) return;
  for (nlohmann::json& argument : *arguments) DropContexts(&argument);
}

int HeightOf(const ExpressionSpec& expression) {
  int height = 0;
  for (const auto& argument : expression.arguments) height = std::max(height, HeightOf(argument));
  return height + 1;
}

bool IsConditional(const ExpressionSpec& expression) {
  return expression.function == "if" || expression.function == "case_when" ||
         expression.function == "coalesce";
}

// Functions of lambdas have no generated code, so what stands in them is looked at by itself.
bool IsInterpreted(const ExpressionSpec& expression) {
  return std::ranges::any_of(expression.arguments, [](const ExpressionSpec& argument) {
    return argument.function == "lambda";
  });
}

// The arguments that every row comes by: ConditionalExpression.alwaysEvaluatedInputs.
List AlwaysEvaluated(const ExpressionSpec& expression) {
  const List all = expression.arguments;
  return IsConditional(expression) ? all.first(std::min<size_t>(1, all.size())) : all;
}

using Group = std::vector<const ExpressionSpec*>;

// Arguments of which a row comes by one: ConditionalExpression.branchGroups.
std::vector<Group> BranchGroups(const ExpressionSpec& expression) {
  const auto& arguments = expression.arguments;
  Group conditions;
  Group values;
  if (expression.function == "coalesce") {
    for (const auto& argument : arguments) values.push_back(&argument);
  } else if (IsConditional(expression)) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      const bool is_else = i + 1 == arguments.size() && i % 2 == 0;
      (i % 2 == 0 && !is_else ? conditions : values).push_back(&arguments[i]);
    }
    // Without an else a row may come by no value.
    if (arguments.size() % 2 == 0) values.clear();
  }
  std::vector<Group> groups;
  if (conditions.size() > 1) groups.push_back(std::move(conditions));
  if (values.size() > 1) groups.push_back(std::move(values));
  return groups;
}

// How often each expression is met (EquivalentExpressions.updateExprTree and updateCommonExprs).
class Uses {
 public:
  struct Use {
    std::string text;
    const ExpressionSpec* expression;
    int count;
  };

  const std::vector<Use>& all() const { return uses_; }

  // Of what has been met before the arguments are not counted again.
  void Add(const ExpressionSpec& expression, int count) {
    if (count == 0 || expression.arguments.empty()) return;
    if (Count(expression, count) || IsInterpreted(expression)) return;
    const int sign = count > 0 ? 1 : -1;
    for (const auto& argument : AlwaysEvaluated(expression)) Add(argument, sign);
    for (const Group& group : BranchGroups(expression)) AddCommon(group, sign);
  }

 private:
  bool Count(const ExpressionSpec& expression, int count) {
    std::string text = TextWithoutContext(expression);
    const auto found = std::ranges::find(uses_, text, &Use::text);
    if (found == uses_.end()) {
      if (count > 0) uses_.push_back({std::move(text), &expression, count});
      return false;
    }
    found->count += count;
    if (found->count > 0) return true;
    uses_.erase(found);
    return false;
  }

  // What all of the group have counts once, from the highest downwards.
  void AddCommon(const Group& group, int sign) {
    Uses common;
    common.Add(*group[0], 1);
    for (size_t i = 1; i < group.size() && !common.uses_.empty(); ++i) {
      Uses other;
      other.Add(*group[i], 1);
      std::erase_if(common.uses_, [&](const Use& use) {
        return std::ranges::find(other.uses_, use.text, &Use::text) == other.uses_.end();
      });
    }
    while (!common.uses_.empty()) {
      const Use highest = *std::ranges::max_element(
          common.uses_, {}, [](const Use& use) { return HeightOf(*use.expression); });
      common.Add(*highest.expression, -highest.count);
      Add(*highest.expression, sign);
    }
  }

  std::vector<Use> uses_;
};

bool IsDivision(const ExpressionSpec& expression) {
  static constexpr std::string_view kDivisions[] = {"divide", "integral_divide", "remainder",
                                                    "pmod"};
  return std::ranges::find(kDivisions, expression.function) != std::end(kDivisions);
}

// The arguments of which we know that they are evaluated for every row: not behind what decides,
// nor beside what may be null.
List SurelyEvaluated(const ExpressionSpec& expression) {
  const List all = expression.arguments;
  if (all.size() <= 1) return all;
  if (IsInterpreted(expression)) return all.first(1);
  if (IsDivision(expression)) return all.last(1);
  const bool decides = IsConditional(expression) || expression.function == "and" ||
                       expression.function == "or" ||
                       std::ranges::any_of(all, &ExpressionSpec::nullable);
  return decides ? all.first(1) : all;
}

// Whether every row for which `expression` is evaluated comes by `text`.
bool Meets(const ExpressionSpec& expression, const std::string& text) {
  if (expression.arguments.empty()) return false;
  if (TextWithoutContext(expression) == text) return true;
  return std::ranges::any_of(SurelyEvaluated(expression),
                             [&](const ExpressionSpec& argument) { return Meets(argument, text); });
}

}  // namespace

std::string TextWithoutContext(const ExpressionSpec& expression) {
  nlohmann::json json = ToJson(expression);
  DropContexts(&json);
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<std::vector<CommonSubexpression>> MakeCommonSubexpressions(
    std::span<const ExpressionSpec> list, const std::vector<Field>& input,
    const std::function<bool(size_t)>& is_evaluated) {
  Uses uses;
  for (const auto& expression : list) uses.Add(expression, 1);
  std::vector<Uses::Use> common;
  std::ranges::copy_if(uses.all(), std::back_inserter(common),
                       [](const Uses::Use& use) { return use.count > 1; });
  std::ranges::stable_sort(common, {},
                           [](const Uses::Use& use) { return HeightOf(*use.expression); });
  std::vector<CommonSubexpression> made;
  for (const auto& use : common) {
    CommonSubexpression one;
    ARROW_ASSIGN_OR_RAISE(one.expression, MakeExpression(*use.expression, input));
    if (!one.expression->can_fail()) continue;
    for (size_t i = 0; i < list.size() && !one.is_met_anyway; ++i) {
      one.is_met_anyway = is_evaluated(i) && Meets(list[i], use.text);
    }
    made.push_back(std::move(one));
  }
  return made;
}

Status EvaluateCommons(std::span<const CommonSubexpression> commons, EvalInput& input, bool all) {
  for (const CommonSubexpression& common : commons) {
    if (common.is_met_anyway && !all) continue;
    RETURN_NOT_OK(common.expression->Evaluate(input));
  }
  return Status::OK();
}

}  // namespace reprise
