// Time zones as a plan says them: their rules, as the JVM that planned knows them.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "plan/plan.h"

namespace reprise {

/// The zone of what has the argument "zoneRules", as expressions/zone_rules.h reads it; null JSON
/// for UTC. Nothing where the plan does not say it.
std::optional<nlohmann::json> ZoneOf(const PlanObject& holder);

}  // namespace reprise
