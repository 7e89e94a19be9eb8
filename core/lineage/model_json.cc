#include "lineage/model_json.h"

#include "lineage/query_tree.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

Json TextOrNull(const std::string& text) { return text.empty() ? Json() : Json(text); }
Json TimeOrNull(int64_t time) { return time == 0 ? Json() : Json(time); }

Json ToJson(const LogModel& model, const LoggedOperator& node) {
  Json metrics = Json::array();
  for (const LoggedMetric& metric : node.metrics) {
    const std::optional<int64_t> value = model.ValueOf(metric);
    if (!value) continue;
    metrics.push_back({{"name", metric.name}, {"type", metric.type}, {"value", *value}});
  }
  return {{"name", node.name},
          {"text", node.text},
          {"depth", node.depth},
          {"metrics", std::move(metrics)},
          {"loreId", node.lore_id ? Json(*node.lore_id) : Json()}};
}

// What never ran is known from Spark's first plan alone.
Json ToJson(const LogModel& model, const ExplainedQuery& query) {
  Json operators = Json::array();
  for (const auto& [id, node] : BuildQueryTree(model, query)) {
    operators.push_back({{"loreId", id},
                         {"name", node.name},
                         {"occurrence", TextOrNull(node.occurrence)},
                         {"fingerprint", TextOrNull(node.fingerprint)},
                         {"parent", node.parent == 0 ? Json() : Json(node.parent)},
                         {"ran", node.explained},
                         {"native", node.native},
                         {"reasons", node.reasons}});
  }
  return {{"query", query.token}, {"operators", std::move(operators)}};
}

}  // namespace

Json ToJson(const Rdd& rdd) {
  return {{"id", rdd.id},
          {"name", rdd.name},
          {"callSite", rdd.call_site},
          {"scope", TextOrNull(rdd.scope_name)},
          {"parents", rdd.parents},
          {"storageLevel", TextOrNull(rdd.storage.ToString())},
          {"unpersisted", rdd.unpersisted},
          {"barrier", rdd.barrier},
          {"determinism", TextOrNull(rdd.determinism)},
          {"partitions", rdd.partitions}};
}

Json ToJson(const TaskFigures& figures) {
  return {{"runMs", figures.run_ms},
          {"cpuNs", figures.cpu_ns},
          {"gcMs", figures.gc_ms},
          {"deserializeMs", figures.deserialize_ms},
          {"resultBytes", figures.result_bytes},
          {"spilledMemoryBytes", figures.spilled_memory_bytes},
          {"spilledDiskBytes", figures.spilled_disk_bytes},
          {"inputBytes", figures.input_bytes},
          {"inputRows", figures.input_rows},
          {"outputBytes", figures.output_bytes},
          {"outputRows", figures.output_rows},
          {"shuffleReadBytes", figures.shuffle_read_bytes},
          {"shuffleReadRows", figures.shuffle_read_rows},
          {"shuffleWriteBytes", figures.shuffle_write_bytes},
          {"shuffleWriteRows", figures.shuffle_write_rows}};
}

Json ToJson(const StageTasks& tasks) {
  Json failures = Json::array();
  for (const StageTasks::Failure& failure : tasks.failures()) {
    failures.push_back({{"reason", failure.reason},
                        {"count", failure.count},
                        {"index", failure.index < 0 ? Json() : Json(failure.index)}});
  }
  Json json = {{"succeeded", tasks.succeeded()},     {"failed", tasks.failed()},
               {"killed", tasks.killed()},           {"speculative", tasks.speculative()},
               {"figures", ToJson(tasks.figures())}, {"failures", std::move(failures)}};
  if (tasks.succeeded() > 0) {
    json["minMs"] = tasks.MinMs();
    json["medianMs"] = tasks.MedianMs();
    json["skew"] = tasks.Skew();
    json["slowest"] = {{"task", tasks.slowest().task},
                       {"index", tasks.slowest().index},
                       {"attempt", tasks.slowest().attempt},
                       {"durationMs", tasks.slowest().duration_ms},
                       {"executor", tasks.slowest().executor}};
  }
  return json;
}

Json ToJson(const LogModel& model, const Stage& stage, bool tasks) {
  Json attempts = Json::array();
  for (const StageAttempt& attempt : stage.attempts) {
    Json json = {{"attempt", attempt.attempt},
                 {"submitted", TimeOrNull(attempt.submitted)},
                 {"completed", TimeOrNull(attempt.completed)},
                 {"taskCount", attempt.task_count},
                 {"failure", TextOrNull(attempt.failure)}};
    if (tasks) json["tasks"] = ToJson(attempt.tasks);
    attempts.push_back(std::move(json));
  }
  return {{"id", stage.id},
          {"name", stage.name},
          {"state", NameOf(model.StateOf(stage))},
          {"tasks", stage.tasks},
          {"rdds", stage.rdds},
          {"parents", stage.parents},
          {"jobs", stage.jobs},
          {"attempts", std::move(attempts)}};
}

Json ToJson(const Job& job) {
  return {{"id", job.id},
          {"started", TimeOrNull(job.started)},
          {"ended", TimeOrNull(job.ended)},
          {"failed", job.failed},
          {"reason", TextOrNull(job.reason)},
          {"description", TextOrNull(job.description)},
          {"stages", job.stages},
          {"sql", job.execution < 0 ? Json() : Json(job.execution)}};
}

Json ToJson(const LogModel& model, const SqlExecution& execution) {
  Json plan = Json::array();
  for (const LoggedOperator& node : execution.plan) plan.push_back(ToJson(model, node));
  Json queries = Json::array();
  for (const ExplainedQuery* query : QueriesOf(model, execution.id)) {
    queries.push_back(ToJson(model, *query));
  }
  return {{"id", execution.id},
          {"description", execution.description},
          {"started", TimeOrNull(execution.started)},
          {"ended", TimeOrNull(execution.ended)},
          {"error", TextOrNull(execution.error)},
          {"plan", std::move(plan)},
          {"queries", std::move(queries)}};
}

Json HeadJson(const LoadedLog& log) {
  Json damages = Json::array();
  for (const LogDamage& damage : log.damages.kept()) {
    damages.push_back({{"file", damage.file},
                       {"line", damage.line == 0 ? Json() : Json(damage.line)},
                       {"what", damage.what}});
  }
  return {{"application",
           {{"name", log.model.application()},
            {"id", log.model.application_id()},
            {"sparkVersion", log.model.spark_version()},
            {"started", TimeOrNull(log.model.started())},
            {"ended", TimeOrNull(log.model.ended())}}},
          {"log",
           {{"path", log.files.path},
            {"files", log.files.files.size()},
            {"bytes", log.files.bytes},
            {"codec", log.codec},
            {"inProgress", log.files.in_progress},
            {"events", log.events}}},
          {"damages", std::move(damages)},
          {"damageCount", log.damages.count()}};
}

}  // namespace reprise
