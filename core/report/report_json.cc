#include "report/report_json.h"

#include <algorithm>

#include "base/printable.h"
#include "lineage/model_json.h"
#include "plan/utf8.h"
#include "report/looking.h"
#include "report/query_assertions.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

// Descriptions of operators may name thousands of columns.
std::string Shortened(const std::string& text) {
  constexpr size_t kBytesMax = 2000;
  const std::string_view first = FirstCharacters(text, kBytesMax);
  return first.size() == text.size() ? text : std::string(first) + " …";
}

Json ToJson(const Report& report, const PlanGraph& plan) {
  Json nodes = Json::array();
  for (const GraphNode& node : plan) {
    Json metrics = Json::array();
    for (const LoggedMetric& metric : node.logged->metrics) {
      const std::optional<int64_t> value = report.model.ValueOf(metric);
      if (!value || *value <= 0 || metric.type == "average") continue;
      metrics.push_back({metric.name, metric.type, *value});
    }
    nodes.push_back({{"name", node.operator_name},
                     {"text", Shortened(node.logged->text)},
                     {"parent", node.parent},
                     {"id", node.lore_id},
                     {"runs", NameOf(node.runs)},
                     {"reasons", node.reasons},
                     {"stages", node.stages},
                     {"ms", node.task_ms},
                     {"estimated", node.estimated},
                     {"rows", node.rows},
                     {"bytes", node.bytes},
                     {"metrics", std::move(metrics)}});
  }
  return nodes;
}

// Tasks by duration, in equal steps from the shortest to the longest.
Json Histogram(const std::vector<int32_t>& durations) {
  constexpr int64_t kBars = 30;
  const auto [least, most] = std::ranges::minmax(durations);
  const int64_t step = std::max<int64_t>((int64_t{most} - least) / kBars + 1, 1);
  std::vector<int64_t> counts(static_cast<size_t>((int64_t{most} - least) / step + 1), 0);
  for (const int32_t duration : durations) {
    ++counts[static_cast<size_t>((int64_t{duration} - least) / step)];
  }
  return {{"from", least}, {"step", step}, {"counts", counts}};
}

Json ToJson(const Report& report, const Stage& stage, const StageAttempt& attempt) {
  const StageTasks& tasks = attempt.tasks;
  const TaskFigures& figures = tasks.figures();
  constexpr int64_t kNanosecondsPerMs = 1'000'000;
  Json failures = Json::array();
  for (const StageTasks::Failure& failure : tasks.failures()) {
    failures.push_back({{"reason", failure.reason}, {"count", failure.count}});
  }
  Json json = {{"attempt", attempt.attempt},
               {"submitted", attempt.submitted},
               {"completed", attempt.completed},
               {"failure", attempt.failure},
               {"taskCount", attempt.task_count},
               {"succeeded", tasks.succeeded()},
               {"failed", tasks.failed()},
               {"killed", tasks.killed()},
               {"medianMs", tasks.MedianMs()},
               {"slowest",
                {{"ms", tasks.slowest().duration_ms},
                 {"index", tasks.slowest().index},
                 {"executor", tasks.slowest().executor}}},
               {"runMs", figures.run_ms},
               {"cpuMs", figures.cpu_ns / kNanosecondsPerMs},
               {"gcMs", figures.gc_ms},
               {"fetchWaitMs", figures.fetch_wait_ms},
               {"peakMemory", figures.peak_memory_bytes},
               {"spilledMemory", figures.spilled_memory_bytes},
               {"spilledDisk", figures.spilled_disk_bytes},
               {"inputRows", figures.input_rows},
               {"inputBytes", figures.input_bytes},
               {"outputRows", figures.output_rows},
               {"outputBytes", figures.output_bytes},
               {"shuffleReadRows", figures.shuffle_read_rows},
               {"shuffleReadBytes", figures.shuffle_read_bytes},
               {"shuffleWriteRows", figures.shuffle_write_rows},
               {"shuffleWriteBytes", figures.shuffle_write_bytes},
               {"resultBytes", figures.result_bytes},
               {"failures", std::move(failures)},
               {"failureLines", FailureLines(report, stage, attempt)}};
  if (tasks.succeeded() > 1) json["histogram"] = Histogram(tasks.durations_ms());
  return json;
}

