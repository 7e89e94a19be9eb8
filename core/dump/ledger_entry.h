// The ledger's entries, as text.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "operators/operator.h"

namespace reprise {

/// An entry of docs/internals/ledger-format.md about an operator's output:
///   {"of":"operator","query":"token","loreId":5,"rows":3,"ordered":"16 hex","unordered":"16 hex",
///    "columns":["16 hex"…],"complete":true}
nlohmann::json LedgerEntry(std::string_view query, const ChecksummedOutput& output);

/// Those of the operators of a fragment that are checksummed.
nlohmann::json LedgerEntries(std::string_view query, const std::vector<const Operator*>& operators);

}  // namespace reprise
