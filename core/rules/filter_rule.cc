// FilterExec -> filter: keeps the rows for which the condition is true.
//
// Input:   FilterExec's `condition`, over its child's output.
// Output:  {"condition":EXPR}
// Example: FilterExec((a#1 < 5), child [a#1])  ->  {"condition":{"function":"less",…column 0,
// literal 5}}
//
// Of a conjunction whose first conditions are native and a later one is not, the native ones choose
// the rows that Spark sees.
#include <algorithm>
#include <set>

#include "plan/plan_text.h"
#include "rules/guest_expressions.h"
#include "rules/operator_table.h"
#include "rules/operator_translation.h"

namespace reprise {

namespace {

/// The conjunction of those that are native, from `first` up to `last`.
ExpressionSpec AllOf(std::vector<std::optional<ExpressionSpec>>& specs, size_t first, size_t last) {
  ExpressionSpec all = *std::move(specs[first]);
  for (size_t i = first + 1; i < last; ++i) all = Both(std::move(all), *std::move(specs[i]));
  return all;
}

/// Before Spark evaluates a condition it looks for nulls in the columns that the condition reads,
/// wherever the test for them stands (FilterExec.doConsume): those of the guests' columns go first.
void PutNullTestsFirst(const OperatorTranslation& translation, Conditions* conditions) {
  std::set<int> read;
  for (const PlanObject* one : *conditions) {
    if (translation.TryNatively(*one)) continue;
    const auto columns = ColumnsOfGuest(*one, translation.input());
    if (columns) read.insert(columns->begin(), columns->end());
  }
  std::ranges::stable_partition(*conditions, [&](const PlanObject* one) {
    if (ShortClassName(one->class_name) != "IsNotNull" || one->child(0) == nullptr) return false;
    const auto column = AttributeOf(*one->child(0));
    return column && read.contains(translation.input().IndexOf(column->expr_id));
  });
}

/// Splits the condition where the first one stands that is not native: false where there is none,
/// or nothing native before it.
bool SplitAtGuest(const PlanValue& condition, OperatorTranslation* translation,
                  std::optional<ExpressionSpec>* rest) {
  Conditions conditions = ConditionsOf(condition);
  PutNullTestsFirst(*translation, &conditions);
  std::vector<std::optional<ExpressionSpec>> specs;
  for (const PlanObject* one : conditions) specs.push_back(translation->TryNatively(*one));
  const auto is_guest = [](const auto& spec) { return !spec.has_value(); };
  const auto guest = static_cast<size_t>(std::ranges::find_if(specs, is_guest) - specs.begin());
  if (guest == 0 || guest == specs.size()) return false;
  translation->native().guest_condition = ToJson(AllOf(specs, 0, guest));
  if (std::ranges::count_if(specs, is_guest) > 1) {
    *rest = translation->TranslateAsGuest(std::span(conditions).subspan(guest));
    return true;
  }
  PlanValue value;
  value.kind = PlanValue::Kind::kObject;
  value.object = conditions[guest];
  *rest = translation->Translate(value);
  if (*rest && guest + 1 < specs.size()) {
    *rest = Both(*std::move(*rest), AllOf(specs, guest + 1, specs.size()));
  }
  return true;
}

}  // namespace

Judgement JudgeFilter(const OperatorQuestion& question) {
  OperatorTranslation translation(question);
  if (!translation.ok()) return translation.Take();
  translation.AllowGuests();
  const PlanValue* condition = question.node.argument("condition");
  if (condition == nullptr) return Refused("FilterExec has no argument \"condition\"");
  std::optional<ExpressionSpec> spec;
  const bool may_split = translation.may_have_guests() && condition->object != nullptr &&
                         !translation.TryNatively(*condition->object);
  if (!may_split || !SplitAtGuest(*condition, &translation, &spec)) {
    spec = translation.Translate(*condition);
  }
  if (!spec) return translation.Take();
  if (!spec->type.is(TypeKind::kBoolean)) {
    return Refused("the condition has type " + TypeText(spec->type));
  }
  translation.native().arguments["condition"] = ToJson(*spec);
  translation.native().arguments_text = ValueText(*condition);
  return translation.Take();
}

}  // namespace reprise