Json StagesJson(const Report& report) {
  Json stages = Json::array();
  for (const auto& [id, stage] : report.model.stages()) {
    Json attempts = Json::array();
    for (const StageAttempt& attempt : stage.attempts) {
      attempts.push_back(ToJson(report, stage, attempt));
    }
    const ReportedQuery* query = report.QueryOf(id);
    stages.push_back({{"id", id},
                      {"name", stage.name},
                      {"state", NameOf(report.model.StateOf(stage))},
                      {"query", query == nullptr ? -1 : query->execution->id},
                      {"parents", stage.parents},
                      {"rdds", stage.rdds},
                      {"attempts", std::move(attempts)}});
  }
  return stages;
}

Json AssertionsJson(const Report& report, const ReportedQuery& query) {
  Json assertions = Json::array();
  for (const QueryAssertion& each : AssertionsOf(report, query)) {
    assertions.push_back({{"id", each.lore_id},
                          {"name", each.name},
                          {"text", each.text},
                          {"outcome", NameOf(each.outcome)}});
  }
  return assertions;
}

Json ToJson(const Report& report, const ReportedQuery& query) {
  const SqlExecution& execution = *query.execution;
  return {{"id", execution.id},
          {"description", execution.description},
          {"error", Shortened(execution.error)},
          {"started", execution.started},
          {"ended", execution.ended},
          {"wallMs", query.wall_ms},
          {"nativeMs", query.native_ms},
          {"sparkMs", query.spark_ms},
          {"plugin", query.has_plugin},
          {"jobs", query.jobs},
          {"stages", query.stages},
          {"settings", execution.settings},
          {"assertions", AssertionsJson(report, query)},
          {"plan", ToJson(report, query.plan)},
          {"firstPlan", ToJson(report, query.first_plan)}};
}

Json ToJson(const Finding& finding) {
  return {{"kind", finding.kind},         {"title", finding.title},   {"seconds", finding.seconds},
          {"evidence", finding.evidence}, {"remedy", finding.remedy}, {"paste", finding.paste},
          {"stage", finding.stage},       {"query", finding.query},   {"loreId", finding.lore_id}};
}

}  // namespace

Json ReportJson(const Report& report) {
  const LogModel& model = report.model;
  Json json = {{"application",
                {{"name", model.application()},
                 {"id", model.application_id()},
                 {"sparkVersion", model.spark_version()},
                 {"started", model.started()},
                 {"ended", model.ended()},
                 {"last", report.last_ms},
                 {"cores", report.cores}}},
               {"settings", model.settings()},
               {"executors", Json::array()},
               {"jobs", Json::array()},
               {"stages", StagesJson(report)},
               {"queries", Json::array()},
               {"rdds", Json::object()},
               {"findings", Json::array()}};
  for (const Executor& executor : model.executors()) {
    json["executors"].push_back({{"id", executor.id},
                                 {"host", executor.host},
                                 {"cores", executor.cores},
                                 {"added", executor.added},
                                 {"removed", executor.removed},
                                 {"reason", executor.reason}});
  }
  for (const auto& [id, job] : model.jobs()) {
    json["jobs"].push_back({{"id", id},
                            {"started", job.started},
                            {"ended", job.ended},
                            {"failed", job.failed},
                            {"query", job.execution},
                            {"description", job.description}});
  }
  for (const ReportedQuery& query : report.queries)
    json["queries"].push_back(ToJson(report, query));
  for (const auto& [id, rdd] : model.rdds())
    json["rdds"][std::to_string(id)] = reprise::ToJson(rdd);
  for (const Finding& finding : report.findings) json["findings"].push_back(ToJson(finding));
  return json;
}

}  // namespace reprise
