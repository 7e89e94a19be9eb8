#include "ledger/ledger_graph.h"

#include <algorithm>

#include "base/first_line.h"

namespace reprise {

namespace {

using Recorded = std::function<bool(size_t)>;

// Leaves of a plan that read RDDs.
constexpr std::string_view kRddLeaves[] = {"RDDScan", "ExternalRDDScan"};

constexpr int64_t kRoot = 1;  // pre-order

void AddSubject(std::vector<size_t>* subjects, size_t subject) {
  if (std::find(subjects->begin(), subjects->end(), subject) == subjects->end()) {
    subjects->push_back(subject);
  }
}

std::string OperatorText(const OperatorNode& node, int64_t lore_id) {
  return fmt::format("{} [loreId={}]", node.name, lore_id);
}

}  // namespace

LedgerGraph::LedgerGraph(const Ledger& ledger) : ledger_(ledger), stages_(ledger.subjects.size()) {
  for (const auto& [token, query] : ledger.lineage.queries()) {
    trees_.emplace(token, BuildQueryTree(ledger.lineage, query));
  }
  for (size_t i = 0; i < ledger.subjects.size(); ++i) {
    const LedgerSubject& subject = ledger.subjects[i];
    int32_t last = -1;
    for (const LedgerChecksums& checksums : subject.checksums) {
      const int32_t stage = ledger.tasks[checksums.task].stage;
      if (stage != last) stages_[i].insert(stage);
      last = stage;
    }
    if (subject.kind == SubjectKind::kShuffle) shuffles_[subject.rdd].push_back(i);
    if (subject.kind != SubjectKind::kOperator) continue;
    operators_.emplace(std::pair(subject.query, subject.lore_id), i);
    for (const int32_t stage : stages_[i]) operators_in_[stage].push_back(i);
  }
  for (const LedgerTask& task : ledger.tasks) {
    if (task.success) ended_[task.stage].push_back(task.partition);
  }
  for (auto& [stage, partitions] : ended_) {
    std::sort(partitions.begin(), partitions.end());
    partitions.erase(std::unique(partitions.begin(), partitions.end()), partitions.end());
  }
}

const std::vector<int32_t>& LedgerGraph::EndedIn(int32_t stage) const {
  static const std::vector<int32_t> kNone;
  const auto found = ended_.find(stage);
  return found == ended_.end() ? kNone : found->second;
}

const QueryTree* LedgerGraph::TreeOf(const std::string& query) const {
  const auto found = trees_.find(query);
  return found == trees_.end() ? nullptr : &found->second;
}

const OperatorNode* LedgerGraph::NodeOf(size_t subject) const {
  const LedgerSubject& of = ledger_.subjects[subject];
  const QueryTree* tree = TreeOf(of.query);
  if (tree == nullptr) return nullptr;
  const auto node = tree->find(of.lore_id);
  return node == tree->end() ? nullptr : &node->second;
}

std::optional<size_t> LedgerGraph::Operator(const std::string& query, int64_t lore_id) const {
  const auto found = operators_.find(std::pair(query, lore_id));
  if (found == operators_.end()) return std::nullopt;
  return found->second;
}

bool LedgerGraph::ReadsShuffle(int32_t stage) const {
  const auto known = ledger_.lineage.stages().find(stage);
  if (known == ledger_.lineage.stages().end()) return true;  // nothing says that it does not
  const std::set<int64_t> own(known->second.rdds.begin(), known->second.rdds.end());
  for (const int64_t id : own) {
    const auto rdd = ledger_.lineage.rdds().find(id);
    if (rdd == ledger_.lineage.rdds().end()) continue;
    for (const int64_t parent : rdd->second.parents) {
      if (!own.contains(parent)) return true;
    }
  }
  return false;
}

void LedgerGraph::AddShuffles(int32_t stage, const Recorded& recorded, LedgerInputs* inputs) const {
  const auto known = ledger_.lineage.stages().find(stage);
  if (known == ledger_.lineage.stages().end()) {
    inputs->known = false;
    return;
  }
  const std::set<int64_t> own(known->second.rdds.begin(), known->second.rdds.end());
  for (const int64_t id : own) {
    const auto rdd = ledger_.lineage.rdds().find(id);
    if (rdd == ledger_.lineage.rdds().end()) continue;
    for (const int64_t parent : rdd->second.parents) {
      if (own.contains(parent)) continue;
      bool any = false;
      const auto shuffles = shuffles_.find(parent);
      if (shuffles != shuffles_.end()) {
        for (const size_t subject : shuffles->second) {
          if (!recorded(subject)) continue;
          AddSubject(&inputs->subjects, subject);
          any = true;
        }
      }
      // Where operators wrote the shuffle, their checksums stand for it.
      for (const auto& [writer, stage_of] : ledger_.lineage.stages()) {
        if (any || stage_of.rdds.empty() || stage_of.rdds.front() != parent) continue;
        const size_t before = inputs->subjects.size();
        AddTopOperators(static_cast<int32_t>(writer), recorded, inputs);
        any = inputs->subjects.size() > before;
      }
      if (!any) inputs->known = false;
    }
  }
}

void LedgerGraph::AddTopOperators(int32_t stage, const Recorded& recorded,
                                  LedgerInputs* inputs) const {
  const auto found = operators_in_.find(stage);
  if (found == operators_in_.end()) return;
  const std::set<size_t> here(found->second.begin(), found->second.end());
  for (const size_t subject : here) {
    const LedgerSubject& of = ledger_.subjects[subject];
    if (!recorded(subject)) continue;
    bool top = true;
    const QueryTree* tree = TreeOf(of.query);
    for (const OperatorNode* node = NodeOf(subject); node != nullptr && node->parent > 0;) {
      const auto consumer = Operator(of.query, node->parent);
      if (consumer && here.contains(*consumer) && recorded(*consumer)) top = false;
      node = &tree->at(node->parent);
    }
    if (top) AddSubject(&inputs->subjects, subject);
  }
}

void LedgerGraph::AddOperatorInputs(const std::string& query, int64_t lore_id,
                                    const Recorded& recorded, Seen* seen,
                                    LedgerInputs* inputs) const {
  const OperatorNode& node = TreeOf(query)->at(lore_id);
  for (const int64_t child : node.children) AddOperator(query, child, recorded, seen, inputs);
  if (!node.cached_by.empty()) AddCached(node.cached_by, recorded, seen, inputs);
}

void LedgerGraph::AddOperator(const std::string& query, int64_t lore_id, const Recorded& recorded,
                              Seen* seen, LedgerInputs* inputs) const {
  if (!seen->emplace(query, lore_id).second) return;
  const std::optional<size_t> subject = Operator(query, lore_id);
  if (subject && recorded(*subject)) {
    AddSubject(&inputs->subjects, *subject);
    return;
  }
  const QueryTree& tree = *TreeOf(query);
  const OperatorNode& node = tree.at(lore_id);
  // A reused exchange ran once, under the id of one of its places; which one may differ by run.
  const auto twin = std::find_if(tree.begin(), tree.end(), [&](const auto& other) {
    const auto ran = Operator(query, other.first);
    return !node.fingerprint.empty() && other.first != lore_id &&
           other.second.fingerprint == node.fingerprint && ran && recorded(*ran);
  });
  if (twin != tree.end()) {
    AddSubject(&inputs->subjects, *Operator(query, twin->first));
    return;
  }
  inputs->between.push_back(OperatorText(node, lore_id));
  if (node.children.empty() && !node.linked) inputs->known = false;
  AddOperatorInputs(query, lore_id, recorded, seen, inputs);
}

void LedgerGraph::AddCached(const std::string& query, const Recorded& recorded, Seen* seen,
                            LedgerInputs* inputs) const {
  const QueryTree* tree = TreeOf(query);
  if (tree == nullptr || !tree->contains(kRoot)) {
    inputs->known = false;
    return;
  }
  AddOperator(query, kRoot, recorded, seen, inputs);
}

void LedgerGraph::AddLeafInputs(size_t subject, const OperatorNode& node, const Recorded& recorded,
                                LedgerInputs* inputs) const {
  if (std::find(std::begin(kRddLeaves), std::end(kRddLeaves), node.name) != std::end(kRddLeaves)) {
    for (const int32_t stage : stages_[subject]) AddShuffles(stage, recorded, inputs);
  }
}

LedgerInputs LedgerGraph::InputsOf(size_t subject, const Recorded& recorded) const {
  LedgerInputs inputs;
  const LedgerSubject& of = ledger_.subjects[subject];
  if (of.kind != SubjectKind::kOperator) {
    for (const int32_t stage : stages_[subject]) {
      AddTopOperators(stage, recorded, &inputs);
      // What operators have read of shuffles is in their checksums.
      if (inputs.subjects.empty()) AddShuffles(stage, recorded, &inputs);
    }
    std::erase(inputs.subjects, subject);
    return inputs;
  }
  const OperatorNode* node = NodeOf(subject);
  if (node == nullptr || !node->linked) {
    inputs.known = false;
    return inputs;
  }
  Seen seen = {{of.query, of.lore_id}};
  AddOperatorInputs(of.query, of.lore_id, recorded, &seen, &inputs);
  if (node->children.empty()) AddLeafInputs(subject, *node, recorded, &inputs);
  std::erase(inputs.subjects, subject);
  return inputs;
}

bool LedgerGraph::IsCached(const std::string& query) const {
  return std::any_of(trees_.begin(), trees_.end(), [&](const auto& tree) {
    return std::any_of(tree.second.begin(), tree.second.end(),
                       [&](const auto& node) { return node.second.cached_by == query; });
  });
}

std::string LedgerGraph::NameOf(size_t subject) const {
  const LedgerSubject& of = ledger_.subjects[subject];
  if (of.kind == SubjectKind::kOperator) {
    const OperatorNode* node = NodeOf(subject);
    return node != nullptr ? OperatorText(*node, of.lore_id)
                           : fmt::format("operator [loreId={}]", of.lore_id);
  }
  const auto rdd = ledger_.lineage.rdds().find(of.rdd);
  if (rdd == ledger_.lineage.rdds().end()) return fmt::format("RDD #{}", of.rdd);
  return fmt::format("#{} {}", of.rdd, rdd->second.Text());
}

std::string LedgerGraph::PlaceOf(size_t subject) const {
  const LedgerSubject& of = ledger_.subjects[subject];
  if (of.kind == SubjectKind::kOperator) {
    const auto query = ledger_.lineage.queries().find(of.query);
    if (query == ledger_.lineage.queries().end()) return "query " + of.query;
    for (const int64_t id : query->second.executions) {
      const auto execution = ledger_.lineage.executions().find(id);
      if (id < 0 || execution == ledger_.lineage.executions().end()) continue;
      const std::string_view text = FirstLine(execution->second.description);
      return text.empty() ? fmt::format("query {}", id) : fmt::format("query {} ({})", id, text);
    }
    return IsCached(of.query) ? "a query that is cached" : "a query outside of SQL executions";
  }
  const std::string stage =
      stages_[subject].empty() ? "no stage" : fmt::format("stage {}", *stages_[subject].rbegin());
  return of.kind == SubjectKind::kShuffle
             ? fmt::format("{}, written to shuffle {}", stage, of.shuffle)
             : stage + ", read by an action";
}

std::vector<std::string> LedgerGraph::RddsOf(size_t subject) const {
  std::vector<std::string> lines;
  if (ledger_.subjects[subject].kind == SubjectKind::kOperator || stages_[subject].empty()) {
    return lines;
  }
  const auto stage = ledger_.lineage.stages().find(*stages_[subject].rbegin());
  if (stage == ledger_.lineage.stages().end()) return lines;
  const std::set<int64_t> ids(stage->second.rdds.begin(), stage->second.rdds.end());
  for (const int64_t id : ids) {
    const auto rdd = ledger_.lineage.rdds().find(id);
    if (rdd == ledger_.lineage.rdds().end()) continue;
    const std::string mark =
        rdd->second.determinism == "INDETERMINATE" ? " INDETERMINATE, says Spark" : "";
    lines.push_back(fmt::format("#{}: {}{}", id, rdd->second.Text(), mark));
  }
  return lines;
}

bool LedgerGraph::Indeterminate(size_t subject) const {
  const LedgerSubject& of = ledger_.subjects[subject];
  if (of.kind == SubjectKind::kOperator) return false;
  const auto rdd = ledger_.lineage.rdds().find(of.rdd);
  return rdd != ledger_.lineage.rdds().end() && rdd->second.determinism == "INDETERMINATE";
}

}  // namespace reprise
