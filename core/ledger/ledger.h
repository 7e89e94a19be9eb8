// The ledger of a run: checksums of what its operators and RDDs gave, partition by partition,
// attempt by attempt. The files are described in docs/internals/ledger-format.md.
//
//   subject   what was checksummed: an operator of a query, the records that an RDD gave to a
//   shuffle,
//             or those that an action read of one
//   checksums      of one subject in one task attempt
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "eventlog/load_log.h"

namespace reprise {

/// A task attempt that has ended, whichever way.
struct LedgerTask {
  int64_t id = -1;  ///< unique in the application
  int32_t stage = -1;
  int32_t stage_attempt = 0;
  int32_t partition = -1;
  int32_t attempt = 0;
  int32_t executor = 0;  ///< index into Ledger::executors
  bool success = false;
};

struct LedgerChecksums {
  uint32_t task = 0;  ///< index into Ledger::tasks
  uint32_t column_count = 0;
  size_t columns = 0;  ///< where its columns' checksums begin in Ledger::column_checksums
  int64_t rows = 0;
  uint64_t unordered = 0;  ///< does not depend on the order of the rows; adds up over partitions
  uint64_t ordered = 0;
  uint64_t value = 0;        ///< of what an action returned for the partition
  bool complete = false;     ///< all rows were read to the end
  bool has_ordered = false;  ///< false where several streams of one task were added up
  bool has_value = false;
};

enum class SubjectKind { kOperator, kShuffle, kResult };

struct LedgerSubject {
  SubjectKind kind = SubjectKind::kOperator;
  std::string query;    ///< token, of an operator
  int64_t lore_id = 0;  ///< of an operator
  int64_t shuffle = -1;
  int64_t rdd = -1;                        ///< whose records were checksummed
  std::vector<std::string> columns;        ///< names, of an operator; empty where not told
  std::vector<LedgerChecksums> checksums;  ///< by LedgerChecksums::task, at most one a task
  int64_t python_batches = 0;     ///< of the rows, batches of Python's values checksummed whole
  int64_t without_checksums = 0;  ///< task attempts in which nothing could be checksummed
  std::string reason;             ///< why, of the first of them
};

/// Whether a task of a subject has checksums that may be compared.
const LedgerChecksums* CompleteChecksumsIn(const LedgerSubject& subject, uint32_t task);

struct Ledger {
  std::string path;
  int64_t format = 0;  ///< checksums of different formats cannot be compared
  std::string reprise_version;
  std::string spark_version;
  std::string application;
  std::string application_id;
  bool all_operators = false;  ///< those that Spark runs were checksummed too
  std::vector<LedgerTask> tasks;
  std::vector<std::string> executors;
  std::vector<LedgerSubject> subjects;  ///< in the order in which they first ended
  std::vector<uint64_t> column_checksums;
  LogModel lineage;    ///< of `events`; empty where that could not be read
  LogDamages damages;  ///< of both files
  int64_t bytes = 0;   ///< of the checksums' file

  std::span<const uint64_t> ColumnsOf(const LedgerChecksums& checksums) const {
    return {column_checksums.data() + checksums.columns, checksums.column_count};
  }
  /// The last RDD of a stage; nullptr where the lineage does not tell of it.
  const Rdd* LastRddOf(int32_t stage) const;
  /// Partitions of what a stage computes; -1 where the lineage does not tell.
  int64_t PartitionsOf(int32_t stage) const;
  /// Stages that completed and of which some partitions have no task in the ledger.
  struct Gap {
    int64_t stage;
    int64_t partitions;  ///< without a successful task
    int64_t of;
  };
  std::vector<Gap> Gaps() const;
};

/// A folder's ledger: `path` itself, or the only folder in it that holds one. Status::Invalid where
/// there is none, or several, which it lists.
Result<std::string> FindLedger(const std::string& path);

/// Reads the ledger of one run. Damaged lines are skipped and reported. Status::Invalid where the
/// folder holds no ledger, or one of a newer format.
Result<Ledger> LoadLedger(const std::string& path);

}  // namespace reprise
