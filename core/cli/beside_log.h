// What an application has left beside its log, where that lies here: its ledger and the recordings
// of its flame graphs.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "ledger/ledger.h"
#include "report/report.h"

namespace reprise {

/// nullopt where it wrote none, or it is elsewhere. Errors are LoadLedger's.
Result<std::optional<Ledger>> LedgerOf(const Report& report);

/// What comparing all that the run computed more than once has found, or why it cannot be read:
/// {"text","differs":bool}; null where there is no ledger.
nlohmann::json LedgerJson(const Report& report);

/// Adds to the attempts of `stages`, as ReportJson has them, where the page of their slow tasks is
/// and what these do more than median tasks, in samples a task:
///   "slowTasks": {"page":"/flames/….html",
///                 "event"?,"tasks","slow","median","slowMs","medianMs",
///                 "more":[{"name","within","slow","median"}…]}
/// The second line only of the stages that took longest, and where recordings are small.
void AddSlowTasks(const Report& report, nlohmann::json* stages);

}  // namespace reprise
