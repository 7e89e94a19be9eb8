#include "lineage/lineage_dot.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>

#include "lineage/stage_figures.h"

namespace reprise {

namespace {

using Lines = std::vector<std::string>;

constexpr size_t kLabelColumns = 48;
constexpr size_t kTooltipColumns = 300;

// Graphviz keeps every two frames of a rank apart: the time that it takes grows with their square,
// half a minute for 1,500. Where a stage has more, boxes say what they are part of.
constexpr size_t kScopeFramesMax = 200;

// One line, not too long.
std::string Cut(std::string_view text, size_t columns_max = kLabelColumns) {
  std::string cut;
  size_t columns = 0;
  for (const char letter : text) {
    // The bytes that continue a character of UTF-8 take no column.
    if ((letter & 0xc0) != 0x80 && ++columns > columns_max) return cut + "…";
    const auto byte = static_cast<unsigned char>(letter);
    cut += byte < 0x20 || byte == 0x7f ? ' ' : letter;
  }
  return cut;
}

// Within a quoted label, where a backslash would begin an escape.
std::string Quoted(std::string_view text) {
  std::string quoted;
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') quoted += '\\';
    quoted += letter;
  }
  return quoted;
}

// Within a label of the form that Graphviz calls HTML-like; the spaces before a line stay.
std::string Marked(std::string_view text) {
  std::string marked;
  for (; text.starts_with(' '); text.remove_prefix(1)) marked += "&#160;";
  for (const char letter : text) {
    switch (letter) {
      case '&':
        marked += "&amp;";
        break;
      case '<':
        marked += "&lt;";
        break;
      case '>':
        marked += "&gt;";
        break;
      default:
        marked += letter;
    }
  }
  return marked;
}

// A text of several lines, each with its end: "\\n" or, left aligned, "\\l".
std::string Label(const Lines& lines, std::string_view end, size_t columns_max = kLabelColumns) {
  std::string label;
  for (const std::string& line : lines) label += Quoted(Cut(line, columns_max)) + std::string(end);
  return label;
}

std::string Tooltip(const Lines& lines) {
  return fmt::format("tooltip=\"{}\"", Label(lines, "\\n", kTooltipColumns));
}

void Append(const Lines& more, Lines* lines) {
  lines->insert(lines->end(), more.begin(), more.end());
}

std::string NodeId(int64_t stage, int64_t rdd) {
  return stage < 0 ? fmt::format("r{}", rdd) : fmt::format("s{}r{}", stage, rdd);
}

Lines RddLines(const Rdd& rdd) {
  std::string facts =
      rdd.partitions == 1 ? "1 partition" : fmt::format("{} partitions", rdd.partitions);
  if (!rdd.determinism.empty()) {
    facts += ", ";
    for (const char letter : rdd.determinism) facts += static_cast<char>(std::tolower(letter));
  }
  if (rdd.barrier) facts += ", barrier";
  Lines lines = {fmt::format("#{} {}", rdd.id, rdd.name), rdd.call_site, std::move(facts)};
  if (rdd.storage.cached()) {
    lines.push_back(rdd.storage.ToString() + (rdd.unpersisted ? ", unpersisted" : ""));
  }
  return lines;
}

// The operation that RDDs are part of, and what Spark's SQL calls it.
Lines ScopeLines(const ScopeBox& scope) {
  Lines lines = {scope.name};
  for (const std::string& each : scope.operators) {
    if (each != scope.name) lines.push_back("  " + each);
  }
  return lines;
}

// The lines of an operation are blue, and stand left above the RDD's own.
std::string RddLabel(const Lines& rdd, const Lines& operation) {
  if (operation.empty()) {
    const std::string label = Label(rdd, "\\n");
    return fmt::format("\"{}\"", label.substr(0, label.size() - 2));
  }
  std::string label = "<<font color=\"#1a4f8b\">";
  for (const std::string& line : operation) label += Marked(Cut(line)) + "<br align=\"left\"/>";
  label += "</font>";
  for (const std::string& line : rdd) label += Marked(Cut(line)) + "<br/>";
  return label + ">";
}

// `operation`: what the box says of it; `scope`: what made the RDD, for who points at it.
std::string RddNode(int64_t stage, const RddBox& box, const Lines& operation, const Lines& scope) {
  std::string style = "filled";
  std::string colours = "fillcolor=white";
  if (box.rdd->storage.cached()) colours = "fillcolor=\"#c8e6c9\" color=\"#2e7d32\"";
  if (box.behind_cache) {
    style = "\"filled,dashed\"";
    colours = "fillcolor=white color=grey60 fontcolor=grey50";
  }
  const Lines lines = RddLines(*box.rdd);
  Lines tooltip = lines;
  if (!scope.empty()) tooltip.emplace_back("made by");
  Append(scope, &tooltip);
  return fmt::format("{} [label={} style={} {} {}];\n", NodeId(stage, box.rdd->id),
                     RddLabel(lines, operation), style, colours, Tooltip(tooltip));
}

Lines StageLines(const StageBox& box) {
  std::string facts = fmt::format("{} {}, {}", box.stage->tasks,
                                  box.stage->tasks == 1 ? "task" : "tasks", NameOf(box.state));
  if (!box.ran_again.empty()) facts += fmt::format("; again as {}", fmt::join(box.ran_again, ", "));
  if (!box.skipped.empty()) facts += fmt::format("; skipped as {}", fmt::join(box.skipped, ", "));
  Lines lines = {fmt::format("Stage {}: {}", box.stage->id, box.stage->name), std::move(facts)};
  Append(LinesOf(FiguresOf(*box.stage)), &lines);
  return lines;
}

std::string StageColours(StageState state) {
  switch (state) {
    case StageState::kSkipped:
    case StageState::kWaiting:
      return "style=\"dashed,rounded\" color=grey50";
    case StageState::kFailed:
      return "style=\"filled,rounded\" fillcolor=\"#ffebee\" color=\"#c62828\"";
    default:
      return "style=\"filled,rounded\" fillcolor=\"#eef3f8\" color=\"#37618e\"";
  }
}

bool IsPale(StageState state) {
  return state == StageState::kSkipped || state == StageState::kWaiting;
}

std::string HeadId(int64_t stage) { return fmt::format("stage{}", stage); }

// One stage as a cluster. Its text is that of a node, since arrows go around nodes, but straight
// through the label of a cluster. No edge holds that node, so that it stands beside the first RDDs,
// and a row of stages is a column of RDDs.
class StageCluster {
 public:
  explicit StageCluster(const StageBox& box) : box_(box), made_by_(box.rdds.size()) {
    size_t frames = 0;
    for (const ScopeBox& scope : box.scopes) {
      frames += IsFramed(scope);
      for (const size_t rdd : scope.rdds) made_by_[rdd] = &scope;
    }
    framed_ = frames <= kScopeFramesMax;
  }

