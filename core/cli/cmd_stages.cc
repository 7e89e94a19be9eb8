// reprise stages LOG
//   purpose  the stages of an application in the order of their numbers
//   input    an event log
//   output   a table: state, jobs, tasks, time, rows and bytes, RDDs
//   example  reprise stages /tmp/spark-events/local-1795267533281
#include "cli/cmd_stages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "base/figure_text.h"
#include "base/first_line.h"
#include "cli/event_log.h"
#include "cli/figures.h"
#include "lineage/model_json.h"

namespace reprise {

namespace {

// One row an attempt; one for a stage that never ran.
void AddRows(const LogModel& model, const Stage& stage, TextTable* table) {
  const std::string jobs = fmt::format("{}", fmt::join(stage.jobs, " "));
  const std::set<int64_t> ids(stage.rdds.begin(), stage.rdds.end());
  const std::string rdds = fmt::format("{}", fmt::join(ids, " "));
  const std::string state(NameOf(model.StateOf(stage)));
  if (stage.attempts.empty()) {
    table->Add({std::to_string(stage.id), state, jobs, Thousands(stage.tasks), "", "", "", "", "",
                rdds, stage.name});
  }
  for (const StageAttempt& attempt : stage.attempts) {
    const TaskFigures& figures = attempt.tasks.figures();
    const bool last = &attempt == &stage.attempts.back();
    const std::string id = attempt.attempt == 0 ? std::to_string(stage.id)
                                                : fmt::format("{}.{}", stage.id, attempt.attempt);
    table->Add({id, last ? state : "failed", jobs, Thousands(attempt.task_count), TimeText(attempt),
                VolumeText(figures.input_rows, figures.input_bytes),
                VolumeText(figures.shuffle_read_rows, figures.shuffle_read_bytes),
                VolumeText(figures.shuffle_write_rows, figures.shuffle_write_bytes),
                VolumeText(figures.output_rows, figures.output_bytes), rdds, stage.name});
  }
}

Result<int> ListStages(const EventLogOptions& options) {
  ARROW_ASSIGN_OR_RAISE(const LoadedLog log, ReadEventLog(options.path, {.sql = false}));
  const LogModel& model = log.model;
  if (options.json) {
    nlohmann::json json = HeadJson(log);
    json["stages"] = nlohmann::json::array();
    for (const auto& [id, stage] : model.stages()) {
      json["stages"].push_back(ToJson(model, stage, true));
    }
    json["jobs"] = nlohmann::json::array();
    for (const auto& [id, job] : model.jobs()) json["jobs"].push_back(ToJson(job));
    fmt::print("{}\n", json.dump(2));
    return kExitDone;
  }
  TextTable table({{"stage", true},
                   {"state"},
                   {"jobs"},
                   {"tasks", true},
                   {"time", true},
                   {"input", true},
                   {"shuffle read", true},
                   {"shuffle write", true},
                   {"output", true},
                   {"RDDs"},
                   {"name"}});
  for (const auto& [id, stage] : model.stages()) AddRows(model, stage, &table);
  fmt::print("{}", table.ToString());
  for (const auto& [id, stage] : model.stages()) {
    for (const StageAttempt& attempt : stage.attempts) {
      if (attempt.failure.empty()) continue;
      PrintText(
          fmt::format("stage {}.{} failed: {}\n", id, attempt.attempt, FirstLine(attempt.failure)));
    }
  }
  return kExitDone;
}

Run DeclareStages(CLI::App& app) {
  auto options = std::make_shared<EventLogOptions>();
  options->Declare(app);
  return [options] { return ListStages(*options); };
}

}  // namespace

const Subcommand kStages = {"stages", "List the stages that an application's event log tells of",
                            "reprise stages /tmp/spark-events/local-1795267533281", DeclareStages};

}  // namespace reprise
