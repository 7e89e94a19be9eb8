#include "rules/lore_ids.h"

#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <unordered_map>

#include "base/json_text.h"
#include "rules/class_names.h"
#include "rules/fingerprint.h"

namespace reprise {

namespace {

/// Ids of operators that adaptive execution adds are spread over this many numbers.
constexpr int64_t kAddedIdsSpan = 1'000'000;

/// Counts the operators of each name.
class Occurrences {
 public:
  std::string Next(const std::string& name) { return name + '#' + std::to_string(counts_[name]++); }

 private:
  std::map<std::string, size_t> counts_;
};

/// The first operator below that is neither an exchange nor a sort.
const PlanOperator* BelowExchanges(const PlanOperator& subject) {
  const PlanOperator* below = &subject;
  while (IsExchangeOrSort(*below->node) && below->children.size() == 1) below = below->children[0];
  return below;
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
  const bool is_whole = item.is_array() && item.size() == 8 &&
                        std::all_of(item.begin(), item.begin() + 6,
                                    [](const auto& part) { return part.is_string(); }) &&
                        item[6].is_number_integer() && item[7].is_number_integer();
  if (!is_whole) {
    return MalformedIds(fmt::format("entry {} is not six strings and two integers", index));
  }
  KnownOperator known;
  known.lore_id = static_cast<int64_t>(index) + 1;
  known.name = item[0].get<std::string>();
  known.fingerprint = item[1].get<std::string>();
  known.undumpable = item[4].get<std::string>();
  known.unassertable = item[5].get<std::string>();
  known.below = item[6].get<int64_t>();
  known.last = item[7].get<int64_t>();
  if (!HashFromText(item[2].get_ref<const std::string&>(), &known.key) ||
      !HashFromText(item[3].get_ref<const std::string&>(), &known.own)) {
    return MalformedIds(fmt::format("a hash of entry {} is not hexadecimal", index));
  }
  return known;
}

/// Joins are one kind: which of them runs is adaptive execution's choice.
std::string_view KindOf(std::string_view name) {
  constexpr std::string_view kJoins[] = {"SortMergeJoin", "BroadcastHashJoin", "ShuffledHashJoin",
                                         "BroadcastNestedLoopJoin", "CartesianProduct"};
  return Has(kJoins, name) ? "Join" : name;
}

/// Numbers the operators of a later plan.
class Renumbering {
 public:
  Renumbering(const KnownOperators& known, OperatorTree* tree)
      : known_(known), tree_(*tree), hashes_([this](const PlanOperator& o) { return KeyOf(o); }) {}

  void Run();

 private:
  using Candidates = std::vector<const KnownOperator*>;
  using KnownByHash = std::unordered_map<uint64_t, Candidates>;

  const KnownOperator* Known(int64_t lore_id) const {
    const auto count = static_cast<int64_t>(known_.operators.size());
    return lore_id >= 1 && lore_id <= count ? &known_.operators[static_cast<size_t>(lore_id - 1)]
                                            : nullptr;
  }
  uint64_t KeyOf(const PlanOperator& subject) const {
    const KnownOperator* known = Known(subject.node->lore_id);
    return known == nullptr ? 0 : known->key;
  }
  Candidates FromSameLogicalNode(const PlanNode& node) const;
  void TakeKnown(const KnownOperator& known, PlanOperator* subject);
  template <typename Fits>
  bool Match(const Candidates& candidates, PlanOperator* subject, const Fits& fits);
  template <typename Try>
  void ForEachWithoutId(const Try& attempt);
  void KeepCarriedIds();
  void MatchByLogicalNode();
  void MatchByHash(const KnownByHash& candidates, uint64_t OperatorHashes::*hash);
  void MatchExchanges();
  void AddNew(PlanOperator* subject);

