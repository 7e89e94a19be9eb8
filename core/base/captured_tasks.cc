#include "base/captured_tasks.h"

#include <charconv>

namespace reprise {

Result<CapturedTasks> ParseCapturedTasks(std::string_view text) {
  if (text == "always") return CapturedTasks();
  if (text == "failure") return CapturedTasks{CapturedTasks::Kind::kFailed};
  constexpr std::string_view kSlow = "slow:";
  if (text.starts_with(kSlow) && text.ends_with('x')) {
    const char* end = text.data() + text.size() - 1;
    double factor = 0;
    const auto [last, error] = std::from_chars(text.data() + kSlow.size(), end, factor);
    if (error == std::errc() && last == end && factor >= 1 && factor < 1e6) {
      return CapturedTasks{CapturedTasks::Kind::kSlow, factor};
    }
  }
  return Status::Invalid("spark.reprise.lore.when: \"", text,
                         "\" is none of always, failure, and slow:Nx with N at least 1, such as "
                         "slow:3x");
}

}  // namespace reprise