  std::string Text() const {
    const Lines lines = StageLines(box_);
    Lines tooltip = lines;
    Append(TaskLines(*box_.stage), &tooltip);
    std::string text = fmt::format(
        "  subgraph cluster_{} {{\n    label=\"\" margin=10 {} {}\n"
        "    {} [shape=plaintext margin=\"0,0\" fontsize=11 {}label=\"{}\" {}];\n",
        box_.stage->id, StageColours(box_.state), Tooltip(tooltip), HeadId(box_.stage->id),
        IsPale(box_.state) ? "fontcolor=grey40 " : "", Label(lines, "\\l"), Tooltip(tooltip));
    for (size_t i = 0; framed_ && i < box_.scopes.size(); ++i) text += Frame(i);
    for (size_t i = 0; i < box_.rdds.size(); ++i) {
      const bool stands = framed_ && made_by_[i] != nullptr && IsFramed(*made_by_[i]);
      if (!stands) text += "    " + Node(i);
    }
    return text + "  }\n";
  }

 private:
  static bool IsFramed(const ScopeBox& scope) { return scope.rdds.size() > 1; }

  std::string Frame(size_t index) const {
    const ScopeBox& scope = box_.scopes[index];
    if (!IsFramed(scope)) return "";
    std::string text = fmt::format(
        "    subgraph cluster_{}_{} {{\n      label=\"\" margin=5 style=\"dotted,rounded\" "
        "color=\"#1a4f8b\" "
        "{}\n",
        box_.stage->id, index, Tooltip(ScopeLines(scope)));
    for (const size_t rdd : scope.rdds) text += "      " + Node(rdd);
    return text + "    }\n";
  }

