// reprise qualify LOG...
//   purpose  see what the plug-in would make of applications that ran without it
//   input    event logs
//   output   what share of each would run natively, how much faster it would be, between which
//            bounds, and what stands in the way
//   example  reprise qualify /tmp/spark-events/*
#include "cli/cmd_qualify.h"

#include <fmt/format.h>

#include <iostream>
#include <map>

#include "base/figure_text.h"
#include "base/printable.h"
#include "cli/event_log.h"
#include "cli/figures.h"
#include "qualify/qualification_json.h"

namespace reprise {

namespace {

struct QualifyOptions {
  std::vector<std::string> logs;
  bool json = false;
};

std::string Percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

std::string SecondsText(double ms) { return MillisecondText(static_cast<int64_t>(ms)); }

std::string SpeedupText(double wall_ms, const Estimate& native) {
  return fmt::format("{:.1f}x ({:.1f} to {:.1f})", Speedup(wall_ms, native.expected),
                     Speedup(wall_ms, native.most), Speedup(wall_ms, native.least));
}

// The seconds that native operators save.
double Saved(double wall_ms, const Estimate& native) { return wall_ms - native.expected; }

void PrintObstacles(const std::vector<Obstacle>& obstacles) {
  constexpr int kIndent = 10;
  constexpr size_t kShown = 10;
  if (obstacles.empty()) return;
  fmt::print("\nWhat stands in the way, and the time that it would save not to have it:\n");
  for (size_t i = 0; i < std::min(obstacles.size(), kShown); ++i) {
    const Obstacle& each = obstacles[i];
    const GraphNode& node = each.query->plan[static_cast<size_t>(each.node)];
    const std::string who =
        each.operators == 1
            ? fmt::format("{} of query {}", node.operator_name, each.query->execution->id)
            : fmt::format("{} operators, as {} of query {}", Thousands(each.operators),
                          node.operator_name, each.query->execution->id);
    PrintText(fmt::format("{:>8}  {}\n", SecondsText(1000 * each.seconds),
                          Wrapped(fmt::format("{}: {}", who, each.reason), kIndent)));
  }
  if (obstacles.size() > kShown) {
    fmt::print("and {} more: --json tells them all\n", obstacles.size() - kShown);
  }
}

void PrintQueries(const Qualification& all) {
  constexpr size_t kShown = 10;
  std::vector<const QualifiedQuery*> queries;
  for (const QualifiedQuery& each : all.queries) queries.push_back(&each);
  const auto saved = [](const QualifiedQuery* each) {
    return Saved(static_cast<double>(each->query->wall_ms), each->wall_ms);
  };
  std::ranges::sort(queries, std::greater(), saved);
  if (queries.size() > kShown) {
    fmt::print("\nThe {} of {} queries that gain most:\n", kShown, Thousands(all.queries.size()));
    queries.resize(kShown);
  } else {
    fmt::print("\n");
  }
  TextTable table({{"query", true},
                   {"took", true},
                   {"would take", true},
                   {"faster", true},
                   {"native", true},
                   {"", false}});
  for (const QualifiedQuery* each : queries) {
    const auto wall_ms = static_cast<double>(each->query->wall_ms);
    table.Add({std::to_string(each->query->execution->id), SecondsText(wall_ms),
               SecondsText(each->wall_ms.expected), SpeedupText(wall_ms, each->wall_ms),
               Percent(each->native_share),
               Wrapped(each->query->execution->description.substr(0, 40), 0)});
  }
  PrintText(table.ToString());
}

void PrintOne(const Qualification& all) {
  const LogModel& model = all.report.model;
  PrintText(fmt::format("{} ({}, Spark {})\n", model.application(), model.application_id(),
                        model.spark_version()));
  fmt::print("  took         {}, {} of it in {}\n", SecondsText(all.wall_ms),
             SecondsText(all.query_ms),
             Counted(static_cast<int64_t>(all.queries.size()), "query", "queries"));
  fmt::print("  natively     {} of the time of its tasks\n", Percent(all.native_share));
  fmt::print("  would take   {} ({} to {}): faster by {}\n",
             SecondsText(all.native_wall_ms.expected), SecondsText(all.native_wall_ms.least),
             SecondsText(all.native_wall_ms.most), SpeedupText(all.wall_ms, all.native_wall_ms));
  if (all.queries.empty()) return;
  PrintQueries(all);
  PrintObstacles(all.obstacles);
}

// What is said of an application among others.
struct Row {
  double saved = 0;
  std::vector<std::string> cells;
};

Row RowOf(const Qualification& all) {
  const LogModel& model = all.report.model;
  return {.saved = Saved(all.wall_ms, all.native_wall_ms),
          .cells = {model.application_id(), model.application(), SecondsText(all.wall_ms),
                    SecondsText(all.native_wall_ms.expected),
                    SpeedupText(all.wall_ms, all.native_wall_ms), Percent(all.native_share)}};
}

void PrintRows(std::vector<Row> rows) {
  std::ranges::sort(rows, std::greater(), &Row::saved);
  TextTable table({{"application", false},
                   {"name", false},
                   {"took", true},
                   {"would take", true},
                   {"faster", true},
                   {"native", true}});
  for (Row& row : rows) table.Add(std::move(row.cells));
  PrintText(table.ToString());
}

Result<int> QualifyLogs(const QualifyOptions& options) {
  nlohmann::json json = {{"applications", nlohmann::json::array()}};
  std::vector<Row> rows;
  bool all_read = true;
  for (const std::string& path : options.logs) {
    const auto qualify = [&]() -> Status {
      ARROW_ASSIGN_OR_RAISE(const LoadedLog log, ReadEventLog(path, {}));
      const Report report = BuildReport(log.model, path);
      ARROW_ASSIGN_OR_RAISE(const Qualification qualification, Qualify(report));
      if (options.json) json["applications"].push_back(ToJson(qualification));
      rows.push_back(RowOf(qualification));
      if (!options.json && options.logs.size() == 1) PrintOne(qualification);
      return Status::OK();
    };
    const Status status = qualify();
    if (status.ok()) continue;
    if (options.logs.size() == 1) return status;
    // One that is damaged hides nothing of the others.
    all_read = false;
    std::cerr << "reprise: " << Printable(status.message()) << std::endl;
  }
  if (options.json) fmt::print("{}\n", json.dump(2));
  if (!options.json && options.logs.size() > 1) PrintRows(std::move(rows));
  return all_read ? kExitDone : kExitBadInput;
}

Run DeclareQualify(CLI::App& app) {
  auto options = std::make_shared<QualifyOptions>();
  app.add_option("logs", options->logs, "event logs: files, or the folders of rolled ones")
      ->required();
  app.add_flag("--json", options->json, "as JSON: every query and operator");
  return [options] { return QualifyLogs(*options); };
}

}  // namespace

const Subcommand kQualify = {"qualify", "Foretell what the plug-in would make of applications",
                             "reprise qualify /tmp/spark-events/*", DeclareQualify};

}  // namespace reprise
