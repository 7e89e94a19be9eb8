// What the subjects of a ledger are, and which of them the others read.
//
//   an operator   reads its children; across an exchange too; a scan of a cache reads the root of
//                 the query that fills it
//   RDDs          a stage's last RDD reads what its stage reads from shuffles, and the operators
//                 that ran in the stage's tasks
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ledger/ledger.h"
#include "lineage/query_tree.h"

namespace reprise {

/// What a subject reads.
struct LedgerInputs {
  std::vector<size_t> subjects;      ///< the nearest that are recorded
  std::vector<std::string> between;  ///< operators on the way to them that are not
  bool known = true;                 ///< false: it reads something that the ledger cannot name
};

class LedgerGraph {
 public:
  /// The graph points into `ledger`.
  explicit LedgerGraph(const Ledger& ledger);

  const Ledger& ledger() const { return ledger_; }

  /// `recorded` says of which subjects there is something to compare.
  LedgerInputs InputsOf(size_t subject, const std::function<bool(size_t)>& recorded) const;

  /// "HashAggregate [loreId=5]" or "#2 MapPartitionsRDD map at app.py:14".
  std::string NameOf(size_t subject) const;
  /// Where it belongs: "query 3 (collect at app.py:20)" or "stage 4, written to shuffle 1".
  std::string PlaceOf(size_t subject) const;
  /// Lines "#0: ParallelCollectionRDD makeRDD at …" of the RDDs that the subject's last stage
  /// computes in one go; empty for operators.
  std::vector<std::string> RddsOf(size_t subject) const;
  /// Whether Spark itself takes an RDD to give other rows each time.
  bool Indeterminate(size_t subject) const;
  bool ReadsShuffle(int32_t stage) const;

  /// nullptr where the lineage does not tell of the operator.
  const OperatorNode* NodeOf(size_t subject) const;
  const QueryTree* TreeOf(const std::string& query) const;
  std::optional<size_t> Operator(const std::string& query, int64_t lore_id) const;
  /// Stages in whose tasks the subject was checksummed.
  const std::set<int32_t>& StagesOf(size_t subject) const { return stages_[subject]; }
  /// Partitions of a stage of which a task ended with success, sorted.
  const std::vector<int32_t>& EndedIn(int32_t stage) const;

 private:
  using Seen = std::set<std::pair<std::string, int64_t>>;  // operators by query and LORE id

  void AddOperatorInputs(const std::string& query, int64_t lore_id,
                         const std::function<bool(size_t)>& recorded, Seen* seen,
                         LedgerInputs* inputs) const;
  /// The operator, or what is recorded below it.
  void AddOperator(const std::string& query, int64_t lore_id,
                   const std::function<bool(size_t)>& recorded, Seen* seen,
                   LedgerInputs* inputs) const;
  void AddCached(const std::string& query, const std::function<bool(size_t)>& recorded, Seen* seen,
                 LedgerInputs* inputs) const;
  bool IsCached(const std::string& query) const;
  void AddLeafInputs(size_t subject, const OperatorNode& node,
                     const std::function<bool(size_t)>& recorded, LedgerInputs* inputs) const;
  void AddShuffles(int32_t stage, const std::function<bool(size_t)>& recorded,
                   LedgerInputs* inputs) const;
  void AddTopOperators(int32_t stage, const std::function<bool(size_t)>& recorded,
                       LedgerInputs* inputs) const;

  const Ledger& ledger_;
  std::map<std::string, QueryTree> trees_;
  std::map<std::pair<std::string, int64_t>, size_t> operators_;
  std::map<int64_t, std::vector<size_t>> shuffles_;  // by RDD
  std::vector<std::set<int32_t>> stages_;
  std::map<int32_t, std::vector<size_t>> operators_in_;
  std::map<int32_t, std::vector<int32_t>> ended_;
};

}  // namespace reprise
