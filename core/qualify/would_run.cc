#include "qualify/would_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "plan/plan.h"
#include "qualify/native_functions.h"
#include "rules/expression_translation.h"
#include "rules/operator_table.h"
#include "rules/python_translation.h"

namespace reprise {

namespace {

// As logs call the operators of a class: without "Exec".
std::string_view LoggedName(std::string_view class_name) {
  std::string_view name = ShortClassName(class_name);
  if (name.ends_with("Exec")) name.remove_suffix(4);
  return name;
}

Forecast Stays(std::string reason) { return {.runs = RunsIn::kSpark, .reason = std::move(reason)}; }
Forecast Native() { return {.runs = RunsIn::kNative, .reason = ""}; }

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

Forecast OfScan(const GraphNode& node) {
  const std::string& name = node.operator_name;
  const std::string& text = node.logged->text;
  if (Contains(name, "ExistingRDD")) return Stays("its rows come from an RDD");
  const bool is_text = name.starts_with("Scan csv") || name.starts_with("Scan json") ||
                       name.starts_with("Scan text");
  const bool is_orc = name.starts_with("Scan orc");
  const bool is_parquet = Contains(name, "parquet") || Contains(text, "Format: Parquet") ||
                          Contains(text, "ParquetScan");
  if (!is_text && !is_orc && !is_parquet) {
    std::string_view format(name);
    format.remove_prefix(std::min(name.find(' ') + 1, name.size()));
    return Stays(
        fmt::format("it reads {}, and only Parquet, ORC, CSV, JSON and text are read natively",
                    format.substr(0, std::min(format.find(' '), format.size()))));
  }
  if (Contains(text, "Bucketed: true")) return Stays("it reads buckets");
  return Native();
}

Forecast OfGenerate(const std::string& text) {
  for (const char* generator : {"explode(", "inline("}) {
    if (Contains(text, generator)) return Native();
  }
  return Stays("only explode, posexplode and inline are native generators");
}

bool IsOverObjects(std::string_view name) {
  return Contains(name, "Object") || name.starts_with("MapElements") ||
         name.starts_with("MapPartitions") || name.starts_with("MapGroups") ||
         name.starts_with("AppendColumns") || name.starts_with("CoGroup");
}

constexpr std::string_view kWriteFiles = "WriteFiles";

bool IsWrite(std::string_view name) {
  return name.starts_with("Execute ") || name.starts_with("AppendData") ||
         name.starts_with("OverwriteBy") || name.starts_with("ReplaceData") ||
         name.starts_with("WriteDelta");
}

// What measures nothing, and what native operators have no need of.
bool IsNothing(std::string_view name) {
  return name.starts_with("Reused") || name.starts_with("Subquery") || name == "ColumnarToRow" ||
         name == "CommandResult" || name == "ResultQueryStage";
}

Forecast OfItself(const GraphNode& node) {
  const std::string& name = node.operator_name;
  if (node.runs == RunsIn::kNothing) return {.runs = RunsIn::kNothing, .reason = ""};
  if (IsNothing(name)) return Native();
  if (name.starts_with("Scan ") || name.starts_with("BatchScan")) return OfScan(node);
  if (name.starts_with("Generate")) return OfGenerate(node.logged->text);
  if (name == kWriteFiles) return Native();  // of Parquet: WouldRun
  if (IsWrite(name)) return Stays("Spark writes tables and files");
  if (name == "ObjectHashAggregate") return Native();
  if (IsOverObjects(name)) return Stays("its functions take objects of the JVM");
  for (const OperatorThatStays& stays : OperatorsThatStay()) {
    if (name == LoggedName(stays.class_name)) return Stays(std::string(stays.reason));
  }
  for (const OperatorRule& rule : OperatorTable()) {
    if (name == LoggedName(rule.class_name)) return Native();
  }
  if (name == "InMemoryTableScan") return Stays("the cache is Spark's");
  return Stays("it has no native form");
}

Forecast WithFunctions(const GraphNode& node) {
  Forecast forecast = OfItself(node);
  const std::string& name = node.operator_name;
  if (forecast.runs != RunsIn::kNative || IsNothing(name) || IsPythons(name) ||
      Contains(name, "Scan")) {
    return forecast;
  }
  std::vector<std::string> guests;
  for (std::string& function : FunctionsIn(node.logged->text)) {
    if (!IsNativeFunction(function)) guests.push_back(std::move(function));
  }
  if (guests.empty()) return forecast;
  return {.runs = RunsIn::kGuest,
          .reason = fmt::format("Spark evaluates {}", fmt::join(guests, ", "))};
}

// The command above says what format is written: "Execute InsertIntoHadoopFsRelationCommand
// file:/t, false, Parquet, [path=file:/t], …".
bool WritesOther(const PlanGraph& graph, const GraphNode& node) {
  if (node.operator_name != kWriteFiles) return false;
  return node.parent < 0 || !Contains(graph[node.parent].logged->text, ", Parquet, ");
}

// What is native since Spark 4.0 alone.
void KeepEarlier(const GraphNode& node, Forecast* forecast) {
  if (forecast->runs == RunsIn::kSpark) return;
  if (IsPythons(node.operator_name)) *forecast = Stays(kOtherThread);
  if (node.operator_name == kWriteFiles) *forecast = Stays("Spark before 4.0 writes files itself");
}

// What pass "neighbours" (core/rules/neighbour_pass.cc) leaves to Spark, since rows would only be
// turned into columns and back.
class Neighbours {
 public:
  Neighbours(const PlanGraph& graph, std::vector<Forecast>* forecasts)
      : graph_(graph), forecasts_(*forecasts) {}

