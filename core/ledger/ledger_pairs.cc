#include "ledger/ledger_pairs.h"

#include <algorithm>
#include <map>

#include "ledger/ledger_graph.h"
#include "ledger/ledger_last_checksums.h"

namespace reprise {

namespace {

// Pairs the first item of a key on the left with the first of it on the right, and so on. Items
// with an empty key stay alone.
template <typename Item, typename Key>
void Match(std::vector<Item>* left, std::vector<Item>* right, Key key,
           const std::function<void(const Item&, const Item&)>& pair) {
  std::map<std::string, std::vector<Item*>> open;
  for (auto at = right->rbegin(); at != right->rend(); ++at) {
    if (!at->matched) open[key(*at)].push_back(&*at);
  }
  for (Item& item : *left) {
    if (item.matched) continue;
    const std::string wanted = key(item);
    const auto found = open.find(wanted);
    if (wanted.empty() || found == open.end() || found->second.empty()) continue;
    Item* other = found->second.back();
    found->second.pop_back();
    item.matched = other->matched = true;
    pair(item, *other);
  }
}

std::string Keyed(int64_t id, const std::string& text) {
  return text.empty() ? text : fmt::format("{} {}", id, text);
}

// What a subject gave in all; empty where nothing of it was read to the end.
std::string ChecksumsText(const LedgerGraph& graph, size_t subject) {
  const LastChecksums last = LastChecksumsOf(graph, subject);
  if (last.complete.empty()) return {};
  const TotalChecksums total = TotalOf(graph.ledger(), last);
  return fmt::format("{} {:x}", total.rows, total.unordered);
}

// Of twins, which several threads may have submitted in any order, those that gave the same belong
// together.
std::string WithChecksums(const std::string& key, const std::string& checksums) {
  return key.empty() || checksums.empty() ? std::string() : key + "\n" + checksums;
}

struct Query {
  const ExplainedQuery* query;
  std::string root;
  std::string description;
  std::string operators;
  std::string checksums;
  bool matched = false;
};

std::vector<Query> LoggedQueries(const LedgerGraph& graph) {
  const Ledger& ledger = graph.ledger();
  std::map<std::string, std::map<int64_t, size_t>> checksummed;  // subjects by LORE id
  for (size_t i = 0; i < ledger.subjects.size(); ++i) {
    const LedgerSubject& subject = ledger.subjects[i];
    // What was planned need not have run, as where a stream plans a batch twice.
    if (subject.kind != SubjectKind::kOperator || subject.checksums.empty()) continue;
    checksummed[subject.query][subject.lore_id] = i;
  }
  std::vector<Query> queries;
  for (const auto& [token, subjects] : checksummed) {
    const auto known = ledger.lineage.queries().find(token);
    if (known == ledger.lineage.queries().end()) continue;
    Query& query = queries.emplace_back();
    query.query = &known->second;
    for (const int64_t id : known->second.executions) {
      const auto execution = ledger.lineage.executions().find(id);
      if (execution == ledger.lineage.executions().end()) continue;
      if (query.description.empty()) query.description = execution->second.description;
    }
    const auto& operators = known->second.operators;
    if (!operators.empty() && operators.begin()->first == 1) {
      query.root = operators.begin()->second.fingerprint;
    }
    for (const auto& [id, each] : operators) {
      query.operators += fmt::format("{} {}\n", id, each.occurrence);
    }
    for (const auto& [id, subject] : subjects) {
      query.checksums += Keyed(id, ChecksumsText(graph, subject)) + "\n";
    }
  }
  std::sort(queries.begin(), queries.end(),
            [](const Query& a, const Query& b) { return a.query->planning < b.query->planning; });
  return queries;
}

struct Operator {
  size_t subject;
  int64_t lore_id;
  const OperatorNode* node;
  bool matched = false;
};

std::vector<Operator> OperatorsOf(const LedgerGraph& graph, const std::string& token) {
  std::vector<Operator> operators;
  const QueryTree* tree = graph.TreeOf(token);
  if (tree == nullptr) return operators;
  for (const auto& [id, node] : *tree) {
    if (const auto subject = graph.Operator(token, id)) operators.push_back({*subject, id, &node});
  }
  return operators;
}

struct RddSubject {
  size_t subject;
  std::string structure;  // all that it is made of
  std::string place;      // the RDD alone
  std::string checksums;
  bool matched = false;
};

class RddTexts {
 public:
  explicit RddTexts(const Ledger& ledger) : ledger_(ledger) {}

  // Kind, call site and scope of an RDD.
  std::string Place(int64_t id) const {
    const auto rdd = ledger_.lineage.rdds().find(id);
    if (rdd == ledger_.lineage.rdds().end()) return {};
    return fmt::format("{} {} {}", rdd->second.NameInAnyRun(), rdd->second.call_site,
                       rdd->second.scope_name);
  }

  // A number that RDDs with the same ancestry share.
  size_t Structure(int64_t id) {
    const auto known = hashes_.find(id);
    if (known != hashes_.end()) return known->second;
    hashes_[id] = 0;  // where a damaged log makes a circle
    std::string text = Place(id);
    const auto rdd = ledger_.lineage.rdds().find(id);
    if (rdd != ledger_.lineage.rdds().end()) {
      for (const int64_t parent : rdd->second.parents) {
        if (parent < id) text += fmt::format(" <{:x}", Structure(parent));
      }
    }
    return hashes_[id] = std::hash<std::string>()(text);
  }

