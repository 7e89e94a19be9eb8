// The configuration of Reprise as the driver reads it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/config_key.h"
#include "base/config_values.h"
#include "base/spark_settings.h"
#include "base/status.h"

namespace reprise {

enum class ExplainMode { kNone, kNotNative, kAll };

/// The settings of a session, checked.
struct Config {
  /// Every key of the table with its value, by its own name; and every other key of the input as it
  /// was. A key that is not there has its default.
  ConfigMap values;

  bool boolean(BooleanKey key) const { return BooleanIn(values, key.entry()); }
  int64_t integer(IntegerKey key) const { return IntegerIn(values, key.entry()); }
  /// A text, a choice as the table writes it, or a path; empty: not set.
  std::string_view text(TextKey key) const { return ValueIn(values, key.entry()); }

  ExplainMode explain() const;
  bool explain_only() const { return text("spark.reprise.sql.mode") == "explainOnly"; }

  /// The value of one of Spark's own settings as Spark reads it; `otherwise`, Spark's default,
  /// where the configuration is not a session's and does not have it.
  std::string_view spark(SparkKey key, std::string_view otherwise) const;
  /// The same for booleans; anything but "true" (in any case) is false.
  bool spark_boolean(SparkKey key, bool otherwise) const;
};

/// Reads the keys of the table and their aliases; other keys are kept in `values` unseen.
/// Status::Invalid for an unknown `spark.reprise.*` key (naming the nearest known one), for a value
/// that is not of the key's type, and for a key and its alias that are set to different values. Not
/// for keys of profiles, which have their defaults.
Result<Config> ParseConfig(const ConfigMap& settings);

/// The same for the keys of profiles alone.
Result<Config> ParseProfileConfig(const ConfigMap& settings);

/// The table as JSON: [{"key","type","default","doc","alias","choices"}…].
std::string CatalogueJson();

/// The table as the page docs/reference/configuration.md.
std::string ConfigMarkdown();

/// What the key means, and that it is read when the application starts where it is.
std::string MeaningText(const ConfigEntry& entry);

}  // namespace reprise
