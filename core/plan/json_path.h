// Paths into JSON: $.name, ['name'] and [index].
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

/// One step: to a field of an object, or to an element of an array.
struct JsonStep {
  std::optional<std::string> name;  ///< nothing: an element
  int64_t index = 0;
};

/// The steps of a path of Spark's JsonPathParser. Nothing for one with a wildcard, for one without
/// steps, and for what may be no path.
std::optional<std::vector<JsonStep>> ReadJsonPath(std::string_view path);

}  // namespace reprise
