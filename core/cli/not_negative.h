// What ids, and numbers of partitions, are checked for.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace reprise {

/// CLI11's own check shows the largest double, in 300 digits, as the limit.
inline CLI::Validator NotNegative() {
  return CLI::Validator(
      [](const std::string& given) {
        return given.starts_with('-') ? given + " is negative, expected 0 or more" : std::string();
      },
      "");
}

}  // namespace reprise
