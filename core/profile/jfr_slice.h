// A chunk that holds some of another chunk's events: what one stage did, taken out of a recording
// of everything.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "profile/jfr_chunk.h"

namespace reprise {

/// The bytes of a chunk with the given samples of `chunk`, these spans (their threads are numbers
/// of the chunk's threads), and the constants that they need and no others. Any reader of JFR opens
/// it; chunks written behind each other are a recording. Status::Invalid where the chunk knows no
/// spans, which async-profiler has since 4.5.
Result<std::string> SliceOf(const JfrChunk& chunk, std::span<const JfrSample* const> samples,
                            std::span<const JfrSpan> spans);

}  // namespace reprise
