#include "lineage/lineage_graph.h"
#include "lineage/model_json.h"
#include "lineage/stage_figures.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

Json ToJson(const StageBox& box) {
  Json rdds = Json::array();
  for (const RddBox& rdd : box.rdds) {
    Json json = ToJson(*rdd.rdd);
    json["cached"] = rdd.cached;
    json["behindCache"] = rdd.behind_cache;
    rdds.push_back(std::move(json));
  }
  Json scopes = Json::array();
  for (const ScopeBox& scope : box.scopes) {
    Json members = Json::array();
    for (const size_t index : scope.rdds) members.push_back(box.rdds[index].rdd->id);
    scopes.push_back(
        {{"name", scope.name}, {"operators", scope.operators}, {"rdds", std::move(members)}});
  }
  const StageFigures figures = FiguresOf(*box.stage);
  return {{"id", box.stage->id},
          {"name", box.stage->name},
          {"state", NameOf(box.state)},
          {"tasks", box.stage->tasks},
          {"ranAgainAs", box.ran_again},
          {"skippedAs", box.skipped},
          {"durationMs", figures.duration_ms < 0 ? Json() : Json(figures.duration_ms)},
          {"skew", figures.skew == 0 ? Json() : Json(figures.skew)},
          {"rowsRead", figures.rows_read},
          {"bytesRead", figures.bytes_read},
          {"rowsWritten", figures.rows_written},
          {"bytesWritten", figures.bytes_written},
          {"rdds", std::move(rdds)},
          {"scopes", std::move(scopes)}};
}

}  // namespace

Json ToJson(const LineageGraph& graph) {
  Json stages = Json::array();
  for (const StageBox& box : graph.stages) stages.push_back(ToJson(box));
  Json outside = Json::array();
  for (const Rdd* rdd : graph.outside) outside.push_back(ToJson(*rdd));
  Json edges = Json::array();
  for (const LineageEdge& edge : graph.edges) {
    edges.push_back({{"fromStage", edge.from_stage < 0 ? Json() : Json(edge.from_stage)},
                     {"fromRdd", edge.from_rdd},
                     {"toStage", edge.to_stage},
                     {"toRdd", edge.to_rdd},
                     {"shuffle", edge.shuffle},
                     {"behindCache", edge.behind_cache}});
  }
  return {{"title", graph.title},
          {"stages", std::move(stages)},
          {"outside", std::move(outside)},
          {"edges", std::move(edges)}};
}

}  // namespace reprise
