// What a ledger's stages ran for.
//
// A stage of "sortByKey at app.py:14" that no shuffle reads has looked at keys, so as to divide
// them into ranges: what it saw is no result.
#pragma once

#include <string>

#include "ledger/ledger.h"

namespace reprise {

class LedgerGraph;

/// The method, as "sortByKey", for whose partitioner alone a result was read; empty for all others.
/// Spark samples for it by the numbers of partitions, and in the order in which records come.
std::string LookedAtFor(const LedgerGraph& graph, size_t subject);

/// Cached RDDs that the stage of a result or a shuffle computes, or finds: its own one too.
std::vector<int64_t> CachedRddsOf(const LedgerGraph& graph, size_t subject);

/// Whether the RDDs that the stage's line has made, the sorted ones too, have other numbers of
/// partitions in the other run.
bool DividedOtherwise(const LedgerGraph& left, size_t subject, const LedgerGraph& right,
                      size_t other);

}  // namespace reprise
