#include "rules/operator_table.h"

#include <algorithm>

#include "base/check.h"

namespace reprise {

namespace {

#define EXECUTION "org.apache.spark.sql.execution."

constexpr std::string_view kScanNotes =
    "Parquet on a local file system (`file:`); no nested columns; no bucketed reads, metadata "
    "columns, field ids, default values of added columns, `ignoreCorruptFiles` or "
    "`ignoreMissingFiles`; not where `spark.sql.parquet.enableVectorizedReader` is false";

constexpr OperatorRule kOperators[] = {
    {EXECUTION "FileSourceScanExec", "parquet_scan", "RepriseParquetScan", JudgeFileSourceScan,
     kScanNotes},
    {EXECUTION "datasources.v2.BatchScanExec", "parquet_scan", "RepriseParquetScan", JudgeBatchScan,
     kScanNotes},
    {EXECUTION "RangeExec", "range", "RepriseRange", JudgeRange,
     "at most 2^63-1 numbers; steps of at most 2^63/1000"},
    {EXECUTION "FilterExec", "filter", "RepriseFilter", JudgeFilter, ""},
    {EXECUTION "ProjectExec", "project", "RepriseProject", JudgeProject, ""},
    {EXECUTION "exchange.ShuffleExchangeExec", "shuffle_write", "RepriseShuffleExchange",
     JudgeShuffleExchange,
     "hash, range, round-robin and single partitioning; where its input is native"},
    {EXECUTION "exchange.BroadcastExchangeExec", "shuffle_write", "RepriseBroadcastExchange",
     JudgeBroadcastExchange, "where its input is native"},
    {EXECUTION "aggregate.HashAggregateExec", "hash_aggregate", "RepriseHashAggregate",
     JudgeAggregate, "see Aggregate functions; not for streams"},
    {EXECUTION "aggregate.SortAggregateExec", "hash_aggregate", "RepriseHashAggregate",
     JudgeAggregate,
     "groups leave in the order of the sorted input where an operator above sees it"},
    {EXECUTION "joins.BroadcastHashJoinExec", "hash_join", "RepriseBroadcastHashJoin",
     JudgeHashJoin, ""},
    {EXECUTION "joins.ShuffledHashJoinExec", "hash_join", "RepriseShuffledHashJoin", JudgeHashJoin,
     ""},
    {EXECUTION "joins.SortMergeJoinExec", "hash_join", "RepriseSortMergeJoin", JudgeHashJoin,
     "runs as a hash join; the sorts below it are removed where nothing above sees their order; a "
     "full join only where nothing but the plan's result does"},
    {EXECUTION "joins.BroadcastNestedLoopJoinExec", "nested_loop_join",
     "RepriseBroadcastNestedLoopJoin", JudgeNestedLoopJoin, ""},
    {EXECUTION "joins.CartesianProductExec", "nested_loop_join", "RepriseCartesianProduct",
     JudgeCartesianProduct, ""},
    {EXECUTION "SortExec", "sort", "RepriseSort", JudgeSort, ""},
    {EXECUTION "TakeOrderedAndProjectExec", "take_ordered", "RepriseTakeOrdered", JudgeTakeOrdered,
     ""},
    {EXECUTION "LocalLimitExec", "limit", "RepriseLocalLimit", JudgeLimit, ""},
    {EXECUTION "GlobalLimitExec", "limit", "RepriseGlobalLimit", JudgeLimit, ""},
    {EXECUTION "ExpandExec", "expand", "RepriseExpand", JudgeExpand, ""},
    {EXECUTION "UnionExec", "union", "RepriseUnion", JudgeGathered, ""},
    {EXECUTION "CoalesceExec", "coalesce", "RepriseCoalesce", JudgeGathered, ""},
};

#undef EXECUTION

}  // namespace

std::vector<std::string> Judgement::AllReasons() const {
  std::vector<std::string> all = reasons;
  for (const Refusal& refusal : refusals) {
    std::string reason = fmt::format("expression {}: {}", refusal.expression, refusal.reason);
    if (std::ranges::find(all, reason) == all.end()) all.push_back(std::move(reason));
  }
  return all;
}

std::span<const OperatorRule> OperatorTable() { return kOperators; }

const OperatorRule* FindOperatorRule(std::string_view class_name) {
  const auto found = std::ranges::find(kOperators, class_name, &OperatorRule::class_name);
  return found == std::end(kOperators) ? nullptr : found;
}

Judgement Refused(std::string reason) {
  Judgement judgement;
  judgement.reasons.push_back(std::move(reason));
  return judgement;
}

Judgement Judge(const OperatorQuestion& question) {
  const OperatorRule* rule = FindOperatorRule(question.node.class_name);
  if (rule == nullptr) {
    return Refused(
        fmt::format("operator {} has no native implementation", question.node.class_name));
  }
  if (question.input_file_wanted) {
    return Refused(
        "an operator above asks for the name or place of the file being read, which native "
        "operators would have read past");
  }
  Judgement judgement = rule->judge(question);
  if (!judgement.reasons.empty() || !judgement.refusals.empty()) judgement.native.reset();
  REPRISE_CHECK(judgement.native || !judgement.AllReasons().empty(),
                "{} is refused without a reason", question.node.class_name);
  return judgement;
}

}  // namespace reprise
