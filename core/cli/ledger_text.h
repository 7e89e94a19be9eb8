// What comparing ledgers has found, as sentences.
#pragma once

#include <string>

#include "ledger/ledger.h"
#include "ledger/ledger_diff.h"

namespace reprise {

class LedgerGraph;

/// "app (app-1, Spark 4.1.3): 12 operators and RDDs, 48 tasks", and what of it is missing.
std::string LedgerText(const Ledger& ledger);
/// `order` lists also what merely came in another order.
std::string CheckText(const LedgerGraph& graph, const LedgerCheck& check, bool order);
std::string DiffText(const LedgerGraph& left, const LedgerGraph& right, const LedgerDiff& diff,
                     bool order);
/// "Filter [loreId=5] of query 3 departs: its input agrees, …", and what was not recorded between.
std::string DepartsText(const LedgerGraph& left, const LedgerDiff& diff, const ComparedPair& pair);

}  // namespace reprise
