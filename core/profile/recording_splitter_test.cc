// What is still in memory of a stage is what its recording has.
#include "profile/recording_splitter.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>

#include "dump/file.h"
#include "flame/flame_page.h"
#include "profile/jfr_chunk.h"
#include "profile/jfr_cursor.h"
#include "profile/recording_testing.h"
#include "profile/sample_stacks.h"

namespace reprise {
namespace {

using RecordingSplitters = Recordings;

// The chunk with another text among its constants, which stand at its end.
std::string Renamed(std::string chunk, const std::string& from, const std::string& to) {
  std::string before;
  std::string after;
  PutString(from, &before);
  PutString(to, &after);
  const JfrHeader header =
      JfrHeader::Read({reinterpret_cast<const uint8_t*>(chunk.data()), chunk.size()}, 0, "chunk")
          .ValueOrDie();
  const auto pools_at = static_cast<size_t>(header.pools_at);
  const size_t at = chunk.find(before, pools_at);
  EXPECT_NE(at, std::string::npos) << from;
  chunk.replace(at, before.size(), after);
  std::string pools;
  PutEvent(std::string_view(chunk).substr(pools_at + 5), &pools);
  chunk.replace(pools_at, std::string::npos, pools);
  std::string size;
  PutBigEndian(chunk.size(), 8, &size);
  return chunk.replace(8, size.size(), size);
}

// Of the example, with calls of the core and of generated code.
std::vector<std::string> Chunks() {
  std::vector<std::string> chunks;
  EXPECT_TRUE(ReadJfrFile(kExample, 0, [&](JfrChunk& chunk) {
                std::string bytes(chunk.bytes().begin(), chunk.bytes().end());
                bytes = Renamed(std::move(bytes), "R", "reprise/bridge/Native");
                chunks.push_back(Renamed(std::move(bytes), "lambda$main$0",
                                         "GeneratedIteratorForCodegenStage2"));
                return Status::OK();
              }).ok());
  return chunks;
}

std::string PageOf(const SampledStacks& sampled) {
  return FlamePage({"title", "subtitle", "samples"}, sampled.stacks, *sampled.names);
}

void ExpectSame(const SampledStacks& kept, const SampledStacks& read) {
  EXPECT_EQ(PageOf(kept), PageOf(read));
  EXPECT_EQ(kept.cpu_samples, read.cpu_samples);
  EXPECT_EQ(kept.wall_samples, read.wall_samples);
  EXPECT_EQ(kept.operator_samples, read.operator_samples);
  EXPECT_EQ(kept.operator_names, read.operator_names);
  EXPECT_EQ(kept.tasks.size(), read.tasks.size());
}

std::set<std::string> ThreadsIn(const std::string& file) {
  std::set<std::string> names;
  EXPECT_TRUE(ReadJfrFile(file, 0, [&](JfrChunk& chunk) {
                const JfrType* const type = chunk.types().Find("java.lang.Thread");
                for (const auto& entry : chunk.Pool(type->id)->entries()) {
                  names.insert(chunk.Thread(entry.number).name);
                }
                return Status::OK();
              }).ok());
  return names;
}

// A recording has the name that a thread bore at last, as of a task of stage 5.
TEST_F(RecordingSplitters, CallThreadsAfterTheTasksThatTheyRanInTheStage) {
  std::string chunk = Chunks()[0];
  for (const int thread : {0, 1}) {
    const std::string name =
        fmt::format("Executor task launch worker for task {0}.0 in stage 5.0 (TID 13{0})", thread);
    for (int i = 0; i < 2; ++i) {  // as the kernel has it, and as Java does
      chunk = Renamed(std::move(chunk), fmt::format("worker-{}", thread), name);
    }
  }
  RecordingSplitter splitter(Write("recording.jfr", chunk), folder_.string(), 1 << 30);
  std::vector<JfrSpan> spans = SpansOfExample();
  std::ranges::sort(spans, {}, &JfrSpan::start);
  const auto thread = static_cast<int32_t>(spans.front().thread);
  const int64_t begin = spans.front().start;
  const int64_t middle = begin + 200'000'000;
  ASSERT_TRUE(
      splitter
          .Split(
              {{.thread = thread, .start = begin, .end = middle, .task = {17, {3, 0}, 0}},
               {.thread = thread, .start = middle + 1, .end = middle + 2, .task = {18, {4, 1}, 0}},
               {.thread = thread, .start = middle + 3, .task = {19, {4, 1}, 0}}})
          .ok());
  EXPECT_THAT(ThreadsIn(splitter.stages().at({3, 0}).file),
              testing::Contains("Executor task launch worker in stage 3.0 (TID 17)"));
  EXPECT_THAT(ThreadsIn(splitter.stages().at({4, 1}).file),
              testing::Contains("Executor task launch worker in stage 4.1 (TID 18, 19)"));
  const std::set<std::string> others = ThreadsIn(splitter.other().file);
  EXPECT_THAT(others, testing::Contains("Executor task launch worker"));
  for (const auto& names : {ThreadsIn(splitter.stages().at({4, 1}).file), others}) {
    for (const std::string& name : names)
      EXPECT_EQ(name.find("stage 5"), std::string::npos) << name;
  }
}

TEST_F(RecordingSplitters, KeepWhatIsShownNext) {
  const std::vector<std::string> chunks = Chunks();
  ASSERT_EQ(chunks.size(), 2u);
  const std::string recording = Write("recording.jfr", chunks[0]);
  RecordingSplitter splitter(recording, folder_.string(), 1 << 30);
  std::vector<JfrSpan> spans = SpansOfExample();
  std::ranges::sort(spans, {}, &JfrSpan::start);
  const auto thread = static_cast<int32_t>(spans.front().thread);
  const auto helper = static_cast<int32_t>(std::ranges::find_if(spans, [&](const JfrSpan& span) {
                                             return span.thread != spans[0].thread;
                                           })->thread);
  const int64_t begin = spans.front().start;
  const int64_t middle = begin + 200'000'000;  // in the first chunk
  // Stage 3 is over in the first chunk, stage 4 goes on in the second one.
  const std::vector<TaskInterval> tasks = {
      {.thread = thread, .start = begin, .end = middle, .task = {17, {3, 0}, 0}},
      {.thread = helper, .start = begin, .end = middle, .task = {17, {3, 0}, 0, true}},
      {.thread = thread, .start = middle + 1, .task = {18, {4, 1}, 0}}};
  const std::vector<std::string> tags = {"name loreId=5 RepriseFilter [loreId=5]",
                                         "name codegen=2 Filter [loreId=4]"};
  splitter.Add({{begin + 50'000'000, thread, 5}, {begin + 150'000'000, thread, 0}});
  splitter.AddTicks({{begin + 60'000'000, thread, 0}, {begin + 61'000'000, helper, 0}});
  const auto recording_of = [&](StageAttemptId stage) { return splitter.stages().at(stage).file; };
  const auto take = [&](StageAttemptId stage) {
    // Without the file: it is not read.
    const std::string file = recording_of(stage);
    std::filesystem::rename(file, file + ".away");
    const Result<SampledStacks> kept = splitter.StacksOf(stage);
    EXPECT_FALSE(splitter.StacksOf(stage).ok()) << "it is gone from memory";
    std::filesystem::rename(file + ".away", file);
    const SampledStacks read = ReadStacks({file}, {}).ValueOrDie();
    ExpectSame(kept.ValueOrDie(), read);
    return read;
  };
  ASSERT_TRUE(splitter.Split(tasks, {{{3, 0}, tags}, {{4, 1}, {}}}).ok());
  const SampledStacks three = take({3, 0});
  EXPECT_GT(Covered(three, "CPU", "RepriseFilter [loreId=5]"), 0);
  EXPECT_GT(Covered(three, "CPU", "thread worker-*"), 0);
  EXPECT_GT(Covered(three, "CPU",
                    "reprise.bridge.Native.GeneratedIteratorForCodegenStage2 [Filter [loreId=4]]"),
            0);
  EXPECT_GT(Covered(three, "wall clock, running", ""), 0);
  EXPECT_GT(take({4, 1}).cpu_samples, 0);  // its generated code has no names

  std::ofstream(recording, std::ios::binary | std::ios::app) << chunks[1];
  const TaskInterval last = {.thread = helper, .start = middle + 1, .task = {19, {5, 0}, 0}};
  ASSERT_TRUE(
      splitter.Split({tasks[2], last}, {{{4, 1}, tags}, {{5, 0}, tags}, {{9, 0}, tags}}).ok());
  const SampledStacks four = splitter.StacksOf({4, 1}).ValueOrDie();
  EXPECT_EQ(PageOf(four), PageOf(ReadStacks({recording_of({4, 1})}, {}).ValueOrDie()));
  EXPECT_EQ(four.cpu_samples, splitter.stages().at({4, 1}).cpu_samples);
  take({5, 0});
  // A stage that is not shown is read.
  ASSERT_TRUE(splitter.Split({}).ok());
  EXPECT_EQ(splitter.StacksOf({4, 1}).ValueOrDie().cpu_samples, four.cpu_samples);
}

// No file grows beyond that while it lives, as on a disk that is full.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(uint64_t bytes) : before_(signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &limit_);
    const rlimit less = {bytes, limit_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &less);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &limit_);
    signal(SIGXFSZ, before_);
  }

 private:
  rlimit limit_{};
  void (*before_)(int);
};

