#include "ledger/ledger_stages.h"

#include <algorithm>

#include "ledger/ledger_graph.h"

namespace reprise {

namespace {

// What makes a RangePartitioner, or what Python has in its place; and one that the user makes.
constexpr std::string_view kSorting[] = {"sortByKey", "sortBy", "RangePartitioner"};

// The stage that computed it last; nullptr where the lineage does not tell of it.
const Stage* StageOf(const LedgerGraph& graph, size_t subject) {
  const auto& ids = graph.StagesOf(subject);
  if (ids.empty()) return nullptr;
  const auto stage = graph.ledger().lineage.stages().find(*ids.rbegin());
  return stage == graph.ledger().lineage.stages().end() ? nullptr : &stage->second;
}

// "sortByKey at app.py:14".
std::string_view StageName(const LedgerGraph& graph, size_t subject) {
  const Stage* stage = StageOf(graph, subject);
  return stage == nullptr ? std::string_view() : stage->name;
}

std::set<int64_t> Divisions(const LedgerGraph& graph, size_t subject) {
  const std::string_view place = StageName(graph, subject);
  std::set<int64_t> partitions;
  for (const auto& [id, rdd] : graph.ledger().lineage.rdds()) {
    if (rdd.call_site == place) partitions.insert(rdd.partitions);
  }
  return partitions;
}

}  // namespace

std::string LookedAtFor(const LedgerGraph& graph, size_t subject) {
  if (graph.ledger().subjects[subject].kind != SubjectKind::kResult) return {};
  const std::string_view name = StageName(graph, subject);
  const std::string_view method = name.substr(0, name.find(" at "));
  const bool sorting = std::ranges::find(kSorting, method) != std::end(kSorting);
  return sorting ? std::string(method) : std::string();
}

std::vector<int64_t> CachedRddsOf(const LedgerGraph& graph, size_t subject) {
  std::vector<int64_t> cached;
  const Stage* stage = StageOf(graph, subject);
  if (stage == nullptr || graph.ledger().subjects[subject].kind == SubjectKind::kOperator) {
    return cached;
  }
  const auto& rdds = graph.ledger().lineage.rdds();
  std::ranges::copy_if(stage->rdds, std::back_inserter(cached), [&](int64_t id) {
    const auto rdd = rdds.find(id);
    return rdd != rdds.end() && rdd->second.storage.cached();
  });
  return cached;
}

bool DividedOtherwise(const LedgerGraph& left, size_t subject, const LedgerGraph& right,
                      size_t other) {
  return Divisions(left, subject) != Divisions(right, other);
}

}  // namespace reprise
