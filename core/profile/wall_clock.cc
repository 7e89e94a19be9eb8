#include "profile/wall_clock.h"

#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/trace.h"

namespace reprise {

namespace {

// What async-profiler takes where nobody else has it, for its wall clock and for the processor's
// timers.
constexpr int kSignal = SIGVTALRM;
constexpr int kProcessorSignal = SIGPROF;

using Handler = void (*)(int, siginfo_t*, void*);

// async-profiler's, while ours stand before them.
std::atomic<Handler> next_handler = nullptr;
std::atomic<Handler> next_processor_handler = nullptr;

void OnSignal(int number, siginfo_t* info, void* context) {
  const int error = errno;
  auto* const ticks =
      info->si_code == SI_TIMER ? static_cast<ThreadTicks*>(info->si_value.sival_ptr) : nullptr;
  if (ticks == nullptr) {
    next_handler.load()(number, info, context);  // of async-profiler's own clock
  } else if (ticks->thread() == gettid() && ticks->NeedsStack(context)) {
    next_handler.load()(number, info, context);
    ticks->WalkedStack();
  }
  errno = error;
}

bool IsHandledBy(const struct sigaction& action, std::string_view library) {
  Dl_info place{};
  // A number that is no function (SIG_DFL) is in no library.
  const auto* const handler = reinterpret_cast<const void*>(action.sa_sigaction);
  if ((action.sa_flags & SA_SIGINFO) == 0 || dladdr(handler, &place) == 0 ||
      place.dli_fname == nullptr) {
    return false;
  }
  const std::string_view file = place.dli_fname;
  return file.substr(file.rfind('/') + 1) == library;
}

void OnProcessorSignal(int number, siginfo_t* info, void* context) {
  const int error = errno;
  const int64_t now = MonotonicNs();
  next_processor_handler.load()(number, info, context);
  processor_samples.Note(gettid(), now);
  errno = error;
}

// Sets ours before the handler that there is, if that is the library's.
bool TakeSignal(int signal, Handler ours, std::atomic<Handler>* next, std::string_view library) {
  struct sigaction action {};
  if (sigaction(signal, nullptr, &action) != 0 || action.sa_sigaction == ours ||
      !IsHandledBy(action, library)) {
    return false;
  }
  *next = action.sa_sigaction;
  action.sa_sigaction = ours;
  return sigaction(signal, &action, nullptr) == 0;
}

// Where nobody has set another one since. A signal on its way finds the one that there was.
void GiveSignalBack(int signal, Handler ours, const std::atomic<Handler>& next) {
  struct sigaction action {};
  if (sigaction(signal, nullptr, &action) != 0 || action.sa_sigaction != ours) return;
  action.sa_sigaction = next;
  sigaction(signal, &action, nullptr);
}

void GiveSignalsBack() {
  GiveSignalBack(kSignal, OnSignal, next_handler);
  GiveSignalBack(kProcessorSignal, OnProcessorSignal, next_processor_handler);
}

}  // namespace

WallClock& WallClock::OfProcess() {
  static WallClock clock;
  return clock;
}

Status WallClock::Begin(int64_t interval_ns, bool has_processor_samples, std::string_view library) {
  End();
  const std::scoped_lock lock(mutex_);
  if (!TakeSignal(kSignal, OnSignal, &next_handler, library)) {
    return Status::Invalid(library,
                           " does not handle SIGVTALRM, which async-profiler 4.6 takes for ",
                           "its wall clock: another library had it first, or another version of ",
                           "async-profiler is loaded");
  }
  interval_ns_ = interval_ns;
  rule_.interval_ns = interval_ns;
  rule_.has_processor_samples =
      has_processor_samples &&
      TakeSignal(kProcessorSignal, OnProcessorSignal, &next_processor_handler, library);
  rule_.log.Take();
  without_.clear();
  Timer trial;
  if (!MakeTimer(gettid(), &trial)) {
    const int error = errno;
    interval_ns_ = 0;
    GiveSignalsBack();
    return Status::Invalid("the kernel has no timer for the wall clock: ", std::strerror(error));
  }
  DeleteTimer(&trial);
  for (auto& [thread, timer] : threads_) MakeTimer(thread, &timer);
  return Status::OK();
}

void WallClock::End() {
  const std::scoped_lock lock(mutex_);
  if (interval_ns_ == 0) return;
  interval_ns_ = 0;
  for (auto& [thread, timer] : threads_) DeleteTimer(&timer);
  GiveSignalsBack();
}

void WallClock::Add(int32_t thread) {
  const std::scoped_lock lock(mutex_);
  const auto [found, is_new] = threads_.try_emplace(thread);
  if (is_new && interval_ns_ != 0) MakeTimer(thread, &found->second);
}

void WallClock::Remove(int32_t thread) {
  const std::scoped_lock lock(mutex_);
  const auto found = threads_.find(thread);
  if (found == threads_.end()) return;
  DeleteTimer(&found->second);
  threads_.erase(found);
}

void WallClock::SetEndingChunk(bool is_ending) {
  const std::scoped_lock lock(mutex_);
  if ((rule_.chunk % 2 == 1) != is_ending) ++rule_.chunk;
}

int64_t WallClock::threads_without() {
  const std::scoped_lock lock(mutex_);
  return static_cast<int64_t>(without_.size());
}

// A timer that runs; none, and errno, for a thread that has ended, or where the kernel has no more.
bool WallClock::MakeTimer(int32_t thread, Timer* timer) {
  if (free_ticks_.empty()) free_ticks_.push_back(&ticks_.emplace_back(&rule_));
  ThreadTicks* const ticks = free_ticks_.back();
  struct sigevent event {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = kSignal;
  event.sigev_value.sival_ptr = ticks;
  event._sigev_un._tid = thread;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer->id) != 0) {
    if (errno == EAGAIN) without_.insert(thread);
    return false;
  }
  free_ticks_.pop_back();
  ticks->Begin(thread);
  timer->ticks = ticks;
  // By the golden section: however many threads there are, their signals are apart from each other,
  // for handlers lock each other out where more than sixteen run.
  phase_ns_ =
      (phase_ns_ + static_cast<int64_t>(0.618 * static_cast<double>(interval_ns_))) % interval_ns_;
  const auto time = [](int64_t ns) {
    return timespec{.tv_sec = ns / 1'000'000'000, .tv_nsec = ns % 1'000'000'000};
  };
  const itimerspec times{.it_interval = time(interval_ns_), .it_value = time(phase_ns_ + 1)};
  timer_settime(timer->id, 0, &times, nullptr);
  return true;
}

void WallClock::DeleteTimer(Timer* timer) {
  if (timer->ticks == nullptr) return;
  timer_delete(timer->id);
  free_ticks_.push_back(timer->ticks);
  timer->ticks = nullptr;
}

}  // namespace reprise