TEST_F(RecordingSplitters, KeepWhatTheyHaveWhereARecordingCannotBeWritten) {
  const std::vector<std::string> chunks = Chunks();
  const std::string recording = Write("recording.jfr", chunks[0]);
  RecordingSplitter splitter(recording, folder_.string(), 1 << 30);
  std::vector<JfrSpan> spans = SpansOfExample();
  std::ranges::sort(spans, {}, &JfrSpan::start);
  const auto thread = static_cast<int32_t>(spans.front().thread);
  const int64_t middle = spans.front().start + 200'000'000;
  const TaskInterval long_one = {
      .thread = thread, .start = spans.front().start, .end = middle, .task = {17, {3, 0}, 0}};
  const TaskInterval on = {.thread = thread, .start = middle + 1, .task = {18, {4, 0}, 0}};
  const auto barred = folder_ / "stage-3-attempt-0.jfr";
  std::filesystem::create_directory(barred);
  ASSERT_TRUE(splitter.Split({long_one, on}, {{{3, 0}, {}}, {{4, 0}, {}}}).ok());
  const SliceFigures& three = splitter.stages().at({3, 0});
  EXPECT_EQ(three.bytes, 0);
  EXPECT_EQ(three.lost_chunks, 1);
  EXPECT_EQ(three.cpu_samples, 0);
  EXPECT_EQ(three.error, barred.string() + ": cannot write: Is a directory");
  const SliceFigures four = splitter.stages().at({4, 0});
  EXPECT_EQ(four.lost_chunks, 0);
  EXPECT_GT(splitter.StacksOf({4, 0}).ValueOrDie().cpu_samples, 0);

  std::ofstream(recording, std::ios::binary | std::ios::app) << chunks[1];
  {
    const FileSizeLimit limit(static_cast<uint64_t>(four.bytes) + 100);
    ASSERT_TRUE(splitter.Split({on}, {{{4, 0}, {"name loreId=5 RepriseFilter"}}}).ok());
  }
  const SliceFigures& after = splitter.stages().at({4, 0});
  EXPECT_EQ(after.bytes, four.bytes);
  EXPECT_EQ(after.cpu_samples, four.cpu_samples);
  EXPECT_EQ(after.lost_chunks, 1);
  EXPECT_EQ(after.error, four.file + ": cannot write: File too large");
  EXPECT_EQ(std::filesystem::file_size(four.file), static_cast<uintmax_t>(four.bytes));
  EXPECT_EQ(splitter.StacksOf({4, 0}).ValueOrDie().cpu_samples, four.cpu_samples);
  // What could not be written is not read again, and the names, which fit now, are.
  ASSERT_TRUE(splitter.Split({on}, {{{4, 0}, {"name loreId=5 RepriseFilter"}}}).ok());
  EXPECT_EQ(splitter.stages().at({4, 0}).cpu_samples, four.cpu_samples);
  EXPECT_GT(splitter.stages().at({4, 0}).bytes, four.bytes);
}

TEST_F(RecordingSplitters, LeaveOutChunksThatCannotBeRead) {
  std::vector<std::string> chunks = Chunks();
  chunks[0].replace(kJfrHeaderBytes, 5, "\xff\xff\xff\xff\x0f");  // the size of the first event
  const std::string recording = Write("recording.jfr", chunks[0] + chunks[1]);
  RecordingSplitter splitter(recording, folder_.string(), 1 << 30);
  std::vector<TaskInterval> tasks;
  for (const JfrSpan& span : SpansOfExample()) {
    tasks.push_back({.thread = static_cast<int32_t>(span.thread),
                     .start = span.start,
                     .end = span.end,
                     .task = *ParseTaskTag(span.tag)});
  }
  ASSERT_TRUE(splitter.Split(tasks).ok());
  EXPECT_EQ(splitter.other().lost_chunks, 1);
  EXPECT_THAT(splitter.other().error, testing::HasSubstr("recording.jfr: offset "));
  EXPECT_GT(splitter.stages().at({1, 0}).cpu_samples, 0);
  ASSERT_TRUE(splitter.Split(tasks).ok());
  EXPECT_EQ(splitter.other().lost_chunks, 1) << "it is not looked at again";
}

}  // namespace
}  // namespace reprise
