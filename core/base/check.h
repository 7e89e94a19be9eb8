// Checks for programmers' errors. They stay on in release builds.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace reprise {

/// Thrown by a failed REPRISE_CHECK. Only jni/ and cli/ catch it: they report it as a bug of
/// Reprise.
class CheckFailure : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void FailCheck(const char* file, int line, const char* condition,
                            const std::string& message);

}  // namespace reprise

/// REPRISE_CHECK(condition, "format {}", values...): throws CheckFailure when the condition is
/// false.
#define REPRISE_CHECK(condition, ...)                                                      \
  do {                                                                                     \
    if (!(condition)) [[unlikely]] {                                                       \
      ::reprise::FailCheck(__FILE__, __LINE__, #condition, ::fmt::format("" __VA_ARGS__)); \
    }                                                                                      \
  } while (false)
