// Wall-clock samples of the threads that run tasks, and of no others.
//
// async-profiler's wall clock lists the threads of the process and reads the clock of each of them
// every interval: of an executor's four hundred threads, nearly all of which wait, that takes a
// tenth of what the queries take. So it is started with a long interval, and the threads that
// matter are signalled here: its handler samples whichever thread has the signal.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <set>
#include <string_view>
#include <thread>

namespace reprise {

/// Of the process. Every method may be called on any thread.
class WallClock {
 public:
  static WallClock& OfProcess();
  ~WallClock() { End(); }

  /// From now on each thread of the set has a signal every `interval_ns`, spread over that time.
  /// False, and nothing begins, where the signal of async-profiler's wall clock is not handled by
  /// the library whose file is called `library`: somebody else had it first.
  bool Begin(int64_t interval_ns, std::string_view library);

  /// No thread is signalled any more. Does nothing where nothing has begun.
  void End();

  /// Threads are as the kernel numbers them. One that ends must be taken out before.
  void Add(int32_t thread);
  void Remove(int32_t thread);

 private:
  void Run(std::chrono::nanoseconds interval);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<int32_t> threads_;
  bool is_ending_ = false;
  std::thread clock_;
};

}  // namespace reprise
