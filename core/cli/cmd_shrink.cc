// reprise shrink DUMP/loreId-N --while-… --out FOLDER
//   purpose  find few and simple rows over which an operator still fails, differs or is slow
//   input    the operator's folder
//   output   a dump of one task with those rows, and the rows as text
//   example  reprise shrink dump/loreId-10 --while-fails --out small
#include "cli/cmd_shrink.h"

#include <numeric>

#include "base/figure_text.h"
#include "cli/figures.h"
#include "cli/progress.h"
#include "cli/spark_engine.h"
#include "dump/meta.h"
#include "dump/unpacked.h"
#include "replay/conf_overrides.h"
#include "shrink/row_edits.h"

namespace reprise {

namespace {

constexpr int64_t kRowsShown = 20;
constexpr size_t kValueShown = 60;

Result<std::string> ValueText(const RecordBatches& batches, int column, int64_t row) {
  ARROW_ASSIGN_OR_RAISE(const auto value, ValueAt(batches, column, row));
  const std::string text = value->ToString();
  return text.size() <= kValueShown ? text : text.substr(0, kValueShown) + "…";
}

Status PrintRows(int stream, const std::vector<Field>& schema, const RecordBatches& batches) {
  const int64_t rows = RowCount(batches);
  fmt::print("{}: {}\n", StreamName(stream), Counted(rows, "row", "rows"));
  std::vector<TextTable::Heading> headings;
  for (const Field& field : schema) headings.push_back({field.name});
  TextTable table(headings);
  for (int64_t row = 0; row < std::min(rows, kRowsShown); ++row) {
    std::vector<std::string> cells;
    for (int column = 0; column < static_cast<int>(schema.size()); ++column) {
      ARROW_ASSIGN_OR_RAISE(cells.emplace_back(), ValueText(batches, column, row));
    }
    table.Add(std::move(cells));
  }
  if (rows > 0 && !schema.empty()) fmt::print("{}", table.ToString(2));
  if (rows > kRowsShown) fmt::print("  and {} more\n", Thousands(rows - kRowsShown));
  return Status::OK();
}

int64_t Total(const std::vector<int64_t>& rows) {
  return std::accumulate(rows.begin(), rows.end(), int64_t{0});
}

std::vector<int64_t> RowsLeft(const ShrinkReport& report) {
  std::vector<int64_t> rows;
  for (const RecordBatches& input : report.rows.inputs) rows.push_back(RowCount(input));
  return rows;
}

Status PrintReport(const ShrinkReport& report) {
  fmt::print("partition {}: {} of {} left, {} tried in {}\n", report.rows.header.partition,
             Counted(Total(RowsLeft(report)), "row", "rows"), Thousands(Total(report.rows_before)),
             Counted(report.candidates, "dump", "dumps"), DurationText(report.time_ns));
  if (!report.is_least) fmt::print("The time was up: fewer rows may do (--time-limit).\n");
  fmt::print("\n");
  for (size_t i = 0; i < report.rows.inputs.size(); ++i) {
    RETURN_NOT_OK(
        PrintRows(static_cast<int>(i), report.plan.spec.inputs[i], report.rows.inputs[i]));
  }
  PrintText(fmt::format("\n{}\n\n", report.seen));
  fmt::print("reprise replay {}\n", report.folder);
  if (!report.statement.empty()) fmt::print("spark-sql -f {}\n", report.statement);
  if (!report.unit_test.empty()) fmt::print("a unit test of the core: {}\n", report.unit_test);
  return Status::OK();
}

nlohmann::json ToJson(const ShrinkReport& report) {
  return {{"folder", report.folder},          {"partition", report.rows.header.partition},
          {"rowsBefore", report.rows_before}, {"rows", RowsLeft(report)},
          {"candidates", report.candidates},  {"timeNs", report.time_ns},
          {"isLeast", report.is_least},       {"seen", report.seen},
          {"statement", report.statement},    {"unitTest", report.unit_test},
          {"without", report.without}};
}

Run DeclareShrink(CLI::App& app) {
  auto command = std::make_shared<ShrinkCommand>();
  DeclareShrinkOptions(app, command.get());
  const auto engine = std::make_shared<SparkEngine>();
  DeclareSparkOptions(app, engine.get());
  return [command, engine, &app]() -> Result<int> {
    ARROW_ASSIGN_OR_RAISE(const Unpacked unpacked, Unpacked::Of(command->folder));
    command->folder = unpacked.folder();
    ARROW_ASSIGN_OR_RAISE(const OperatorDump dump, OperatorDump::Open(command->folder));
    const bool is_sparks = dump.plan().spec.kind == "spark";
    if (is_sparks && command->shrink.condition.differs) {
      return Status::Invalid(command->folder, ": ", dump.plan().spec.name,
                             " runs on Spark alone, so that it cannot differ from it");
    }
    // What is wrong with the options is said before a JVM starts.
    RETURN_NOT_OK(Condition::Make(command->shrink.condition).status());
    if (command->shrink.condition.differs || engine->name == "spark" ||
        (engine->name.empty() && is_sparks)) {
      return RunOnSpark(*engine, app, {"reprise.replay.SparkShrink", {command->folder}});
    }
    return RunShrink(command.get());
  };
}

}  // namespace

Result<int> RunShrink(ShrinkCommand* command) {
  ShrinkOptions& options = command->shrink;
  ARROW_ASSIGN_OR_RAISE(options.condition.replay.conf, ConfigMapFromPairs(command->conf));
  Progress progress("shrinking");
  options.progress = [&](int64_t left, int64_t total) {
    progress.Show(static_cast<int>(total - left), static_cast<int>(total));
  };
  ARROW_ASSIGN_OR_RAISE(const ShrinkReport report, Shrink(command->folder, options));
  progress.Clear();
  if (command->json) {
    fmt::print("{}\n", ToJson(report).dump(2));
    return kExitDone;
  }
  RETURN_NOT_OK(PrintReport(report));
  return kExitDone;
}

const Subcommand kShrink = {
    "shrink", "Find few rows of a dump that go on to show an error, a difference or a delay",
    "reprise shrink dump/loreId-10 --while-fails --out small\n"
    "Exit status: 0 shrunk, 2 bad usage or bad input, also where no row shows it",
    DeclareShrink};

}  // namespace reprise
