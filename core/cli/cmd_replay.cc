// reprise replay DUMP/loreId-N
//   purpose  run one operator of a dump again, alone, and compare its output with the recorded one
//   input    the operator's folder
//   output   a line for each partition: rows, times, verdict; with --out, the output rows as a file
//   example  reprise replay dump/loreId-10 --partition 3 --repeat 5
#include "cli/cmd_replay.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>

#include "cli/figures.h"
#include "cli/progress.h"
#include "replay/replay.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

struct Options {
  std::string folder;
  ReplayOptions replay;
  bool digests = false;
  bool json = false;
};

struct Times {
  int64_t min = 0;
  int64_t median = 0;
};

Times TimesOf(const std::vector<ReplayRun>& runs, int64_t ReplayRun::*member) {
  std::vector<int64_t> times;
  for (const ReplayRun& run : runs) times.push_back(run.*member);
  if (times.empty()) return {};
  std::sort(times.begin(), times.end());
  return {times.front(), times[times.size() / 2]};
}

std::vector<std::string> NamesOf(const std::vector<int>& columns,
                                 const std::vector<Field>& fields) {
  std::vector<std::string> names;
  for (const int column : columns) names.push_back(fields[column].name);
  return names;
}

std::string VerdictText(const PartitionReplay& replay, const std::vector<Field>& fields) {
  if (!replay.error.empty()) return "failed: " + replay.error;
  std::string text(Name(replay.comparison.verdict));
  if (replay.comparison.verdict == Verdict::kDifferent) {
    text = text + ": " + Thousands(replay.comparison.recorded.rows) + " rows recorded";
    const auto names = NamesOf(replay.comparison.columns, fields);
    if (!names.empty()) text += fmt::format("; columns {}", fmt::join(names, ", "));
  } else if (replay.comparison.prefix) {
    text += fmt::format(" up to row {}, where its consumer stopped",
                        Thousands(replay.comparison.recorded.rows));
  }
  if (replay.ended_with_record) text += "; ends where the record ends";
  if (replay.unstable) text += "; runs differ from each other";
  return text;
}

// "first difference in row 17, column b: recorded z, replayed !"
std::string DifferenceText(const FirstDifference& difference, const std::vector<Field>& fields) {
  const std::string column =
      difference.column ? fmt::format(", column {}", fields[*difference.column].name) : "";
  return fmt::format("first difference in row {}{}: recorded {}, replayed {}\n",
                     Thousands(difference.row), column, difference.recorded, difference.replayed);
}

// The digests of one partition side by side.
std::string DigestText(const PartitionReplay& replay, const std::vector<Field>& fields) {
  const StreamDigest& recorded = replay.comparison.recorded;
  const StreamDigest& replayed = replay.comparison.replayed;
  const bool comparable = replay.comparison.verdict != Verdict::kNotRecorded;
  TextTable table({{"digest of"}, {"recorded"}, {"replayed"}, {""}});
  const auto add = [&](const std::string& name, uint64_t before, uint64_t after) {
    table.Add({name, comparable ? Hex(before) : "", Hex(after),
               comparable && before != after ? "differs" : ""});
  };
  add("rows in order", recorded.ordered, replayed.ordered);
  add("rows in any order", recorded.unordered, replayed.unordered);
  for (size_t i = 0; i < replayed.columns.size(); ++i) {
    add(fields[i].name, comparable ? recorded.columns[i] : 0, replayed.columns[i]);
  }
  const auto& difference = replay.first_difference;
  return fmt::format("\npartition {}, {} rows recorded, {} rows replayed\n{}{}", replay.partition,
                     comparable ? Thousands(recorded.rows) : "no", Thousands(replayed.rows),
                     difference ? "  " + DifferenceText(*difference, fields) : "",
                     table.ToString(2));
}

