// Operators that keep a query from its speed.
#include <map>

#include "report/finding_kinds.h"
#include "report/looking.h"

namespace reprise {

namespace {

std::string NotNativeCommand(const Report& report, int64_t query) {
  return fmt::format("reprise explain {} --sql {} --not-native", report.log, query);
}

}  // namespace

void FindPythonFunctions(const Report& report, Findings* findings) {
  ForEachOperator(report, [&](const ReportedQuery& query, int at) {
    const GraphNode& node = query.plan[at];
    if (node.operator_name != "BatchEvalPython") return;
    const StageAttempt* attempt = AttemptOf(report.model, node);
    Finding finding = AtOperator("python-function", query, at);
    finding.title = fmt::format("{} calls Python for each row", Named(query, at));
    const int64_t python_ms = node.Metric(report.model, "time to run Python workers");
    const double ms = std::max(node.task_ms, static_cast<double>(python_ms));
    finding.seconds = attempt == nullptr ? 0 : WallSeconds(ms, *attempt);
    finding.evidence =
        fmt::format("about {} of task time for {} rows", MillisecondText(static_cast<int64_t>(ms)),
                    Thousands(std::max<int64_t>(node.rows, 0)));
    finding.remedy = "an expression of Spark's, a pandas UDF, or values by Arrow at least";
    finding.paste = "spark.sql.execution.pythonUDF.arrow.enabled=true";
    findings->push_back(std::move(finding));
  });
}

void FindOnePartition(const Report& report, Findings* findings) {
  ForEachOperator(report, [&](const ReportedQuery& query, int at) {
    constexpr int64_t kMany = 100'000;
    const GraphNode& node = query.plan[at];
    if (node.operator_name != "ShuffleExchange" || node.rows < kMany || node.parent < 0) return;
    if (node.logged->text.find("SinglePartition") == std::string::npos &&
        node.Metric(report.model, "number of partitions") != 1) {
      return;
    }
    int reader = node.parent;
    while (query.plan[reader].parent >= 0 && query.plan[reader].operator_name.ends_with("Read")) {
      reader = query.plan[reader].parent;
    }
    const StageAttempt* attempt = AttemptOf(report.model, query.plan[reader]);
    if (attempt == nullptr || attempt->tasks.succeeded() != 1) return;
    Finding finding = AtOperator("one-partition", query, reader);
    finding.title =
        fmt::format("{} gets all {} rows in one task", Named(query, reader), Thousands(node.rows));
    const auto cores = static_cast<double>(std::max<int64_t>(report.cores, 2));
    finding.seconds = static_cast<double>(WallMs(*attempt)) / kMsPerSecond * (1 - 1 / cores);
    finding.evidence = fmt::format("its stage took {}", MillisecondText(WallMs(*attempt)));
    finding.remedy =
        "divide the work: PARTITION BY in the window, GROUP BY before the total, a "
        "LIMIT below the sort";
    finding.paste = "OVER (PARTITION BY … ORDER BY …)";
    findings->push_back(std::move(finding));
  });
}

void FindTransitions(const Report& report, Findings* findings) {
  for (const ReportedQuery& query : report.queries) {
    double seconds = 0;
    int64_t rows = 0;
    int largest = -1;
    for (int i = 0; i < static_cast<int>(query.plan.size()); ++i) {
      const GraphNode& node = query.plan[i];
      // What hands a query's result over would be there anyway.
      if (node.operator_name != "RowToNative" &&
          (node.operator_name != "NativeToRow" || node.parent < 0)) {
        continue;
      }
      seconds += WallSeconds(report, node);
      rows += std::max<int64_t>(node.rows, 0);
      if (largest < 0 || query.plan[largest].task_ms < node.task_ms) largest = i;
    }
    if (largest < 0) continue;
    Finding finding = AtOperator("transitions", query, largest);
    finding.title = fmt::format("Query {} turns {} rows into columns or back", query.execution->id,
                                Thousands(rows));
    finding.seconds = seconds;
    finding.evidence = "operators that Spark runs stand between native ones";
    finding.remedy = "see why they are not native";
    finding.paste = NotNativeCommand(report, query.execution->id);
    findings->push_back(std::move(finding));
  }
}

namespace {

struct Refusal {
  double task_ms = 0;
  double seconds = 0;
  int64_t operators = 0;
  const ReportedQuery* query = nullptr;  // where it costs most
  int node = -1;
};

}  // namespace

// The same reason in many queries is one finding: it is mended once.
void FindRefusals(const Report& report, Findings* findings) {
  // TPC-H runs natively about 3.4 times as fast (README), so that most of the time goes.
  constexpr double kSaved = 0.6;
  std::map<std::string, Refusal> refusals;
  ForEachOperator(report, [&](const ReportedQuery& query, int at) {
    const GraphNode& node = query.plan[at];
    if (node.runs != RunsIn::kSpark || node.reasons.empty()) return;
    Refusal& refusal = refusals[node.reasons.front()];
    refusal.task_ms += node.task_ms;
    refusal.seconds += kSaved * WallSeconds(report, node);
    ++refusal.operators;
    if (refusal.node < 0 || refusal.query->plan[refusal.node].task_ms < node.task_ms) {
      refusal.query = &query;
      refusal.node = at;
    }
  });
  for (const auto& [reason, refusal] : refusals) {
    Finding finding = AtOperator("not-native", *refusal.query, refusal.node);
    finding.title =
        fmt::format("{} would run natively but for: {}",
                    refusal.operators == 1 ? Named(*refusal.query, refusal.node)
                                           : Counted(refusal.operators, "operator", "operators"),
                    reason);
    finding.seconds = refusal.seconds;
    finding.evidence = fmt::format("about {} of task time in Spark's operators",
                                   MillisecondText(static_cast<int64_t>(refusal.task_ms)));
    finding.remedy = "say it in a form that is native, where there is one";
    finding.paste = NotNativeCommand(report, finding.query);
    findings->push_back(std::move(finding));
  }
}

}  // namespace reprise
