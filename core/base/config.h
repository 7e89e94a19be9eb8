// The configuration of Reprise: one literal table of keys, and the checks that Spark's settings go
// through.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "base/spark_settings.h"
#include "base/status.h"

namespace reprise {

enum class ConfigType { kBoolean, kInteger, kString, kChoice };

/// A value that an alias writes differently: "NOT_ON_GPU" stands for "NOT_NATIVE".
struct ConfigValueAlias {
  std::string_view from;
  std::string_view to;
};

/// One key. Choices are compared without regard to case and kept as the table writes them.
struct ConfigEntry {
  std::string_view key;
  ConfigType type;
  std::string_view default_value;  ///< "" for a string: not set
  std::string_view doc;
  std::string_view alias;  ///< another name of the key with the same meaning; "" where it has none
  std::span<const std::string_view> choices;
  std::span<const ConfigValueAlias> alias_values;
  int64_t integer_min = 0;
  int64_t integer_max = 0;
};

/// All keys, in the order in which the reference page shows them.
std::span<const ConfigEntry> ConfigTable();

enum class ExplainMode { kNone, kNotNative, kAll };

/// The settings of a session, checked.
struct Config {
  bool sql_enabled = true;
  bool explain_only = false;
  ExplainMode explain = ExplainMode::kNone;
  int64_t batch_rows = 32768;
  bool lore_tag_enabled = true;
  std::string lore_ids_to_dump;
  std::string lore_dump_path;
  bool lore_per_query = false;
  bool lore_output_enabled = true;
  bool lore_leaf_data_enabled = false;
  int64_t lore_max_rows = 0;     ///< of a partition of a stream; 0: no limit
  int64_t lore_max_bytes = 0;    ///< the same in bytes of batch files
  bool lore_keeps_back = false;  ///< tasks are dumped at their end, if at all (lore.when)
  int64_t lore_ring_bytes = 0;   ///< how much is kept of each until then
  std::string lore_mask;
  bool ledger_enabled = true;
  bool ledger_of_all = false;  ///< Spark's operators inside of stages are summed up, too
  std::string trace_path;      ///< a local path; empty: no trace
  /// Every key of the table with its value, by its own name; and every other key of the input as it
  /// was.
  std::map<std::string, std::string> values;

  /// The value of one of Spark's own settings as Spark reads it; `otherwise`, Spark's default,
  /// where the configuration is not a session's and does not have it.
  std::string_view spark(SparkKey key, std::string_view otherwise) const;
  /// The same for booleans; anything but "true" (in any case) is false.
  bool spark_boolean(SparkKey key, bool otherwise) const;
};

using ConfigMap = std::map<std::string, std::string>;

/// Reads the keys of the table and their aliases; other keys are kept in `values` unseen.
/// Status::Invalid for an unknown `spark.reprise.*` key (naming the nearest known one), for a value
/// that is not of the key's type, and for a key and its alias that are set to different values.
Result<Config> ParseConfig(const ConfigMap& settings);

/// A flat JSON object of strings; numbers and booleans are taken as their text. Status::Invalid
/// names what is wrong.
Result<ConfigMap> ConfigMapFromJson(const nlohmann::json& conf);

/// ParseConfig on a JSON object; returns {key: value} with every key of the table under its own
/// name, aliases resolved, keys without a value left out. Makes the directory for traces, if one is
/// named; Status::Invalid where it is not a directory that can be written to.
Result<std::string> CheckConf(std::string_view conf_json);

/// The table as JSON: [{"key","type","default","doc","alias","choices"}…].
std::string CatalogueJson();

/// The table as the page docs/reference/configuration.md.
std::string ConfigMarkdown();

}  // namespace reprise
