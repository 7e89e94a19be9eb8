// The values of configuration keys, checked against the rows of the table.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/config_table.h"
#include "base/status.h"

namespace reprise {

using ConfigMap = std::map<std::string, std::string>;

/// A flat JSON object of strings; numbers and booleans are taken as their text. Status::Invalid
/// names what is wrong.
Result<ConfigMap> ConfigMapFromJson(const nlohmann::json& conf);
Result<ConfigMap> ConfigMapFromText(std::string_view conf_json);

/// What is set for a key, by its name or its alias, as the table writes it; its default where
/// nothing is. Status::Invalid for a value that is not of the key's type, and for a key and its
/// alias that are set to different values.
Result<std::string> CheckedValue(const ConfigEntry& entry, const ConfigMap& settings);

/// The value of a key among those that CheckedValue gave; its default where it is not among them.
std::string_view ValueIn(const ConfigMap& checked, const ConfigEntry& entry);
inline bool BooleanIn(const ConfigMap& checked, const ConfigEntry& entry) {
  return ValueIn(checked, entry) == "true";
}
int64_t IntegerIn(const ConfigMap& checked, const ConfigEntry& entry);

/// Without regard to case, and to spaces around `text`.
bool SaysTrue(std::string_view text);

}  // namespace reprise
