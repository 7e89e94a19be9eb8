// Two runs of an application, walked together: the first operator or RDD whose inputs agree and
// whose output does not.
//
// Compared is what counts in the end: of each partition the last successful attempt of the last
// stage. Where both runs have as many partitions they are compared one by one, else their totals.
#pragma once

#include <string>
#include <vector>

#include "ledger/ledger.h"
#include "ledger/ledger_check.h"
#include "ledger/ledger_pairs.h"

namespace reprise {

class LedgerGraph;

/// An operator or RDD of both runs.
struct ComparedPair {
  size_t left = 0;  ///< subject
  size_t right = 0;
  Agreement agreement = Agreement::kUnknown;
  std::string unknown;    ///< why nothing could be compared
  bool in_total = false;  ///< totals were compared: the runs have other numbers of partitions
  int64_t partitions_uncompared = 0;
  std::vector<int32_t> partitions;  ///< that differ; empty where totals do
  std::vector<size_t> columns;      ///< that differ
  int64_t left_rows = 0;            ///< of all partitions that were compared
  int64_t right_rows = 0;
  std::vector<size_t> inputs;        ///< indexes of pairs
  std::vector<std::string> between;  ///< operators below it that one of the runs did not record
  bool inputs_known = true;
  Origin origin = Origin::kInherits;  ///< where it differs
  bool absorbed = false;              ///< what reads it agrees again, or what comes of that does
  bool input_distributed = false;     ///< an input has its rows in other partitions
  bool input_reordered = false;       ///< an input has its rows in another order
  /// Of an RDD, which gives what it has put together for each partition of a shuffle: what reads it
  /// has the same rows in other partitions.
  bool reader_distributed = false;
  /// The method for whose partitioner alone it was read, as "sortByKey"; empty of all others.
  std::string looked_at_for;
  /// A cached RDD of the left run that others which depart compute, or find, too; else -1. It is
  /// likelier to make the difference than all of them.
  int64_t cached = -1;
  /// Rows in other partitions are why it differs; and it is absorbed, or was only looked at.
  bool explained = false;

  bool IsLook() const { return !looked_at_for.empty(); }
};

struct LedgerDiff {
  LedgerPairs matched;
  std::vector<ComparedPair> pairs;  ///< as matched.subjects
  std::vector<size_t> differences;  ///< indexes of pairs of other values: those that depart first
  std::vector<size_t> orders;       ///< of those with the same rows in another order
  int64_t compared = 0;             ///< pairs of which something was compared

  /// Values differ, and not only as another distribution of an input explains.
  bool Differs() const;
};

LedgerDiff DiffLedgers(const LedgerGraph& left, const LedgerGraph& right);

}  // namespace reprise
