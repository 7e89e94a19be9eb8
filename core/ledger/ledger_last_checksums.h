// What counts of a subject in the end: the last successful attempt of each partition.
#pragma once

#include <map>
#include <set>
#include <string>

#include "ledger/ledger.h"

namespace reprise {

class LedgerGraph;

struct LastChecksums {
  int64_t partitions = -1;  ///< of the stages that computed it; -1 not known
  int32_t stage = -1;       ///< the last of them
  std::map<int32_t, const LedgerChecksums*> complete;  ///< by partition
  std::set<int32_t> incomplete;  ///< partitions with checksums that don't count
  std::set<int32_t> ended;       ///< partitions of which a task ended with success
  bool whole = false;            ///< nothing is missing: totals may be compared
};

LastChecksums LastChecksumsOf(const LedgerGraph& graph, size_t subject);

/// All partitions together. `column_checksums` holds the totals of the columns; empty where they
/// can't be told.
struct TotalChecksums {
  int64_t rows = 0;
  uint64_t unordered = 0;
  std::vector<uint64_t> column_checksums;
};
TotalChecksums TotalOf(const Ledger& ledger, const LastChecksums& last);

}  // namespace reprise
