#include "rules/lore_ids.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <unordered_map>

#include "rules/fingerprint.h"

namespace reprise {

namespace {

/// Ids of operators that adaptive execution adds are spread over this many numbers.
constexpr int64_t kAddedIdsSpan = 10'000;

void SetOccurrence(PlanOperator* subject, std::string_view name, size_t number) {
  subject->occurrence = fmt::format("{}#{}", name, number);
}

Status MalformedIds(std::string_view what) {
  return Status::SerializationError("the ids of the query's first plan (\"known\") are malformed: ",
                                    what);
}

bool HashFromText(const std::string& text, uint64_t* hash) {
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, *hash, 16);
  return error == std::errc() && end == last;
}

Result<KnownOperator> KnownFromJson(const nlohmann::json& item, size_t index) {
  const bool five_strings =
      item.is_array() && item.size() == 5 &&
      std::ranges::all_of(item, [](const nlohmann::json& part) { return part.is_string(); });
  if (!five_strings) {
    return MalformedIds(fmt::format("entry {} is not five strings", index));
  }
  KnownOperator known;
  known.lore_id = static_cast<int64_t>(index) + 1;
  known.name = item[0].get<std::string>();
  known.fingerprint = item[1].get<std::string>();
  known.undumpable = item[4].get<std::string>();
  if (!HashFromText(item[2].get_ref<const std::string&>(), &known.key) ||
      !HashFromText(item[3].get_ref<const std::string&>(), &known.own)) {
    return MalformedIds(fmt::format("a hash of entry {} is not hexadecimal", index));
  }
  return known;
}

/// Numbers the operators of a later plan.
class Renumbering {
 public:
  Renumbering(const KnownOperators& known, OperatorTree* tree)
      : known_(known), tree_(*tree), hashes_([this](const PlanOperator& o) { return KeyOf(o); }) {}

  void Run();

 private:
  const KnownOperator* Known(int64_t lore_id) const {
    const auto count = static_cast<int64_t>(known_.operators.size());
    return lore_id >= 1 && lore_id <= count ? &known_.operators[static_cast<size_t>(lore_id - 1)]
                                            : nullptr;
  }
  uint64_t KeyOf(const PlanOperator& subject) const {
    const KnownOperator* known = Known(subject.node->lore_id);
    return known == nullptr ? 0 : known->key;
  }
  void TakeKnown(const KnownOperator& known, PlanOperator* subject);
  using KnownByHash = std::unordered_map<uint64_t, std::vector<const KnownOperator*>>;
  bool Match(const KnownByHash& candidates, uint64_t hash, PlanOperator* subject);
  void MatchAll();
  void AddNew(PlanOperator* subject);
  void CountOccurrencesOfNew();