  // Where RDDs are framed the first of them has the operation's lines.
  std::string Node(size_t rdd) const {
    const ScopeBox* const scope = made_by_[rdd];
    if (scope == nullptr) return RddNode(box_.stage->id, box_.rdds[rdd], {}, {});
    const Lines lines = ScopeLines(*scope);
    const bool says = !framed_ || scope->rdds.front() == rdd;
    return RddNode(box_.stage->id, box_.rdds[rdd], says ? lines : Lines(), lines);
  }

  const StageBox& box_;
  std::vector<const ScopeBox*> made_by_;  // by RDD; null: nothing is known
  bool framed_;
};

std::string EdgeLine(const LineageEdge& edge) {
  std::string colours;
  if (edge.shuffle)
    colours = edge.behind_cache ? "color=\"#ef9a9a\" style=dashed " : "color=red penwidth=1.6 ";
  if (!edge.shuffle && edge.behind_cache) colours = "color=grey60 style=dashed ";
  const std::string what =
      fmt::format("{}#{} is computed from #{}{}", edge.shuffle ? "shuffle: " : "", edge.to_rdd,
                  edge.from_rdd, edge.behind_cache ? "; not needed, since a cache has it" : "");
  return fmt::format("  {} -> {} [{}{}];\n", NodeId(edge.from_stage, edge.from_rdd),
                     NodeId(edge.to_stage, edge.to_rdd), colours, Tooltip({what}));
}

constexpr std::string_view kLegend = R"(  legend [shape=plaintext tooltip="what is what" label=<
    <table border="0" cellborder="0" cellspacing="3">
      <tr><td border="1" bgcolor="#eef3f8" color="#37618e" style="rounded">Stage</td><td align="left">what its tasks compute in one go; its time, its slowest task by the median one (skew)</td></tr>
      <tr><td border="1" color="grey50" style="rounded,dashed"><font color="grey40">Stage</font></td><td align="left">was skipped, since its output was there, or never ran</td></tr>
      <tr><td border="1" bgcolor="#ffebee" color="#c62828" style="rounded">Stage</td><td align="left">failed</td></tr>
      <tr><td border="1" bgcolor="white"><font color="#1a4f8b">operation</font><br/>#1 RDD</td><td align="left">an RDD, below the call or SQL operators that made it; a dotted frame holds what one of these made</td></tr>
      <tr><td border="1" bgcolor="#c8e6c9" color="#2e7d32">#2 RDD</td><td align="left">cached</td></tr>
      <tr><td border="1" bgcolor="white" color="grey60" style="dashed"><font color="grey50">#3 RDD</font></td><td align="left">behind a cache that was filled before</td></tr>
      <tr><td><font color="red">&#8594;</font></td><td align="left">a shuffle; pale where a cache made it needless</td></tr>
      <tr><td>&#8594;</td><td align="left">row after row, in one task</td></tr>
    </table>>];
)";

}  // namespace

std::string LineageDot(const LineageGraph& graph) {
  // Stages that nothing connects stand in rows and columns, in their order, so that the picture of
  // an application is about as wide as it is high.
  std::string text = fmt::format(
      "digraph lineage {{\n  label=\"{}\" labelloc=t fontname=\"Helvetica\" fontsize=11\n"
      "  pack=16 packmode=\"array_ut\" nodesep=0.2 ranksep=0.3\n"
      "  node [shape=box fontname=\"Helvetica\" fontsize=9 margin=\"0.08,0.04\" height=0.1]\n"
      "  edge [arrowsize=0.6 weight=2]\n",
      Quoted(Cut(graph.title)));
  for (const StageBox& box : graph.stages) text += StageCluster(box).Text();
  for (const Rdd* rdd : graph.outside) {
    const Lines lines = RddLines(*rdd);
    text += fmt::format("  {} [label={} style=dotted {}];\n", NodeId(-1, rdd->id),
                        RddLabel(lines, {}), Tooltip(lines));
  }
  for (const LineageEdge& edge : graph.edges) text += EdgeLine(edge);
  return text + std::string(kLegend) + "}\n";
}

}  // namespace reprise
