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

/// Of the first name that no column of the plan has, or of what fills a cache that it reads; empty:
/// all fit. It is no error, since the masks hold for every query of the session, but nothing may be
/// recorded: what the user wants hidden would be left in clear.
std::string WhyMasksUnfit(const nlohmann::json& masks, const PlanDocument& plan);

}  // namespace reprise
