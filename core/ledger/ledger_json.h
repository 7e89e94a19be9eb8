// Ledgers, and what comparing them has found, as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "ledger/ledger.h"
#include "ledger/ledger_diff.h"

namespace reprise {

class LedgerGraph;

/// Which ledger it is, and what of it is missing or could not be read.
nlohmann::json HeadJson(const Ledger& ledger);
nlohmann::json ToJson(const LedgerGraph& graph, const LedgerCheck& check);
nlohmann::json ToJson(const LedgerGraph& left, const LedgerGraph& right, const LedgerDiff& diff);

}  // namespace reprise
