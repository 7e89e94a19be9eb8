// What tasks know of their session's configuration.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/config_key.h"
#include "base/config_values.h"
#include "base/status.h"

namespace reprise {

/// The keys whose rows say that they are for tasks. The driver writes them as one JSON
/// text, which travels to the executors and which nobody reads on its way.
class TaskSettings {
 public:
  /// Those that a session has set; other keys are left out unseen. Makes the directory for traces,
  /// if a local one is named. Status::Invalid for a malformed value, or where that is not a
  /// directory that can be written to.
  static Result<TaskSettings> OfSession(const ConfigMap& settings);
  /// {key:value} of those that are not at their defaults.
  nlohmann::json ToJson() const;
  /// Reads what ToJson has given. Status::Invalid where anything else stands in it.
  static Result<TaskSettings> FromJson(const nlohmann::json& json);

  bool boolean(ConfigKey<ConfigType::kBoolean, true> key) const {
    return BooleanIn(values_, key.entry());
  }
  int64_t integer(ConfigKey<ConfigType::kInteger, true> key) const {
    return IntegerIn(values_, key.entry());
  }
  /// A text, a choice as the table writes it, or a path; empty: not set.
  std::string_view text(ConfigKey<ConfigType::kString, true> key) const {
    return ValueIn(values_, key.entry());
  }

 private:
  static Result<TaskSettings> Checked(const ConfigMap& settings);
  ConfigMap values_;
};

}  // namespace reprise
