// The masks that a user asks for.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/status.h"
#include "rules/operator_tree.h"

namespace reprise {

/// Parses spark.reprise.lore.mask, "c_name:hash, `odd,name`:null", to {"c_name":"hash",…}.
/// Status::Invalid says what is wrong and at which character. An empty text is an empty object.
Result<nlohmann::json> ParseMasks(std::string_view text);

/// Whether each mask can mask the columns of its name: Status::Invalid where one cannot.
Status CheckMasks(const nlohmann::json& masks, const OperatorTree& tree);

/// The first name that no column of the plan has; empty: all fit. Spark may plan a subquery before
/// the query that it stands in, so that this is an error only where something is recorded: what the
/// user wants hidden would be left in clear.
std::string WhyMasksUnfit(const nlohmann::json& masks, const OperatorTree& tree);

}  // namespace reprise
