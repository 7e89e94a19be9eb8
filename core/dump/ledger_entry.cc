#include "dump/ledger_entry.h"

#include "checksums/digest.h"

namespace reprise {

nlohmann::json LedgerEntry(std::string_view query, const ChecksummedOutput& output) {
  const RowChecksums& checksums = output.checksummer.checksums();
  nlohmann::json columns = nlohmann::json::array();
  for (const uint64_t column : checksums.columns) columns.push_back(Hex(column));
  return {{"of", "operator"},
          {"query", query},
          {"loreId", output.lore_id},
          {"rows", checksums.rows},
          {"ordered", Hex(checksums.ordered)},
          {"unordered", Hex(checksums.unordered)},
          {"columns", std::move(columns)},
          {"complete", output.complete}};
}

nlohmann::json LedgerEntries(std::string_view query,
                             const std::vector<const Operator*>& operators) {
  nlohmann::json entries = nlohmann::json::array();
  for (const Operator* op : operators) {
    if (op->checksummed() != nullptr) entries.push_back(LedgerEntry(query, *op->checksummed()));
  }
  return entries;
}

}  // namespace reprise
