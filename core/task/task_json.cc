#include "task/task_json.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "base/local_path.h"
#include "operators/spec_members.h"

namespace reprise {

namespace {

Result<int64_t> NumberMember(const nlohmann::json& json, std::string_view name, int64_t least,
                             int64_t most) {
  ARROW_ASSIGN_OR_RAISE(const int64_t value, IntegerMember(json, name));
  if (value < least || value > most) {
    return Status::Invalid("\"", name, "\" is ", value, "; expected ", least, " to ", most);
  }
  return value;
}

constexpr int64_t kIntMax = std::numeric_limits<int>::max();
constexpr int64_t kLongMax = std::numeric_limits<int64_t>::max();

Result<TaskFile> ParseFile(const nlohmann::json& json) {
  TaskFile file;
  ARROW_ASSIGN_OR_RAISE(file.path, StringMember(json, "path"));
  ARROW_ASSIGN_OR_RAISE(file.start, NumberMember(json, "start", 0, kLongMax));
  ARROW_ASSIGN_OR_RAISE(file.length, NumberMember(json, "length", 0, kLongMax - file.start));
  if (json.contains("partitionValues")) {
    ARROW_ASSIGN_OR_RAISE(file.partition_values, StringMember(json, "partitionValues"));
  }
  if (json.contains("forSpark")) {
    ARROW_ASSIGN_OR_RAISE(file.is_for_spark, BooleanMember(json, "forSpark"));
  }
  return file;
}

struct NamedSource {
  TaskLeaf::Kind kind;
  std::string_view name;
};

constexpr NamedSource kSourceKinds[] = {{TaskLeaf::Kind::kRows, "rows"},
                                        {TaskLeaf::Kind::kColumns, "columns"},
                                        {TaskLeaf::Kind::kBlocks, "blocks"},
                                        {TaskLeaf::Kind::kBatches, "batches"},
                                        {TaskLeaf::Kind::kArrow, "arrow"}};

/// The number of a source; nothing where the member is absent.
Result<std::optional<int>> SourceMember(const nlohmann::json& json, std::string_view name) {
  if (!json.contains(name)) return std::nullopt;
  ARROW_ASSIGN_OR_RAISE(const int64_t source, NumberMember(json, name, 0, kIntMax));
  return static_cast<int>(source);
}

Result<TaskLeaf> ParseLeaf(const nlohmann::json& json) {
  TaskLeaf leaf;
  if (json.contains("files")) leaf.read = {{"files", json["files"]}};
  for (const NamedSource& kind : kSourceKinds) {
    if (!json.contains(kind.name)) continue;
    leaf.kind = kind.kind;
    ARROW_ASSIGN_OR_RAISE(const int64_t source, NumberMember(json, kind.name, 0, kIntMax));
    leaf.source = static_cast<int>(source);
    const bool may_be_shared =
        kind.kind == TaskLeaf::Kind::kRows || kind.kind == TaskLeaf::Kind::kBlocks;
    if (may_be_shared && json.contains("broadcast")) {
      ARROW_ASSIGN_OR_RAISE(leaf.broadcast, NumberMember(json, "broadcast", 0, kLongMax));
    }
    return leaf;
  }
  if (json.is_object() && json.empty()) {
    leaf.kind = TaskLeaf::Kind::kNothing;
    return leaf;
  }
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* files, ArrayMember(json, "files"));
  for (const auto& file_json : *files) {
    auto file = ParseFile(file_json);
    if (!file.ok()) return WithPrefix(file.status(), fmt::format("file {}: ", leaf.files.size()));
    leaf.files.push_back(std::move(*file));
  }
  ARROW_ASSIGN_OR_RAISE(leaf.store, SourceMember(json, "store"));
  ARROW_ASSIGN_OR_RAISE(leaf.pieces, SourceMember(json, "pieces"));
  return leaf;
}

/// As whom this process traces.
Result<TraceProcess> ParseProcess(const nlohmann::json& json) {
  TraceProcess process;
  ARROW_ASSIGN_OR_RAISE(process.application, StringMember(json, "application"));
  ARROW_ASSIGN_OR_RAISE(process.executor, StringMember(json, "executor"));
  ARROW_ASSIGN_OR_RAISE(process.start_ms, NumberMember(json, "startMs", 0, kLongMax / 1'000'000));
  if (json.contains("traces")) {
    ARROW_ASSIGN_OR_RAISE(process.directory, StringMember(json, "traces"));
  }
  return process;
}

Status ParseSettings(const nlohmann::json& json, TaskDescription* task) {
  if (!json.contains("settings")) return Status::OK();
  auto settings = TaskSettings::FromJson(json.at("settings"));
  if (!settings.ok()) return WithPrefix(settings.status(), "settings: ");
  task->settings = std::move(*settings);
  const std::string_view directory = task->settings.text("spark.reprise.trace.path");
  if (directory.empty()) return Status::OK();
  const nlohmann::json process = json.value("process", nlohmann::json::object());
  // Without a folder from which they are brought to the directory there is nowhere to trace to.
  if (!IsLocalPath(directory) && !process.contains("traces")) return Status::OK();
  auto traces = ParseProcess(process);
  if (!traces.ok()) return WithPrefix(traces.status(), "process: ");
  if (IsLocalPath(directory)) traces->directory = directory;
  task->trace = std::move(*traces);
  return Status::OK();
}

Result<CacheLayout> ParseCache(const nlohmann::json& json) {
  CacheLayout layout;
  ARROW_ASSIGN_OR_RAISE(layout.rows_max, NumberMember(json, "rows", 1, kIntMax));
  ARROW_ASSIGN_OR_RAISE(layout.compresses, BooleanMember(json, "compressed"));
  return layout;
}

Result<TaskDescription> Parse(const nlohmann::json& json) {
  TaskDescription task;
  ARROW_ASSIGN_OR_RAISE(const int64_t stage, NumberMember(json, "stage", 0, kIntMax));
  ARROW_ASSIGN_OR_RAISE(const int64_t partition, NumberMember(json, "partition", 0, kIntMax));
  task.stage = static_cast<int>(stage);
  task.partition = static_cast<int>(partition);
  ARROW_ASSIGN_OR_RAISE(task.attempt, NumberMember(json, "attempt", 0, kLongMax));
  RETURN_NOT_OK(ParseSettings(json, &task));
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* leaves, ArrayMember(json, "leaves"));
  for (const auto& leaf_json : *leaves) {
    auto leaf = ParseLeaf(leaf_json);
    if (!leaf.ok()) return WithPrefix(leaf.status(), fmt::format("leaf {}: ", task.leaves.size()));
    task.leaves.push_back(std::move(*leaf));
  }
  if (json.contains("cache")) {
    auto layout = ParseCache(json["cache"]);
    if (!layout.ok()) return WithPrefix(layout.status(), "cache: ");
    task.cache = *layout;
  }
  return task;
}

}  // namespace

std::string_view TaskLeaf::kind_name() const {
  for (const NamedSource& named : kSourceKinds) {
    if (named.kind == kind) return named.name;
  }
  return kind == Kind::kFiles ? "files" : "nothing";
}

Result<TaskDescription> ParseTask(std::string_view json) {
  try {
    auto task = Parse(nlohmann::json::parse(json));
    if (!task.ok()) return WithPrefix(task.status(), "task: ");
    return task;
  } catch (const nlohmann::json::exception& error) {
    return Status::Invalid("task: malformed JSON: ", error.what());
  }
}

}  // namespace reprise
