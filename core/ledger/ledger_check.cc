#include "ledger/ledger_check.h"

#include <algorithm>
#include <map>
#include <set>

#include "ledger/ledger_graph.h"

namespace reprise {

namespace {

bool SameRows(const LedgerChecksums& a, const LedgerChecksums& b) {
  return a.rows == b.rows && a.unordered == b.unordered;
}

bool OtherOrder(const LedgerChecksums& a, const LedgerChecksums& b) {
  return a.has_ordered && b.has_ordered && a.ordered != b.ordered;
}

template <typename Item>
void AddNew(const std::vector<Item>& items, std::vector<Item>* all) {
  for (const Item& item : items) {
    if (std::find(all->begin(), all->end(), item) == all->end()) all->push_back(item);
  }
}

class Checker {
 public:
  explicit Checker(const LedgerGraph& graph) : graph_(graph), ledger_(graph.ledger()) {}

  LedgerCheck Run() {
    LedgerCheck check;
    check.subjects = static_cast<int64_t>(ledger_.subjects.size());
    found_.resize(ledger_.subjects.size());
    own_.resize(ledger_.subjects.size(), Agreement::kEqual);
    for (std::vector<size_t>& readers : Readers()) Compare(std::move(readers), &check);
    for (size_t i = 0; i < found_.size(); ++i) {
      if (found_[i].agreement == Agreement::kEqual) continue;
      Classify(&found_[i]);
    }
    for (CheckedSubject& each : found_) {
      if (each.agreement != Agreement::kEqual) check.differences.push_back(std::move(each));
    }
    std::stable_sort(
        check.differences.begin(), check.differences.end(),
        [&](const CheckedSubject& a, const CheckedSubject& b) { return Rank(a) < Rank(b); });
    return check;
  }

 private:
  // Partitions of one number are the same only where there are as many in all.
  using Key = std::pair<int64_t, int32_t>;

  std::tuple<int, Origin, int32_t, int64_t> Rank(const CheckedSubject& of) const {
    const LedgerSubject& subject = ledger_.subjects[of.subject];
    // Of one stage, operators stand from the data upwards.
    return {of.agreement == Agreement::kValues ? 0 : 1, of.origin,
            *graph_.StagesOf(of.subject).begin(),
            subject.kind == SubjectKind::kOperator ? -subject.lore_id : 0};
  }

  Key KeyOf(const LedgerSubject& subject, const LedgerChecksums& checksums) const {
    const LedgerTask& task = ledger_.tasks[checksums.task];
    if (subject.kind != SubjectKind::kOperator) return {0, task.partition};
    const int64_t partitions = ledger_.PartitionsOf(task.stage);
    return {partitions >= 0 ? partitions : -1 - task.stage, task.partition};
  }

  // The subjects that are records of one RDD; of operators each stands alone.
  std::vector<std::vector<size_t>> Readers() const {
    std::vector<std::vector<size_t>> groups;
    std::map<int64_t, size_t> by_rdd;
    for (size_t i = 0; i < ledger_.subjects.size(); ++i) {
      const LedgerSubject& subject = ledger_.subjects[i];
      const bool alone = subject.kind == SubjectKind::kOperator || subject.rdd < 0;
      const auto [known, is_new] =
          alone ? std::pair(by_rdd.end(), true) : by_rdd.emplace(subject.rdd, groups.size());
      if (is_new) {
        groups.push_back({i});
      } else {
        groups[known->second].push_back(i);
      }
    }
    return groups;
  }

  void Compare(std::vector<size_t> readers, LedgerCheck* check) {
    const size_t index = readers.front();
    CheckedSubject& found = found_[index];
    found.subject = index;
    std::map<Key, CheckedPartition> partitions;
    std::map<Key, size_t> lacking;  // attempts that succeeded without checksums of all rows
    for (const size_t reader : readers) {
      const LedgerSubject& subject = ledger_.subjects[reader];
      for (const LedgerChecksums& checksums : subject.checksums) {
        if (!checksums.complete) {
          if (ledger_.tasks[checksums.task].success) ++lacking[KeyOf(subject, checksums)];
          continue;
        }
        CheckedPartition& partition = partitions[KeyOf(subject, checksums)];
        partition.attempts.push_back(&checksums);
        partition.subjects.push_back(reader);
      }
    }
    for (const auto& [key, attempts] : lacking) {
      const auto checksummed = partitions.find(key);
      if (attempts + (checksummed == partitions.end() ? 0 : checksummed->second.attempts.size()) <
          2) {
        continue;
      }
      ++check->partitions_uncompared;
      NoteReason(readers, check);
    }
    found.readers = std::move(readers);
    std::set<size_t> columns;
    int64_t repeated = 0;
    for (auto& [key, partition] : partitions) {
      if (partition.attempts.size() < 2) continue;
      ++repeated;
      partition.partition = key.second;
      ComparePartition(&partition);
      if (partition.agreement == Agreement::kEqual) continue;
      found.agreement = std::max(found.agreement, partition.agreement);
      columns.insert(partition.columns.begin(), partition.columns.end());
      NoteOwn(partition);
      found.partitions.push_back(std::move(partition));
    }
    found.columns = ColumnNames(ledger_.subjects[index], {columns.begin(), columns.end()});
    check->partitions_repeated += repeated;
    check->subjects_repeated += repeated > 0 ? 1 : 0;
  }

