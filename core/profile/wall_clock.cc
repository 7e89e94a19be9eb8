#include "profile/wall_clock.h"

#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>

namespace reprise {

namespace {

// What async-profiler takes where nobody else has it.
constexpr int kSignal = SIGVTALRM;

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
  interval_ns_ = interval_ns;
  const std::optional<timer_t> trial = TimerOf(gettid());
  if (!trial) {
    interval_ns_ = 0;
    return false;
  }
  timer_delete(*trial);
  for (auto& [thread, timer] : threads_) timer = TimerOf(thread);
  return true;
}

void WallClock::End() {
  const std::scoped_lock lock(mutex_);
  interval_ns_ = 0;
  for (auto& [thread, timer] : threads_) {
    if (timer) timer_delete(*timer);
    timer.reset();
  }
}

void WallClock::Add(int32_t thread) {
  const std::scoped_lock lock(mutex_);
  const auto [found, is_new] = threads_.try_emplace(thread);
  if (is_new && interval_ns_ != 0) found->second = TimerOf(thread);
}

void WallClock::Remove(int32_t thread) {
  const std::scoped_lock lock(mutex_);
  const auto found = threads_.find(thread);
  if (found == threads_.end()) return;
  if (found->second) timer_delete(*found->second);
  threads_.erase(found);
}

// A timer that runs; none for a thread that has ended.
std::optional<timer_t> WallClock::TimerOf(int32_t thread) {
  struct sigevent event {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = kSignal;
  event._sigev_un._tid = thread;
  timer_t timer{};
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return std::nullopt;
  // By the golden section: however many threads there are, their signals are apart from each other,
  // for handlers lock each other out where more than sixteen run.
  phase_ns_ =
      (phase_ns_ + static_cast<int64_t>(0.618 * static_cast<double>(interval_ns_))) % interval_ns_;
  const auto time = [](int64_t ns) {
    return timespec{.tv_sec = ns / 1'000'000'000, .tv_nsec = ns % 1'000'000'000};
  };
  const itimerspec times{.it_interval = time(interval_ns_), .it_value = time(phase_ns_ + 1)};
  timer_settime(timer, 0, &times, nullptr);
  return timer;
}

}  // namespace reprise
