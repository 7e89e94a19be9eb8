// Ticks whose stacks were not walked count as samples of the recording that is taken apart.
#include "profile/tick_samples.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>

#include "profile/jfr_chunk.h"
#include "profile/jfr_file.h"
#include "profile/recording_splitter.h"
#include "profile/recording_testing.h"
#include "profile/sample_stacks.h"

namespace reprise {
namespace {

class TickSamples : public Recordings {
 protected:
  // The samples of stage 3 and of no stage, with the example's recording and these ticks.
  std::pair<SampledStacks, SampledStacks> Split(const std::vector<TaskInterval>& tasks,
                                                const std::vector<WallTick>& ticks) {
    for (const char* const file : {"stage-3-attempt-0.jfr", "other.jfr"}) {
      std::filesystem::remove(folder_ / file);
    }
    RecordingSplitter splitter(CopyOfExample(), folder_.string(), 1 << 30);
    splitter.AddTicks(ticks);
    EXPECT_TRUE(splitter.Split(tasks).ok());
    const SliceFigures stage = splitter.stages().at({3, 0});
    std::pair read{ReadStacks({stage.file}, {}).ValueOrDie(),
                   ReadStacks({splitter.other().file}, {}).ValueOrDie()};
    EXPECT_EQ(read.first.wall_samples, stage.wall_samples);
    EXPECT_EQ(read.first.cpu_samples, stage.cpu_samples);
    return read;
  }
};

JfrChunk ChunkOfExample() {
  std::optional<JfrChunk> first;
  EXPECT_TRUE(ReadJfrFile(kExample, 0, [&](JfrChunk& chunk) {
                if (!first) first = std::move(chunk);
                return Status::OK();
              }).ok());
  return *std::move(first);
}

TEST_F(TickSamples, CountAsTheSampleThatTheyAreLike) {
  const JfrChunk chunk = ChunkOfExample();
  const auto first = [&](SampleKind kind, std::string_view thread, std::string_view state) {
    return *std::ranges::find_if(chunk.samples(), [&](const JfrSample& sample) {
      return sample.kind == kind && chunk.Thread(sample.thread).name.starts_with(thread) &&
             (state.empty() || chunk.State(sample.state) == state);
    });
  };
  const JfrSample runs = first(SampleKind::kCpu, "worker-", "");
  const JfrSample waits = first(SampleKind::kWall, "", "STATE_SLEEPING");
  const auto runner = static_cast<int32_t>(chunk.Thread(runs.thread).os_id);
  const auto waiter = static_cast<int32_t>(chunk.Thread(waits.thread).os_id);
  ASSERT_NE(runner, waiter);
  const std::vector<TaskInterval> tasks = {{.thread = runner,
                                            .start = runs.ticks - 5'000'000,
                                            .end = runs.ticks + 5'000'000,
                                            .task = {17, {3, 0}, 0}}};
  const auto [stage_before, other_before] = Split(tasks, {});
  // One that runs within the task, another one after it, three that wait, and one of a chunk to
  // come.
  const auto [stage, other] = Split(tasks, {{runs.ticks - 4'000'000, runner, 0},
                                            {runs.ticks + 3'000'000, runner, 0},
                                            {runs.ticks + 6'000'000, runner, 0},
                                            {waits.ticks + 20, waiter, waits.ticks - 10},
                                            {waits.ticks + 30, waiter, waits.ticks - 10},
                                            {waits.ticks + 40, waiter, waits.ticks - 10},
                                            {INT64_MAX, waiter, waits.ticks - 10}});
  EXPECT_EQ(stage.cpu_samples, stage_before.cpu_samples);
  EXPECT_EQ(stage.wall_samples, stage_before.wall_samples + 2);
  EXPECT_EQ(other.wall_samples, other_before.wall_samples + 4);
  constexpr auto kRunning = "wall clock, running";
  constexpr auto kWaiting = "wall clock, waiting";
  EXPECT_EQ(Covered(stage, kRunning, ""), Covered(stage_before, kRunning, "") + 2);
  EXPECT_EQ(Covered(other, kRunning, ""), Covered(other_before, kRunning, "") + 1);
  EXPECT_EQ(Covered(other, kWaiting, ""), Covered(other_before, kWaiting, "") + 3);
  // Below frames that are known, in a recording that any reader takes.
  EXPECT_EQ(Covered(other, kWaiting, "[no stack]"), 0);
  EXPECT_EQ(Covered(stage, kRunning, "[no stack]"), 0);
  EXPECT_EQ(Covered(stage, kRunning, "java.lang.Thread.run"),
            Covered(stage_before, kRunning, "java.lang.Thread.run") + 2);

  // The sample was dropped: a tick counts all the same.
  const auto [same, rest] = Split(tasks, {{waits.ticks + 20, waiter, waits.ticks + 10}});
  EXPECT_EQ(Covered(rest, kWaiting, ""), Covered(other_before, kWaiting, "") + 1);
  EXPECT_EQ(Covered(rest, kWaiting, "[no stack]"), 1);
}

}  // namespace
}  // namespace reprise
