// Whose output the ledger checksums.
#pragma once

#include <string>
#include <string_view>

#include "rules/planning.h"

namespace reprise {

/// The member "ledger" of the answer for an operator that Spark runs and whose rows are checksummed
/// as it gives them: {"loreId":5,"columns":[FIELD…]}; empty where they are not. By default only
/// rows that leave a stage, or enter a native operator, are: between others Spark generates code
/// that a look at them would break up (spark.reprise.ledger.operators).
std::string LedgerText(const PlanOperator& subject, const Planning& planning);

/// Whether the output of a native operator, of that kind and with such arguments, is checksummed.
/// What gives the rows and columns that it reads, as an exchange does, is not.
bool IsChecksummedNatively(std::string_view kind, const nlohmann::json& arguments,
                           const PlanOperator& subject, const Planning& planning);

}  // namespace reprise
