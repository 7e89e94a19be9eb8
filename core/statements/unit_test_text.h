// A dump of one task as a unit test in C++.
#pragma once

#include <string>

#include "dump/task_dump.h"

namespace reprise {

/// What the operator must do over the rows, and does not.
struct CppTestClaim {
  enum class Kind { kSucceeds, kGivesOutput, kKeepsAssertion };
  Kind kind = Kind::kSucceeds;
  std::string assertion;  ///< of kKeepsAssertion: an SQL predicate
};

/// The text of a file `…_test.cc` that makes the operator of `plan` and gives it `rows`, as
/// literals. kGivesOutput compares with `rows.output`, in any order. It needs only what the core's
/// own tests include (statements/task_testing.h). Status::NotImplemented for an operator that the
/// core does not run.
Result<std::string> CppTestOf(const PlanMeta& plan, const TaskRows& rows,
                              const CppTestClaim& claim);

}  // namespace reprise