 private:
  const Ledger& ledger_;
  std::map<int64_t, size_t> hashes_;
};

std::vector<RddSubject> RddsOf(const LedgerGraph& graph) {
  const Ledger& ledger = graph.ledger();
  RddTexts texts(ledger);
  // Parents have smaller ids: taken in this order, no description goes deep.
  for (const auto& [id, rdd] : ledger.lineage.rdds()) texts.Structure(id);
  std::vector<RddSubject> rdds;
  for (size_t i = 0; i < ledger.subjects.size(); ++i) {
    const LedgerSubject& subject = ledger.subjects[i];
    if (subject.kind == SubjectKind::kOperator || graph.StagesOf(i).empty()) continue;
    RddSubject& rdd = rdds.emplace_back();
    rdd.subject = i;
    const std::string place = texts.Place(subject.rdd);
    if (place.empty()) continue;
    const std::string_view kind = subject.kind == SubjectKind::kShuffle ? "shuffle" : "result";
    rdd.place = fmt::format("{} {}", kind, place);
    rdd.structure = fmt::format("{} {:x}", rdd.place, texts.Structure(subject.rdd));
    rdd.checksums = ChecksumsText(graph, i);
  }
  std::sort(rdds.begin(), rdds.end(), [&](const RddSubject& a, const RddSubject& b) {
    const auto order = [&](const RddSubject& of) {
      const LedgerSubject& subject = ledger.subjects[of.subject];
      return std::tuple(subject.rdd, subject.shuffle);
    };
    return order(a) < order(b);
  });
  return rdds;
}

// Queries with the same checksums first, then those that are alike in less and less.
std::vector<std::pair<std::string, std::string>> PairQueries(const LedgerGraph& left,
                                                             const LedgerGraph& right) {
  std::vector<std::pair<std::string, std::string>> pairs;
  std::vector<Query> left_queries = LoggedQueries(left);
  std::vector<Query> right_queries = LoggedQueries(right);
  const std::function<void(const Query&, const Query&)> pair_queries = [&](const Query& a,
                                                                           const Query& b) {
    pairs.push_back({a.query->token, b.query->token});
  };
  const auto match_queries = [&](auto key) {
    Match(&left_queries, &right_queries, key, pair_queries);
  };
  match_queries([](const Query& query) { return WithChecksums(query.root, query.checksums); });
  match_queries([](const Query& query) { return query.root; });
  match_queries([](const Query& query) { return query.description + "\n" + query.operators; });
  match_queries([](const Query& query) { return query.operators; });
  match_queries([](const Query& query) { return query.description; });
  return pairs;
}

}  // namespace

LedgerPairs PairLedgers(const LedgerGraph& left, const LedgerGraph& right) {
  LedgerPairs pairs;
  pairs.queries = PairQueries(left, right);
  std::set<size_t> in_left;
  std::set<size_t> in_right;
  const auto pair_subjects = [&](size_t a, size_t b) {
    if (left.StagesOf(a).empty() && right.StagesOf(b).empty()) return;
    pairs.subjects.push_back({a, b});
    in_left.insert(a);
    in_right.insert(b);
  };
  for (const auto& [a, b] : pairs.queries) {
    std::vector<Operator> left_operators = OperatorsOf(left, a);
    std::vector<Operator> right_operators = OperatorsOf(right, b);
    const std::function<void(const Operator&, const Operator&)> pair_operators =
        [&](const Operator& one, const Operator& other) {
          pair_subjects(one.subject, other.subject);
        };
    const auto match = [&](auto key) {
      Match(&left_operators, &right_operators, key, pair_operators);
    };
    match([](const Operator& each) { return Keyed(each.lore_id, each.node->fingerprint); });
    match([](const Operator& each) { return Keyed(each.lore_id, each.node->occurrence); });
    match([](const Operator& each) { return each.node->fingerprint; });
    match([](const Operator& each) { return each.node->occurrence; });
  }

  std::vector<RddSubject> left_rdds = RddsOf(left);
  std::vector<RddSubject> right_rdds = RddsOf(right);
  const std::function<void(const RddSubject&, const RddSubject&)> pair_rdds =
      [&](const RddSubject& a, const RddSubject& b) { pair_subjects(a.subject, b.subject); };
  const auto match_rdds = [&](auto key) { Match(&left_rdds, &right_rdds, key, pair_rdds); };
  match_rdds([](const RddSubject& rdd) { return WithChecksums(rdd.structure, rdd.checksums); });
  match_rdds([](const RddSubject& rdd) { return rdd.structure; });
  match_rdds([](const RddSubject& rdd) { return rdd.place; });

  const auto alone = [](const LedgerGraph& graph, const std::set<size_t>& paired) {
    std::vector<size_t> subjects;
    for (size_t i = 0; i < graph.ledger().subjects.size(); ++i) {
      if (!paired.contains(i) && !graph.StagesOf(i).empty()) subjects.push_back(i);
    }
    return subjects;
  };
  pairs.left_only = alone(left, in_left);
  pairs.right_only = alone(right, in_right);
  return pairs;
}

}  // namespace reprise
