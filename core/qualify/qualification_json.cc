#include "qualify/qualification_json.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

Json ToJson(const Estimate& estimate) {
  return {{"least", estimate.least}, {"expected", estimate.expected}, {"most", estimate.most}};
}

Json ToJson(const QualifiedQuery& qualified) {
  const ReportedQuery& query = *qualified.query;
  Json operators = Json::array();
  for (size_t i = 0; i < query.plan.size(); ++i) {
    operators.push_back({{"name", query.plan[i].operator_name},
                         {"runs", NameOf(qualified.operators[i].runs)},
                         {"reason", qualified.operators[i].reason},
                         {"ms", query.plan[i].task_ms}});
  }
  Json families = Json::object();
  for (size_t i = 0; i < kCostFamilies; ++i) {
    families[std::string(NameOf(static_cast<CostFamily>(i)))] = qualified.task_ms[i];
  }
  return {{"id", query.execution->id},
          {"description", query.execution->description},
          {"wallMs", query.wall_ms},
          {"tasksWallMs", qualified.tasks_wall_ms},
          {"nativeShare", qualified.native_share},
          {"nativeWallMs", ToJson(qualified.wall_ms)},
          {"taskMs", std::move(families)},
          {"operators", std::move(operators)}};
}

Json ToJson(const Obstacle& obstacle) {
  return {{"reason", obstacle.reason},
          {"runs", NameOf(obstacle.runs)},
          {"operators", obstacle.operators},
          {"seconds", obstacle.seconds},
          {"query", obstacle.query->execution->id},
          {"operator", obstacle.query->plan[static_cast<size_t>(obstacle.node)].operator_name}};
}

}  // namespace

Json ToJson(const Qualification& qualification) {
  const LogModel& model = qualification.report.model;
  Json json = {
      {"log", qualification.report.log},
      {"name", model.application()},
      {"id", model.application_id()},
      {"sparkVersion", model.spark_version()},
      {"wallMs", qualification.wall_ms},
      {"queryMs", qualification.query_ms},
      {"nativeShare", qualification.native_share},
      {"nativeWallMs", ToJson(qualification.native_wall_ms)},
      {"speedup",
       {{"least", Speedup(qualification.wall_ms, qualification.native_wall_ms.most)},
        {"expected", Speedup(qualification.wall_ms, qualification.native_wall_ms.expected)},
        {"most", Speedup(qualification.wall_ms, qualification.native_wall_ms.least)}}},
      {"queries", Json::array()},
      {"obstacles", Json::array()}};
  for (const QualifiedQuery& each : qualification.queries) json["queries"].push_back(ToJson(each));
  for (const Obstacle& each : qualification.obstacles) json["obstacles"].push_back(ToJson(each));
  return json;
}

}  // namespace reprise
