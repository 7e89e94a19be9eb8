// reprise diff LOG1 LOG2
//   purpose  see which stages of two runs differ: in structure, time, rows, bytes
//   input    two event logs
//   output   a line a stage that differs; status 1 where structure or rows do
//   example  reprise diff /tmp/spark-events/monday /tmp/spark-events/tuesday
#include "cli/cmd_diff.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/figure_text.h"
#include "cli/event_log.h"
#include "cli/figures.h"
#include "lineage/log_difference.h"
#include "lineage/model_json.h"

namespace reprise {

namespace {

struct DiffOptions {
  std::string left;
  std::string right;
  DifferenceLimits limits;
  bool json = false;
};

std::string FigureValueText(const FigureDifference& figure, int64_t value) {
  switch (figure.unit) {
    case FigureDifference::Unit::kMilliseconds:
      return MillisecondText(value);
    case FigureDifference::Unit::kBytes:
      return ByteText(value);
    default:
      return Thousands(value);
  }
}

std::string FigureText(const FigureDifference& figure) {
  std::string text = fmt::format("{} {} -> {}", figure.name, FigureValueText(figure, figure.left),
                                 FigureValueText(figure, figure.right));
  if (figure.left > 0 && figure.right > 0) {
    text += fmt::format(" ({:.2f} x)",
                        static_cast<double>(figure.right) / static_cast<double>(figure.left));
  }
  return text;
}

void AddDifferenceRows(const StageDifference& difference, TextTable* table) {
  const Stage* named = difference.left != nullptr ? difference.left : difference.right;
  std::vector<std::string> lines;
  if (difference.left == nullptr) lines.push_back("only in the second log");
  if (difference.right == nullptr) lines.push_back("only in the first log");
  if (!difference.structure.empty()) lines.push_back("structure: " + difference.structure);
  for (const FigureDifference& figure : difference.figures) lines.push_back(FigureText(figure));
  const auto id = [](const Stage* stage) {
    return stage == nullptr ? std::string("-") : std::to_string(stage->id);
  };
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i == 0) {
      table->Add({id(difference.left), id(difference.right), named->name, lines[i]});
    } else {
      table->Add({"", "", "", lines[i]});
    }
  }
}

Result<int> CompareLogs(const DiffOptions& options) {
  ARROW_ASSIGN_OR_RAISE(const LoadedLog left, ReadEventLog(options.left, {}));
  ARROW_ASSIGN_OR_RAISE(const LoadedLog right, ReadEventLog(options.right, {}));
  const LogDifference difference = CompareLogs(left.model, right.model, options.limits);
  const int status = difference.SameStructureAndRows() ? kExitDone : kExitFalse;
  if (options.json) {
    nlohmann::json json = ToJson(difference);
    json["logs"] = {HeadJson(left), HeadJson(right)};
    fmt::print("{}\n", json.dump(2));
    return status;
  }
  TextTable table({{"first", true}, {"second", true}, {"stage"}, {"difference"}});
  for (const StageDifference& stage : difference.stages) AddDifferenceRows(stage, &table);
  if (!difference.stages.empty()) fmt::print("{}\n", table.ToString());
  fmt::print("{} in both, {}: structure and rows {}.\n",
             Counted(difference.matched, "stage", "stages"),
             Counted(static_cast<int64_t>(difference.stages.size()), "difference", "differences"),
             status == kExitDone ? "are the same" : "DIFFER");
  return status;
}

Run DeclareDiff(CLI::App& app) {
  auto options = std::make_shared<DiffOptions>();
  app.add_option("first", options->left, "event log of one run")->required();
  app.add_option("second", options->right, "event log of the other run")->required();
  app.add_option("--time-ratio", options->limits.time_ratio,
                 "times count as different from this ratio on (1.5)")
      ->check(CLI::Range(1.0, 1e9));
  app.add_flag("--json", options->json, "as JSON");
  return [options] { return CompareLogs(*options); };
}

}  // namespace

const Subcommand kDiff = {"diff", "Say which stages of two runs differ, from their event logs",
                          "reprise diff /tmp/spark-events/monday /tmp/spark-events/tuesday",
                          DeclareDiff};

}  // namespace reprise
