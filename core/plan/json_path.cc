#include "plan/json_path.h"

#include <charconv>

#include "plan/replaced_text.h"

namespace reprise {

namespace {

/// Takes the text up to one of `ends`, or to the end; nothing where there is none, or where it has
/// what may be no part of a name.
std::optional<std::string> TakeName(std::string_view* rest, std::string_view ends) {
  const std::string_view name = rest->substr(0, rest->find_first_of(ends));
  // Spaces at a name's begin are none of it for the parser.
  if (name.empty() || name == "*" || name[0] <= ' ') return std::nullopt;
  rest->remove_prefix(name.size());
  return std::string(name);
}

std::optional<JsonStep> TakeIndex(std::string_view* rest) {
  JsonStep step;
  const auto [end, error] = std::from_chars(rest->data(), rest->data() + rest->size(), step.index);
  const auto size = static_cast<size_t>(end - rest->data());
  if (error != std::errc() || step.index < 0 || (*rest)[0] == '-') return std::nullopt;
  rest->remove_prefix(size);
  if (!rest->starts_with(']')) return std::nullopt;
  rest->remove_prefix(1);
  return step;
}

std::optional<JsonStep> TakeStep(std::string_view* rest) {
  const bool is_dotted = rest->starts_with('.');
  const bool is_quoted = rest->starts_with("['");
  if (!is_dotted && !is_quoted && !rest->starts_with('[')) return std::nullopt;
  rest->remove_prefix(is_quoted ? 2 : 1);
  if (!is_dotted && !is_quoted) return TakeIndex(rest);
  JsonStep step{TakeName(rest, is_dotted ? ".[" : "'")};
  if (!step.name) return std::nullopt;
  if (!is_quoted) return step;
  if (!rest->starts_with("']")) return std::nullopt;
  rest->remove_prefix(2);
  return step;
}

}  // namespace

std::optional<std::vector<JsonStep>> ReadJsonPath(std::string_view path) {
  if (!path.starts_with('$') || path.size() == 1 || !IsUtf8(path)) return std::nullopt;
  std::string_view rest = path.substr(1);
  std::vector<JsonStep> steps;
  while (!rest.empty()) {
    auto step = TakeStep(&rest);
    if (!step) return std::nullopt;
    steps.push_back(*std::move(step));
  }
  return steps;
}

}  // namespace reprise
