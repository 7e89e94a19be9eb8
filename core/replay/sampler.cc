#include "replay/sampler.h"

#include <execinfo.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "replay/symbols.h"

namespace reprise {

namespace {

constexpr int kDepthMax = 256;
// Pages of it are used as they are written: a long buffer costs nothing until it fills.
constexpr size_t kBufferWords = size_t{1} << 27;
// The handler itself and the frame by which the kernel calls it.
constexpr int kOwnFrames = 2;

}  // namespace

// Stacks lie one behind the other: their depth, then their addresses.
struct Sampler::State {
  uintptr_t* buffer = nullptr;
  std::atomic<size_t> used = 0;
  std::atomic<int64_t> samples = 0;
  std::atomic<int64_t> lost = 0;
  std::atomic<bool> paused = false;
  timer_t timer{};
  bool has_timer = false;
  struct sigaction before {};
  bool has_handler = false;
};

namespace {

std::atomic<void*> g_state = nullptr;

template <typename State>
void Record(State* state) {
  if (state->paused) return;
  void* stack[kDepthMax];
  const int depth = ::backtrace(stack, kDepthMax);
  const size_t used = state->used;
  if (depth <= kOwnFrames || used + kDepthMax + 1 > kBufferWords) {
    ++state->lost;
    return;
  }
  state->buffer[used] = static_cast<uintptr_t>(depth - kOwnFrames);
  std::memcpy(state->buffer + used + 1, stack + kOwnFrames,
              sizeof(uintptr_t) * static_cast<size_t>(depth - kOwnFrames));
  state->used = used + 1 + static_cast<size_t>(depth - kOwnFrames);
  ++state->samples;
}

}  // namespace

Result<std::unique_ptr<Sampler>> Sampler::Start(int samples_per_second) {
  void* expected = nullptr;
  std::unique_ptr<Sampler> sampler(new Sampler());
  sampler->state_ = std::make_unique<State>();
  State* state = sampler->state_.get();
  if (!g_state.compare_exchange_strong(expected, state)) {
    return Status::Invalid("a profile is being taken already");
  }
  void* memory = ::mmap(nullptr, kBufferWords * sizeof(uintptr_t), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return Status::OutOfMemory("no address space for a profile");
  state->buffer = static_cast<uintptr_t*>(memory);
  // The first call loads the unwinder, which a handler may not do.
  void* warm[1];
  ::backtrace(warm, 1);

  struct sigaction action {};
  action.sa_flags = SA_RESTART | SA_SIGINFO;
  action.sa_sigaction = [](int, siginfo_t*, void*) {
    const int error = errno;
    if (void* now = g_state) Record(static_cast<State*>(now));
    errno = error;
  };
  if (::sigaction(SIGPROF, &action, &state->before) != 0) {
    return Status::IOError("cannot take a profile: sigaction: ", std::strerror(errno));
  }
  state->has_handler = true;
  struct sigevent event {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGPROF;
  event._sigev_un._tid = static_cast<pid_t>(::syscall(SYS_gettid));
  if (::timer_create(CLOCK_MONOTONIC, &event, &state->timer) != 0) {
    return Status::IOError("cannot take a profile: timer_create: ", std::strerror(errno));
  }
  state->has_timer = true;
  struct itimerspec interval {};
  interval.it_interval.tv_nsec = 1'000'000'000 / samples_per_second;
  interval.it_value = interval.it_interval;
  if (::timer_settime(state->timer, 0, &interval, nullptr) != 0) {
    return Status::IOError("cannot take a profile: timer_settime: ", std::strerror(errno));
  }
  return sampler;
}

Sampler::~Sampler() {
  Stop();
  if (state_->buffer != nullptr) ::munmap(state_->buffer, kBufferWords * sizeof(uintptr_t));
}

void Sampler::Pause(bool paused) { state_->paused = paused; }

void Sampler::Stop() {
  if (std::exchange(state_->has_timer, false)) ::timer_delete(state_->timer);
  // A signal that is on its way finds nothing to record into.
  void* own = state_.get();
  g_state.compare_exchange_strong(own, nullptr);
  if (std::exchange(state_->has_handler, false)) {
    struct sigaction ignored {};
    ignored.sa_handler = SIG_IGN;
    ::sigaction(SIGPROF, &ignored, nullptr);  // drops one that is pending
    ::sigaction(SIGPROF, &state_->before, nullptr);
  }
}

int64_t Sampler::sample_count() const { return state_->samples; }
int64_t Sampler::lost_count() const { return state_->lost; }

CollapsedStacks Sampler::Stacks() const {
  CollapsedStacks stacks;
  Symbols symbols;
  for (size_t at = 0; at < state_->used;) {
    const size_t depth = state_->buffer[at++];
    std::vector<std::string> frames;
    for (size_t i = depth; i-- > 0;) {
      // All but the leaf are return addresses: the call stands before.
      frames.push_back(symbols.NameOf(state_->buffer[at + i] - (i == 0 ? 0 : 1)));
    }
    ++stacks[frames];
    at += depth;
  }
  return stacks;
}

}  // namespace reprise
