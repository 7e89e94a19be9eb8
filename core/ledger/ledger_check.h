// What a run computed more than once: retries of tasks and stages, speculative tasks, and later
// jobs that computed the same again. All of it should have given the same.
//
// An RDD is compared across all that read it, whether shuffles or actions: one that is not cached,
// or was evicted, is computed for each of them.
#pragma once

#include <string>
#include <vector>

#include "ledger/ledger.h"

namespace reprise {

class LedgerGraph;

/// How checksums of the same thing relate, from alike to unlike.
enum class Agreement {
  kEqual,
  kOrder,         ///< the same rows in another order
  kDistribution,  ///< the same rows in total, in other partitions
  kValues,        ///< other rows
  kUnknown        ///< nothing could be compared
};
std::string_view NameOf(Agreement agreement);

/// Where a difference comes from.
enum class Origin {
  kDeparts,       ///< its inputs agree: it is made here
  kInputUnknown,  ///< its inputs were not recorded
  kInherits       ///< an input of it differs already
};
std::string_view NameOf(Origin origin);

/// A partition that was computed more than once, not always alike.
struct CheckedPartition {
  int32_t partition = -1;
  Agreement agreement = Agreement::kEqual;
  Origin origin = Origin::kInherits;
  bool of_value = false;  ///< the rows agree, but not what the action made of them
  std::vector<const LedgerChecksums*> attempts;
  std::vector<size_t> subjects;  ///< for each attempt, whose checksums these are
  std::vector<size_t> versions;  ///< for each attempt, which result it had: 0, 1, …
  std::vector<size_t> columns;   ///< that differ
};

struct CheckedSubject {
  size_t subject = 0;
  std::vector<size_t> readers;  ///< of an RDD: all subjects that are its records, the first one too
  Agreement agreement = Agreement::kEqual;  ///< the worst of its partitions
  Origin origin = Origin::kInherits;        ///< kDeparts where some partition of that kind does
  std::vector<CheckedPartition> partitions;
  std::vector<std::string> columns;  ///< names of those that differ
  std::vector<std::string> between;  ///< operators below it that were not recorded
  size_t inputs = 0;                 ///< that were recorded
};

struct LedgerCheck {
  int64_t subjects = 0;
  int64_t subjects_repeated = 0;    ///< computed more than once, and compared
  int64_t partitions_repeated = 0;  ///< of them
  /// Computed more than once, where not all of it could be compared: without checksums, or not read
  /// to the end.
  int64_t partitions_uncompared = 0;
  std::string uncompared_reason;  ///< of the first that had no checksums
  /// Those that depart first, then by stage.
  std::vector<CheckedSubject> differences;

  /// Values differ, or an operator or RDD gave the same input in another order. Rows come from a
  /// shuffle in any order: what is behind it may follow that.
  bool Differs() const;
};

LedgerCheck CheckLedger(const LedgerGraph& graph);

/// Names of columns by their indexes; "number 3" where the ledger has none.
std::vector<std::string> ColumnNames(const LedgerSubject& subject, const std::vector<size_t>& at);
/// Indexes of the columns whose checksums differ; none where they can't be compared.
std::vector<size_t> DifferentColumns(std::span<const uint64_t> left,
                                     std::span<const uint64_t> right);

}  // namespace reprise