  void NoteReason(const std::vector<size_t>& readers, LedgerCheck* check) const {
    for (const size_t reader : readers) {
      if (check->uncompared_reason.empty()) {
        check->uncompared_reason = ledger_.subjects[reader].reason;
      }
    }
  }

  void ComparePartition(CheckedPartition* partition) const {
    std::vector<const LedgerChecksums*> results;
    std::set<size_t> columns;
    for (const LedgerChecksums* checksums : partition->attempts) {
      const auto known =
          std::find_if(results.begin(), results.end(), [&](const LedgerChecksums* result) {
            return AgreementOf(*result, *checksums, nullptr) == Agreement::kEqual;
          });
      partition->versions.push_back(known - results.begin());
      if (known != results.end()) continue;
      for (const LedgerChecksums* result : results) {
        partition->agreement =
            std::max(partition->agreement, AgreementOf(*result, *checksums, &partition->of_value));
        const auto different =
            DifferentColumns(ledger_.ColumnsOf(*result), ledger_.ColumnsOf(*checksums));
        columns.insert(different.begin(), different.end());
      }
      results.push_back(checksums);
    }
    partition->columns.assign(columns.begin(), columns.end());
  }

  // Which of the readers have themselves had several results: whoever reads these follows them.
  void NoteOwn(const CheckedPartition& partition) {
    std::map<size_t, size_t> first;
    for (size_t i = 0; i < partition.subjects.size(); ++i) {
      const size_t reader = partition.subjects[i];
      if (first.emplace(reader, partition.versions[i]).first->second == partition.versions[i]) {
        continue;
      }
      own_[reader] = std::max(own_[reader], partition.agreement);
    }
  }

  // What an action returned is comparable between the attempts of its own stage alone.
  Agreement AgreementOf(const LedgerChecksums& a, const LedgerChecksums& b, bool* of_value) const {
    if (!SameRows(a, b)) return Agreement::kValues;
    if (OtherOrder(a, b)) return Agreement::kOrder;
    const bool same_action = ledger_.tasks[a.task].stage == ledger_.tasks[b.task].stage;
    if (same_action && a.has_value && b.has_value && a.value != b.value) {
      if (of_value != nullptr) *of_value = true;
      return Agreement::kValues;
    }
    return Agreement::kEqual;
  }

  void Classify(CheckedSubject* found) const {
    const LedgerInputs inputs = InputsOf(found->readers);
    found->between = inputs.between;
    found->inputs = inputs.subjects.size();
    for (CheckedPartition& partition : found->partitions) {
      partition.origin = OriginOf(*found, partition, inputs);
      if (partition.agreement != found->agreement) continue;
      found->origin = std::min(found->origin, partition.origin);
    }
  }

  LedgerInputs InputsOf(const std::vector<size_t>& readers) const {
    LedgerInputs all;
    for (const size_t reader : readers) {
      LedgerInputs inputs =
          graph_.InputsOf(reader, [&](size_t subject) { return IsRecorded(subject); });
      all.known &= inputs.known;
      AddNew(inputs.subjects, &all.subjects);
      AddNew(inputs.between, &all.between);
    }
    std::erase_if(all.subjects, [&](size_t input) {
      return std::find(readers.begin(), readers.end(), input) != readers.end();
    });
    return all;
  }

  bool IsRecorded(size_t subject) const {
    const auto& checksums = ledger_.subjects[subject].checksums;
    return std::any_of(checksums.begin(), checksums.end(),
                       [](const LedgerChecksums& each) { return each.complete; });
  }

