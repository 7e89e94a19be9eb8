#include "lineage/lineage_dot.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace reprise {

namespace {

constexpr size_t kLabelColumns = 48;

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

std::string RddLabel(const Rdd& rdd) {
  std::string facts =
      rdd.partitions == 1 ? "1 partition" : fmt::format("{} partitions", rdd.partitions);
  if (!rdd.determinism.empty()) {
    facts += ", ";
    for (const char letter : rdd.determinism) facts += static_cast<char>(std::tolower(letter));
  }
  if (rdd.barrier) facts += ", barrier";
  std::string label =
      fmt::format("#{} {}\\n{}\\n{}", rdd.id, Quoted(rdd.name), Quoted(rdd.call_site), facts);
  if (rdd.storage.cached()) {
    label += fmt::format("\\n{}{}", rdd.storage.ToString(), rdd.unpersisted ? ", unpersisted" : "");
  }
  return label;
}

std::string RddNode(int64_t stage, const RddBox& box) {
  std::string style = "filled";
  std::string colours = "fillcolor=white";
  if (box.rdd->storage.cached()) colours = "fillcolor=\"#c8e6c9\" color=\"#2e7d32\"";
  if (box.behind_cache) {
    style = "\"filled,dashed\"";
    colours = "fillcolor=white color=grey60 fontcolor=grey50";
  }
  return fmt::format("{} [label=\"{}\" style={} {}];\n", NodeId(stage, box.rdd->id),
                     RddLabel(*box.rdd), style, colours);
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

std::string ScopeCluster(const StageBox& box, size_t index) {
  const ScopeBox& scope = box.scopes[index];
  std::string label = Quoted(scope.name);
  for (const std::string& each : scope.operators) {
    if (each != scope.name) label += "\\l  " + Quoted(each);
  }
  std::string text = fmt::format(
      "    subgraph cluster_{}_{} {{\n      label=\"{}\\l\" labeljust=l fontcolor=\"#1a4f8b\"\n"
      "      style=\"dotted,rounded\" color=\"#1a4f8b\" fontsize=9\n",
      box.stage->id, index, label);
  for (const size_t rdd : scope.rdds) text += "      " + RddNode(box.stage->id, box.rdds[rdd]);
  return text + "    }\n";
}

std::string StageCluster(const StageBox& box) {
  std::string text = fmt::format("  subgraph cluster_{} {{\n    label=\"{}\" {}\n", box.stage->id,
                                 StageLabel(box), StageColours(box.state));
  std::set<size_t> scoped;
  for (size_t i = 0; i < box.scopes.size(); ++i) {
    text += ScopeCluster(box, i);
    scoped.insert(box.scopes[i].rdds.begin(), box.scopes[i].rdds.end());
  }
  for (size_t i = 0; i < box.rdds.size(); ++i) {
    if (!scoped.contains(i)) text += "    " + RddNode(box.stage->id, box.rdds[i]);
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
