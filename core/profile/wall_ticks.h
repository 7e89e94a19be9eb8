// Which ticks of the wall clock need a stack of their own.
//
// To walk a stack takes fifty microseconds, most of it waiting for memory that the query has driven
// out of the caches. Most ticks can do without: a thread that runs is sampled by the processor's
// timer beside the wall clock, and one that still waits has the stack that it had before. Such a
// tick is only noted, and counts later as one more sample like that one (tick_samples.h).
//
// All of it is done in a signal's handler: without a lock, without memory being asked for.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace reprise {

/// A tick whose stack was not walked.
struct WallTick {
  int64_t ns = 0;  ///< of MonotonicNs
  int32_t thread = 0;
  /// The thread waits since a sample that was taken at or after this time; 0: it runs.
  int64_t waits_since = 0;
  bool operator==(const WallTick&) const = default;
};

/// What was noted, until it is taken. Bounded: a tick for which there is no room needs a stack.
class TickLog {
 public:
  /// In a handler, on any number of threads.
  bool Add(const WallTick& tick);
  /// In the order of time. One caller at a time.
  std::vector<WallTick> Take();

 private:
  static constexpr uint64_t kCapacity = 1 << 15;
  struct Slot {
    std::atomic<int64_t> ns = 0;  // 0: it is free, or being written
    std::atomic<int32_t> thread = 0;
    std::atomic<int64_t> waits_since = 0;
  };
  std::unique_ptr<Slot[]> slots_{new Slot[kCapacity]};
  std::atomic<uint64_t> written_ = 0;
  std::atomic<uint64_t> taken_ = 0;
};

/// When threads were last sampled by the processor's timer.
class ProcessorSamples {
 public:
  /// In a handler, on the thread.
  void Note(int32_t thread, int64_t ns);
  /// Whether the thread was sampled after then. May say no where it was, as when another one has
  /// taken its place here.
  bool HasSince(int32_t thread, int64_t ns) const;

 private:
  static constexpr size_t kThreads = 4096;
  std::atomic<uint64_t> last_[kThreads] = {};  // thread and time
};

/// Of the process, for a handler is given nothing of ours.
extern ProcessorSamples processor_samples;

/// What the ticks of all threads share.
struct TickRule {
  /// Whether running threads have processor samples, which are noted; else every tick needs a
  /// stack.
  std::atomic<bool> has_processor_samples = false;
  std::atomic<int64_t> interval_ns = 0;
  /// Of the recording's chunk; odd while one is ended and the next one begun. Stacks of a chunk
  /// cannot be referred to in another one.
  std::atomic<uint64_t> chunk = 0;
  TickLog log;
};

/// A thread's ticks. `Begin` may be called on any thread, at best on the thread itself; else it is
/// the thread's own.
class ThreadTicks {
 public:
  explicit ThreadTicks(TickRule* rule) : rule_(rule) {}

  void Begin(int32_t thread);
  int32_t thread() const { return thread_; }

  /// Notes a tick, or says that its stack is to be walked. `context` is the handler's ucontext_t.
  bool NeedsStack(const void* context);
  /// It has been walked.
  void WalkedStack();

 private:
  template <typename T>
  using Field = std::atomic<T>;  // a signal may be on its way while the object gets another thread

  TickRule* const rule_;
  Field<int32_t> thread_ = 0;
  Field<uint64_t> chunk_ = 0;
  Field<int64_t> begun_ = 0;  // when it began, or had its first tick in the chunk
  Field<int64_t> cpu_ = 0;    // the thread's processor time at its last tick
  Field<int64_t> waits_since_ = 0;
  Field<uint64_t> pc_ = 0;
  Field<uint64_t> sp_ = 0;
};

}  // namespace reprise
