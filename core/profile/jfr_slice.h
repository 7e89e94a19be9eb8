// A chunk that holds some of another chunk's events: what one stage did, taken out of a recording
// of everything.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "profile/jfr_chunk.h"

namespace reprise {

/// Takes any number of slices out of a chunk. What a constant refers to is found once for all.
class JfrSlicer {
 public:
  /// The chunk is to outlive it.
  explicit JfrSlicer(const JfrChunk& chunk);
  ~JfrSlicer();

  /// The bytes of a chunk with these samples and spans, what says that samples are not of the
  /// processor's time, and the constants that they need and no others. A thread that runs tasks is
  /// called after those of these spans, not after its last. Any reader of JFR opens it; chunks
  /// written behind each other are a recording. Status::Invalid where the chunk knows no spans,
  /// which async-profiler has since 4.5.
  Result<std::string> SliceOf(const JfrPart& part);

 private:
  class Constants;
  class Slice;
  std::unique_ptr<Constants> constants_;
};

}  // namespace reprise
