// Pass "expands": finds out of which ExpandExec the order of rows is seen.
//
// Input:   the operators' marks.
// Output:  "ordered":true among the arguments of each native ExpandExec of which somebody may see
//          whether a row's projections come together, as Spark's do.
// Example: limit > Expand [[a#1, b], [c#2, d]], an UNPIVOT  ->  "ordered":true
//          aggregate by a#1 and gid#3 > Expand [[a#1, 0], [null, 1]]  ->  nothing
//
// To put rows together costs, and grouping sets need none of it: an aggregate that groups by a
// number that each projection has one of its own sees in each group rows of one projection alone,
// and these come in the order of the input either way.
#include <algorithm>
#include <unordered_set>

#include "rules/order_use.h"
#include "rules/pipeline.h"

namespace reprise {

namespace {

/// Each projection has an integer of its own in output column `column`.
bool TellsProjections(const PlanValue& projections, size_t column) {
  std::unordered_set<int64_t> numbers;
  for (const PlanValue& projection : projections.items) {
    const PlanObject* expression =
        column < projection.items.size() ? projection.items[column].object : nullptr;
    if (expression == nullptr || ShortClassName(expression->class_name) != "Literal") return false;
    const PlanValue* value = expression->argument("value");
    if (value == nullptr || !value->is(PlanValue::Kind::kInteger)) return false;
    if (!numbers.insert(value->integer).second) return false;
  }
  return true;
}

/// The aggregate puts no rows of two projections into one group.
bool GroupsByProjection(const PlanNode& aggregate, const PlanNode& expand) {
  const PlanValue* keys = aggregate.argument("groupingExpressions");
  const PlanValue* projections = expand.argument("projections");
  if (keys == nullptr || projections == nullptr) return false;
  for (size_t i = 0; i < expand.output.size(); ++i) {
    const auto column = AttributeOf(expand.output[i]);
    const auto is_column = [&](const PlanValue& key) {
      const auto attribute = AttributeOf(key);
      return attribute && column && attribute->expr_id == column->expr_id;
    };
    const bool is_key = std::ranges::any_of(keys->items, is_column);
    if (is_key && TellsProjections(*projections, i)) return true;
  }
  return false;
}

bool MaySeeOrder(const PlanOperator& expand) {
  if (expand.parent == nullptr) return true;
  const PlanNode& above = *expand.parent->node;
  const std::string_view name = ShortClassName(above.class_name);
  if (name != "HashAggregateExec" && name != "ObjectHashAggregateExec") return true;
  return OrderUseOf(above) != OrderUse::kForgets && !GroupsByProjection(above, *expand.node);
}

}  // namespace

Status OrderExpands(Planning* planning) {
  if (!planning->is_judged) return Status::OK();
  for (PlanOperator* subject : planning->tree.operators()) {
    if (subject->mark != '*' || !subject->judgement.native) continue;
    if (ShortClassName(subject->node->class_name) != "ExpandExec") continue;
    if (MaySeeOrder(*subject)) subject->judgement.native->arguments["ordered"] = true;
  }
  return Status::OK();
}

}  // namespace reprise
