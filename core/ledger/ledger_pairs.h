// What of one run is what of another.
//
//   queries     in the order in which they ran: by the fingerprint of the root, those that gave the
//               same first; then, of those left over, by description and operators; then by
//               operators alone; then by description
//   operators   of a pair of queries: by LORE id where fingerprint or occurrence fit; then by
//               fingerprint, then by occurrence
//   RDDs        by what they are made of, and where in the program, those that gave the same first;
//               ids do not count
#pragma once

#include <utility>
#include <vector>

#include "ledger/ledger.h"

namespace reprise {

class LedgerGraph;

struct LedgerPairs {
  std::vector<std::pair<std::string, std::string>> queries;  ///< tokens
  std::vector<std::pair<size_t, size_t>> subjects;
  std::vector<size_t> left_only;  ///< subjects of the left run
  std::vector<size_t> right_only;
};

LedgerPairs PairLedgers(const LedgerGraph& left, const LedgerGraph& right);

}  // namespace reprise
