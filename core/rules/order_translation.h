// Spark's SortOrder as specs have it.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "rules/operator_translation.h"

namespace reprise {

/// The orders as {"expression":EXPR,"ascending":true,"nullsFirst":true} each, over the child's
/// output. What has no native form is refused in the translation, and is missing here.
nlohmann::json OrderJson(OperatorTranslation* translation, std::span<const PlanValue> orders);

/// One SortOrder, or nothing after it has been refused.
std::optional<nlohmann::json> OrderJson(OperatorTranslation* translation, const PlanValue& order);

}  // namespace reprise