  // The first two attempts that differ stand for all.
  static std::pair<const LedgerChecksums*, const LedgerChecksums*> Differing(
      const CheckedPartition& of) {
    const auto other = std::find_if(of.versions.begin(), of.versions.end(),
                                    [](size_t version) { return version != 0; });
    return {of.attempts.front(), of.attempts[other - of.versions.begin()]};
  }

  Origin OriginOf(const CheckedSubject& found, const CheckedPartition& partition,
                  const LedgerInputs& inputs) const {
    // The RDD's records agree: only the action can have made another value of them.
    if (partition.of_value) return Origin::kDeparts;
    const auto [a, b] = Differing(partition);
    Agreement worst = Agreement::kEqual;
    bool known = inputs.known;
    bool here = false;  // an input was recorded in the same tasks
    for (const size_t input : inputs.subjects) {
      const LedgerSubject& subject = ledger_.subjects[input];
      const LedgerChecksums* in_a = CompleteChecksumsIn(subject, a->task);
      const LedgerChecksums* in_b = CompleteChecksumsIn(subject, b->task);
      if (in_a != nullptr && in_b != nullptr) {
        here = true;
        worst = std::max(worst, AgreementOf(*in_a, *in_b, nullptr));
      } else if (in_a == nullptr && in_b == nullptr && !IsIn(input, a) && !IsIn(input, b)) {
        // Both read what another stage computed; where that was computed once it is the same.
        worst = std::max(worst, own_[input]);
      } else {
        known = false;
      }
    }
    if (worst == Agreement::kValues) return Origin::kInherits;
    if (partition.agreement == Agreement::kOrder) {
      if (worst == Agreement::kOrder || (!here && MayFollowArrival(found, a, b))) {
        return Origin::kInherits;
      }
    }
    return known || partition.agreement == Agreement::kOrder ? Origin::kDeparts
                                                             : Origin::kInputUnknown;
  }

  bool IsIn(size_t subject, const LedgerChecksums* checksums) const {
    return graph_.StagesOf(subject).contains(ledger_.tasks[checksums->task].stage);
  }

  bool MayFollowArrival(const CheckedSubject& found, const LedgerChecksums* a,
                        const LedgerChecksums* b) const {
    const LedgerSubject& subject = ledger_.subjects[found.subject];
    const auto rdd = ledger_.lineage.rdds().find(subject.rdd);
    if (subject.kind != SubjectKind::kOperator && rdd != ledger_.lineage.rdds().end() &&
        !rdd->second.determinism.empty()) {
      return rdd->second.determinism != "DETERMINATE";
    }
    return graph_.ReadsShuffle(ledger_.tasks[a->task].stage) ||
           graph_.ReadsShuffle(ledger_.tasks[b->task].stage);
  }

  const LedgerGraph& graph_;
  const Ledger& ledger_;
  std::vector<CheckedSubject> found_;  // by subject; of an RDD by the first of its readers
  std::vector<Agreement> own_;         // of each subject with itself
};

}  // namespace

std::string_view NameOf(Agreement agreement) {
  constexpr std::string_view kNames[] = {"equal", "order", "distribution", "values", "unknown"};
  return kNames[static_cast<size_t>(agreement)];
}

std::string_view NameOf(Origin origin) {
  constexpr std::string_view kNames[] = {"departs", "inputUnknown", "inherits"};
  return kNames[static_cast<size_t>(origin)];
}

std::vector<std::string> ColumnNames(const LedgerSubject& subject, const std::vector<size_t>& at) {
  std::vector<std::string> names;
  for (const size_t index : at) {
    names.push_back(index < subject.columns.size() ? subject.columns[index]
                                                   : fmt::format("number {}", index + 1));
  }
  return names;
}

std::vector<size_t> DifferentColumns(std::span<const uint64_t> left,
                                     std::span<const uint64_t> right) {
  std::vector<size_t> different;
  if (left.size() != right.size()) return different;
  for (size_t i = 0; i < left.size(); ++i) {
    if (left[i] != right[i]) different.push_back(i);
  }
  return different;
}

bool LedgerCheck::Differs() const {
  return std::any_of(differences.begin(), differences.end(), [](const CheckedSubject& each) {
    return each.agreement == Agreement::kValues || each.origin == Origin::kDeparts;
  });
}

LedgerCheck CheckLedger(const LedgerGraph& graph) { return Checker(graph).Run(); }

}  // namespace reprise
