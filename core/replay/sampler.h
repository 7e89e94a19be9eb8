// Samples what the calling thread does: a stack at every tick of a timer.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/status.h"
#include "flame/frame_stacks.h"

namespace reprise {

/// Return addresses of one stack, from the leaf to the root.
using SampledStack = std::vector<uintptr_t>;

/// Samples its thread from Start to Stop, by a timer of wall-clock time that interrupts this thread
/// alone, so that reading files and waiting are seen as well. Needs no right of the kernel. One at
/// a time in a process.
///
/// Stacks are walked by the unwind tables that every library carries, frame pointers or not. The
/// handler allocates nothing; what does not fit into its buffer (an hour of samples) is counted.
class Sampler {
 public:
  static Result<std::unique_ptr<Sampler>> Start(int samples_per_second);
  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  /// While paused, ticks are not recorded: what is not to be in the picture.
  void Pause(bool paused);
  void Stop();
  /// After Stop: the stacks, by name of function, from the root to the leaf; the sampler's own
  /// frames are left out.
  CollapsedStacks Stacks() const;
  int64_t sample_count() const;
  int64_t lost_count() const;

 private:
  Sampler() = default;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace reprise
