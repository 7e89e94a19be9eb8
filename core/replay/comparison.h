// Says whether replayed rows equal recorded ones, from their digests.
#pragma once

#include <string>
#include <vector>

#include "checksums/digest.h"
#include "dump/partition_meta.h"
#include "plan/data_type.h"

namespace reprise {

enum class Verdict {
  kEqual,        ///< the same rows in the same order
  kOtherOrder,   ///< the same rows in another order
  kDifferent,    ///< other rows
  kNotRecorded,  ///< nothing to compare with: the output was not recorded, or its record is not
                 ///< whole
};

std::string_view Name(Verdict verdict);

/// The comparison of one partition's output.
struct Comparison {
  Verdict verdict = Verdict::kNotRecorded;
  bool prefix =
      false;  ///< the record was stopped by its consumer: only its first rows are compared
  StreamDigest recorded;
  StreamDigest replayed;     ///< of the first recorded.rows rows where `prefix`, else of all
  std::vector<int> columns;  ///< that differ as multisets of values; may be empty in a kDifferent
  bool ordered = false;      ///< another order does not hold

  bool holds() const {
    return verdict != Verdict::kDifferent && !(ordered && verdict == Verdict::kOtherOrder);
  }
};

/// Compares. A stopped record is a prefix in order, so it is equal or different, never in another
/// order.
Comparison Compare(const PartitionMeta& recorded, const StreamDigest& replayed, bool ordered);

/// The names of the columns at these positions.
std::vector<std::string> ColumnNames(const std::vector<int>& columns,
                                     const std::vector<Field>& fields);

}  // namespace reprise
