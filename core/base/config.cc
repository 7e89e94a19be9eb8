#include "base/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <ranges>
#include <vector>

#include "base/check.h"
#include "base/local_path.h"
#include "base/nearest_name.h"
#include "base/trace_file.h"

namespace reprise {

namespace {

constexpr std::string_view kPrefix = "spark.reprise.";
constexpr const char* kTracePath = "spark.reprise.trace.path";

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

Status CheckKnown(const ConfigMap& settings) {
  for (const auto& [key, value] : settings) {
    if (!key.starts_with(kPrefix)) continue;
    const auto known = std::ranges::find(ConfigTable(), key, &ConfigEntry::key);
    if (known != ConfigTable().end()) continue;
    const auto keys = ConfigTable() | std::views::transform(&ConfigEntry::key);
    return Status::Invalid("unknown configuration key ", key, ", did you mean ",
                           NearestName(key, keys), "?");
  }
  return Status::OK();
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

Result<std::string> ValueOf(const ConfigEntry& entry, const ConfigMap& settings) {
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

ExplainMode ExplainModeOf(std::string_view value) {
  if (value == "ALL") return ExplainMode::kAll;
  return value == "NOT_NATIVE" ? ExplainMode::kNotNative : ExplainMode::kNone;
}

std::string_view TypeName(ConfigType type) {
  switch (type) {
    case ConfigType::kBoolean:
      return "boolean";
    case ConfigType::kInteger:
      return "integer";
    case ConfigType::kString:
      return "string";
    case ConfigType::kChoice:
      return "choice";
  }
  return "";
}

/// Checks spark.reprise.lore.when: "always", "failure" or "slow:3x".
Result<bool> KeepsBack(std::string_view when) {
  if (when == "always") return false;
  if (when == "failure") return true;
  constexpr std::string_view kSlow = "slow:";
  if (when.starts_with(kSlow) && when.ends_with('x')) {
    const char* end = when.data() + when.size() - 1;
    double factor = 0;
    const auto [last, error] = std::from_chars(when.data() + kSlow.size(), end, factor);
    if (error == std::errc() && last == end && factor >= 1 && factor < 1e6) return true;
  }
  return Status::Invalid("spark.reprise.lore.when: \"", when,
                         "\" is none of always, failure, and slow:Nx with N at least 1, such as "
                         "slow:3x");
}

}  // namespace

std::string_view Config::spark(SparkKey key, std::string_view otherwise) const {
  const auto found = values.find(std::string(key.text()));
  return found == values.end() ? otherwise : std::string_view(found->second);
}

bool Config::spark_boolean(SparkKey key, bool otherwise) const {
  return EqualIgnoringCase(Trimmed(spark(key, otherwise ? "true" : "false")), "true");
}

Result<Config> ParseConfig(const ConfigMap& settings) {
  RETURN_NOT_OK(CheckKnown(settings));
  Config config;
  config.values = settings;
  for (const ConfigEntry& entry : ConfigTable()) {
    ARROW_ASSIGN_OR_RAISE(config.values[std::string(entry.key)], ValueOf(entry, settings));
  }
  const auto value = [&](const char* key) -> const std::string& {
    const auto found = config.values.find(key);
    REPRISE_CHECK(found != config.values.end(), "no key {} in the table", key);
    return found->second;
  };
  config.sql_enabled = value("spark.reprise.sql.enabled") == "true";
  config.explain_only = value("spark.reprise.sql.mode") == "explainOnly";
  config.explain = ExplainModeOf(value("spark.reprise.sql.explain"));
  config.batch_rows = std::stoll(value("spark.reprise.sql.batchRows"));
  config.lore_tag_enabled = value("spark.reprise.lore.tag.enabled") == "true";
  config.lore_ids_to_dump = value("spark.reprise.lore.idsToDump");
  config.lore_dump_path = value("spark.reprise.lore.dumpPath");
  config.lore_per_query = value("spark.reprise.lore.perQuery") == "true";
  config.lore_output_enabled = value("spark.reprise.lore.output.enabled") == "true";
  config.lore_leaf_data_enabled = value("spark.reprise.lore.withData") == "true";
  config.lore_max_rows = std::stoll(value("spark.reprise.lore.maxRows"));
  config.lore_max_bytes = std::stoll(value("spark.reprise.lore.maxBytes"));
  ARROW_ASSIGN_OR_RAISE(config.lore_keeps_back, KeepsBack(value("spark.reprise.lore.when")));
  config.lore_ring_bytes = std::stoll(value("spark.reprise.lore.ringBytes"));
  config.lore_mask = value("spark.reprise.lore.mask");
  config.ledger_enabled = value("spark.reprise.ledger.enabled") == "true";
  config.ledger_of_all = value("spark.reprise.ledger.operators") == "all";
  if (!value(kTracePath).empty()) {
    ARROW_ASSIGN_OR_RAISE(config.trace_path, LocalPath(kTracePath, value(kTracePath)));
    config.values[kTracePath] = config.trace_path;
  }
  return config;
}

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

Result<std::string> CheckConf(std::string_view conf_json) {
  const auto json_conf = nlohmann::json::parse(conf_json, nullptr, /*allow_exceptions=*/false);
  ARROW_ASSIGN_OR_RAISE(const auto settings, ConfigMapFromJson(json_conf));
  ARROW_ASSIGN_OR_RAISE(const auto config, ParseConfig(settings));
  if (!config.trace_path.empty()) {
    const Status prepared = PrepareTraceDirectory(config.trace_path);
    if (!prepared.ok()) return Status::Invalid(kTracePath, ": ", prepared.message());
  }
  auto json = nlohmann::json::object();
  for (const ConfigEntry& entry : ConfigTable()) {
    const std::string& value = config.values.at(std::string(entry.key));
    if (!value.empty()) json[std::string(entry.key)] = value;
  }
  return json.dump();
}

std::string CatalogueJson() {
  auto catalogue = nlohmann::json::array();
  for (const ConfigEntry& entry : ConfigTable()) {
    nlohmann::json item = {{"key", entry.key},
                           {"type", TypeName(entry.type)},
                           {"default", entry.default_value},
                           {"doc", entry.doc}};
    if (!entry.alias.empty()) item["alias"] = entry.alias;
    if (!entry.choices.empty()) {
      item["choices"] = std::vector<std::string>(entry.choices.begin(), entry.choices.end());
    }
    catalogue.push_back(std::move(item));
  }
  return catalogue.dump();
}

std::string ConfigMarkdown() {
  std::string page =
      "# Configuration\n\n"
      "Generated from the table in `core/base/config_table.cc` by `reprise config --markdown`.\n\n"
      "An alias has the meaning of the key beside it. A key and its alias may both be set only to "
      "the "
      "same value.\nAn unknown `spark.reprise.*` key is an error.\n\n"
      "| key | type | default | meaning | alias |\n|---|---|---|---|---|\n";
  for (const ConfigEntry& entry : ConfigTable()) {
    std::string type(TypeName(entry.type));
    if (!entry.choices.empty()) type = fmt::format("`{}`", fmt::join(entry.choices, "`, `"));
    std::string alias = entry.alias.empty() ? "" : fmt::format("`{}`", entry.alias);
    for (const ConfigValueAlias& value : entry.alias_values) {
      alias += fmt::format(" (`{}` = `{}`)", value.from, value.to);
    }
    const std::string default_value =
        entry.default_value.empty() ? "not set" : fmt::format("`{}`", entry.default_value);
    page += fmt::format("| `{}` | {} | {} | {} | {} |\n", entry.key, type, default_value, entry.doc,
                        alias);
  }
  return page;
}

}  // namespace reprise
