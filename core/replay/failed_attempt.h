// What a replay shows of an attempt that has failed.
#pragma once

#include <optional>
#include <string_view>

#include "dump/raised_error.h"

namespace reprise {

enum class FailedAgain {
  kInSameWay,     ///< with the same error
  kInAnotherWay,  ///< with another one
  kSomehow,       ///< the record does not tell with what the attempt failed
  kNot,           ///< the operator gave all its rows
};

/// "in the same way", "in another way", "somehow", "not".
std::string_view Name(FailedAgain again);

struct FailedAttempt {
  RaisedError error;  ///< with what the recorded attempt failed
  FailedAgain again = FailedAgain::kNot;
  /// Nothing that made it fail is missing from the record, so that the replay must fail too.
  bool must_fail = false;

  /// Another operator of the task has failed, or a guest expression below this one.
  bool is_elsewhere() const { return error.here == false; }
};

/// How `raised`, which is OK where the replay did not fail, compares with the recorded error.
FailedAgain CompareFailures(const RaisedError& recorded, const Status& raised);

}  // namespace reprise
