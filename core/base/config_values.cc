#include "base/config_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/local_path.h"

namespace reprise {

namespace {

bool EqualIgnoringCase(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right, [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  });
}

std::string_view Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// The value as the table writes it; `name` is the key that the user wrote.
Result<std::string> Normalised(const ConfigEntry& entry, std::string_view name,
                               std::string_view value, bool is_alias) {
  value = Trimmed(value);
  const auto fail = [&](std::string_view expected) {
    return Status::Invalid(name, " must be ", expected, ", found \"", value, "\"");
  };
  switch (entry.type) {
    case ConfigType::kString:
      return std::string(value);
    case ConfigType::kPath:
      return value.empty() ? std::string() : AbsolutePath(name, value);
    case ConfigType::kBoolean:
      if (EqualIgnoringCase(value, "true")) return "true";
      if (EqualIgnoringCase(value, "false")) return "false";
      return fail("true or false");
    case ConfigType::kInteger: {
      int64_t number = 0;
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
      if (error != std::errc() || end != value.data() + value.size() ||
          number < entry.integer_min || number > entry.integer_max) {
        return fail(fmt::format("an integer from {} to {}", entry.integer_min, entry.integer_max));
      }
      return std::to_string(number);
    }
    case ConfigType::kChoice:
      break;
  }
  for (const std::string_view choice : entry.choices) {
    if (EqualIgnoringCase(value, choice)) return std::string(choice);
  }
  for (const ConfigValueAlias& alias : entry.alias_values) {
    if (is_alias && EqualIgnoringCase(value, alias.from)) return std::string(alias.to);
  }
  return fail("one of " + fmt::format("{}", fmt::join(entry.choices, ", ")));
}

}  // namespace

Result<ConfigMap> ConfigMapFromJson(const nlohmann::json& conf) {
  if (conf.is_discarded()) return Status::Invalid("the configuration is not JSON");
  if (!conf.is_object()) {
    return Status::Invalid("the configuration must be a JSON object, found ", conf.type_name());
  }
  ConfigMap settings;
  for (const auto& [key, value] : conf.items()) {
    if (value.is_null()) continue;
    if (value.is_structured()) {
      return Status::Invalid("the configuration's ", key, " must be a string, found ",
                             value.type_name());
    }
    settings[key] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  return settings;
}

Result<ConfigMap> ConfigMapFromText(std::string_view conf_json) {
  return ConfigMapFromJson(nlohmann::json::parse(conf_json, nullptr, /*allow_exceptions=*/false));
}

Result<std::string> CheckedValue(const ConfigEntry& entry, const ConfigMap& settings) {
  const auto own = settings.find(std::string(entry.key));
  const auto alias = entry.alias.empty() ? settings.end() : settings.find(std::string(entry.alias));
  if (own == settings.end() && alias == settings.end()) return std::string(entry.default_value);
  if (alias == settings.end()) return Normalised(entry, entry.key, own->second, false);
  ARROW_ASSIGN_OR_RAISE(auto by_alias, Normalised(entry, entry.alias, alias->second, true));
  if (own == settings.end()) return by_alias;
  ARROW_ASSIGN_OR_RAISE(auto by_key, Normalised(entry, entry.key, own->second, false));
  if (by_key == by_alias) return by_key;
  return Status::Invalid(entry.key, " is \"", by_key, "\" but its alias ", entry.alias, " is \"",
                         by_alias, "\": set one of them only");
}

std::string_view ValueIn(const ConfigMap& checked, const ConfigEntry& entry) {
  const auto found = checked.find(std::string(entry.key));
  return found == checked.end() ? entry.default_value : std::string_view(found->second);
}

int64_t IntegerIn(const ConfigMap& checked, const ConfigEntry& entry) {
  return std::stoll(std::string(ValueIn(checked, entry)));
}

bool SaysTrue(std::string_view text) { return EqualIgnoringCase(Trimmed(text), "true"); }

}  // namespace reprise