  void Settle() {
    for (bool changes = true; changes;) {
      changes = false;
      for (int at = static_cast<int>(graph_.size()); at-- > 0;) {
        if (!IsNative(at) || IsNothing(graph_[at].operator_name)) continue;
        std::string reason = WhyNot(at);
        if (reason.empty()) continue;
        forecasts_[at] = Stays(std::move(reason));
        changes = true;
      }
    }
  }

 private:
  bool IsNative(int at) const { return at >= 0 && forecasts_[at].runs != RunsIn::kSpark; }

  bool IsLight(int at) const {
    const std::string& name = graph_[at].operator_name;
    return name == "Filter" || name == "Project" || name == "ShuffleExchange";
  }

  bool HasNativeInput(int at) const {
    return std::ranges::any_of(ChildrenOf(graph_, at), [&](int child) { return IsNative(child); });
  }

  // Those that are light and native together, below and with `at`, read something native.
  bool ReadsNative(int at) const {
    return std::ranges::any_of(ChildrenOf(graph_, at), [&](int child) {
      return IsNative(child) && (!IsLight(child) || ReadsNative(child));
    });
  }

  std::string WhyNot(int at) const {
    if (ChildrenOf(graph_, at).empty()) return "";
    if (IsExchange(graph_[at]) && !HasNativeInput(at)) return "its input is row-based";
    if (forecasts_[at].runs == RunsIn::kGuest && !HasNativeInput(at)) {
      return forecasts_[at].reason + ", and its input is row-based";
    }
    if (!IsLight(at)) return "";
    int top = at;
    while (IsNative(graph_[top].parent) && IsLight(graph_[top].parent)) top = graph_[top].parent;
    const bool pays = IsNative(graph_[top].parent) || ReadsNative(top);
    return pays ? "" : "both its neighbours are row-based";
  }

  const PlanGraph& graph_;
  std::vector<Forecast>& forecasts_;
};

}  // namespace

bool IsPythons(std::string_view name) {
  return Contains(name, "Python") || Contains(name, "Pandas") || Contains(name, "InArrow");
}

std::vector<Forecast> WouldRun(const PlanGraph& graph, std::string_view spark_version) {
  std::vector<Forecast> forecasts;
  forecasts.reserve(graph.size());
  for (const GraphNode& node : graph) {
    forecasts.push_back(WritesOther(graph, node)
                            ? Stays("only files of Parquet are written natively")
                            : WithFunctions(node));
    if (IsBeforeSpark4(spark_version)) KeepEarlier(node, &forecasts.back());
  }
  Neighbours(graph, &forecasts).Settle();
  return forecasts;
}

}  // namespace reprise
