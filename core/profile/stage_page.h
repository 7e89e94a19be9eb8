// Pages of recordings, as files.
#pragma once

#include <string>
#include <vector>

#include "profile/sample_stacks.h"
#include "replay/flame_page.h"

namespace reprise {

/// Writes the flame graph of the recordings to `html`, a file that nobody reads yet. Says of chunks
/// that were not ended in the subtitle. Returns what it shows.
Result<SampledStacks> WriteStagePage(const std::vector<std::string>& files, FlamePageText text,
                                     const std::string& html);

/// Writes `bytes` to `file`. Status::IOError names it.
Status WriteFile(const std::string& file, std::string_view bytes);

/// The same through a file beside it, so that a reader sees a whole page.
Status WritePage(const std::string& file, std::string_view bytes);

}  // namespace reprise
