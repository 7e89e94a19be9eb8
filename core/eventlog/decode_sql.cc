// Events of SQL queries: Spark's, which Jackson writes with the names of the case classes' members,
// and Reprise's own, which docs/internals/event-log.md describes.
#include <algorithm>

#include "eventlog/decode_event.h"

namespace reprise {

namespace {

// No plan of Spark is so deep; a damaged line may be.
constexpr int kPlanDepthMax = 1000;  // the stack of a debug build has room for it

constexpr auto kMetric = MakeFields<SqlMetric>({
    {"name", Take<&SqlMetric::name>::Do},
    {"accumulatorId", Take<&SqlMetric::accumulator>::Do},
    {"metricType", Take<&SqlMetric::type>::Do},
});

struct PlanBuilder {
  std::vector<SqlOperator>* plan;
  size_t index;  // of the operator whose members are being taken

  SqlOperator& operator*() const { return (*plan)[index]; }
};

JsonError TakePlanNode(JsonValue& value, std::vector<SqlOperator>* plan, int depth,
                       JsonContext& context);

JsonError TakeName(JsonValue& value, PlanBuilder* node, JsonContext&) {
  return TakeText(value, &(**node).name);
}

JsonError TakeArguments(JsonValue& value, PlanBuilder* node, JsonContext&) {
  return TakeText(value, &(**node).text);
}

JsonError TakeChildren(JsonValue& value, PlanBuilder* node, JsonContext& context) {
  const int depth = (**node).depth + 1;
  if (depth > kPlanDepthMax) return simdjson::DEPTH_ERROR;
  return TakeItems(value,
                   [&](JsonValue& item) { return TakePlanNode(item, node->plan, depth, context); });
}

JsonError TakeMetrics(JsonValue& value, PlanBuilder* node, JsonContext& context) {
  return TakeItems(value, [&](JsonValue& item) {
    SqlMetric metric;
    const JsonError error = TakeObject(item, kMetric, &metric, context);
    if (metric.accumulator >= 0) (**node).metrics.push_back(metric);
    return error;
  });
}

constexpr auto kPlanNode = MakeFields<PlanBuilder>({
    {"nodeName", TakeName},
    {"simpleString", TakeArguments},
    {"children", TakeChildren},
    {"metrics", TakeMetrics},
});

JsonError TakePlanNode(JsonValue& value, std::vector<SqlOperator>* plan, int depth,
                       JsonContext& context) {
  PlanBuilder node{plan, plan->size()};
  plan->emplace_back().depth = depth;
  return TakeObject(value, kPlanNode, &node, context);
}

template <typename T>
JsonError TakePlan(JsonValue& value, T* event, JsonContext& context) {
  event->plan.clear();
  return TakePlanNode(value, &event->plan, 0, context);
}

constexpr auto kSqlStart = MakeFields<SqlExecutionStart>({
    {"executionId", Take<&SqlExecutionStart::id>::Do},
    {"rootExecutionId", Take<&SqlExecutionStart::root>::Do},
    {"description", Take<&SqlExecutionStart::description>::Do},
    {"sparkPlanInfo", TakePlan<SqlExecutionStart>},
    {"modifiedConfigs", Take<&SqlExecutionStart::settings>::Do},
    {"time", Take<&SqlExecutionStart::time>::Do},
});

constexpr auto kSqlUpdate = MakeFields<SqlPlanUpdate>({
    {"executionId", Take<&SqlPlanUpdate::id>::Do},
    {"sparkPlanInfo", TakePlan<SqlPlanUpdate>},
});

constexpr auto kSqlEnd = MakeFields<SqlExecutionEnd>({
    {"executionId", Take<&SqlExecutionEnd::id>::Do},
    {"time", Take<&SqlExecutionEnd::time>::Do},
    {"errorMessage", Take<&SqlExecutionEnd::error>::Do},
});

// Pairs of an accumulator's id and a value: [[12,3],[13,0]].
JsonError TakeUpdates(JsonValue& value, DriverMetrics* event, JsonContext&) {
  event->values.clear();
  std::vector<int64_t> pair;
  return TakeItems(value, [&](JsonValue& item) {
    const JsonError error = TakeIntegers(item, &pair);
    if (!error && pair.size() == 2) event->values.push_back({pair[0], pair[1]});
    return error;
  });
}

constexpr auto kDriverMetrics = MakeFields<DriverMetrics>({{"accumUpdates", TakeUpdates}});

constexpr auto kExplainedOperator = MakeFields<ExplainedOperator>({
    {"id", Take<&ExplainedOperator::node>::Do},
    {"loreId", Take<&ExplainedOperator::lore_id>::Do},
    {"name", Take<&ExplainedOperator::name>::Do},
    {"occurrence", Take<&ExplainedOperator::occurrence>::Do},
    {"fingerprint", Take<&ExplainedOperator::fingerprint>::Do},
    {"native", Take<&ExplainedOperator::native>::Do},
    {"reasons", Take<&ExplainedOperator::reasons>::Do},
    {"parent", Take<&ExplainedOperator::parent>::Do},
    {"cachedBy", Take<&ExplainedOperator::cached_by>::Do},
});

JsonError TakeExplained(JsonValue& value, PlanExplained* event, JsonContext& context) {
  return TakeItems(value, [&](JsonValue& item) {
    return TakeObject(item, kExplainedOperator, &event->operators.emplace_back(), context);
  });
}

constexpr auto kPlanExplained = MakeFields<PlanExplained>({
    {"executionId", Take<&PlanExplained::execution>::Do},
    {"query", Take<&PlanExplained::query>::Do},
    {"planning", Take<&PlanExplained::planning>::Do},
    {"replaces", Take<&PlanExplained::replaces>::Do},
    {"foretold", Take<&PlanExplained::foretold>::Do},
    {"operators", TakeExplained},
});

}  // namespace

JsonError DecodeSqlStart(JsonObject object, SqlExecutionStart* event, JsonContext& context) {
  return TakeObject(object, kSqlStart, event, context);
}

JsonError DecodeSqlUpdate(JsonObject object, SqlPlanUpdate* event, JsonContext& context) {
  return TakeObject(object, kSqlUpdate, event, context);
}

JsonError DecodeSqlEnd(JsonObject object, SqlExecutionEnd* event, JsonContext& context) {
  return TakeObject(object, kSqlEnd, event, context);
}

JsonError DecodeDriverMetrics(JsonObject object, DriverMetrics* event, JsonContext& context) {
  return TakeObject(object, kDriverMetrics, event, context);
}

JsonError DecodePlanExplained(JsonObject object, PlanExplained* event, JsonContext& context) {
  return TakeObject(object, kPlanExplained, event, context);
}

}  // namespace reprise
