// Samples of other events than the processor's time and the clock are counted by themselves.
#include "profile/event_names.h"

#include <gtest/gtest.h>

#include "profile/recording_splitter.h"
#include "profile/recording_testing.h"
#include "profile/stage_page.h"

namespace reprise {
namespace {

using EventNames = Recordings;

TEST_F(EventNames, AreThoseOfTheOptions) {
  EXPECT_EQ(EventName("jdk.ExecutionSample", "page-faults"), "page-faults");
  EXPECT_EQ(EventName("jdk.ObjectAllocationInNewTLAB", "cpu"), "alloc");
  EXPECT_EQ(EventName("jdk.ObjectAllocationOutsideTLAB", ""), "alloc");
  EXPECT_EQ(EventName("jdk.ThreadPark", ""), "lock");
  EXPECT_EQ(EventName("my.Event", "cpu"), "my.Event");
  for (const char* event : {"cpu", "ctimer", "itimer", ""}) EXPECT_TRUE(IsProcessorTime(event));
  for (const char* event : {"cycles", "page-faults"}) EXPECT_FALSE(IsProcessorTime(event));
}

// The example, as if its event had been another one.
TEST_F(EventNames, AreKeptByTheRecordingsOfStages) {
  std::string bytes = ReadWholeFile(kExample).ValueOrDie();
  const std::string setting =
      "\x03\x05"
      "event"
      "\x03\x03";
  size_t chunks = 0;
  for (size_t at = bytes.find(setting); at != std::string::npos; at = bytes.find(setting, at + 1)) {
    ASSERT_EQ(bytes.substr(at + setting.size(), 3), "cpu");
    bytes.replace(at + setting.size(), 3, "tlb");
    ++chunks;
  }
  ASSERT_GT(chunks, 0u);
  const std::string recording = Write("recording.jfr", bytes);
  const auto sampled = ReadStacks({recording}, {}).ValueOrDie();
  EXPECT_EQ(CountText(sampled), "1906 wall-clock samples, 49 tlb samples");
  EXPECT_EQ(Covered(sampled, "tlb", "R.hotOne"), 22);
  EXPECT_EQ(Covered(sampled, "CPU", ""), 0);

  std::vector<TaskInterval> tasks;
  for (const JfrSpan& span : SpansOfExample()) {
    tasks.push_back(
        {static_cast<int64_t>(span.thread), span.start, span.end, *ParseTaskTag(span.tag)});
  }
  RecordingSplitter splitter(recording, folder_.string(), 1 << 30);
  ASSERT_TRUE(splitter.Split(tasks).ok());
  const SliceFigures stage = splitter.stages().at({0, 0});
  EXPECT_EQ(stage.cpu_samples, 0);
  const auto of_stage = ReadStacks({stage.file}, {}).ValueOrDie();
  EXPECT_EQ(Covered(of_stage, "tlb", "R.hotOne"), 22);
  EXPECT_EQ(of_stage.cpu_samples, 0);
}

}  // namespace
}  // namespace reprise
