#include "cli/replay_all.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/figure_text.h"
#include "base/printable.h"
#include "cli/cmd_replay.h"
#include "cli/figures.h"
#include "cli/operator_folders.h"
#include "cli/operator_text.h"
#include "cli/progress.h"
#include "cli/replay_text.h"
#include "dump/reader.h"
#include "replay/links.h"
#include "replay/report_json.h"

namespace reprise {

namespace {

// They choose, look into or write what one operator has.
constexpr const char* kOfOne[] = {"--partition", "--attempt",      "--compare", "--assert",
                                  "--out",       "--trace",        "--profile", "--gdb",
                                  "--digests",   "--least-memory", "--break",   "--memory-profile"};

struct Replayed {
  std::string folder;
  OperatorSpec spec;
  std::optional<AttemptName> attempt;          // that failed; nothing: what was committed
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
    const std::string text = VerdictText(*failed, report.plan.spec.output);
    return failed->failed_attempt ? text : fmt::format("partition {} {}", failed->partition, text);
  }
  const auto differs = std::ranges::find_if_not(
      report.partitions, [](const auto& replay) { return replay.is_as_recorded(); });
  if (differs != report.partitions.end()) {
    return fmt::format("different in partition {}", differs->partition);
  }
  return std::string(Name(report.verdict()));
}

TextTable NewTable() {
  return TextTable({{"LORE id", true},
                    {"operator"},
                    {"rows in", true},
                    {"rows out", true},
                    {"own time", true},
                    {"output"}});
}

std::vector<std::string> CellsOf(const ReplayReport& report) {
  const OperatorSpec& spec = report.plan.spec;
  return {std::to_string(spec.lore_id),
          OperatorLabel(spec),
          Thousands(Sum(report, [](const auto& replay) { return replay.input_rows; })),
          Thousands(Sum(report, [](const auto& replay) { return replay.output.rows; })),
          DurationText(Sum(report, [](const auto& replay) { return replay.own_time_ns(); })),
          VerdictText(report)};
}

void AddRow(const Replayed& replayed, TextTable* table) {
  const OperatorSpec& spec = replayed.spec;
  const auto& attempt = replayed.attempt;
  std::vector<std::string> cells = {
      std::to_string(spec.lore_id), OperatorLabel(spec), "", "", "", ""};
  if (!replayed.report) {
    cells[5] = "runs on Spark alone";
    if (attempt) {
      cells[5] += fmt::format(": reprise replay {} --partition {} --attempt {}", replayed.folder,
                              attempt->partition, *attempt->attempt);
    }
  } else if (!replayed.report->ok()) {
    cells[5] = "cannot be replayed: " + replayed.report->status().message();
  } else {
    cells = CellsOf(**replayed.report);
  }
  if (attempt) {
    cells[1] += fmt::format(", partition {}, attempt {}", attempt->partition, *attempt->attempt);
  }
  table->Add(std::move(cells));
}

int ExitOf(const Replayed& replayed) {
  if (!replayed.report) return kExitNotCompared;
  return replayed.report->ok() ? reprise::ExitOf((*replayed.report)->verdict()) : kExitFalse;
}

// The worst of two exit statuses.
int Worse(int left, int right) {
  for (const int exit : {kExitFalse, kExitNotCompared}) {
    if (left == exit || right == exit) return exit;
  }
  return kExitDone;
}

std::string LastLine(int exit, size_t count) {
  switch (exit) {
    case kExitFalse:
      return "NOT as recorded.";
    case kExitNotCompared:
      return "Of some nothing was compared; the others are as recorded.";
    default:
      return fmt::format("As recorded: {}.",
                         Counted(static_cast<int64_t>(count), "operator", "operators"));
  }
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

std::string BriefText(const ReplayReport& report) {
  const std::vector<std::string> cells = CellsOf(report);
  return fmt::format("{:>7}  {:<22}  {:>12}  {:>12}  {:>8}  {}\n", cells[0], cells[1], cells[2],
                     cells[3], cells[4], PrintableLine(cells[5]));
}

namespace {

bool HasFailed(const OperatorDump& dump, const AttemptName& name) {
  if (!name.attempt) return false;
  const auto record = dump.Attempt(name.partition, *name.attempt);
  return record.ok() && record->Failure().has_value();
}

// What of an operator is to be replayed.
std::vector<Replayed> ToReplay(const OperatorDump& dump, bool failed) {
  if (!failed) return {{dump.folder(), dump.plan().spec, std::nullopt, std::nullopt}};
  std::vector<Replayed> attempts;
  for (const AttemptName& name : dump.attempts()) {
    if (!HasFailed(dump, name)) continue;
    attempts.push_back({dump.folder(), dump.plan().spec, name, std::nullopt});
  }
  return attempts;
}

Result<std::vector<Replayed>> ReplayNatively(const ReplayCommand& command,
                                             const SparkEngine& engine) {
  ReplayOptions options = command.replay;
  ARROW_ASSIGN_OR_RAISE(options.conf, ConfOf(command));
  ARROW_ASSIGN_OR_RAISE(const auto folders, OperatorFolders(command.folder));
  std::vector<Replayed> all;
  Progress progress("replaying");
  int done = 0;
  for (const std::string& folder : folders) {
    ARROW_ASSIGN_OR_RAISE(const OperatorDump dump, OperatorDump::Open(folder));
    for (Replayed& replayed : ToReplay(dump, command.failed)) {
      if (replayed.attempt) {
        options.partition = replayed.attempt->partition;
        options.attempt = replayed.attempt->attempt;
      }
      const bool is_native = engine.name != "spark" && replayed.spec.kind != "spark";
      if (is_native) replayed.report = Replay(folder, options);
      all.push_back(std::move(replayed));
    }
    progress.Show(++done, static_cast<int>(folders.size()));
  }
  progress.Clear();
  if (command.failed && all.empty()) {
    return Status::Invalid(command.folder, " holds no attempt that failed");
  }
  return all;
}

std::string_view NameOf(Link::Verdict verdict) {
  switch (verdict) {
    case Link::Verdict::kSame:
      return "same";
    case Link::Verdict::kDiffers:
      return "different";
    default:
      return "not compared";
  }
}

nlohmann::json ToJson(const Link& link) {
  return {{"loreId", link.reader->plan().spec.lore_id},
          {"input", link.input},
          {"child", link.giver->plan().spec.lore_id},
          {"rowsGiven", link.rows_given},
          {"rowsRead", link.rows_read},
          {"verdict", NameOf(link.verdict)},
          {"why", link.why}};
}

std::string NameOf(const OperatorDump& dump) {
  return fmt::format("{} ({})", dump.plan().spec.lore_id, dump.plan().spec.occurrence);
}

// What of the inputs is to be told: those that differ one by one.
void PrintLinks(const std::vector<Link>& links) {
  if (links.empty()) return;
  const auto same = std::ranges::count(links, Link::Verdict::kSame, &Link::verdict);
  const auto unknown = std::ranges::count(links, Link::Verdict::kNotCompared, &Link::verdict);
  if (const auto compared = std::ssize(links) - unknown; compared > 0) {
    fmt::print("\n{} of {} what the operator below gave.\n", Thousands(same),
               Counted(compared, "input is", "inputs are"));
  }
  for (const Link& link : links) {
    if (link.verdict != Link::Verdict::kDiffers) continue;
    fmt::print("{} of {} is NOT what {} gave: {} read, {} given\n", StreamName(link.input),
               NameOf(*link.reader), NameOf(*link.giver), Counted(link.rows_read, "row", "rows"),
               Thousands(link.rows_given));
  }
}

Result<std::vector<OperatorDump>> OpenAll(const std::string& folder) {
  ARROW_ASSIGN_OR_RAISE(const auto folders, OperatorFolders(folder));
  std::vector<OperatorDump> dumps;
  for (const std::string& one : folders) {
    ARROW_ASSIGN_OR_RAISE(dumps.emplace_back(), OperatorDump::Open(one));
  }
  return dumps;
}

}  // namespace

Result<int> ReplayAll(const ReplayCommand& command, const SparkEngine& engine,
                      const CLI::App& app) {
  RETURN_NOT_OK(CheckOptions(app));
  ARROW_ASSIGN_OR_RAISE(const auto all, ReplayNatively(command, engine));
  std::vector<OperatorDump> dumps;
  if (!command.failed) {
    ARROW_ASSIGN_OR_RAISE(dumps, OpenAll(command.folder));
  }
  const std::vector<Link> links = LinksOf(dumps);
  const bool differs = std::ranges::count(links, Link::Verdict::kDiffers, &Link::verdict) > 0;
  int exit = differs ? kExitFalse : kExitDone;
  std::vector<std::string> on_spark;
  const bool has_spark = engine.name != "native" && !command.json && !command.failed;
  for (const Replayed& replayed : all) {
    if (!replayed.report && has_spark) {
      on_spark.push_back(replayed.folder);
    } else {
      exit = Worse(exit, ExitOf(replayed));
    }
  }
  if (command.json) {
    auto operators = nlohmann::json::array();
    for (const Replayed& replayed : all) operators.push_back(ReplayedJson(replayed));
    auto inputs = nlohmann::json::array();
    for (const Link& link : links) inputs.push_back(ToJson(link));
    fmt::print(
        "{}\n",
        nlohmann::json{{"operators", std::move(operators)}, {"inputs", std::move(inputs)}}.dump(2));
    return exit;
  }
  TextTable table = NewTable();
  for (const Replayed& replayed : all) {
    if (replayed.report || !has_spark) AddRow(replayed, &table);
  }
  const bool has_native = on_spark.size() < all.size();
  if (has_native) fmt::print("{}", table.ToString());
  if (!on_spark.empty()) {
    fmt::print("{}On Spark:\n", has_native ? "\n" : "");
    ARROW_ASSIGN_OR_RAISE(const int status,
                          RunOnSpark(engine, app, {.folders = on_spark, .brief = true}));
    exit = Worse(exit, status);
  }
  PrintLinks(links);
  if (!command.failed) fmt::print("\n{}\n", LastLine(exit, all.size()));
  return exit;
}

}  // namespace reprise
