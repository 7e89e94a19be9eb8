#include "profile/wall_clock.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace reprise {

namespace {

// What async-profiler takes where nobody else has it.
constexpr int kSignal = SIGVTALRM;

// So many threads are signalled at once. Its handlers lock each other out beyond sixteen.
constexpr size_t kAtOnce = 8;

bool IsHandledBy(std::string_view library) {
  struct sigaction action {};
  Dl_info place{};
  if (sigaction(kSignal, nullptr, &action) != 0 || (action.sa_flags & SA_SIGINFO) == 0) {
    return false;
  }
  // A number that is no function (SIG_DFL) is in no library.
  const auto* const handler = reinterpret_cast<const void*>(action.sa_sigaction);
  if (dladdr(handler, &place) == 0 || place.dli_fname == nullptr) return false;
  const std::string_view file = place.dli_fname;
  return file.substr(file.rfind('/') + 1) == library;
}

}  // namespace

WallClock& WallClock::OfProcess() {
  static WallClock clock;
  return clock;
}

bool WallClock::Begin(int64_t interval_ns, std::string_view library) {
  End();
  if (!IsHandledBy(library)) return false;
  const std::scoped_lock lock(mutex_);
  is_ending_ = false;
  clock_ = std::thread([this, interval_ns] { Run(std::chrono::nanoseconds(interval_ns)); });
  return true;
}

void WallClock::End() {
  std::thread clock;
  {
    const std::scoped_lock lock(mutex_);
    is_ending_ = true;
    clock.swap(clock_);
  }
  changed_.notify_all();
  if (clock.joinable()) clock.join();
}

void WallClock::Add(int32_t thread) {
  const std::scoped_lock lock(mutex_);
  threads_.insert(thread);
  if (threads_.size() == 1) changed_.notify_all();
}

void WallClock::Remove(int32_t thread) {
  const std::scoped_lock lock(mutex_);
  threads_.erase(thread);
}

void WallClock::Run(std::chrono::nanoseconds interval) {
  pthread_setname_np(pthread_self(), "reprise-flames");
  std::unique_lock lock(mutex_);
  auto due = std::chrono::steady_clock::now();
  const auto is_ending = [this] { return is_ending_; };
  while (!is_ending_) {
    if (threads_.empty()) {
      changed_.wait(lock, [this] { return is_ending_ || !threads_.empty(); });
      due = std::chrono::steady_clock::now();
    }
    const std::vector<int32_t> threads(threads_.begin(), threads_.end());
    for (size_t i = 0; i < threads.size() && !is_ending_;) {
      for (const size_t end = std::min(i + kAtOnce, threads.size()); i < end; ++i) {
        if (threads_.contains(threads[i])) syscall(SYS_tgkill, getpid(), threads[i], kSignal);
      }
      const auto part = interval * static_cast<int64_t>(i) / static_cast<int64_t>(threads.size());
      changed_.wait_until(lock, due + part, is_ending);
    }
    due += interval;
    // What was missed because the machine was busy is not made up for.
    if (const auto now = std::chrono::steady_clock::now(); now > due + interval) due = now;
  }
}

}  // namespace reprise
