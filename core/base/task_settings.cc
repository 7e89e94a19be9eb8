#include "base/task_settings.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/local_path.h"
#include "base/trace_file.h"

namespace reprise {

Result<TaskSettings> TaskSettings::Checked(const ConfigMap& settings) {
  TaskSettings task;
  for (const ConfigEntry& entry : ConfigTable()) {
    if (!entry.in_task) continue;
    ARROW_ASSIGN_OR_RAISE(std::string value, CheckedValue(entry, settings));
    if (value != entry.default_value) task.values_[std::string(entry.key)] = std::move(value);
  }
  return task;
}

Result<TaskSettings> TaskSettings::OfSession(const ConfigMap& settings) {
  ARROW_ASSIGN_OR_RAISE(TaskSettings task, Checked(settings));
  const std::string directory(task.text("spark.reprise.trace.path"));
  if (IsLocalPath(directory)) {
    const Status prepared = PrepareTraceDirectory(directory);
    if (!prepared.ok()) return Status::Invalid("spark.reprise.trace.path: ", prepared.message());
  }
  return task;
}

Result<TaskSettings> TaskSettings::FromJson(const nlohmann::json& json) {
  ARROW_ASSIGN_OR_RAISE(const ConfigMap settings, ConfigMapFromJson(json));
  for (const auto& [key, value] : settings) {
    const auto entry = std::ranges::find(ConfigTable(), key, &ConfigEntry::key);
    if (entry != ConfigTable().end() && entry->in_task) continue;
    return Status::Invalid(key,
                           " is no setting of tasks: does the driver run another version of "
                           "Reprise?");
  }
  return Checked(settings);
}

nlohmann::json TaskSettings::ToJson() const { return values_; }

}  // namespace reprise
