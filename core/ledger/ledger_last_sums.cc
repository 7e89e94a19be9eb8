#include "ledger/ledger_last_sums.h"

#include "ledger/ledger_graph.h"

namespace reprise {

LastSums LastSumsOf(const LedgerGraph& graph, size_t subject) {
  const Ledger& ledger = graph.ledger();
  LastSums last;
  for (const LedgerSums& sums : ledger.subjects[subject].sums) {
    const LedgerTask& task = ledger.tasks[sums.task];
    if (task.success) last.stage = std::max(last.stage, task.stage);
  }
  if (last.stage < 0) return last;
  last.partitions = ledger.PartitionsOf(last.stage);
  // A job that takes a few rows runs stages over a few partitions each.
  std::set<int32_t> stages;
  for (const int32_t stage : graph.StagesOf(subject)) {
    const bool same = last.partitions >= 0 && ledger.PartitionsOf(stage) == last.partitions;
    if (stage != last.stage && !same) continue;
    stages.insert(stage);
    last.ended.insert(graph.EndedIn(stage).begin(), graph.EndedIn(stage).end());
  }
  const auto age = [&](const LedgerSums& sums) {
    const LedgerTask& task = ledger.tasks[sums.task];
    return std::tuple(task.stage, task.stage_attempt, task.id);
  };
  for (const LedgerSums& sums : ledger.subjects[subject].sums) {
    const LedgerTask& task = ledger.tasks[sums.task];
    if (!task.success || !stages.contains(task.stage)) continue;
    if (!sums.complete) {
      last.incomplete.insert(task.partition);
      continue;
    }
    const LedgerSums*& known = last.complete[task.partition];
    if (known == nullptr || age(*known) < age(sums)) known = &sums;
  }
  for (const auto& [partition, sums] : last.complete) last.incomplete.erase(partition);
  last.whole = last.partitions >= 0 && last.incomplete.empty() &&
               static_cast<int64_t>(last.ended.size()) == last.partitions;
  return last;
}

TotalSums TotalOf(const Ledger& ledger, const LastSums& last) {
  TotalSums total;
  bool columns = true;
  for (const auto& [partition, sums] : last.complete) {
    total.rows += sums->rows;
    total.unordered += sums->unordered;
    const auto more = ledger.ColumnsOf(*sums);
    if (total.column_sums.empty()) total.column_sums.resize(more.size());
    columns &= more.size() == total.column_sums.size();
    for (size_t i = 0; columns && i < more.size(); ++i) total.column_sums[i] += more[i];
  }
  if (!columns) total.column_sums.clear();
  return total;
}

}  // namespace reprise
