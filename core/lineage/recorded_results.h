// What the tasks of a recorded application gave, as its recording tells without a JVM.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace reprise {

/// Of a task of a job's last stage; docs/internals/recording-format.md.
struct RecordedResult {
  int64_t task = -1;
  int64_t stage = -1;
  int64_t partition = -1;
  std::string class_name;  ///< "[I", "java.lang.Long"; "" of null
  std::string text;        ///< the beginning of what its toString says
  std::string reason;      ///< why its object could not be recorded; "" where it was
};

/// In the order in which they came. A recording whose application died is read up to where it is
/// whole. Status::Invalid where `folder` holds no recording.
Result<std::vector<RecordedResult>> ReadRecordedResults(const std::string& folder);

}  // namespace reprise
