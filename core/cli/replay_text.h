// The report of a replay as people read it in a terminal.
#pragma once

#include <string>
#include <vector>

#include "replay/replay.h"

namespace reprise {

struct ReplayTextOptions {
  bool repeated = false;  ///< every partition was run several times: show the spread of the times
  bool digests = false;   ///< show the digests of rows and columns even where they agree
  std::string compare_path;  ///< what the output was compared with besides its record; may be empty
};

/// "equal", "failed again, in the same way: …": what is to be said of a partition's output.
std::string VerdictText(const PartitionReplay& replay, const std::vector<Field>& fields);

/// Prints the report on stdout: a line for each partition, digests and the first difference where
/// the output differs, and a last line that says whether all is as recorded.
void PrintReplayText(const ReplayReport& report, const ReplayTextOptions& options);

}  // namespace reprise
