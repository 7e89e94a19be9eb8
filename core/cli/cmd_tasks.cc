// reprise tasks LOG
//   purpose  find the stage with the slow task, and the tasks that failed
//   input    an event log
//   output   a line a stage attempt: how many tasks, fastest, median, slowest, skew; failures with
//   reasons example  reprise tasks /tmp/spark-events/local-1795267533281 --stage 4
#include "cli/cmd_tasks.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/figure_text.h"
#include "cli/event_log.h"
#include "cli/figures.h"
#include "cli/not_negative.h"
#include "lineage/model_json.h"
#include "lineage/recorded_results.h"

namespace reprise {

namespace {

struct TasksOptions {
  EventLogOptions log;
  int64_t stage = -1;
  bool results = false;
};

std::string CountOrNothing(int64_t count) { return count == 0 ? "" : Thousands(count); }

void AddRow(int64_t stage, const StageAttempt& attempt, TextTable* table) {
  const StageTasks& tasks = attempt.tasks;
  std::vector<std::string> row = {std::to_string(stage), std::to_string(attempt.attempt),
                                  Thousands(tasks.ended()), CountOrNothing(tasks.failed()),
                                  CountOrNothing(tasks.killed())};
  if (tasks.succeeded() == 0) {
    row.resize(row.size() + 7);
  } else {
    const StageTasks::Slowest& slowest = tasks.slowest();
    row.insert(
        row.end(),
        {MillisecondText(tasks.MinMs()), MillisecondText(tasks.MedianMs()),
         MillisecondText(slowest.duration_ms), fmt::format("{:.1f} x", tasks.Skew()),
         fmt::format("{} on {}", slowest.index, slowest.executor),
         MillisecondText(tasks.figures().gc_ms),
         tasks.figures().spilled_disk_bytes == 0 ? ""
                                                 : ByteText(tasks.figures().spilled_disk_bytes)});
  }
  table->Add(std::move(row));
}

void PrintFailures(int64_t stage, const StageAttempt& attempt) {
  for (const StageTasks::Failure& failure : attempt.tasks.failures()) {
    const std::string first = failure.index < 0 ? "" : fmt::format(", first {}", failure.index);
    PrintText(fmt::format("stage {}.{}: {} failed{}: {}\n", stage, attempt.attempt,
                          Counted(failure.count, "task", "tasks"), first, failure.reason));
  }
}

Status NoSuchStage(int64_t stage, const LogModel& model) {
  if (model.stages().empty()) return Status::Invalid("the log tells of no stage");
  return Status::Invalid("there is no stage ", stage, "; the log tells of stages ",
                         model.stages().begin()->first, " to ", model.stages().rbegin()->first);
}

Result<int> ListResults(const TasksOptions& options) {
  ARROW_ASSIGN_OR_RAISE(auto results, ReadRecordedResults(options.log.path));
  std::ranges::sort(results, {}, &RecordedResult::task);
  nlohmann::json json = nlohmann::json::array();
  TextTable table({{"task", true}, {"stage", true}, {"partition", true}, {"class"}, {"result"}});
  for (const RecordedResult& each : results) {
    if (options.stage >= 0 && each.stage != options.stage) continue;
    json.push_back(
        {{"task", each.task},
         {"stage", each.stage},
         {"partition", each.partition},
         {"class", each.class_name},
         {"text", each.text},
         {"reason", each.reason.empty() ? nlohmann::json() : nlohmann::json(each.reason)}});
    const std::string missing =
        each.reason.empty() ? "" : fmt::format(" (its object is not recorded: {})", each.reason);
    table.Add({std::to_string(each.task), std::to_string(each.stage),
               std::to_string(each.partition), each.class_name, each.text + missing});
  }
  if (options.log.json) {
    fmt::print("{}\n", nlohmann::json{{"results", std::move(json)}}.dump(2));
  } else if (json.empty()) {
    fmt::print("No results are recorded: they are where spark.reprise.lineage.results=true.\n");
  } else {
    fmt::print("{}", table.ToString());
  }
  return kExitDone;
}

Result<int> ListTasks(const TasksOptions& options) {
  ARROW_ASSIGN_OR_RAISE(const LoadedLog log, ReadEventLog(options.log.path, {.sql = false}));
  const LogModel& model = log.model;
  if (options.stage >= 0 && !model.stages().contains(options.stage)) {
    return NoSuchStage(options.stage, model);
  }
  nlohmann::json json = HeadJson(log);
  json["stages"] = nlohmann::json::array();
  TextTable table({{"stage", true},
                   {"attempt", true},
                   {"tasks", true},
                   {"failed", true},
                   {"killed", true},
                   {"fastest", true},
                   {"median", true},
                   {"slowest", true},
                   {"skew", true},
                   {"slowest task"},
                   {"GC", true},
                   {"spilled", true}});
  for (const auto& [id, stage] : model.stages()) {
    if (options.stage >= 0 && id != options.stage) continue;
    if (stage.attempts.empty()) continue;
    json["stages"].push_back(ToJson(model, stage, true));
    for (const StageAttempt& attempt : stage.attempts) AddRow(id, attempt, &table);
  }
  if (options.log.json) {
    fmt::print("{}\n", json.dump(2));
    return kExitDone;
  }
  fmt::print("{}", table.ToString());
  for (const auto& [id, stage] : model.stages()) {
    if (options.stage >= 0 && id != options.stage) continue;
    for (const StageAttempt& attempt : stage.attempts) PrintFailures(id, attempt);
  }
  return kExitDone;
}

Run DeclareTasks(CLI::App& app) {
  auto options = std::make_shared<TasksOptions>();
  options->log.Declare(app);
  app.add_option("--stage", options->stage, "only this stage")->check(NotNegative());
  app.add_flag("--results", options->results,
               "of a lineage's recording, what each task of a job's last stage gave");
  return [options] { return options->results ? ListResults(*options) : ListTasks(*options); };
}

}  // namespace

const Subcommand kTasks = {
    "tasks", "Say how long the tasks of each stage took, and why some failed",
    "reprise tasks /tmp/spark-events/local-1795267533281 --stage 4", DeclareTasks};

}  // namespace reprise
