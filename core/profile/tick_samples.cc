#include "profile/tick_samples.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace reprise {

namespace {

// A thread's samples in the order of time.
struct Sampled {
  std::vector<const JfrSample*> processor;
  std::vector<const JfrSample*> wall;
};

std::unordered_map<int64_t, Sampled> ByThread(const JfrChunk& chunk,
                                              std::span<const WallTick> ticks) {
  std::unordered_map<int64_t, Sampled> threads;
  for (const WallTick& tick : ticks) threads.try_emplace(tick.thread);
  for (const JfrSample& sample : chunk.samples()) {
    if (sample.kind == SampleKind::kOther) continue;
    const auto found = threads.find(chunk.Thread(sample.thread).os_id);
    if (found == threads.end()) continue;
    Sampled& sampled = found->second;
    (sample.kind == SampleKind::kCpu ? sampled.processor : sampled.wall).push_back(&sample);
  }
  for (auto& [thread, sampled] : threads) {
    std::ranges::sort(sampled.processor, {}, &JfrSample::ticks);
    std::ranges::sort(sampled.wall, {}, &JfrSample::ticks);
  }
  return threads;
}

const JfrSample* Nearest(const std::vector<const JfrSample*>& samples, const WallTick& tick,
                         const TaskOfThread& task_of) {
  const void* const task = task_of(tick.thread, tick.ns);
  const auto after = std::ranges::lower_bound(samples, tick.ns, {}, &JfrSample::ticks);
  const JfrSample* nearest = nullptr;
  const auto consider = [&](const JfrSample* sample) {
    if (task_of(tick.thread, sample->ticks) != task) return;
    const auto distance = [&](const JfrSample* one) { return std::abs(one->ticks - tick.ns); };
    if (nearest == nullptr || distance(sample) < distance(nearest)) nearest = sample;
  };
  if (after != samples.begin()) consider(*std::prev(after));
  if (after != samples.end()) consider(*after);
  return nearest;
}

const JfrSample* Since(const std::vector<const JfrSample*>& samples, const WallTick& tick) {
  const auto after = std::ranges::upper_bound(samples, tick.ns, {}, &JfrSample::ticks);
  if (after == samples.begin()) return nullptr;
  const JfrSample* const last = *std::prev(after);
  return last->ticks >= tick.waits_since ? last : nullptr;
}

// The state's number in the chunk, or that of no state.
uint64_t StateNumber(const JfrChunk& chunk, std::string_view state) {
  const JfrType* const type = chunk.types().Find("jdk.types.ThreadState");
  const JfrPool* const pool = type == nullptr ? nullptr : chunk.Pool(type->id);
  if (pool == nullptr) return 0;
  const auto found = std::ranges::find_if(pool->entries(), [&](const JfrPool::Entry& entry) {
    return chunk.State(entry.number) == state;
  });
  return found == pool->entries().end() ? 0 : found->number;
}

}  // namespace

std::vector<JfrSample> SamplesOf(const JfrChunk& chunk, std::span<const WallTick> ticks,
                                 const TaskOfThread& task_of) {
  const JfrType* const type = chunk.types().Find("profiler.WallClockSample");
  if (ticks.empty() || type == nullptr) return {};
  std::vector<JfrSample> samples;
  std::map<const JfrSample*, size_t> known;
  const auto threads = ByThread(chunk, ticks);
  const uint64_t running = StateNumber(chunk, "STATE_RUNNABLE");
  const uint64_t waiting = StateNumber(chunk, "STATE_SLEEPING");
  for (const WallTick& tick : ticks) {
    const Sampled& sampled = threads.at(tick.thread);
    const bool waits = tick.waits_since != 0;
    const JfrSample* const like =
        waits ? Since(sampled.wall, tick) : Nearest(sampled.processor, tick, task_of);
    if (like != nullptr) {
      if (const auto [found, is_new] = known.emplace(like, samples.size()); !is_new) {
        ++samples[found->second].count;
        continue;
      }
    }
    samples.push_back(
        {.kind = SampleKind::kWall,
         .event_type = type->id,
         .ticks = like == nullptr ? tick.ns : like->ticks,
         .thread = like == nullptr ? static_cast<uint64_t>(tick.thread) : like->thread,
         .stack = like == nullptr ? 0 : like->stack,
         .state = waits ? waiting : running});
  }
  return samples;
}

}  // namespace reprise
