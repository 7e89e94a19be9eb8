// The samples of recordings as stacks, with what Reprise knows of them as frames.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/status.h"
#include "flame/frame_stacks.h"
#include "profile/jfr_chunk.h"
#include "profile/span_tag.h"

namespace reprise {

class ChunkFrames;

/// Which samples are wanted; what is absent takes all.
struct SampleFilter {
  std::optional<std::set<int64_t>> tasks;
  std::optional<int64_t> lore_id;
  std::string thread = {};  ///< a pattern with * and ?; empty: all
  bool by_task = false;     ///< whether each task's stacks are wanted too
};

/// A task that a recording tells of.
struct RecordedTask {
  TaskTag tag;
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  int64_t cpu_samples = 0;
  int64_t wall_samples = 0;
  /// Of SampledStacks::stacks, where they are wanted.
  std::map<const std::vector<uint32_t>*, int64_t> stacks = {};
};

/// What recordings hold.
struct SampledStacks {
  /// From the root: "CPU", "wall clock, running", "wall clock, waiting" or an event ("alloc");
  /// where no task was, a group of threads and the thread; on a thread that a task has started,
  /// that thread ("thread stdin writer for cat"); Java's and native frames, with a frame
  /// "RepriseFilter [loreId=5]" between them where a native operator computed.
  NumberedStacks stacks;
  /// May have more names: stages of a chunk share them.
  std::shared_ptr<FrameNames> names;
  int64_t cpu_samples = 0;
  int64_t wall_samples = 0;
  std::map<std::string, int64_t> other_samples;  ///< of any other event: event_names.h
  std::map<int64_t, RecordedTask> tasks;
  std::map<int64_t, int64_t> operator_samples;    ///< by LORE id, of all kinds
  std::map<int64_t, std::string> operator_names;  ///< by LORE id
  int64_t chunks = 0;                             ///< that were ended
  int64_t torn_bytes = 0;                         ///< of chunks that were not ended
};

/// Reads the files' samples. Status::IOError where a file cannot be read, Status::Invalid with file
/// and offset where it is no recording.
Result<SampledStacks> ReadStacks(const std::vector<std::string>& files, const SampleFilter& filter);

/// The same as of a recording that has the part and no more.
SampledStacks StacksOf(const JfrPart& part, ChunkFrames* frames);

/// Whether `text` fits the pattern: * stands for any characters, ? for one.
bool FitsPattern(std::string_view pattern, std::string_view text);

}  // namespace reprise
