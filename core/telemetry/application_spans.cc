#include "telemetry/application_spans.h"

#include <fmt/format.h>

#include <algorithm>

#include "checksums/digest.h"
#include "plan/utf8.h"
#include "report/looking.h"
#include "telemetry/otlp_request.h"

namespace reprise {

namespace {

// Of what has ended, so many queries and stages are remembered: those of a query that still runs
// are wanted when it ends.
constexpr int64_t kQueriesKept = 100;
constexpr int64_t kStagesKept = 5000;

// Texts of plans and errors may be of any length, which few stores of spans like.
std::string Shortened(std::string_view text, size_t bytes_max = 2000) {
  const std::string_view first = FirstCharacters(text, bytes_max);
  return fmt::format("{}{}", first, first.size() == text.size() ? "" : " …");
}

void AddCounted(SpanAttributes* to, std::string_view name, int64_t value) {
  if (value > 0) to->emplace_back(name, value);
}

void AddFigures(SpanAttributes* to, const TaskFigures& figures) {
  constexpr int64_t kNanosecondsPerMs = 1'000'000;
  AddCounted(to, "spark.run_ms", figures.run_ms);
  AddCounted(to, "spark.cpu_ms", figures.cpu_ns / kNanosecondsPerMs);
  AddCounted(to, "spark.gc_ms", figures.gc_ms);
  AddCounted(to, "spark.fetch_wait_ms", figures.fetch_wait_ms);
  AddCounted(to, "spark.peak_memory_bytes", figures.peak_memory_bytes);
  AddCounted(to, "spark.spilled_memory_bytes", figures.spilled_memory_bytes);
  AddCounted(to, "spark.spilled_disk_bytes", figures.spilled_disk_bytes);
  AddCounted(to, "spark.input_rows", figures.input_rows);
  AddCounted(to, "spark.input_bytes", figures.input_bytes);
  AddCounted(to, "spark.shuffle_read_rows", figures.shuffle_read_rows);
  AddCounted(to, "spark.shuffle_read_bytes", figures.shuffle_read_bytes);
  AddCounted(to, "spark.shuffle_write_rows", figures.shuffle_write_rows);
  AddCounted(to, "spark.shuffle_write_bytes", figures.shuffle_write_bytes);
  AddCounted(to, "spark.output_rows", figures.output_rows);
  AddCounted(to, "spark.output_bytes", figures.output_bytes);
}

SpanAttributes AttributesOf(const LogModel& model, const GraphNode& node) {
  SpanAttributes attributes = {{"reprise.runs", std::string(NameOf(node.runs))},
                               {"reprise.task_ms", node.task_ms},
                               {"reprise.task_ms.is_estimated", node.estimated},
                               {"spark.operator", Shortened(node.logged->text)}};
  AddCounted(&attributes, "reprise.lore_id", node.lore_id);
  AddCounted(&attributes, "spark.output_rows", node.rows);
  AddCounted(&attributes, "spark.output_bytes", node.bytes);
  for (const LoggedMetric& metric : node.logged->metrics) {
    if (metric.type == "average") continue;
    AddCounted(&attributes, "spark.metric." + metric.name, model.ValueOf(metric).value_or(0));
  }
  if (!node.reasons.empty()) {
    attributes.emplace_back("reprise.reasons",
                            Shortened(fmt::format("{}", fmt::join(node.reasons, "; "))));
  }
  return attributes;
}

}  // namespace

uint64_t ApplicationSpans::Id(std::string_view kind, int64_t first, int64_t second) const {
  const std::string text =
      fmt::format("{:x}{:x} {} {} {}", trace_.trace[0], trace_.trace[1], kind, first, second);
  return std::max<uint64_t>(Checksum(text, trace_.parent), 1);
}

uint64_t ApplicationSpans::ParentOfQuery(const SqlExecution& execution) const {
  const bool is_within = execution.root >= 0 && execution.root != execution.id;
  return is_within ? Id("query", execution.root) : ApplicationId();
}

uint64_t ApplicationSpans::ParentOfStage(int64_t stage) const {
  const LogModel& model = feed_.model();
  const auto found = model.stages().find(stage);
  if (found == model.stages().end()) return ApplicationId();
  for (const int64_t id : found->second.jobs) {
    const auto job = model.jobs().find(id);
    if (job != model.jobs().end() && job->second.execution >= 0) {
      return Id("query", job->second.execution);
    }
  }
  return ApplicationId();
}

void ApplicationSpans::EndTask(const TaskEnd& task) {
  if (ended_.size() >= kSpansMax) {
    ++left_out_;
    return;
  }
  Span& span = ended_.emplace_back();
  span.id = Id("task", task.task);
  span.parent = Id("stage", task.stage, task.stage_attempt);
  span.name = "task";
  span.started_ms = task.launched;
  span.ended_ms = task.finished;
  span.attributes = {{"spark.stage.id", task.stage},
                     {"spark.stage.attempt", task.stage_attempt},
                     {"spark.task.id", task.task},
                     {"spark.task.partition", task.partition >= 0 ? task.partition : task.index},
                     {"spark.task.attempt", task.attempt},
                     {"spark.task.is_speculative", task.speculative},
                     {"spark.executor.id", std::string(task.executor)}};
  AddFigures(&span.attributes, task.figures);
  span.failed = !task.end.success();
  if (span.failed) span.error = Shortened(task.end.ToString());
}

void ApplicationSpans::EndStage(const StageInfo& stage) {
  const auto& stages = feed_.model().stages();
  const auto found = stages.find(stage.id);
  if (stage.submitted == 0 || found == stages.end()) return;
  Span& span = ended_.emplace_back();
  span.id = Id("stage", stage.id, stage.attempt);
  span.parent = ParentOfStage(stage.id);
  span.name = "stage: " + found->second.name;
  span.started_ms = stage.submitted;
  span.ended_ms = stage.completed;
  span.attributes = {{"spark.stage.id", stage.id},
                     {"spark.stage.attempt", stage.attempt},
                     {"spark.stage.tasks", stage.tasks}};
  for (const StageAttempt& attempt : found->second.attempts) {
    if (attempt.attempt != stage.attempt) continue;
    AddCounted(&span.attributes, "spark.stage.tasks_failed", attempt.tasks.failed());
    AddCounted(&span.attributes, "spark.stage.tasks_killed", attempt.tasks.killed());
    AddFigures(&span.attributes, attempt.tasks.figures());
  }
  span.failed = !stage.failure.empty();
  span.error = Shortened(stage.failure);
}

void ApplicationSpans::EndQuery(int64_t execution) {
  const LogModel& model = feed_.model();
  const ReportedQuery query = DescribeQuery(model, model.executions().at(execution));
  constexpr size_t kNameBytesMax = 100;
  Span& span = ended_.emplace_back();
  span.id = Id("query", execution);
  span.parent = ParentOfQuery(*query.execution);
  span.name = "query: " + Shortened(query.execution->description, kNameBytesMax);
  span.started_ms = query.execution->started;
  span.ended_ms = query.execution->ended;
  span.attributes = {{"spark.sql.execution.id", execution},
                     {"spark.sql.description", Shortened(query.execution->description)},
                     {"reprise.native_ms", query.native_ms},
                     {"reprise.spark_ms", query.spark_ms}};
  span.failed = !query.execution->error.empty();
  span.error = Shortened(query.execution->error);
  const Span whole = span;
  for (size_t i = 0; i < query.plan.size(); ++i) {
    const GraphNode& node = query.plan[i];
    if (node.runs == RunsIn::kNothing) continue;
    Span& of_node = ended_.emplace_back();
    of_node.id = Id(fmt::format("operator {}", i), execution);
    of_node.parent = whole.id;
    of_node.name = node.operator_name;
    of_node.started_ms = whole.started_ms;
    of_node.ended_ms = whole.ended_ms;
    of_node.attributes = AttributesOf(model, node);
    const StageAttempt* attempt = AttemptOf(model, node);
    if (attempt == nullptr) continue;
    of_node.parent = Id("stage", node.stages.front(), attempt->attempt);
    of_node.started_ms = attempt->submitted;
    of_node.ended_ms = attempt->completed;
  }
}

void ApplicationSpans::EndApplication() {
  const LogModel& model = feed_.model();
  Span& span = ended_.emplace_back();
  span.id = ApplicationId();
  span.parent = trace_.parent;
  span.name = "application: " + model.application();
  span.started_ms = model.started();
  span.ended_ms = model.ended();
  span.attributes = {{"spark.app.id", model.application_id()}};
  AddCounted(&span.attributes, "reprise.spans_left_out", left_out_);
}

Status ApplicationSpans::Add(std::string_view text) {
  const std::lock_guard lock(mutex_);
  ARROW_ASSIGN_OR_RAISE(const Event* event, feed_.Add(text));
  if (event == nullptr) return Status::OK();
  if (const auto* task = std::get_if<TaskEnd>(event)) EndTask(*task);
  if (const auto* stage = std::get_if<StageCompleted>(event)) EndStage(stage->stage);
  if (const auto* query = std::get_if<SqlExecutionEnd>(event)) {
    EndQuery(query->id);
    feed_.KeepNewest(kQueriesKept, kStagesKept);
  }
  if (std::holds_alternative<JobEnd>(*event)) feed_.KeepNewest(kQueriesKept, kStagesKept);
  if (std::holds_alternative<ApplicationEnd>(*event)) EndApplication();
  return Status::OK();
}

std::vector<Span> ApplicationSpans::TakeSpans() {
  const std::lock_guard lock(mutex_);
  return std::exchange(ended_, {});
}

std::string ApplicationSpans::Take() {
  const std::vector<Span> spans = TakeSpans();
  if (spans.empty()) return "";
  const std::lock_guard lock(mutex_);
  const LogModel& model = feed_.model();
  const SpanAttributes resource = {
      {"service.name", service_.empty() ? model.application() : service_},
      {"service.instance.id", model.application_id()},
      {"spark.version", model.spark_version()}};
  return OtlpRequest(trace_, resource, spans);
}

}  // namespace reprise
