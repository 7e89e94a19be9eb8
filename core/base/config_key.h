// The name of a configuration key in the code that reads it, looked up in the table as it is
// compiled.
#pragma once

#include <algorithm>

#include "base/config_table.h"

namespace reprise {

/// Of a key whose value is of type `kType`. `kInTask`: a task reads it, so its row must say that it
/// travels.
template <ConfigType kType, bool kInTask>
class ConfigKey {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a key is written as its text
  consteval ConfigKey(const char* text)
      : entry_(std::ranges::find(kConfigTable, std::string_view(text), &ConfigEntry::key)) {
    if (entry_ == std::end(kConfigTable)) throw "a key that the table lacks";
    if (TypeRead(entry_->type) != kType) throw "a key whose value is of another type";
    if (kInTask && !entry_->in_task) throw "a key that does not travel to tasks";
  }
  constexpr const ConfigEntry& entry() const { return *entry_; }

 private:
  // Choices and paths are read as texts.
  static consteval ConfigType TypeRead(ConfigType type) {
    return type == ConfigType::kBoolean || type == ConfigType::kInteger ? type
                                                                        : ConfigType::kString;
  }
  const ConfigEntry* entry_;
};

using BooleanKey = ConfigKey<ConfigType::kBoolean, false>;
using IntegerKey = ConfigKey<ConfigType::kInteger, false>;
using TextKey = ConfigKey<ConfigType::kString, false>;

/// The default of a key, where there is no configuration to ask.
consteval int64_t IntegerDefault(IntegerKey key) {
  int64_t number = 0;
  for (const char digit : key.entry().default_value) number = number * 10 + (digit - '0');
  return number;
}

}  // namespace reprise