  const KnownOperators& known_;
  OperatorTree& tree_;
  Fingerprints hashes_;
  std::set<int64_t> used_;
  KnownByHash by_key_;
  KnownByHash by_own_;
  std::vector<int64_t> occurrence_numbers_;
  std::map<std::string, size_t, std::less<>> counts_;
};

void Renumbering::TakeKnown(const KnownOperator& known, PlanOperator* subject) {
  subject->lore_id = known.lore_id;
  subject->fingerprint = known.fingerprint;
  SetOccurrence(subject, known.name,
                static_cast<size_t>(occurrence_numbers_[static_cast<size_t>(known.lore_id - 1)]));
  used_.insert(known.lore_id);
}

bool Renumbering::Match(const KnownByHash& candidates, uint64_t hash, PlanOperator* subject) {
  const auto found = candidates.find(hash);
  if (found == candidates.end()) return false;
  for (const KnownOperator* known : found->second) {
    if (used_.contains(known->lore_id)) continue;
    TakeKnown(*known, subject);
    return true;
  }
  return false;
}

void Renumbering::AddNew(PlanOperator* subject) {
  const OperatorHashes& hashes = hashes_.Of(*subject);
  const int64_t base = static_cast<int64_t>(known_.operators.size()) + 1;
  int64_t offset = static_cast<int64_t>(hashes.key % static_cast<uint64_t>(kAddedIdsSpan));
  while (used_.contains(base + offset)) ++offset;
  subject->lore_id = base + offset;
  subject->fingerprint = HashText(hashes.fingerprint);
  used_.insert(subject->lore_id);
}

void Renumbering::CountOccurrencesOfNew() {
  std::vector<PlanOperator*> added;
  for (PlanOperator* subject : tree_.operators()) {
    if (subject->occurrence.empty()) added.push_back(subject);
  }
  std::ranges::sort(added, {}, &PlanOperator::lore_id);
  for (PlanOperator* subject : added) {
    const std::string name(OperatorName(*subject->node));
    SetOccurrence(subject, name, counts_[name]++);
  }
}

void Renumbering::Run() {
  for (const KnownOperator& known : known_.operators) {
    by_key_[known.key].push_back(&known);
    by_own_[known.own].push_back(&known);
    occurrence_numbers_.push_back(static_cast<int64_t>(counts_[known.name]++));
  }
  // Operators that carry an id first: nothing else may take it.
  for (PlanOperator* subject : tree_.operators()) {
    const PlanNode& node = *subject->node;
    if (node.lore_id == 0) continue;
    if (const KnownOperator* known = Known(node.lore_id)) {
      TakeKnown(*known, subject);
      continue;
    }
    subject->lore_id = node.lore_id;
    subject->fingerprint = node.fingerprint;
    subject->occurrence = node.occurrence;
    used_.insert(node.lore_id);
  }
  MatchAll();
  for (PlanOperator* subject : tree_.operators()) {
    if (subject->lore_id == 0) AddNew(subject);
  }
  CountOccurrencesOfNew();
}

void Renumbering::MatchAll() {
  for (PlanOperator* subject : tree_.operators()) {
    if (subject->lore_id == 0) Match(by_key_, hashes_.Of(*subject).key, subject);
  }
  // What is left stands above a part that has changed. Exchanges and sorts are not tried: their
  // like comes and goes.
  for (PlanOperator* subject : tree_.operators()) {
    if (subject->lore_id != 0 || IsExchangeOrSort(*subject->node)) continue;
    Match(by_own_, hashes_.Of(*subject).own, subject);
  }
}

}  // namespace

std::string KnownOperators::ToText() const {
  auto json = nlohmann::json::array();
  for (const KnownOperator& known : operators) {
    json.push_back({known.name, known.fingerprint, HashText(known.key), HashText(known.own),
                    known.undumpable});
  }
  return json.dump();
}

Result<KnownOperators> KnownOperators::FromText(std::string_view text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_array()) return MalformedIds("not a JSON array");
  KnownOperators known;
  for (size_t i = 0; i < json.size(); ++i) {
    ARROW_ASSIGN_OR_RAISE(auto entry, KnownFromJson(json[i], i));
    known.operators.push_back(std::move(entry));
  }
  return known;
}

KnownOperators NumberFirstPlan(OperatorTree* tree) {
  Fingerprints hashes([](const PlanOperator&) { return 0; });
  KnownOperators known;
  std::map<std::string, size_t, std::less<>> counts;
  int64_t next = 1;
  for (PlanOperator* subject : tree->operators()) {
    const OperatorHashes& hash = hashes.Of(*subject);
    const std::string name(OperatorName(*subject->node));
    subject->lore_id = next++;
    subject->fingerprint = HashText(hash.fingerprint);
    SetOccurrence(subject, name, counts[name]++);
    known.operators.push_back(
        {subject->lore_id, name, subject->fingerprint, hash.key, hash.own, {}});
  }
  return known;
}

void NumberAgain(const KnownOperators& known, OperatorTree* tree) {
  Renumbering(known, tree).Run();
}

void TakeCarriedIds(OperatorTree* tree) {
  for (PlanOperator* subject : tree->operators()) {
    subject->lore_id = subject->node->lore_id;
    subject->fingerprint = subject->node->fingerprint;
    subject->occurrence = subject->node->occurrence;
  }
}

}  // namespace reprise
