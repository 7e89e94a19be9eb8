// Which files an event log is made of.
//
//   local-17952675   one file; "….zstd" where compressed, "….inprogress" while the application runs
//   eventlog_v2_local-17952675/   rolled: one folder an application
//     appstatus_local-17952675[.inprogress]
//     events_3_local-17952675.zstd.compact   what Spark's history server kept of files 1 to 3
//     events_4_local-17952675.zstd
//   recording/   of a lineage: docs/internals/recording-format.md
//     events
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace reprise {

struct EventLogFiles {
  std::string path;                ///< as the user named it
  std::vector<std::string> files;  ///< in the order in which they were written
  int64_t bytes = 0;               ///< of all files
  bool in_progress = false;        ///< by its names, the application had not ended
  std::vector<std::string> gaps;   ///< what is missing, in words: "events_2 is missing"
};

/// The files of the one log at `path`: a file, the folder of a rolled log or of a recording, or a
/// folder with one log in it. Status::Invalid for a folder with several logs, which lists them, or
/// with none.
Result<EventLogFiles> FindEventLog(const std::string& path);

}  // namespace reprise