  const KnownOperators& known_;
  OperatorTree& tree_;
  Fingerprints hashes_;
  std::set<int64_t> used_;
  KnownByHash by_key_;
  KnownByHash by_own_;
};

Renumbering::Candidates Renumbering::FromSameLogicalNode(const PlanNode& node) const {
  Candidates candidates;
  for (const PlanValue& value : node.from) {
    const KnownOperator* known = Known(value.integer);
    if (value.is(PlanValue::Kind::kInteger) && known != nullptr) candidates.push_back(known);
  }
  return candidates;
}

void Renumbering::TakeKnown(const KnownOperator& known, PlanOperator* subject) {
  subject->lore_id = known.lore_id;
  subject->fingerprint = known.fingerprint;
  subject->occurrence = known.occurrence;
  used_.insert(known.lore_id);
}

template <typename Fits>
bool Renumbering::Match(const Candidates& candidates, PlanOperator* subject, const Fits& fits) {
  for (const KnownOperator* known : candidates) {
    if (used_.contains(known->lore_id) || !fits(*known)) continue;
    TakeKnown(*known, subject);
    return true;
  }
  return false;
}

template <typename Try>
void Renumbering::ForEachWithoutId(const Try& attempt) {
  for (PlanOperator* subject : tree_.operators()) {
    if (subject->lore_id == 0) attempt(subject, hashes_.Of(*subject));
  }
}

/// Before all else: nothing other may take such an id.
void Renumbering::KeepCarriedIds() {
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
}

void Renumbering::MatchByLogicalNode() {
  ForEachWithoutId([this](PlanOperator* subject, const OperatorHashes& hashes) {
    Match(FromSameLogicalNode(*subject->node), subject,
          [&](const KnownOperator& known) { return known.key == hashes.key; });
  });
  ForEachWithoutId([this](PlanOperator* subject, const OperatorHashes& hashes) {
    Match(FromSameLogicalNode(*subject->node), subject,
          [&](const KnownOperator& known) { return known.own == hashes.own; });
  });
  // An input that has turned out empty changes what stands above it: a union of one branch less.
  ForEachWithoutId([this](PlanOperator* subject, const OperatorHashes&) {
    const std::string_view kind = KindOf(OperatorName(*subject->node));
    Match(FromSameLogicalNode(*subject->node), subject,
          [&](const KnownOperator& known) { return KindOf(known.name) == kind; });
  });
}

/// What no operator of the first plan shares its logical node with.
void Renumbering::MatchByHash(const KnownByHash& candidates, uint64_t OperatorHashes::*hash) {
  ForEachWithoutId([&](PlanOperator* subject, const OperatorHashes& hashes) {
    if (IsExchangeOrSort(*subject->node)) return;
    const auto found = candidates.find(hashes.*hash);
    if (found == candidates.end()) return;
    Match(found->second, subject, [](const KnownOperator&) { return true; });
  });
}

void Renumbering::MatchExchanges() {
  ForEachWithoutId([this](PlanOperator* subject, const OperatorHashes& hashes) {
    const int64_t below = BelowExchanges(*subject)->lore_id;
    const auto found = by_own_.find(hashes.own);
    if (!IsExchangeOrSort(*subject->node) || below == 0 || found == by_own_.end()) return;
    Match(found->second, subject, [&](const KnownOperator& known) { return known.below == below; });
  });
}

/// By what the operator is and what it stands between, so that it gets the same id whenever it is
/// added.
void Renumbering::AddNew(PlanOperator* subject) {
  const OperatorHashes& hashes = hashes_.Of(*subject);
  std::vector<uint64_t> place = {hashes.own};
  for (const PlanOperator* child : subject->children) {
    place.push_back(static_cast<uint64_t>(BelowExchanges(*child)->lore_id));
  }
  if (subject->children.empty()) {
    for (const PlanValue& value : subject->node->from) {
      place.push_back(static_cast<uint64_t>(value.integer));
    }
  }
  // Equal ones may stand on the same reused exchange.
  const PlanOperator* above = subject->parent;
  while (above != nullptr && above->lore_id == 0) above = above->parent;
  place.push_back(above == nullptr ? 0 : static_cast<uint64_t>(above->lore_id));
  const uint64_t hash = XXH3_64bits(place.data(), place.size() * sizeof(uint64_t));
  const int64_t base = static_cast<int64_t>(known_.operators.size()) + 1;
  int64_t offset = static_cast<int64_t>(hash % static_cast<uint64_t>(kAddedIdsSpan));
  while (used_.contains(base + offset)) ++offset;
  subject->lore_id = base + offset;
  subject->fingerprint = HashText(hashes.fingerprint);
  // Not a count, which would depend on what had been added before.
  subject->occurrence = fmt::format("{}#{}", OperatorName(*subject->node), subject->lore_id);
  used_.insert(subject->lore_id);
}

void Renumbering::Run() {
  for (const KnownOperator& known : known_.operators) {
    by_key_[known.key].push_back(&known);
    by_own_[known.own].push_back(&known);
  }
  KeepCarriedIds();
  MatchByLogicalNode();
  MatchByHash(by_key_, &OperatorHashes::key);
  // What is left stands above a part that has changed.
  MatchByHash(by_own_, &OperatorHashes::own);
  MatchExchanges();
  // From the leaves upwards, because what is added is known by what is below.
  const auto& operators = tree_.operators();
  for (auto subject = operators.rbegin(); subject != operators.rend(); ++subject) {
    if ((*subject)->lore_id == 0) AddNew(*subject);
  }
}

}  // namespace

std::string KnownOperators::ToText() const {
  std::string json = masked ? fmt::format(R"({{"masked":{},)", masked->ToJson().dump()) : "{";
  json += R"("operators":[)";
  const auto add = [&json](std::string_view text) {
    AppendJsonString(text, &json);
    json += ',';
  };
  for (const KnownOperator& known : operators) {
    json += json.ends_with(']') ? ",[" : "[";
    add(known.name);
    add(known.fingerprint);
    add(HashText(known.key));
    add(HashText(known.own));
    add(known.undumpable);
    add(known.unassertable);
    json += fmt::format("{},{}]", known.below, known.last);
  }
  return json + "]}";
}

Result<KnownOperators> KnownOperators::FromText(std::string_view text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("operators") || !json["operators"].is_array()) {
    return MalformedIds("no list \"operators\"");
  }
  KnownOperators known;
  Occurrences occurrences;
  for (const auto& item : json["operators"]) {
    ARROW_ASSIGN_OR_RAISE(auto entry, KnownFromJson(item, known.operators.size()));
    entry.occurrence = occurrences.Next(entry.name);
    known.operators.push_back(std::move(entry));
  }
  if (!json.contains("masked")) return known;
  try {
    known.masked = MaskedColumns::FromJson(json["masked"]);
  } catch (const nlohmann::json::exception& error) {
    return MalformedIds(error.what());
  }
  return known;
}

KnownOperators NumberFirstPlan(OperatorTree* tree) {
  Fingerprints hashes([](const PlanOperator&) { return 0; });
  KnownOperators known;
  Occurrences occurrences;
  int64_t next = 1;
  for (PlanOperator* subject : tree->operators()) {
    const OperatorHashes& hash = hashes.Of(*subject);
    const std::string name(OperatorName(*subject->node));
    subject->lore_id = next++;
    subject->fingerprint = HashText(hash.fingerprint);
    subject->occurrence = occurrences.Next(name);
    known.operators.push_back({.lore_id = subject->lore_id,
                               .name = name,
                               .occurrence = subject->occurrence,
                               .fingerprint = subject->fingerprint,
                               .key = hash.key,
                               .own = hash.own});
  }
  const auto& operators = tree->operators();
  for (size_t i = 0; i < known.operators.size(); ++i) {
    const PlanOperator& subject = *operators[i];
    // Pre-order: what is below comes next.
    size_t end = i + 1;
    while (end < operators.size() && operators[end]->depth > subject.depth) ++end;
    known.operators[i].last = operators[end - 1]->lore_id;
    if (IsExchangeOrSort(*subject.node))
      known.operators[i].below = BelowExchanges(subject)->lore_id;
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
