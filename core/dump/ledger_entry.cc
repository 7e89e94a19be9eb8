#include "dump/ledger_entry.h"

#include "checksums/digest.h"

namespace reprise {

nlohmann::json LedgerEntry(std::string_view query, const SummedOutput& output) {
  const RowSums& sums = output.summer.sums();
  nlohmann::json columns = nlohmann::json::array();
  for (const uint64_t column : sums.columns) columns.push_back(Hex(column));
  return {{"of", "operator"},
          {"query", query},
          {"loreId", output.lore_id},
          {"rows", sums.rows},
          {"ordered", Hex(sums.ordered)},
          {"unordered", Hex(sums.unordered)},
          {"columns", std::move(columns)},
          {"complete", output.complete}};
}

nlohmann::json LedgerEntries(std::string_view query,
                             const std::vector<const Operator*>& operators) {
  nlohmann::json entries = nlohmann::json::array();
  for (const Operator* op : operators) {
    if (op->summed() != nullptr) entries.push_back(LedgerEntry(query, *op->summed()));
  }
  return entries;
}

}  // namespace reprise
