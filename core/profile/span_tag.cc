#include "profile/span_tag.h"

#include <fmt/format.h>

#include <charconv>

namespace reprise {

namespace {

constexpr std::string_view kHelper = " helper";

// Takes "NAME" and a number off the front.
template <typename Number>
bool Take(std::string_view* text, std::string_view name, Number* number) {
  if (!text->starts_with(name)) return false;
  text->remove_prefix(name.size());
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), *number);
  if (error != std::errc() || *number < 0) return false;
  text->remove_prefix(static_cast<size_t>(end - text->data()));
  return true;
}

}  // namespace

std::string TagOf(const TaskTag& task) {
  return fmt::format("task={} stage={}.{} partition={}{}", task.task, task.stage.stage,
                     task.stage.attempt, task.partition, task.is_helper ? kHelper : "");
}

std::optional<TaskTag> ParseTaskTag(std::string_view tag) {
  TaskTag task;
  const bool is_one = Take(&tag, "task=", &task.task) && Take(&tag, " stage=", &task.stage.stage) &&
                      Take(&tag, ".", &task.stage.attempt) &&
                      Take(&tag, " partition=", &task.partition);
  task.is_helper = tag == kHelper;
  if (!is_one || !(tag.empty() || task.is_helper)) return std::nullopt;
  return task;
}

std::string OperatorTag(int64_t lore_id) { return fmt::format("loreId={}", lore_id); }

std::optional<int64_t> ParseOperatorTag(std::string_view tag) {
  int64_t lore_id = 0;
  if (!Take(&tag, "loreId=", &lore_id) || !tag.empty()) return std::nullopt;
  return lore_id;
}

std::optional<NameTag> ParseNameTag(std::string_view tag) {
  NameTag name;
  name.is_codegen = tag.starts_with("name codegen=");
  const std::string_view begin = name.is_codegen ? "name codegen=" : "name loreId=";
  if (!Take(&tag, begin, &name.number) || !tag.starts_with(' ')) return std::nullopt;
  name.text = tag.substr(1);
  return name;
}

}  // namespace reprise
