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

// What a signal broke off, as the architecture has it.
#if defined(__x86_64__)
using Instruction = uint8_t;
bool IsKernelCall(const Instruction* at) { return at[0] == 0x0f && at[1] == 0x05; }  // syscall
constexpr size_t kKernelCallBytes = 2;
struct Registers {
  explicit Registers(const mcontext_t& of)
      : pc(static_cast<uint64_t>(of.gregs[REG_RIP])),
        sp(static_cast<uint64_t>(of.gregs[REG_RSP])),
        result(of.gregs[REG_RAX]) {}
  uint64_t pc;
  uint64_t sp;
  int64_t result;
};
#elif defined(__aarch64__)
using Instruction = uint32_t;
bool IsKernelCall(const Instruction* at) { return *at == 0xd4000001; }  // svc #0
constexpr size_t kKernelCallBytes = 4;
struct Registers {
  explicit Registers(const mcontext_t& of)
      : pc(of.pc), sp(of.sp), result(static_cast<int64_t>(of.regs[0])) {}
  uint64_t pc;
  uint64_t sp;
  int64_t result;
};
#endif

// As async-profiler tells waiting threads: at a call of the kernel, or behind one that was broken
// off.
Place PlaceOf(const void* context) {
  const Registers registers(static_cast<const ucontext_t*>(context)->uc_mcontext);
  Place place{.pc = registers.pc, .sp = registers.sp};
  const auto* const code = reinterpret_cast<const Instruction*>(place.pc);
  const auto* const before = reinterpret_cast<const Instruction*>(place.pc - kKernelCallBytes);
  // Pages are at least so long.
  constexpr uint64_t kPage = 4096;
  // What stands on the page before, or behind, may not be readable.
  const uint64_t at = place.pc % kPage;
  if (at < kKernelCallBytes || at > kPage - kKernelCallBytes) return place;
  const bool waits = IsKernelCall(code) || (IsKernelCall(before) && registers.result == -EINTR);
  place.doing = waits ? Doing::kWaits : Doing::kRuns;
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
