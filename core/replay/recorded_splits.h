// What the tasks of a recorded scan read.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "plan/spec.h"
#include "scan/file_split.h"

namespace reprise {

/// The splits of a scan's task, from what its record says of it: {"files":[{"path":"file:/…",
/// "start":0,"length":1234,"size":5678?,"modified":ms?,"partitionValues":"base64"?,
/// "forSpark":true?}…]}. A file that is not there any more, or has another size, is
/// Status::Invalid: other rows would be read.
Result<std::vector<FileSplit>> RecordedSplits(const nlohmann::json& leaf, const OperatorSpec& spec);

}  // namespace reprise
