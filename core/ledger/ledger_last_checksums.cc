#include "ledger/ledger_last_checksums.h"

#include "ledger/ledger_graph.h"

namespace reprise {

LastChecksums LastChecksumsOf(const LedgerGraph& graph, size_t subject) {
  const Ledger& ledger = graph.ledger();
  LastChecksums last;
  for (const LedgerChecksums& checksums : ledger.subjects[subject].checksums) {
    const LedgerTask& task = ledger.tasks[checksums.task];
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
  const auto age = [&](const LedgerChecksums& checksums) {
    const LedgerTask& task = ledger.tasks[checksums.task];
    return std::tuple(task.stage, task.stage_attempt, task.id);
  };
  for (const LedgerChecksums& checksums : ledger.subjects[subject].checksums) {
    const LedgerTask& task = ledger.tasks[checksums.task];
    if (!task.success || !stages.contains(task.stage)) continue;
    if (!checksums.complete) {
      last.incomplete.insert(task.partition);
      continue;
    }
    const LedgerChecksums*& known = last.complete[task.partition];
    if (known == nullptr || age(*known) < age(checksums)) known = &checksums;
  }
  for (const auto& [partition, checksums] : last.complete) last.incomplete.erase(partition);
  last.whole = last.partitions >= 0 && last.incomplete.empty() &&
               static_cast<int64_t>(last.ended.size()) == last.partitions;
  return last;
}

TotalChecksums TotalOf(const Ledger& ledger, const LastChecksums& last) {
  TotalChecksums total;
  bool columns = true;
  for (const auto& [partition, checksums] : last.complete) {
    total.rows += checksums->rows;
    total.unordered += checksums->unordered;
    const auto more = ledger.ColumnsOf(*checksums);
    if (total.column_checksums.empty()) total.column_checksums.resize(more.size());
    columns &= more.size() == total.column_checksums.size();
    for (size_t i = 0; columns && i < more.size(); ++i) total.column_checksums[i] += more[i];
  }
  if (!columns) total.column_checksums.clear();
  return total;
}

}  // namespace reprise
