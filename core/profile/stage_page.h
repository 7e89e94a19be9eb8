// Pages of recordings, as files.
#pragma once

#include <string>

#include "flame/flame_page.h"
#include "profile/sample_stacks.h"

namespace reprise {

/// "49 CPU samples, 20 wall-clock samples"; of a recording of other events these, and what there is
/// of the two: "7 page-faults samples".
std::string CountText(const SampledStacks& sampled);

/// The flame graph of a recording's samples. Its subtitle is `text`'s about, and what there is:
/// samples, tasks, bytes of chunks that were not ended; where `filter` says which samples these are
/// ("task 17") that too, and not the tasks.
std::string StagePage(const SampledStacks& sampled, FlamePageText text,
                      const std::string& filter = "");

/// Writes it to `html`, a file that nobody reads yet.
Status WriteStagePage(const SampledStacks& sampled, FlamePageText text, const std::string& html);

/// Makes `part` the file of that name, in the same file system, so that a reader sees a whole one.
/// Where that fails there is no `part` either. Status::IOError names the file.
Status PutInPlace(const std::string& part, const std::string& file);

/// The same from wherever `from` is, which stays if `keeps`.
Status PutRecording(const std::string& from, bool keeps, const std::string& file);

/// Where a file is made that is put in place later: "a/b.html" → "a/.b.html.part".
std::string PartOf(const std::string& file);

/// Writes `bytes` to `file`. Status::IOError names it.
Status WriteFile(const std::string& file, std::string_view bytes);

/// The same through a file beside it, so that a reader sees a whole page.
Status WritePage(const std::string& file, std::string_view bytes);

}  // namespace reprise
