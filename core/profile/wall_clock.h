// Wall-clock samples of the threads that run tasks, and of no others.
//
// async-profiler's wall clock lists the threads of the process and reads the clock of each of them
// every interval: of an executor's four hundred threads, nearly all of which wait, that takes a
// tenth of what the queries take. So it is started with a long interval, and the threads that
// matter are signalled here: its handler samples whichever thread has the signal.
//
// Each thread has a timer of the kernel's: a thread that wakes up to signal others takes more of
// the processor than their samples. The handler of these signals hands on to async-profiler's those
// at which a stack has to be walked.
#pragma once

#include <cstdint>
#include <ctime>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "profile/wall_ticks.h"

namespace reprise {

/// Of the process. Every method may be called on any thread.
class WallClock {
 public:
  static WallClock& OfProcess();
  ~WallClock() { End(); }

  /// From now on each thread of the set has a signal every `interval_ns`, spread over that time.
  /// Where the library also samples threads by the processor time that they use, stacks are walked
  /// only where that is not enough (wall_ticks.h), or if its signal for that is not SIGPROF.
  /// Status::Invalid, and nothing begins, where the kernel has no timer for that, or the signal of
  /// async-profiler's wall clock is not handled by the library whose file is called `library`:
  /// somebody else had it first, or it takes another one.
  Status Begin(int64_t interval_ns, bool has_processor_samples, std::string_view library);

  /// No thread is signalled any more. Does nothing where nothing has begun.
  void End();

  /// Threads are as the kernel numbers them. One that has ended has no signal.
  void Add(int32_t thread);
  void Remove(int32_t thread);

  /// A chunk of the recording is being ended, or has been.
  void SetEndingChunk(bool is_ending);
  /// Those whose stacks were not walked, since the last call.
  std::vector<WallTick> TakeTicks() { return rule_.log.Take(); }
  /// How many threads had no timer since the clock began, because the user's processes have as many
  /// signals pending, timers among them, as the kernel allows (RLIMIT_SIGPENDING).
  int64_t threads_without();

 private:
  struct Timer {
    timer_t id{};
    ThreadTicks* ticks = nullptr;  // null: there is no timer
  };

  bool MakeTimer(int32_t thread, Timer* timer);
  void DeleteTimer(Timer* timer);

  std::mutex mutex_;
  int64_t interval_ns_ = 0;  // 0: nothing has begun
  int64_t phase_ns_ = 0;     // of the timer that was made last
  std::map<int32_t, Timer> threads_;
  std::set<int32_t> without_;
  TickRule rule_;
  // Never given back: a signal may be on its way when its timer is deleted.
  std::deque<ThreadTicks> ticks_;
  std::vector<ThreadTicks*> free_ticks_;
};

}  // namespace reprise
