// What the tags of spans in our recordings say.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace reprise {

struct StageAttemptId {
  int32_t stage = 0;
  int32_t attempt = 0;
  auto operator<=>(const StageAttemptId&) const = default;
};

/// A span of a task: "task=17 stage=3.0 partition=4"; `task` is Spark's id, unique in the
/// application. On a thread that the task has started: "task=17 stage=3.0 partition=4 helper".
struct TaskTag {
  int64_t task = 0;
  StageAttemptId stage;
  int32_t partition = 0;
  bool is_helper = false;
};

std::string TagOf(const TaskTag& task);
std::optional<TaskTag> ParseTaskTag(std::string_view tag);

/// A span in which a thread computed in a native operator: "loreId=5".
std::string OperatorTag(int64_t lore_id);
std::optional<int64_t> ParseOperatorTag(std::string_view tag);

/// What the plug-in writes down of operators, as tags of spans without length: the name of the one
/// with a LORE id, or the operators that a class of generated code computes:
/// "name loreId=5 RepriseFilter [loreId=5]", "name codegen=2 Filter [loreId=4]".
struct NameTag {
  bool is_codegen = false;
  int64_t number = 0;
  std::string text;
};

std::optional<NameTag> ParseNameTag(std::string_view tag);

}  // namespace reprise
