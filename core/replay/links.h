// What an operator has given against what the next one has read, where both are dumped.
#pragma once

#include <string>
#include <vector>

#include "dump/reader.h"

namespace reprise {

/// An input of an operator, and the operator that gave it.
struct Link {
  enum class Verdict {
    kSame,         ///< the same rows, in whatever order
    kDiffers,      ///< other rows
    kNotCompared,  ///< `why` says it
  };
  const OperatorDump* reader = nullptr;
  int input = 0;
  const OperatorDump* giver = nullptr;
  Verdict verdict = Verdict::kNotCompared;
  int64_t rows_given = 0;
  int64_t rows_read = 0;
  std::string why;
};

/// The inputs of these operators that others of them gave, by the digests of their records: no row
/// is read. Compared is what is recorded of all partitions and up to its end; of rows that were
/// masked by shuffling, and of an exchange that skewed partitions read more than once, nothing can
/// be said.
std::vector<Link> LinksOf(const std::vector<OperatorDump>& operators);

}  // namespace reprise
