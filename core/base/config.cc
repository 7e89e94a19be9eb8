#include "base/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ranges>
#include <vector>

#include "base/captured_tasks.h"
#include "base/nearest_name.h"

namespace reprise {

namespace {

constexpr std::string_view kPrefix = "spark.reprise.";

bool IsOfProfiles(std::string_view key) { return key.starts_with(kProfilePrefix); }

Status CheckKnown(const ConfigMap& settings, bool of_profiles) {
  for (const auto& [key, value] : settings) {
    if (!key.starts_with(kPrefix) || IsOfProfiles(key) != of_profiles) continue;
    const auto known = std::ranges::find(ConfigTable(), key, &ConfigEntry::key);
    if (known != ConfigTable().end()) continue;
    const auto keys = ConfigTable() | std::views::transform(&ConfigEntry::key);
    return Status::Invalid("unknown configuration key ", key, ", did you mean ",
                           NearestName(key, keys), "?");
  }
  return Status::OK();
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
    case ConfigType::kPath:
      return "path";
  }
  return "";
}

Result<Config> Parse(const ConfigMap& settings, bool of_profiles) {
  RETURN_NOT_OK(CheckKnown(settings, of_profiles));
  Config config;
  config.values = settings;
  for (const ConfigEntry& entry : ConfigTable()) {
    std::string value(entry.default_value);
    if (IsOfProfiles(entry.key) == of_profiles) {
      ARROW_ASSIGN_OR_RAISE(value, CheckedValue(entry, settings));
    }
    config.values[std::string(entry.key)] = std::move(value);
  }
  return config;
}

/// Under the name that it has elsewhere, the path of dumps comes with the rule that it has there:
/// one query dumps to it.
void DumpAsThePathsNameSays(const ConfigMap& settings, Config* config) {
  constexpr TextKey kPath = "spark.reprise.lore.dumpPath";
  constexpr BooleanKey kPerQuery = "spark.reprise.lore.perQuery";
  const auto is_set = [&](std::string_view key) { return settings.contains(std::string(key)); };
  if (is_set(kPerQuery.entry().key) || is_set(kPath.entry().key)) return;
  if (is_set(kPath.entry().alias)) config->values[std::string(kPerQuery.entry().key)] = "false";
}

}  // namespace

ExplainMode Config::explain() const {
  const std::string_view value = text("spark.reprise.sql.explain");
  if (value == "ALL") return ExplainMode::kAll;
  return value == "NOT_NATIVE" ? ExplainMode::kNotNative : ExplainMode::kNone;
}

std::string_view Config::spark(SparkKey key, std::string_view otherwise) const {
  const auto found = values.find(std::string(key.text()));
  return found == values.end() ? otherwise : std::string_view(found->second);
}

bool Config::spark_boolean(SparkKey key, bool otherwise) const {
  return SaysTrue(spark(key, otherwise ? "true" : "false"));
}

Result<Config> ParseConfig(const ConfigMap& settings) {
  ARROW_ASSIGN_OR_RAISE(Config config, Parse(settings, /*of_profiles=*/false));
  RETURN_NOT_OK(ParseCapturedTasks(config.text("spark.reprise.lore.when")));
  DumpAsThePathsNameSays(settings, &config);
  return config;
}

Result<Config> ParseProfileConfig(const ConfigMap& settings) {
  return Parse(settings, /*of_profiles=*/true);
}

std::string MeaningText(const ConfigEntry& entry) {
  return fmt::format("{}{}", entry.doc, entry.at_start ? " Read when the application starts." : "");
}

std::string CatalogueJson() {
  auto catalogue = nlohmann::json::array();
  for (const ConfigEntry& entry : ConfigTable()) {
    nlohmann::json item = {{"key", entry.key},
                           {"type", TypeName(entry.type)},
                           {"default", entry.default_value},
                           {"doc", MeaningText(entry)}};
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
      "Generated from the table in `core/base/config_table.h` by `reprise config --markdown`.\n\n"
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
    page += fmt::format("| `{}` | {} | {} | {} | {} |\n", entry.key, type, default_value,
                        MeaningText(entry), alias);
  }
  return page;
}

}  // namespace reprise
