#include "ledger/ledger_diff.h"

#include <algorithm>
#include <map>
#include <set>

#include "ledger/ledger_graph.h"
#include "ledger/ledger_last_checksums.h"
#include "ledger/ledger_stages.h"

namespace reprise {

namespace {

class Differ {
 public:
  Differ(const LedgerGraph& left, const LedgerGraph& right) : left_(left), right_(right) {}

  LedgerDiff Run() {
    diff_.matched = PairLedgers(left_, right_);
    for (const auto& [a, b] : diff_.matched.subjects) {
      by_left_[a] = by_right_[b] = diff_.pairs.size();
      diff_.pairs.push_back({a, b});
      if (const std::string left = LookedAtFor(left_, a); left == LookedAtFor(right_, b)) {
        diff_.pairs.back().looked_at_for = left;
      }
      Compare(&diff_.pairs.back());
      if (diff_.pairs.back().agreement != Agreement::kUnknown) ++diff_.compared;
    }
    consumers_.resize(diff_.pairs.size());
    for (size_t i = 0; i < diff_.pairs.size(); ++i) {
      if (diff_.pairs[i].agreement == Agreement::kUnknown) continue;
      FindInputs(&diff_.pairs[i]);
      for (const size_t input : diff_.pairs[i].inputs) consumers_[input].push_back(i);
    }
    for (size_t i = 0; i < diff_.pairs.size(); ++i) Classify(i);
    for (size_t i = 0; i < diff_.pairs.size(); ++i) diff_.pairs[i].explained = IsExplained(i);
    for (size_t i = 0; i < diff_.pairs.size(); ++i) {
      if (diff_.pairs[i].agreement == Agreement::kValues) diff_.differences.push_back(i);
      if (diff_.pairs[i].agreement == Agreement::kOrder) diff_.orders.push_back(i);
    }
    FindCached();
    for (std::vector<size_t>* list : {&diff_.differences, &diff_.orders}) {
      std::stable_sort(list->begin(), list->end(),
                       [&](size_t a, size_t b) { return Rank(a) < Rank(b); });
    }
    return std::move(diff_);
  }

 private:
  std::tuple<Origin, bool, int32_t, int64_t> Rank(size_t index) const {
    const ComparedPair& pair = diff_.pairs[index];
    const LedgerSubject& subject = left_.ledger().subjects[pair.left];
    return {pair.origin, pair.absorbed || pair.IsLook(), *left_.StagesOf(pair.left).begin(),
            subject.kind == SubjectKind::kOperator ? -subject.lore_id : 0};
  }

  void Compare(ComparedPair* pair) const {
    const LastChecksums a = LastChecksumsOf(left_, pair->left);
    const LastChecksums b = LastChecksumsOf(right_, pair->right);
    if (a.complete.empty() || b.complete.empty()) {
      pair->unknown = a.complete.empty() ? NothingToCompare(left_, pair->left, "first")
                                         : NothingToCompare(right_, pair->right, "second");
    } else if (a.partitions == b.partitions) {
      CompareEach(a, b, pair);
    } else if (a.whole && b.whole) {
      CompareTotals(a, b, pair);
      pair->in_total = true;
    } else {
      pair->unknown = fmt::format(
          "{} partitions in one run, {} in the other, and not all of them were recorded whole",
          a.partitions, b.partitions);
    }
  }

  static std::string NothingToCompare(const LedgerGraph& graph, size_t index,
                                      std::string_view run) {
    const LedgerSubject& subject = graph.ledger().subjects[index];
    if (!subject.reason.empty()) {
      return fmt::format("the {} run could not sum it: {}", run, subject.reason);
    }
    return fmt::format("the {} run has no whole checksums of it", run);
  }

  // The checksums of one partition: nothing of it is no rows, where its task has ended.
  static const LedgerChecksums* At(const LastChecksums& last, int32_t partition) {
    static const LedgerChecksums kNoRows{
        .complete = true,
    };
    const auto found = last.complete.find(partition);
    if (found != last.complete.end()) return found->second;
    const bool none = last.ended.contains(partition) && !last.incomplete.contains(partition);
    return none ? &kNoRows : nullptr;
  }

