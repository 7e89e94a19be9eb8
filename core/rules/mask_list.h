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

/// Whether the masks fit the query: each names a column of some operator, whose type it can mask. A
/// name that fits nothing would leave in clear what the user wants hidden: Status::Invalid.
Status CheckMasks(const nlohmann::json& masks, const OperatorTree& tree);

}  // namespace reprise
