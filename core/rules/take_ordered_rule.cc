// TakeOrderedAndProjectExec -> take_ordered, twice: on each partition, and on what is left of all.
//
// Input:   `limit`, `offset` (part of the limit), `sortOrder`, `projectList`.
// Output:  {"ordering":[…],"limit":n,"offset":m,"project":[EXPR…]|null}; the verdict's "local" is
//          the same without offset and projection. Where Spark evaluates some of the projection,
//          that is the verdict's "results", above the child's columns. Before Spark 4 also
//          "boundedSelection":false.
// Example: TakeOrderedAndProject(limit=10, orderBy=[a#1 ASC NULLS FIRST], output=[a#1, b#2])
#include "plan/plan_text.h"
#include "rules/operator_table.h"
#include "rules/order_translation.h"

namespace reprise {

Judgement JudgeTakeOrdered(const OperatorQuestion& question) {
  OperatorTranslation translation(question);
  if (!translation.ok()) return translation.Take();
  translation.AllowGuests();
  const PlanNode& node = question.node;
  const PlanValue* limit = node.argument("limit");
  const PlanValue* offset = node.argument("offset");
  const PlanValue* list = node.argument("projectList");
  if (limit == nullptr || !limit->is(PlanValue::Kind::kInteger) || list == nullptr ||
      !list->is(PlanValue::Kind::kList) || list->items.size() != node.output.size()) {
    return Refused("its limit or its list of columns is not part of the plan");
  }
  const PlanValue* order = node.argument("sortOrder");
  if (order == nullptr || !order->is(PlanValue::Kind::kList) || order->items.empty()) {
    return Refused("TakeOrderedAndProjectExec has no argument \"sortOrder\"");
  }
  nlohmann::json ordering = OrderJson(&translation, order->items);
  // Of the rows that are left alone, so that no guest below may compute it.
  nlohmann::json project = translation.TranslateResults(*list, translation.input());
  NativeOperator& native = translation.native();
  if (native.results) native.results->arguments["deferred"] = false;
  const bool has_offset = offset != nullptr && offset->is(PlanValue::Kind::kInteger);
  nlohmann::json local = {{"ordering", std::move(ordering)},
                          {"limit", limit->integer},
                          {"offset", 0},
                          {"project", nullptr}};
  // Which of equal rows are kept is what Guava makes of them, Spark 3.5's as its version 14 does.
  if (question.is_before_spark_4()) local["boundedSelection"] = false;
  native.arguments = local;
  native.arguments["offset"] = has_offset ? offset->integer : 0;
  native.arguments["project"] = std::move(project);
  native.local_arguments = std::move(local);
  native.arguments_text = fmt::format("limit={}, orderBy={}, output={}", limit->integer,
                                      ValueText(*order), ValueText(*list));
  return translation.Take();
}

}  // namespace reprise
