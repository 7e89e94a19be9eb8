// Wall-clock samples of the threads that run tasks, and of no others.
//
// async-profiler's wall clock lists the threads of the process and reads the clock of each of them
// every interval: of an executor's four hundred threads, nearly all of which wait, that takes a
// tenth of what the queries take. So it is started with a long interval, and the threads that
// matter are signalled here: its handler samples whichever thread has the signal.
//
// Each thread has a timer of the kernel's: a thread that wakes up to signal others takes more of
// the processor than their samples.
#pragma once

#include <cstdint>
#include <ctime>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>

namespace reprise {

/// Of the process. Every method may be called on any thread.
class WallClock {
 public:
  static WallClock& OfProcess();
  ~WallClock() { End(); }

  /// From now on each thread of the set has a signal every `interval_ns`, spread over that time.
  /// False, and nothing begins, where the kernel has no timer for that, or the signal of
  /// async-profiler's wall clock is not handled by the library whose file is called `library`:
  /// somebody else had it first.
  bool Begin(int64_t interval_ns, std::string_view library);

  /// No thread is signalled any more. Does nothing where nothing has begun.
  void End();

  /// Threads are as the kernel numbers them. One that has ended has no signal.
  void Add(int32_t thread);
  void Remove(int32_t thread);

 private:
  std::optional<timer_t> TimerOf(int32_t thread);

  std::mutex mutex_;
  int64_t interval_ns_ = 0;  // 0: nothing has begun
  int64_t phase_ns_ = 0;     // of the timer that was made last
  // A thread's timer, while one runs.
  std::map<int32_t, std::optional<timer_t>> threads_;
};

}  // namespace reprise
