// Takes a continuous recording of a process apart: each stage attempt gets a recording of its own.
//
// A sample belongs to the task that its thread ran at its time: the profiler's clock is MonotonicNs
// (async-profiler's clock=monotonic, Java's System.nanoTime), so times are compared as they are.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/operator_log.h"
#include "base/status.h"
#include "profile/chunk_frames.h"
#include "profile/jfr_chunk.h"
#include "profile/sample_stacks.h"
#include "profile/span_tag.h"
#include "profile/wall_ticks.h"

namespace reprise {

class JfrSlicer;

/// A thread's time for a task.
struct TaskInterval {
  int64_t thread = 0;       ///< as the kernel numbers it
  int64_t start = 0;        ///< of MonotonicNs
  int64_t end = INT64_MAX;  ///< while it runs
  TaskTag task;
};

/// What has been taken out for one stage attempt, or for the threads of no task.
struct SliceFigures {
  std::string file;
  int64_t bytes = 0;
  int64_t cpu_samples = 0;
  int64_t wall_samples = 0;
  /// The oldest, where the file would have had more bytes than allowed.
  int64_t dropped_chunks = 0;
  /// Those that could not be written, and why the last one could not.
  int64_t lost_chunks = 0;
  std::string error = {};
  std::set<std::string> names = {};  ///< tags of operators' names that the file has
};

/// Stages that are shown next, with tags of names of their operators.
using ShownStages = std::map<StageAttemptId, std::vector<std::string>>;

class RecordingSplitter {
 public:
  /// @param recording  the file that the profiler writes
  /// @param folder  where "stage-3-attempt-0.jfr" and "other.jfr" go
  /// @param bytes_max  of each of these files
  RecordingSplitter(std::string recording, std::string folder, int64_t bytes_max)
      : recording_(std::move(recording)), folder_(std::move(folder)), bytes_max_(bytes_max) {}

  /// Takes apart the chunks that were ended since the last time, and gives their place on disk back
  /// to the file system. `tasks` are all that ran since then. What was split is appended. The
  /// recordings of `shown` get the names that they do not have yet, with the samples where there
  /// are new ones: a chunk of their own takes as much as the samples of a short stage.
  ///
  /// A recording that cannot be written keeps what it has, and its figures say so; the others get
  /// theirs.
  Status Split(const std::vector<TaskInterval>& tasks, const ShownStages& shown = {});

  /// The samples of one of `stages()`, as its recording has them. Those of stages `shown`, where
  /// the recording is wholly in the last chunk, are still in memory until they are asked for.
  Result<SampledStacks> StacksOf(StageAttemptId stage);

  /// Notes changes of operators of the chunks to come.
  void Add(const std::vector<OperatorChange>& changes);
  /// Notes ticks of the wall clock, in the order of time, that count as samples of the chunks to
  /// come.
  void AddTicks(const std::vector<WallTick>& ticks);

  const std::map<StageAttemptId, SliceFigures>& stages() const { return stages_; }
  const SliceFigures& other() const { return other_; }
  /// The stage is over: its recording is the caller's from now on.
  void Finish(StageAttemptId stage) { stages_.erase(stage); }
  /// What the profiler says of itself: "engine" → "perf".
  const std::map<std::string, std::string>& settings() const { return settings_; }

 private:
  using Threads = std::map<int64_t, std::vector<TaskInterval>>;

  // The chunk that was split last, as long as stages are shown whose recordings are wholly in it.
  struct KeptChunk {
    JfrChunk chunk;
    std::vector<JfrSample> ticked;  // not in the chunk's bytes
    std::map<StageAttemptId, JfrPart> parts;
    ChunkFrames frames{chunk, std::make_shared<FrameNames>()};
  };

  struct Part;  // of a chunk, for one stage attempt

  Status SplitChunk(JfrChunk chunk, Threads threads, const ShownStages& shown);
  Status Name(StageAttemptId stage, const std::vector<std::string>& tags);
  std::vector<JfrSample> TakeTicks(const JfrChunk& chunk, int64_t end, const Threads& threads);
  const OperatorChange* OperatorAt(int64_t thread, int64_t ns) const;
  void ForgetOperatorsBefore(int64_t ns);
  std::map<StageAttemptId, JfrPart> WriteParts(std::map<StageAttemptId, Part>* parts,
                                               const ShownStages& shown, int64_t end,
                                               JfrSlicer* slicer);
  static std::map<int64_t, uint64_t> NumberThreads(const JfrChunk& chunk, Threads* threads);
  static void AddNamed(const JfrThread& thread, Threads* threads);
  Status Append(const std::string& bytes, SliceFigures* figures);
  Status WriteSlice(const JfrPart& part, const std::string& name, JfrSlicer* slicer,
                    SliceFigures* figures);
  Status DropOldest(SliceFigures* figures);

  const std::string recording_;
  const std::string folder_;
  const int64_t bytes_max_;
  int64_t offset_ = 0;
  std::map<StageAttemptId, SliceFigures> stages_;
  SliceFigures other_;
  std::string empty_chunk_;  // without samples: what names are written in
  std::map<std::string, std::string> settings_;
  std::map<int64_t, std::vector<OperatorChange>> operators_;
  std::vector<WallTick> ticks_;
  std::unique_ptr<KeptChunk> kept_;
};

}  // namespace reprise
