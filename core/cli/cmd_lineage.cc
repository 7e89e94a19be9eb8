// reprise lineage LOG -o FILE
//   purpose  see from which RDDs and stages the data came, and where it was shuffled
//   input    an event log; all of it, or one stage, job or SQL query
//   output   a picture: svg, png, pdf, or Graphviz's own language
//   example  reprise lineage /tmp/spark-events/local-1795267533281 -o rdds.svg --job 3
#include "cli/cmd_lineage.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/figure_text.h"
#include "cli/event_log.h"
#include "cli/not_negative.h"
#include "lineage/graphviz.h"
#include "lineage/lineage_dot.h"
#include "lineage/model_json.h"

namespace reprise {

namespace {

// Graphviz needs seconds for so many boxes, and minutes for ten times as many.
constexpr size_t kBoxesUsual = 1000;

struct LineageOptions {
  EventLogOptions log;
  std::string out;
  int64_t stage = -1;
  int64_t job = -1;
  int64_t sql = -1;
};

std::optional<int64_t> IfGiven(int64_t id) {
  return id < 0 ? std::nullopt : std::optional<int64_t>(id);
}

Result<std::string> FormatOf(const std::string& out) {
  constexpr std::string_view kFormats[] = {"svg", "png", "pdf", "dot"};
  std::string format = std::filesystem::path(out).extension();
  if (!format.empty()) format.erase(0, 1);
  if (std::find(std::begin(kFormats), std::end(kFormats), format) != std::end(kFormats)) {
    return format;
  }
  return Status::Invalid("-o ", out, ": expected a name that ends in .svg, .png, .pdf or .dot");
}

std::string Summary(const LineageGraph& graph) {
  size_t boxes = 0;
  int64_t shuffles = 0;
  for (const StageBox& box : graph.stages) boxes += box.rdds.size();
  for (const LineageEdge& edge : graph.edges) shuffles += edge.shuffle ? 1 : 0;
  return fmt::format("{}, {}, {}",
                     Counted(static_cast<int64_t>(graph.stages.size()), "stage", "stages"),
                     Counted(static_cast<int64_t>(boxes), "RDD box", "RDD boxes"),
                     Counted(shuffles, "shuffle arrow", "shuffle arrows"));
}

Result<int> Draw(const LineageOptions& options) {
  if (options.out.empty() && !options.log.json) {
    return Status::Invalid("nowhere to draw: give -o FILE, or --json");
  }
  std::string format;
  if (!options.out.empty()) {
    ARROW_ASSIGN_OR_RAISE(format, FormatOf(options.out));
  }
  ARROW_ASSIGN_OR_RAISE(const LoadedLog log, ReadEventLog(options.log.path, {}));
  ARROW_ASSIGN_OR_RAISE(const LineageGraph graph,
                        BuildLineageGraph(log.model, {IfGiven(options.stage), IfGiven(options.job),
                                                      IfGiven(options.sql)}));
  if (options.log.json) {
    nlohmann::json json = HeadJson(log);
    json["lineage"] = ToJson(graph);
    fmt::print("{}\n", json.dump(2));
  }
  if (options.out.empty()) return kExitDone;
  if (graph.stages.size() > kBoxesUsual) {
    fmt::print(stderr, "reprise: {}: this may take minutes; --job, --stage or --sql show a part\n",
               Summary(graph));
  }
  RETURN_NOT_OK(RenderGraph(LineageDot(graph), format, options.out));
  if (!options.log.json) fmt::print("{}: {}\n", options.out, Summary(graph));
  return kExitDone;
}

Run DeclareLineage(CLI::App& app) {
  auto options = std::make_shared<LineageOptions>();
  options->log.Declare(app);
  app.add_option("-o,--out", options->out,
                 "the picture: a name ending in .svg, .png, .pdf or .dot");
  auto* stage = app.add_option("--stage", options->stage, "only this stage");
  auto* job = app.add_option("--job", options->job, "only this job's stages")->excludes(stage);
  auto* sql = app.add_option("--sql", options->sql, "only this SQL query's stages");
  sql->excludes(stage)->excludes(job);
  for (auto* option : {stage, job, sql}) option->check(NotNegative());
  return [options] { return Draw(*options); };
}

}  // namespace

const Subcommand kLineage = {"lineage", "Draw the RDDs and stages of an application, from its log",
                             "reprise lineage /tmp/spark-events/local-1795267533281 -o rdds.svg",
                             DeclareLineage};

}  // namespace reprise
