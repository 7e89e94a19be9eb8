#include "base/plugin_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/config.h"
#include "base/local_path.h"
#include "base/task_settings.h"

namespace reprise {

namespace {

/// The name by which a key is set: its own or its alias; empty where it is not set.
std::string_view NameOfSet(const ConfigMap& settings, const ConfigEntry& entry) {
  for (const std::string_view name : {entry.key, entry.alias}) {
    if (!name.empty() && settings.contains(std::string(name))) return name;
  }
  return "";
}

/// Where lineage is recorded, {"path","key","overwritesFile","keepsResults"}; null: it is not. The
/// alias of the path comes with another default, off, and with leave to overwrite a file.
Result<nlohmann::json> LineageTarget(const ConfigMap& settings, const Config& config) {
  constexpr TextKey kPath = "spark.reprise.lineage.path";
  constexpr BooleanKey kEnabled = "spark.reprise.lineage.enabled";
  const std::string_view path = NameOfSet(settings, kPath.entry());
  const std::string_view enabled = NameOfSet(settings, kEnabled.entry());
  const bool by_alias = path == kPath.entry().alias;
  const bool is_wanted = enabled.empty() ? !by_alias : config.boolean(kEnabled);
  if (!is_wanted) return nullptr;
  const std::string_view folder = config.text(kPath);
  if (!folder.empty())
    return nlohmann::json{{"path", folder},
                          {"key", path},
                          {"overwritesFile", by_alias},
                          {"keepsResults", config.boolean("spark.reprise.lineage.results")}};
  if (enabled.empty()) return nullptr;
  const bool by_aliases = by_alias || (path.empty() && enabled == kEnabled.entry().alias);
  const std::string_view missing = by_aliases ? kPath.entry().alias : kPath.entry().key;
  return Status::Invalid(enabled, " is true, but ", missing,
                         " names no folder to record lineage to: set ", missing, ", or ", enabled,
                         "=false");
}

/// Where spans are sent; "": nowhere.
Result<std::string> SpansAddress(const Config& config) {
  constexpr TextKey kEndpoint = "spark.reprise.otlp.endpoint";
  std::string_view endpoint = config.text(kEndpoint);
  if (endpoint.empty()) return "";
  const size_t scheme = endpoint.starts_with("https://")  ? 8
                        : endpoint.starts_with("http://") ? 7
                                                          : std::string_view::npos;
  const bool is_server = scheme < endpoint.size() && endpoint[scheme] != '/' &&
                         endpoint[scheme] != ':' &&
                         endpoint.find_first_of(" \t?#@") == std::string_view::npos;
  if (!is_server) {
    return Status::Invalid(kEndpoint.entry().key, ": expected http://HOST:PORT of a server of ",
                           "OpenTelemetry's protocol, got ", endpoint);
  }
  while (endpoint.ends_with('/')) endpoint.remove_suffix(1);
  constexpr std::string_view kTraces = "/v1/traces";
  return fmt::format("{}{}", endpoint, endpoint.ends_with(kTraces) ? "" : kTraces);
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

std::string Text(const ConfigMap& settings, TextKey key) {
  return CheckedValue(key.entry(), settings).ValueOr("");
}

/// What the choices of operators and all that belongs to them are set to; empty: none is chosen.
std::string Chosen(const ConfigMap& settings) {
  constexpr TextKey kIds = "spark.reprise.lore.idsToDump";
  constexpr TextKey kAssert = "spark.reprise.assert";
  if (Text(settings, kIds).empty() && Text(settings, kAssert).empty()) return "";
  std::string chosen;
  for (const ConfigEntry& entry : ConfigTable()) {
    const bool matters =
        entry.key.starts_with("spark.reprise.lore.") || entry.key == kAssert.entry().key;
    if (!matters) continue;
    const std::string_view name = NameOfSet(settings, entry);
    if (!name.empty()) chosen += fmt::format("{}={}\n", name, settings.at(std::string(name)));
  }
  return chosen;
}

/// Where traces go, where that is no local directory; "": to none.
std::string RemoteTraces(const TaskSettings& task) {
  const std::string_view directory = task.text("spark.reprise.trace.path");
  return IsLocalPath(directory) ? "" : std::string(directory);
}

/// The names of the keys that a session cannot change any more.
std::vector<std::string_view> NamesReadAtStart() {
  std::vector<std::string_view> names;
  for (const ConfigEntry& entry : ConfigTable()) {
    if (!entry.at_start) continue;
    names.push_back(entry.key);
    if (!entry.alias.empty()) names.push_back(entry.alias);
  }
  return names;
}

}  // namespace

Result<std::string> ApplicationSettings(std::string_view conf_json) {
  ARROW_ASSIGN_OR_RAISE(const ConfigMap settings, ConfigMapFromText(conf_json));
  ARROW_ASSIGN_OR_RAISE(const Config config, ParseConfig(settings));
  ARROW_ASSIGN_OR_RAISE(const TaskSettings task, TaskSettings::OfSession(settings));
  nlohmann::json answer = {{"hasProfileKeys", HasProfileKeys(settings)},
                           {"hasTab", config.boolean("spark.reprise.ui.enabled")},
                           {"readAtStart", NamesReadAtStart()}};
  ARROW_ASSIGN_OR_RAISE(nlohmann::json lineage, LineageTarget(settings, config));
  if (!lineage.is_null()) answer["lineage"] = std::move(lineage);
  if (const std::string_view path = config.text("spark.reprise.ledger.path"); !path.empty()) {
    answer["ledger"] = {{"path", path},
                        {"operators", config.text("spark.reprise.ledger.operators")}};
  }
  if (const std::string_view path = config.text("spark.reprise.memory.reportPath"); !path.empty()) {
    answer["memoryReports"] = path;
  }
  ARROW_ASSIGN_OR_RAISE(const std::string spans, SpansAddress(config));
  if (!spans.empty()) answer["spans"] = spans;
  if (std::string traces = RemoteTraces(task); !traces.empty()) answer["traces"] = traces;
  return answer.dump();
}

Result<std::string> SwitchSettings(std::string_view conf_json) {
  ARROW_ASSIGN_OR_RAISE(const ConfigMap settings, ConfigMapFromText(conf_json));
  return nlohmann::json{{"isEnabled", Switch(settings, "spark.reprise.sql.enabled")},
                        {"isTagging", Switch(settings, "spark.reprise.lore.tag.enabled")},
                        {"isChecksummed", Switch(settings, "spark.reprise.ledger.enabled")},
                        {"isMasked", !Text(settings, "spark.reprise.lore.mask").empty()},
                        {"isOnce", Switch(settings, "spark.reprise.lore.once")},
                        {"chosen", Chosen(settings)}}
      .dump();
}

Result<std::string> FragmentSettings(std::string_view conf_json) {
  ARROW_ASSIGN_OR_RAISE(const ConfigMap settings, ConfigMapFromText(conf_json));
  ARROW_ASSIGN_OR_RAISE(const TaskSettings task, TaskSettings::OfSession(settings));
  constexpr BooleanKey kChecksOrder = "spark.reprise.order.debug";
  ARROW_ASSIGN_OR_RAISE(const std::string order, CheckedValue(kChecksOrder.entry(), settings));
  nlohmann::json answer = {{"settings", task.ToJson()}, {"checksOrder", order == "true"}};
  if (std::string traces = RemoteTraces(task); !traces.empty()) answer["traces"] = traces;
  return answer.dump();
}

}  // namespace reprise
