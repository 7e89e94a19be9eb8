#include "rules/plan_zones.h"

namespace reprise {

namespace {

using Json = nlohmann::json;
using ValueKind = PlanValue::Kind;

/// Integers, and lists of them, as JSON; nothing for anything else.
std::optional<Json> Numbers(const PlanValue* value) {
  if (value == nullptr) return std::nullopt;
  if (value->is(ValueKind::kInteger)) return Json(value->integer);
  if (!value->is(ValueKind::kList)) return std::nullopt;
  Json list = Json::array();
  for (const PlanValue& item : value->items) {
    auto number = Numbers(&item);
    if (!number) return std::nullopt;
    list.push_back(std::move(*number));
  }
  return list;
}

}  // namespace

std::optional<Json> ZoneOf(const PlanObject& holder) {
  const PlanValue* rules = holder.argument("zoneRules");
  if (rules == nullptr || rules->object == nullptr) return std::nullopt;
  Json zone = Json::object();
  for (const char* name : {"offset", "transitions", "yearly"}) {
    auto numbers = Numbers(rules->object->argument(name));
    if (!numbers) return std::nullopt;
    zone[name] = std::move(*numbers);
  }
  const bool utc = zone["offset"] == 0 && zone["transitions"].empty() && zone["yearly"].empty();
  if (utc) return Json();
  const PlanValue* id = holder.argument("timeZoneId");
  if (id != nullptr && id->is(ValueKind::kString)) zone["id"] = id->text;
  return zone;
}

}  // namespace reprise