void PrintText(const Options& options, const ReplayReport& report) {
  const OperatorSpec& spec = report.plan.spec;
  const bool repeated = options.replay.repeat > 1;
  fmt::print("{}  LORE id {}  {}  fingerprint {}\n\n", spec.name, spec.lore_id, spec.occurrence,
             spec.fingerprint);
  TextTable table({{"partition", true},
                   {"rows in", true},
                   {"rows out", true},
                   {repeated ? "own time min" : "own time", true},
                   {repeated ? "median" : "with reading", true},
                   {"output"}});
  for (const PartitionReplay& replay : report.partitions) {
    const Times own = TimesOf(replay.runs, &ReplayRun::own_time_ns);
    const Times wall = TimesOf(replay.runs, &ReplayRun::wall_time_ns);
    table.Add({std::to_string(replay.partition), Thousands(replay.input_rows),
               Thousands(replay.output.rows), DurationText(own.min),
               DurationText(repeated ? own.median : wall.min), VerdictText(replay, spec.output)});
  }
  fmt::print("{}", table.ToString());
  int64_t holding = 0;
  for (const PartitionReplay& replay : report.partitions) {
    holding += replay.holds() ? 1 : 0;
    const bool different = replay.comparison.verdict == Verdict::kDifferent;
    if (options.digests || different) fmt::print("{}", DigestText(replay, spec.output));
  }
  if (report.holds()) {
    fmt::print("\nAs recorded.\n");
  } else {
    fmt::print("\nNOT as recorded: {} of {} partitions differ or fail.\n",
               report.partitions.size() - holding, report.partitions.size());
  }
}

Json ToJson(const PartitionReplay& replay, const std::vector<Field>& fields) {
  Json runs = Json::array();
  for (const ReplayRun& run : replay.runs) {
    runs.push_back({{"ownTimeNs", run.own_time_ns}, {"wallTimeNs", run.wall_time_ns}});
  }
  const Comparison& comparison = replay.comparison;
  Json json = {{"partition", replay.partition},
               {"attempt", replay.attempt},
               {"inputRows", replay.input_rows},
               {"inputBatches", replay.input_batches},
               {"output", reprise::ToJson(replay.output)},
               {"runs", std::move(runs)},
               {"verdict", Name(comparison.verdict)},
               {"prefix", comparison.prefix},
               {"differentColumns", NamesOf(comparison.columns, fields)},
               {"endedWithRecord", replay.ended_with_record},
               {"unstable", replay.unstable},
               {"error", replay.error.empty() ? Json() : Json(replay.error)},
               {"holds", replay.holds()}};
  if (const auto& difference = replay.first_difference) {
    json["firstDifference"] = {
        {"row", difference->row},
        {"column", difference->column ? Json(fields[*difference->column].name) : Json()},
        {"recorded", difference->recorded},
        {"replayed", difference->replayed}};
  }
  if (comparison.verdict != Verdict::kNotRecorded) {
    json["recorded"] = reprise::ToJson(comparison.recorded);
  }
  return json;
}

void PrintJson(const ReplayReport& report) {
  Json partitions = Json::array();
  for (const auto& replay : report.partitions) {
    partitions.push_back(ToJson(replay, report.plan.spec.output));
  }
  const Json json = {{"operator", reprise::ToJson(report.plan.spec)},
                     {"partitions", std::move(partitions)},
                     {"holds", report.holds()}};
  fmt::print("{}\n", json.dump(2));
}

Result<int> RunReplay(Options* options) {
  Progress progress("replaying");
  options->replay.progress = [&](int done, int total) { progress.Show(done, total); };
  ARROW_ASSIGN_OR_RAISE(const ReplayReport report, Replay(options->folder, options->replay));
  progress.Clear();
  if (options->json) {
    PrintJson(report);
  } else {
    PrintText(*options, report);
  }
  return report.holds() ? kExitDone : kExitFalse;
}

Run Declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("FOLDER", options->folder, "folder of the operator: DUMP/loreId-N")->required();
  app.add_option("--partition", options->replay.partition,
                 "replay this partition only (default: all that were captured)");
  app.add_option("--attempt", options->replay.attempt,
                 "replay what this attempt recorded, even if it failed; needs --partition");
  app.add_flag("--recorded", options->replay.recorded_only,
               "leave out partitions that have no whole record");
  app.add_option("--repeat", options->replay.repeat,
                 "run each partition so many times and report the fastest and the median")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--out", options->replay.out_path,
                 "write the output rows to this file: .parquet or .arrow");
  app.add_option("--trace", options->replay.trace_path,
                 "write what the operator did and when to this file, for ui.perfetto.dev or "
                 "chrome://tracing");
  app.add_flag("--digests", options->digests, "show the digests of every column");
  app.add_flag("--json", options->json, "print JSON");
  return [options] { return RunReplay(options.get()); };
}

}  // namespace

const Subcommand kReplay = {
    "replay", "Run one operator of a dump again and compare its output with the recorded one",
    "reprise replay dump/loreId-10 --partition 3 --repeat 5\n"
    "Exit status: 0 as recorded, 1 the output differs or the operator fails, 2 bad usage or bad "
    "input",
    Declare};

}  // namespace reprise