  void CompareEach(const LastChecksums& a, const LastChecksums& b, ComparedPair* pair) const {
    std::set<int32_t> partitions = a.incomplete;
    partitions.insert(b.incomplete.begin(), b.incomplete.end());
    for (const auto& [partition, checksums] : a.complete) partitions.insert(partition);
    for (const auto& [partition, checksums] : b.complete) partitions.insert(partition);
    std::vector<int32_t> reordered;
    std::set<size_t> columns;
    int64_t compared = 0;
    for (const int32_t partition : partitions) {
      const LedgerChecksums* left = At(a, partition);
      const LedgerChecksums* right = At(b, partition);
      if (left == nullptr || right == nullptr) {
        ++pair->partitions_uncompared;
        continue;
      }
      ++compared;
      pair->left_rows += left->rows;
      pair->right_rows += right->rows;
      if (left->rows != right->rows || left->unordered != right->unordered) {
        pair->partitions.push_back(partition);
        const auto different =
            DifferentColumns(left_.ledger().ColumnsOf(*left), right_.ledger().ColumnsOf(*right));
        columns.insert(different.begin(), different.end());
      } else if (left->has_ordered && right->has_ordered && left->ordered != right->ordered) {
        reordered.push_back(partition);
      }
    }
    pair->columns.assign(columns.begin(), columns.end());
    if (compared == 0) {
      pair->unknown = "no partition was recorded whole in both runs";
      return;
    }
    // What tasks never told of is not agreed upon.
    pair->partitions_uncompared += Untold(a, b, partitions);
    if (pair->partitions.empty()) {
      pair->agreement = reordered.empty() ? Agreement::kEqual : Agreement::kOrder;
      pair->partitions = std::move(reordered);
      return;
    }
    pair->agreement = Agreement::kValues;
    if (a.whole && b.whole) {
      ComparedPair total;
      CompareTotals(a, b, &total);
      if (total.agreement != Agreement::kValues) pair->agreement = Agreement::kDistribution;
    } else if (MayBeDistributed(*pair)) {
      pair->agreement = Agreement::kUnknown;
      pair->unknown =
          "its partitions differ, which may be another distribution of the rows: not all of them "
          "were recorded whole";
    }
  }

  static int64_t Untold(const LastChecksums& a, const LastChecksums& b,
                        const std::set<int32_t>& told) {
    int64_t untold = 0;
    for (int64_t i = 0; i < a.partitions; ++i) {
      const auto partition = static_cast<int32_t>(i);
      if (told.contains(partition)) continue;
      if (!a.ended.contains(partition) || !b.ended.contains(partition)) ++untold;
    }
    return untold;
  }

  // Adaptive execution cuts what it reads from shuffles as it likes.
  bool MayBeDistributed(const ComparedPair& pair) const {
    return left_.ledger().subjects[pair.left].kind == SubjectKind::kOperator &&
           (left_.ReadsShuffle(*left_.StagesOf(pair.left).rbegin()) ||
            right_.ReadsShuffle(*right_.StagesOf(pair.right).rbegin()));
  }

  void CompareTotals(const LastChecksums& a, const LastChecksums& b, ComparedPair* pair) const {
    const TotalChecksums left = TotalOf(left_.ledger(), a);
    const TotalChecksums right = TotalOf(right_.ledger(), b);
    pair->left_rows = left.rows;
    pair->right_rows = right.rows;
    const bool equal = left.rows == right.rows && left.unordered == right.unordered;
    pair->agreement = equal ? Agreement::kDistribution : Agreement::kValues;
    if (!equal) pair->columns = DifferentColumns(left.column_checksums, right.column_checksums);
  }

  void FindInputs(ComparedPair* pair) const {
    AddInputs(left_, pair->left, by_left_, pair);
    AddInputs(right_, pair->right, by_right_, pair);
    std::sort(pair->inputs.begin(), pair->inputs.end());
    pair->inputs.erase(std::unique(pair->inputs.begin(), pair->inputs.end()), pair->inputs.end());
  }

  void AddInputs(const LedgerGraph& graph, size_t subject, const std::map<size_t, size_t>& pairs,
                 ComparedPair* pair) const {
    const LedgerInputs inputs = graph.InputsOf(subject, [&](size_t input) {
      const auto found = pairs.find(input);
      return found != pairs.end() && diff_.pairs[found->second].agreement != Agreement::kUnknown;
    });
    for (const size_t input : inputs.subjects) pair->inputs.push_back(pairs.at(input));
    for (const std::string& name : inputs.between) {
      const auto known = std::find(pair->between.begin(), pair->between.end(), name);
      if (known == pair->between.end()) pair->between.push_back(name);
    }
    pair->inputs_known &= inputs.known;
  }

