#include "base/plugin_settings.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/config.h"
#include "base/task_settings.h"

namespace reprise {

namespace {

bool IsSet(const ConfigMap& settings, TextKey key) {
  return settings.contains(std::string(key.entry().key));
}

bool IsSetOrAlias(const ConfigMap& settings, BooleanKey key) {
  return settings.contains(std::string(key.entry().key)) ||
         settings.contains(std::string(key.entry().alias));
}

/// The folder to record lineage to; empty: it is not recorded. Where the path is set by its alias,
/// the default of whether is off.
Result<std::string> LineageFolder(const ConfigMap& settings, const Config& config) {
  const std::string folder(config.text("spark.reprise.lineage.path"));
  if (!IsSetOrAlias(settings, "spark.reprise.lineage.enabled")) {
    return IsSet(settings, "spark.reprise.lineage.path") ? folder : "";
  }
  if (!config.boolean("spark.reprise.lineage.enabled")) return "";
  if (!folder.empty()) return folder;
  return Status::Invalid(
      "lineage is to be recorded, but spark.reprise.lineage.path names no folder");
}

bool NamesProfileKey(const ConfigEntry& entry, std::string_view key) {
  return entry.key.starts_with(kProfilePrefix) && (key == entry.key || key == entry.alias);
}

bool HasProfileKeys(const ConfigMap& settings) {
  return std::ranges::any_of(settings, [](const auto& set) {
    return set.first.starts_with(kProfilePrefix) ||
           std::ranges::any_of(ConfigTable(), [&](const ConfigEntry& entry) {
             return NamesProfileKey(entry, set.first);
           });
  });
}

bool Switch(const ConfigMap& settings, BooleanKey key) {
  const auto value = CheckedValue(key.entry(), settings);
  return (value.ok() ? std::string_view(*value) : key.entry().default_value) == "true";
}

}  // namespace

Result<std::string> ApplicationSettings(std::string_view conf_json) {
  ARROW_ASSIGN_OR_RAISE(const ConfigMap settings, ConfigMapFromText(conf_json));
  ARROW_ASSIGN_OR_RAISE(const Config config, ParseConfig(settings));
  RETURN_NOT_OK(TaskSettings::OfSession(settings));
  nlohmann::json answer = {{"hasProfileKeys", HasProfileKeys(settings)}};
  ARROW_ASSIGN_OR_RAISE(const std::string lineage, LineageFolder(settings, config));
  if (!lineage.empty()) answer["lineage"] = lineage;
  if (const std::string_view path = config.text("spark.reprise.ledger.path"); !path.empty()) {
    answer["ledger"] = {{"path", path},
                        {"operators", config.text("spark.reprise.ledger.operators")}};
  }
  return answer.dump();
}

Result<std::string> SwitchSettings(std::string_view conf_json) {
  ARROW_ASSIGN_OR_RAISE(const ConfigMap settings, ConfigMapFromText(conf_json));
  return nlohmann::json{{"isEnabled", Switch(settings, "spark.reprise.sql.enabled")},
                        {"isTagging", Switch(settings, "spark.reprise.lore.tag.enabled")},
                        {"isSummed", Switch(settings, "spark.reprise.ledger.enabled")}}
      .dump();
}

Result<std::string> FragmentSettings(std::string_view conf_json) {
  ARROW_ASSIGN_OR_RAISE(const ConfigMap settings, ConfigMapFromText(conf_json));
  ARROW_ASSIGN_OR_RAISE(const TaskSettings task, TaskSettings::OfSession(settings));
  constexpr BooleanKey kChecksOrder = "spark.reprise.order.debug";
  ARROW_ASSIGN_OR_RAISE(const std::string order, CheckedValue(kChecksOrder.entry(), settings));
  return nlohmann::json{{"settings", task.ToJson()}, {"checksOrder", order == "true"}}.dump();
}

}  // namespace reprise
