// An operator that is replayed in the JVM.
#pragma once

#include <jni.h>

#include <memory>

#include "replay/replay.h"

namespace reprise {

/// Makes, in place of the recorded operator, one that asks a reprise.bridge.ReplayedOperator for
/// its rows. `attempt`: the one that is replayed, absent: the committed one. What Java throws is
/// the operator's error; the reference to `operator_object` must outlive all that is made.
OperatorFactory ReplayInJava(jobject operator_object, std::optional<int64_t> attempt);

/// The same of the committed record of a dump, which `dumps`, a reprise.bridge.ReplayedDumps,
/// opens; it must outlive all that is made. Status::ExecutionError where Java throws.
Result<OperatorFactory> OpenInJava(jobject dumps, const std::string& folder);

}  // namespace reprise
