// Which tasks of an operator are dumped: spark.reprise.lore.when.
#pragma once

#include <string_view>

#include "base/status.h"

namespace reprise {

struct CapturedTasks {
  enum class Kind {
    kAll,
    kFailed,
    kSlow,  ///< those that fail, and those that take long
  };
  Kind kind = Kind::kAll;
  double factor = 0;  ///< slow: of the median of those of the stage that have ended
};

/// Parses "always", "failure" or "slow:3x". Status::Invalid says what was expected.
Result<CapturedTasks> ParseCapturedTasks(std::string_view text);

}  // namespace reprise
