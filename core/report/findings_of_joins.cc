// Joins of the wrong kind, or that give more than goes in.
#include "report/finding_kinds.h"
#include "report/looking.h"

namespace reprise {

namespace {

bool IsSortMergeJoin(const GraphNode& node) { return node.operator_name == "SortMergeJoin"; }

// The exchange that a side of a join reads, through what keeps rows as they are; -1: none.
int ExchangeBelow(const PlanGraph& plan, int node) {
  while (node >= 0) {
    const std::string& name = plan[node].operator_name;
    if (name == "ShuffleExchange") return node;
    const bool passes = name == "Sort" || name == "ShuffleRead" || name == "AQEShuffleRead" ||
                        name == "RowToNative" || name == "NativeToRow" || name == "ColumnarToRow";
    const std::vector<int> children = ChildrenOf(plan, node);
    if (!passes || children.size() != 1) return -1;
    node = children.front();
  }
  return -1;
}

}  // namespace

void FindExplodingJoin(const Report& report, Findings* findings) {
  ForEachOperator(report, [&](const ReportedQuery& query, int at) {
    constexpr int64_t kMany = 1'000'000;
    constexpr int64_t kTimes = 10;
    const GraphNode& node = query.plan[at];
    const int64_t into = RowsInto(query.plan, at);
    if (!IsJoin(node) || node.rows < kMany || into <= 0 || node.rows / into < kTimes) return;
    Finding finding = AtOperator("exploding-join", query, at);
    finding.title = fmt::format("{} gives {} times the rows that go in", Named(query, at),
                                Thousands(node.rows / into));
    // What is above works on the rows too, up to the next exchange.
    double task_ms = node.task_ms;
    for (int up = node.parent; up >= 0 && !IsExchange(query.plan[up]); up = query.plan[up].parent) {
      task_ms += query.plan[up].task_ms;
    }
    const StageAttempt* attempt = AttemptOf(report.model, node);
    if (attempt != nullptr) finding.seconds = WallSeconds(task_ms, *attempt);
    finding.evidence = fmt::format("{} of {} rows", Thousands(node.rows), Thousands(into));
    finding.remedy =
        "keys repeat on both sides: join on more columns, or aggregate one side "
        "first; which keys they are a dump of the join shows";
    finding.paste = node.lore_id > 0
                        ? fmt::format("spark.reprise.lore.idsToDump={}[0]", node.lore_id)
                        : "SELECT key, count(*) … GROUP BY key ORDER BY 2 DESC";
    findings->push_back(std::move(finding));
  });
}

void FindLargeBroadcast(const Report& report, Findings* findings) {
  ForEachOperator(report, [&](const ReportedQuery& query, int at) {
    constexpr int64_t kLarge = 200 * kMegabyte;
    constexpr double kSlowMs = 2000;
    const GraphNode& node = query.plan[at];
    if (node.operator_name != "BroadcastExchange") return;
    const double ms = BroadcastMs(report.model, node);
    const int64_t bytes = node.Metric(report.model, "data size");
    if (bytes < kLarge && ms < kSlowMs) return;
    Finding finding = AtOperator("large-broadcast", query, at);
    finding.title = fmt::format("{} broadcasts {}", Named(query, at), ByteText(bytes));
    finding.seconds = ms / kMsPerSecond;
    finding.evidence = fmt::format("{} to collect, build and send; each executor holds a copy",
                                   MillisecondText(static_cast<int64_t>(ms)));
    finding.remedy = "shuffle this side: a lower bound for broadcasts, or a hint on the join";
    finding.paste = fmt::format("spark.sql.autoBroadcastJoinThreshold={}",
                                std::max<int64_t>(bytes / 2, kMegabyte));
    findings->push_back(std::move(finding));
  });
}

void FindMissedBroadcast(const Report& report, Findings* findings) {
  ForEachOperator(report, [&](const ReportedQuery& query, int at) {
    constexpr int64_t kSmall = 64 * kMegabyte;
    constexpr int64_t kTimes = 8;
    if (!IsSortMergeJoin(query.plan[at])) return;
    const std::vector<int> sides = ChildrenOf(query.plan, at);
    if (sides.size() != 2) return;
    int small = ExchangeBelow(query.plan, sides[0]);
    int large = ExchangeBelow(query.plan, sides[1]);
    if (small < 0 || large < 0) return;
    const auto moved = [&](int node) { return query.plan[node].Metric(report.model, "data size"); };
    if (moved(small) > moved(large)) std::swap(small, large);
    if (moved(small) < 0 || moved(small) > kSmall || moved(large) < kTimes * moved(small)) return;
    Finding finding = AtOperator("missed-broadcast", query, at);
    finding.title = fmt::format("{} shuffles {} to join {}", Named(query, at),
                                ByteText(moved(large)), ByteText(moved(small)));
    // The large side would neither be written, read nor sorted.
    constexpr double kShuffleBytesPerSecond = 150e6;
    const StageAttempt* attempt = AttemptOf(report.model, query.plan[large]);
    double task_ms = static_cast<double>(moved(large)) / kShuffleBytesPerSecond * kMsPerSecond;
    for (int up = query.plan[large].parent; up != at; up = query.plan[up].parent) {
      task_ms += query.plan[up].task_ms;
    }
    finding.seconds = attempt == nullptr ? 0 : WallSeconds(task_ms, *attempt);
    finding.evidence = fmt::format("one side has {} rows of {}, the other {}",
                                   Thousands(std::max<int64_t>(query.plan[small].rows, 0)),
                                   ByteText(moved(small)), ByteText(moved(large)));
    finding.remedy = "broadcast the small side";
    finding.paste = fmt::format("spark.sql.autoBroadcastJoinThreshold={}",
                                std::max<int64_t>(2 * moved(small), 10 * kMegabyte));
    findings->push_back(std::move(finding));
  });
}

void FindNestedLoop(const Report& report, Findings* findings) {
  ForEachOperator(report, [&](const ReportedQuery& query, int at) {
    const GraphNode& node = query.plan[at];
    const std::string& name = node.operator_name;
    if (name != "BroadcastNestedLoopJoin" && name != "CartesianProduct") return;
    Finding finding = AtOperator("nested-loop", query, at);
    finding.title = fmt::format("{} compares every row with every other", Named(query, at));
    finding.seconds = WallSeconds(report, node);
    finding.evidence = fmt::format("{} rows go in, {} come out",
                                   Thousands(std::max<int64_t>(RowsInto(query.plan, at), 0)),
                                   Thousands(std::max<int64_t>(node.rows, 0)));
    finding.remedy = "give the join an equality: of a rounded value or a bucket where ranges meet";
    finding.paste = "ON a.bucket = b.bucket AND …";
    findings->push_back(std::move(finding));
  });
}

void FindLateFilter(const Report& report, Findings* findings) {
  ForEachOperator(report, [&](const ReportedQuery& query, int at) {
    constexpr double kKept = 0.1;
    const GraphNode& node = query.plan[at];
    if (node.operator_name != "Filter" || node.rows < 0) return;
    int below = at;
    do {
      const std::vector<int> children = ChildrenOf(query.plan, below);
      if (children.size() != 1) return;
      below = children.front();
    } while (query.plan[below].operator_name == "Project");
    const GraphNode& join = query.plan[below];
    if (!IsJoin(join) || join.rows <= 0) return;
    const double kept = static_cast<double>(node.rows) / static_cast<double>(join.rows);
    if (kept > kKept) return;
    Finding finding = AtOperator("late-filter", query, at);
    finding.title = fmt::format("{} drops {:.0f} % of what a join has made", Named(query, at),
                                100 * (1 - kept));
    finding.seconds = (1 - kept) * WallSeconds(report, join);
    finding.evidence =
        fmt::format("{} of {} rows stay", Thousands(node.rows), Thousands(join.rows));
    finding.remedy =
        "put the condition on a table before the join; Spark does not move those that "
        "are above an outer join, not deterministic, or of a UDF";
    finding.paste = "JOIN (SELECT * FROM … WHERE …)";
    findings->push_back(std::move(finding));
  });
}

}  // namespace reprise