  void Classify(size_t index) {
    ComparedPair* pair = &diff_.pairs[index];
    if (pair->agreement != Agreement::kValues && pair->agreement != Agreement::kOrder) return;
    Agreement worst = Agreement::kEqual;
    for (const size_t input : pair->inputs) {
      const Agreement agreement = diff_.pairs[input].agreement;
      worst = std::max(worst, agreement);
      pair->input_distributed |= agreement == Agreement::kDistribution;
      pair->input_reordered |= agreement == Agreement::kOrder;
    }
    pair->origin = worst == Agreement::kValues ||
                           (pair->agreement == Agreement::kOrder && worst != Agreement::kEqual)
                       ? Origin::kInherits
                   : pair->inputs_known ? Origin::kDeparts
                                        : Origin::kInputUnknown;
    pair->absorbed = IsAbsorbed(index);
    if (left_.ledger().subjects[pair->left].kind == SubjectKind::kOperator) return;
    for (const size_t consumer : consumers_[index]) {
      pair->reader_distributed |= diff_.pairs[consumer].agreement == Agreement::kDistribution;
    }
  }

  // Of those that depart: the cached RDD that most of them have in common, of several the nearest.
  void FindCached() {
    std::map<int64_t, std::vector<size_t>> readers;
    for (const size_t index : diff_.differences) {
      const ComparedPair& pair = diff_.pairs[index];
      if (pair.origin == Origin::kInherits || pair.explained || pair.IsLook()) continue;
      for (const int64_t id : CachedRddsOf(left_, pair.left)) readers[id].push_back(index);
    }
    for (const auto& [id, indexes] : readers) {
      if (indexes.size() < 2) continue;
      for (const size_t index : indexes) {
        int64_t* cached = &diff_.pairs[index].cached;
        if (*cached < 0 || readers[*cached].size() <= indexes.size()) *cached = id;
      }
    }
  }

  // Whether something reads it, and no other values come of it. What only looks at it counts not.
  bool IsAbsorbed(size_t index) {
    // A damaged log may lead in circles: whoever is asked again meanwhile is not absorbed.
    const auto [known, is_new] = absorbed_.emplace(index, false);
    if (!is_new) return known->second;
    std::vector<size_t> readers = consumers_[index];
    std::erase_if(readers, [&](size_t reader) { return diff_.pairs[reader].IsLook(); });
    known->second = !readers.empty() && std::ranges::all_of(readers, [&](size_t reader) {
      return diff_.pairs[reader].agreement != Agreement::kValues || IsAbsorbed(reader);
    });
    return known->second;
  }

  // What a partitioner sees of the same records depends on how, and in which order, they come.
  bool SeesOtherwise(const ComparedPair& pair) const {
    return pair.input_distributed || pair.input_reordered ||
           DividedOtherwise(left_, pair.left, right_, pair.right);
  }

  // Whether it, or all that it inherits, differs because rows are in other partitions.
  bool IsExplained(size_t index) {
    const auto [known, is_new] = explained_.emplace(index, false);
    if (!is_new) return known->second;
    const ComparedPair& pair = diff_.pairs[index];
    const bool inherits =
        pair.origin == Origin::kInherits && std::ranges::all_of(pair.inputs, [&](size_t input) {
          return diff_.pairs[input].agreement != Agreement::kValues || IsExplained(input);
        });
    known->second =
        pair.IsLook()
            ? (inherits || (pair.origin != Origin::kInherits && SeesOtherwise(pair)))
            : pair.absorbed && (pair.input_distributed || pair.reader_distributed || inherits);
    return known->second;
  }

  const LedgerGraph& left_;
  const LedgerGraph& right_;
  LedgerDiff diff_;
  std::map<size_t, size_t> by_left_;
  std::map<size_t, size_t> by_right_;
  std::vector<std::vector<size_t>> consumers_;  // of each pair
  std::map<size_t, bool> absorbed_;
  std::map<size_t, bool> explained_;
};

}  // namespace

bool LedgerDiff::Differs() const {
  return std::any_of(differences.begin(), differences.end(),
                     [&](size_t index) { return !pairs[index].explained; });
}

LedgerDiff DiffLedgers(const LedgerGraph& left, const LedgerGraph& right) {
  return Differ(left, right).Run();
}

}  // namespace reprise
