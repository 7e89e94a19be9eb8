#include "report/comparison_json.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

Json ToJson(const std::vector<ComparedSetting>& settings) {
  Json json = Json::array();
  for (const ComparedSetting& each : settings) {
    json.push_back({{"name", each.name}, {"left", each.left}, {"right", each.right}});
  }
  return json;
}

Json SideJson(const PlanGraph& plan, int at) {
  if (at < 0) return nullptr;
  const GraphNode& node = plan[static_cast<size_t>(at)];
  return {{"node", at},           {"name", node.operator_name}, {"id", node.lore_id},
          {"ms", node.task_ms},   {"rows", node.rows},          {"runs", NameOf(node.runs)},
          {"stages", node.stages}};
}

Json ToJson(const ComparedQuery& pair) {
  Json operators = Json::array();
  for (const ComparedOperator& each : pair.operators) {
    operators.push_back({{"left", SideJson(pair.left->plan, each.left)},
                         {"right", SideJson(pair.right->plan, each.right)}});
  }
  return {{"left", pair.left->execution->id},
          {"right", pair.right->execution->id},
          {"description", pair.right->execution->description},
          {"leftMs", pair.left->wall_ms},
          {"rightMs", pair.right->wall_ms},
          {"samePlan", pair.same_plan},
          {"operators", std::move(operators)},
          {"settings", ToJson(pair.settings)}};
}

Json IdsOf(const std::vector<const ReportedQuery*>& queries) {
  Json ids = Json::array();
  for (const ReportedQuery* query : queries) ids.push_back(query->execution->id);
  return ids;
}

Json ToJson(const Report& report) {
  return {{"log", report.log},
          {"name", report.model.application()},
          {"id", report.model.application_id()},
          {"ms", WallMs(report)},
          {"cores", report.cores}};
}

}  // namespace

Json ToJson(const RunComparison& comparison) {
  Json json = {{"left", ToJson(comparison.left)},
               {"right", ToJson(comparison.right)},
               {"queries", Json::array()},
               {"onlyLeft", IdsOf(comparison.only_left)},
               {"onlyRight", IdsOf(comparison.only_right)},
               {"settings", ToJson(comparison.settings)}};
  for (const ComparedQuery& pair : comparison.queries) json["queries"].push_back(ToJson(pair));
  return json;
}

}  // namespace reprise
