#include "lineage/lineage_dot.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

namespace reprise {

namespace {

constexpr size_t kLabelColumns = 48;

// Graphviz keeps every two frames of a rank apart: the time that it takes grows with their square,
// half a minute for 1,500. Where a stage has more, boxes say what they are part of.
constexpr size_t kScopeFramesMax = 200;

// Text within a quoted label: one line, not too long. A backslash would begin an escape.
std::string Quoted(std::string_view text) {
  std::string quoted;
  size_t columns = 0;
  for (const char letter : text) {
    // The bytes that continue a character of UTF-8 take no column.
    if ((letter & 0xc0) != 0x80 && ++columns > kLabelColumns) return quoted + "…";
    if (letter == '"' || letter == '\\') quoted += '\\';
    quoted += letter == '\n' || letter == '\r' || letter == '\t' ? ' ' : letter;
  }
  return quoted;
}

std::string NodeId(int64_t stage, int64_t rdd) {
  return stage < 0 ? fmt::format("r{}", rdd) : fmt::format("s{}r{}", stage, rdd);
}

std::string RddLabel(const Rdd& rdd, const std::string& scope = "") {
  std::string facts =
      rdd.partitions == 1 ? "1 partition" : fmt::format("{} partitions", rdd.partitions);
  if (!rdd.determinism.empty()) {
    facts += ", ";
    for (const char letter : rdd.determinism) facts += static_cast<char>(std::tolower(letter));
  }
  if (rdd.barrier) facts += ", barrier";
  std::string label = fmt::format("{}#{} {}\\n{}\\n{}", scope, rdd.id, Quoted(rdd.name),
                                  Quoted(rdd.call_site), facts);
  if (rdd.storage.cached()) {
    label += fmt::format("\\n{}{}", rdd.storage.ToString(), rdd.unpersisted ? ", unpersisted" : "");
  }
  return label;
}

// `scope`: lines that stand above the box's own.
std::string RddNode(int64_t stage, const RddBox& box, const std::string& scope = "") {
  std::string style = "filled";
  std::string colours = "fillcolor=white";
  if (box.rdd->storage.cached()) colours = "fillcolor=\"#c8e6c9\" color=\"#2e7d32\"";
  if (box.behind_cache) {
    style = "\"filled,dashed\"";
    colours = "fillcolor=white color=grey60 fontcolor=grey50";
  }
  return fmt::format("{} [label=\"{}\" style={} {}];\n", NodeId(stage, box.rdd->id),
                     RddLabel(*box.rdd, scope), style, colours);
}

std::string StageLabel(const StageBox& box) {
  std::string label = fmt::format("Stage {}: {}", box.stage->id, Quoted(box.stage->name));
  label += fmt::format("\\n{} {}, {}", box.stage->tasks, box.stage->tasks == 1 ? "task" : "tasks",
                       NameOf(box.state));
  if (!box.ran_again.empty()) {
    label += fmt::format("; again as {}", fmt::join(box.ran_again, ", "));
  }
  if (!box.skipped.empty()) {
    label += fmt::format("; skipped as {}", fmt::join(box.skipped, ", "));
  }
  return label;
}

std::string StageColours(StageState state) {
  switch (state) {
    case StageState::kSkipped:
    case StageState::kWaiting:
      return "style=\"dashed,rounded\" color=grey50 fontcolor=grey40";
    case StageState::kFailed:
      return "style=\"filled,rounded\" fillcolor=\"#ffebee\" color=\"#c62828\"";
    default:
      return "style=\"filled,rounded\" fillcolor=\"#eef3f8\" color=\"#37618e\"";
  }
}

// The operation that RDDs are part of, and what Spark's SQL calls it: lines, each with its end.
std::string ScopeLabel(const ScopeBox& scope, std::string_view end) {
  std::string label = fmt::format("{}{}", Quoted(scope.name), end);
  for (const std::string& each : scope.operators) {
    if (each != scope.name) label += fmt::format("  {}{}", Quoted(each), end);
  }
  return label;
}

std::string ScopeCluster(const StageBox& box, size_t index) {
  const ScopeBox& scope = box.scopes[index];
  std::string text = fmt::format(
      "    subgraph cluster_{}_{} {{\n      label=\"{}\" labeljust=l fontcolor=\"#1a4f8b\"\n"
      "      style=\"dotted,rounded\" color=\"#1a4f8b\" fontsize=9\n",
      box.stage->id, index, ScopeLabel(scope, "\\l"));
  for (const size_t rdd : scope.rdds) text += "      " + RddNode(box.stage->id, box.rdds[rdd]);
  return text + "    }\n";
}

std::string StageCluster(const StageBox& box) {
  std::string text = fmt::format("  subgraph cluster_{} {{\n    label=\"{}\" {}\n", box.stage->id,
                                 StageLabel(box), StageColours(box.state));
  const bool framed = box.scopes.size() <= kScopeFramesMax;
  std::map<size_t, std::string> scope_of;
  for (size_t i = 0; i < box.scopes.size(); ++i) {
    if (framed) text += ScopeCluster(box, i);
    for (const size_t rdd : box.scopes[i].rdds) {
      scope_of.emplace(rdd, framed ? "" : ScopeLabel(box.scopes[i], "\\n"));
    }
  }
  for (size_t i = 0; i < box.rdds.size(); ++i) {
    const auto scope = scope_of.find(i);
    if (scope == scope_of.end()) {
      text += "    " + RddNode(box.stage->id, box.rdds[i]);
    } else if (!framed) {
      text += "    " + RddNode(box.stage->id, box.rdds[i], scope->second);
    }
  }
  return text + "  }\n";
}

std::string EdgeLine(const LineageEdge& edge) {
  std::string colours;
  if (edge.shuffle)
    colours = edge.behind_cache ? " color=\"#ef9a9a\" style=dashed" : " color=red penwidth=1.6";
  if (!edge.shuffle && edge.behind_cache) colours = " color=grey60 style=dashed";
  return fmt::format("  {} -> {}{};\n", NodeId(edge.from_stage, edge.from_rdd),
                     NodeId(edge.to_stage, edge.to_rdd),
                     colours.empty() ? "" : " [" + colours.substr(1) + "]");
}

}  // namespace

std::string LineageDot(const LineageGraph& graph) {
  std::string text = fmt::format(
      "digraph lineage {{\n  label=\"{}\" labelloc=t fontname=\"Helvetica\" fontsize=11\n"
      "  node [shape=box fontname=\"Helvetica\" fontsize=9 margin=\"0.08,0.04\" height=0.1]\n"
      "  edge [arrowsize=0.6]\n",
      Quoted(graph.title));
  for (const StageBox& box : graph.stages) text += StageCluster(box);
  for (const Rdd* rdd : graph.outside) {
    text += fmt::format("  {} [label=\"{}\" style=dotted];\n", NodeId(-1, rdd->id), RddLabel(*rdd));
  }
  for (const LineageEdge& edge : graph.edges) text += EdgeLine(edge);
  return text + "}\n";
}

}  // namespace reprise
