#include "profile/wall_ticks.h"

#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

#include "base/trace.h"

namespace reprise {

namespace {

// A thread that has used less since the tick before has done nothing but to be sampled.
constexpr int64_t kStillNs = 50'000;
constexpr int64_t kUnknownNs = INT64_MAX;
constexpr int kTimeBits = 42;
constexpr uint64_t kTimeMask = (uint64_t{1} << kTimeBits) - 1;

uint64_t TickTime(int64_t ns) { return static_cast<uint64_t>(ns) >> 16 & kTimeMask; }

enum class Doing { kUnknown, kRuns, kWaits };

struct Place {
  uint64_t pc = 0;
  uint64_t sp = 0;
  Doing doing = Doing::kUnknown;
};

// As async-profiler tells waiting threads: at a call of the kernel, or behind one that was broken
// off.
Place PlaceOf([[maybe_unused]] const void* context) {
  Place place;
#if defined(__x86_64__)
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  place.pc = static_cast<uint64_t>(registers[REG_RIP]);
  place.sp = static_cast<uint64_t>(registers[REG_RSP]);
  const auto* const code = reinterpret_cast<const uint8_t*>(place.pc);
  const auto is_call = [](const uint8_t* at) { return at[0] == 0x0f && at[1] == 0x05; };
  constexpr uint64_t kPage = 4096;
  // What stands on the page before, or behind, may not be readable.
  if (place.pc % kPage < 2 || place.pc % kPage == kPage - 1) return place;
  const bool waits = is_call(code) || (is_call(code - 2) && registers[REG_RAX] == -EINTR);
  place.doing = waits ? Doing::kWaits : Doing::kRuns;
#endif
  return place;
}

int64_t ThreadProcessorNs() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

bool TickLog::Add(const WallTick& tick) {
  uint64_t at = written_.load();
  do {
    if (at - taken_.load() >= kCapacity) return false;
  } while (!written_.compare_exchange_weak(at, at + 1));
  Slot& slot = slots_[at % kCapacity];
  slot.thread.store(tick.thread, std::memory_order_relaxed);
  slot.waits_since.store(tick.waits_since, std::memory_order_relaxed);
  slot.ns.store(tick.ns, std::memory_order_release);
  return true;
}

std::vector<WallTick> TickLog::Take() {
  std::vector<WallTick> ticks;
  const uint64_t end = written_.load();
  for (uint64_t at = taken_.load(); at < end; ++at) {
    Slot& slot = slots_[at % kCapacity];
    const int64_t ns = slot.ns.exchange(0, std::memory_order_acquire);
    if (ns == 0) break;  // it is being written
    ticks.push_back({ns, slot.thread.load(std::memory_order_relaxed),
                     slot.waits_since.load(std::memory_order_relaxed)});
    taken_.store(at + 1);
  }
  std::ranges::stable_sort(ticks, {}, &WallTick::ns);
  return ticks;
}

// The thread's number has 22 bits; times are in units of 65 microseconds, for nine years.
void ProcessorSamples::Note(int32_t thread, int64_t ns) {
  const auto number = static_cast<uint64_t>(thread);
  last_[number % kThreads].store(number << kTimeBits | TickTime(ns), std::memory_order_relaxed);
}

bool ProcessorSamples::HasSince(int32_t thread, int64_t ns) const {
  const auto number = static_cast<uint64_t>(thread);
  const uint64_t last = last_[number % kThreads].load(std::memory_order_relaxed);
  return last >> kTimeBits == number && (last & kTimeMask) > TickTime(ns);
}

constinit ProcessorSamples processor_samples;

void ThreadTicks::Begin(int32_t thread) {
  thread_ = thread;
  chunk_ = rule_->chunk.load();
  begun_ = MonotonicNs();
  cpu_ = thread == gettid() ? ThreadProcessorNs() : kUnknownNs;
  waits_since_ = 0;
}

bool ThreadTicks::NeedsStack(const void* context) {
  if (!rule_->has_processor_samples) return true;
  const uint64_t chunk = rule_->chunk;
  const int64_t cpu = ThreadProcessorNs();
  const int64_t used = cpu - cpu_.exchange(cpu);
  const int64_t now = MonotonicNs();
  const bool is_first = chunk_.exchange(chunk) != chunk || chunk % 2 == 1;
  if (is_first) begun_ = now;
  const Place place = PlaceOf(context);
  if (place.doing == Doing::kWaits) {
    const bool is_still =
        !is_first && waits_since_ != 0 && used < kStillNs && pc_ == place.pc && sp_ == place.sp;
    if (is_still) return !rule_->log.Add({now, thread_, waits_since_});
    waits_since_ = now;
    pc_ = place.pc;
    sp_ = place.sp;
    return true;
  }
  waits_since_ = 0;
  // There is a processor sample of what the thread does: one since it began, and it has run for a
  // good part of the time since the tick before.
  const bool is_sampled = !is_first && place.doing == Doing::kRuns &&
                          used >= rule_->interval_ns / 4 &&
                          processor_samples.HasSince(thread_, begun_);
  return !is_sampled || !rule_->log.Add({now, thread_, 0});
}

void ThreadTicks::WalkedStack() {
  if (rule_->has_processor_samples) cpu_ = ThreadProcessorNs();
}

}  // namespace reprise
