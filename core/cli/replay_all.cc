#include "cli/replay_all.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/figure_text.h"
#include "cli/cmd_replay.h"
#include "cli/figures.h"
#include "cli/progress.h"
#include "dump/dump_path.h"
#include "dump/reader.h"
#include "replay/conf_overrides.h"
#include "replay/report_json.h"

namespace reprise {

namespace {

namespace fs = std::filesystem;

// They choose, look into or write what one operator has.
constexpr const char* kOfOne[] = {"--partition", "--attempt", "--compare", "--assert", "--out",
                                  "--trace",     "--profile", "--gdb",     "--digests"};

struct Replayed {
  OperatorSpec spec;
  std::optional<Result<ReplayReport>> report;  // nothing: only Spark runs it
};

int64_t Sum(const ReplayReport& report, int64_t (*of)(const PartitionReplay&)) {
  int64_t sum = 0;
  for (const PartitionReplay& replay : report.partitions) sum += of(replay);
  return sum;
}

std::string VerdictText(const ReplayReport& report) {
  const auto failed = std::ranges::find_if(
      report.partitions, [](const auto& replay) { return !replay.error.empty(); });
  if (failed != report.partitions.end()) {
    return fmt::format("partition {} failed: {}", failed->partition, failed->error);
  }
  const auto differs = std::ranges::find_if_not(
      report.partitions, [](const auto& replay) { return replay.is_as_recorded(); });
  if (differs != report.partitions.end()) {
    return fmt::format("different in partition {}", differs->partition);
  }
  return std::string(Name(report.verdict()));
}

void AddRow(const Replayed& replayed, TextTable* table) {
  const OperatorSpec& spec = replayed.spec;
  std::vector<std::string> cells = {std::to_string(spec.lore_id), spec.occurrence, "", "", "", ""};
  if (!replayed.report) {
    cells[5] = "runs on Spark alone: --engine spark";
  } else if (!replayed.report->ok()) {
    cells[5] = "cannot be replayed: " + replayed.report->status().message();
  } else {
    const ReplayReport& report = **replayed.report;
    cells[2] = Thousands(Sum(report, [](const auto& replay) { return replay.input_rows; }));
    cells[3] = Thousands(Sum(report, [](const auto& replay) { return replay.output.rows; }));
    cells[4] = DurationText(Sum(report, [](const auto& replay) {
      const auto fastest = std::ranges::min_element(replay.runs, {}, &ReplayRun::own_time_ns);
      return fastest == replay.runs.end() ? int64_t{0} : fastest->own_time_ns;
    }));
    cells[5] = VerdictText(report);
  }
  table->Add(std::move(cells));
}

int ExitOf(const Replayed& replayed) {
  if (!replayed.report) return kExitNotCompared;
  return replayed.report->ok() ? reprise::ExitOf((*replayed.report)->verdict()) : kExitFalse;
}

std::string LastLine(const std::vector<Replayed>& all) {
  const auto count = [&](int exit) {
    return std::ranges::count_if(all, [&](const Replayed& one) { return ExitOf(one) == exit; });
  };
  const auto operators = Counted(std::ssize(all), "operator", "operators");
  if (count(kExitFalse) > 0) {
    return fmt::format("NOT as recorded: {} of {}.", count(kExitFalse), operators);
  }
  if (count(kExitNotCompared) > 0) {
    return fmt::format("Not compared: {} of {}; the others are as recorded.",
                       count(kExitNotCompared), operators);
  }
  return fmt::format("As recorded: {}.", operators);
}

Status CheckOptions(const CLI::App& app) {
  for (const char* name : kOfOne) {
    const CLI::Option* option = app.get_option_no_throw(name);
    if (option != nullptr && option->count() > 0) {
      return Status::Invalid(name, " concerns one operator: name its folder, DUMP/loreId-N");
    }
  }
  return Status::OK();
}

nlohmann::json ReplayedJson(const Replayed& replayed) {
  if (replayed.report && replayed.report->ok()) return ToJson(**replayed.report);
  return {{"operator", ToJson(replayed.spec)},
          {"error", replayed.report ? nlohmann::json(replayed.report->status().message())
                                    : nlohmann::json()},
          {"verdict", Name(ReplayVerdict::kNotCompared)},
          {"holds", false}};
}

}  // namespace

bool IsWholeDump(const ReplayCommand& command) {
  std::error_code error;
  if (fs::exists(fs::path(command.folder) / kPlanMetaName, error)) return false;
  const auto operators = ListOperators(command.folder);
  return operators.ok() && !operators->empty();
}

Result<int> ReplayAll(const ReplayCommand& command, const CLI::App& app) {
  RETURN_NOT_OK(CheckOptions(app));
  ReplayOptions options = command.replay;
  ARROW_ASSIGN_OR_RAISE(options.conf, ConfigMapFromPairs(command.conf));
  ARROW_ASSIGN_OR_RAISE(const auto ids, ListOperators(command.folder));
  std::vector<Replayed> all;
  Progress progress("replaying");
  for (const int64_t id : ids) {
    const std::string folder = (fs::path(command.folder) / OperatorFolder(id)).string();
    ARROW_ASSIGN_OR_RAISE(const OperatorDump dump, OperatorDump::Open(folder));
    Replayed replayed{dump.plan().spec, std::nullopt};
    if (replayed.spec.kind != "spark") replayed.report = Replay(folder, options);
    all.push_back(std::move(replayed));
    progress.Show(static_cast<int>(all.size()), static_cast<int>(ids.size()));
  }
  progress.Clear();
  if (command.json) {
    auto operators = nlohmann::json::array();
    for (const Replayed& replayed : all) operators.push_back(ReplayedJson(replayed));
    fmt::print("{}\n", nlohmann::json{{"operators", std::move(operators)}}.dump(2));
  } else {
    TextTable table({{"LORE id", true},
                     {"operator"},
                     {"rows in", true},
                     {"rows out", true},
                     {"own time", true},
                     {"output"}});
    for (const Replayed& replayed : all) AddRow(replayed, &table);
    fmt::print("{}\n{}\n", table.ToString(), LastLine(all));
  }
  const auto exits = [&](int exit) {
    return std::ranges::any_of(all, [&](const Replayed& one) { return ExitOf(one) == exit; });
  };
  return exits(kExitFalse) ? kExitFalse : exits(kExitNotCompared) ? kExitNotCompared : kExitDone;
}

}  // namespace reprise
