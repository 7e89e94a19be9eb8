// Checksums of what Spark's own operators give.
//
// Input:   an operator that Spark runs, and whether the application has a ledger.
// Output:  what the plug-in puts above it.
// Example: HashAggregate below ShuffleExchange, both Spark's  ->  {"loreId":4,"columns":[…]}
#include "rules/checksummed_operators.h"

#include "plan/spec.h"
#include "rules/class_names.h"
#include "rules/leaf_text.h"
#include "rules/node_columns.h"

namespace reprise {

namespace {

/// What reads or runs these must find themselves.
constexpr std::string_view kLeftAlone[] = {
    "ShuffleExchangeExec", "BroadcastExchangeExec", "WriteFilesExec",    "CollectLimitExec",
    "CollectTailExec",     "ExecutedCommandExec",   "CommandResultExec", "LocalTableScanExec",
    "EmptyRelationExec",   "UnionLoopExec"};

/// They read rows out of a stage: nothing is generated for them and their child together.
constexpr std::string_view kReadRows[] = {
    "ShuffleExchangeExec",       "BroadcastExchangeExec",
    "TakeOrderedAndProjectExec", "CollectLimitExec",
    "CollectTailExec",           "WriteFilesExec",
    "DataWritingCommandExec",    "AppendDataExec",
    "OverwriteByExpressionExec", "OverwritePartitionsDynamicExec",
    "ReplaceDataExec",           "WriteDeltaExec"};

bool IsNative(const PlanOperator& subject, const Planning& planning) {
  return subject.mark == '*' && !planning.config().explain_only();
}

bool RowsLeave(const PlanOperator& subject, const Planning& planning) {
  const PlanOperator* reader = subject.parent;
  if (reader == nullptr || IsNative(*reader, planning)) return true;
  return Has(kReadRows, ShortClassName(reader->node->class_name));
}

}  // namespace

std::string LedgerText(const PlanOperator& subject, const Planning& planning) {
  if (!planning.request.has_ledger || subject.lore_id == 0) return "";
  const PlanNode& node = *subject.node;
  const std::string_view name = ShortClassName(node.class_name);
  if (node.output.empty() || Has(kLeftAlone, name)) return "";
  if (planning.config().text("spark.reprise.ledger.operators") != "all") {
    // Its rows are taken on the driver, without a task that gives them.
    if (name == "TakeOrderedAndProjectExec" || !RowsLeave(subject, planning)) return "";
  }
  const std::vector<Field> columns = ColumnsOf(node);
  if (!WhyColumnsUnreadable(columns).empty()) return "";
  return fmt::format(R"(,"ledger":{{"loreId":{},"columns":{}}})", subject.lore_id,
                     TextOf(ToJson(columns)));
}

bool IsChecksummedNatively(std::string_view kind, const nlohmann::json& arguments,
                           const PlanOperator& subject, const Planning& planning) {
  if (!planning.request.has_ledger || subject.lore_id == 0) return false;
  // What they hand on is what the operator below gives.
  if (kind == kShuffleWriteKind || kind == kParquetWriteKind) return false;
  return kind != "project" ||
         std::ranges::any_of(arguments.at("expressions"), [](const nlohmann::json& each) {
           return each.value("function", "") != "column";
         });
}

}  // namespace reprise
