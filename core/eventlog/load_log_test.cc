#include "eventlog/load_log.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "eventlog/log_testing.h"

namespace reprise {
namespace {

using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> TextsOf(const LogDamages& damages) {
  std::vector<std::string> texts;
  for (const LogDamage& damage : damages.kept()) texts.push_back(damage.ToString());
  return texts;
}

class Loading : public testing::Test {
 protected:
  Result<LoadedLog> Load(std::string_view bytes) {
    return LoadLog(folder_.Write("log", bytes), {});
  }

  LogFolder folder_;
  std::vector<std::string> lines_ = SmallLogLines();
};

TEST_F(Loading, TellsTheApplication) {
  const LoadedLog log = Load(SmallLog()).ValueOrDie();
  EXPECT_THAT(TextsOf(log.damages), IsEmpty());
  EXPECT_EQ(log.events, 14);
  EXPECT_EQ(log.codec, "none");
  EXPECT_EQ(log.text_bytes, log.files.bytes);
  const LogModel& model = log.model;
  EXPECT_EQ(model.spark_version(), "4.1.3");
  EXPECT_EQ(model.application(), "my app");
  EXPECT_EQ(model.started(), 1);
  EXPECT_EQ(model.ended(), 16);
  ASSERT_EQ(model.rdds().size(), 3u);
  EXPECT_EQ(model.rdds().at(0).call_site, "makeRDD at <console>:12");
  EXPECT_EQ(model.rdds().at(2).storage.ToString(), "MEMORY_AND_DISK");
  ASSERT_EQ(model.stages().size(), 3u);
  const Stage& first = model.stages().at(0);
  EXPECT_EQ(model.StateOf(first), StageState::kComplete);
  EXPECT_THAT(first.rdds, ElementsAre(1, 0));
  EXPECT_THAT(first.jobs, ElementsAre(0));
  EXPECT_EQ(model.StateOf(model.stages().at(2)), StageState::kSkipped);
  EXPECT_EQ(model.jobs().at(0).execution, 6);
  ASSERT_EQ(first.attempts.size(), 1u);
  const StageTasks& tasks = first.attempts[0].tasks;
  EXPECT_EQ(tasks.succeeded(), 2);
  EXPECT_EQ(tasks.failed(), 1);
  EXPECT_EQ(tasks.MinMs(), 100);
  EXPECT_EQ(tasks.MedianMs(), 300);
  EXPECT_DOUBLE_EQ(tasks.Skew(), 1);
  EXPECT_EQ(tasks.slowest().index, 1);
  EXPECT_EQ(tasks.slowest().executor, "7");
  EXPECT_EQ(tasks.figures().input_rows, 210);
  EXPECT_EQ(first.work.figures.input_rows, 140);
  EXPECT_EQ(first.work.partitions(), 2);
  ASSERT_EQ(tasks.failures().size(), 1u);
  EXPECT_EQ(tasks.failures()[0].reason,
            "ExceptionFailure: java.lang.ArithmeticException: / by zero");
}

TEST_F(Loading, LeavesOutWhatIsNotWanted) {
  const std::string path = folder_.Write("log", SmallLog());
  const LoadedLog log = LoadLog(path, {.tasks = false}).ValueOrDie();
  EXPECT_EQ(log.model.stages().at(0).attempts[0].tasks.ended(), 0);
  EXPECT_EQ(log.model.rdds().size(), 3u);
}

// Without the end of its job or stage the log says that they still run.
TEST_F(Loading, TellsWhatHadNotEnded) {
  std::string text;
  for (size_t i = 0; i < 8; ++i) text += lines_[i] + "\n";
  const LoadedLog log = Load(text).ValueOrDie();
  EXPECT_EQ(log.model.ended(), 0);
  EXPECT_EQ(log.model.StateOf(log.model.stages().at(0)), StageState::kRunning);
  EXPECT_EQ(log.model.StateOf(log.model.stages().at(1)), StageState::kWaiting);
}

TEST_F(Loading, SkipsDamagedLinesAndNamesThem) {
  lines_[5] = "garbage";
  lines_[8] = lines_[8].substr(0, 100);
  std::string text;
  for (const std::string& line : lines_) text += line + "\n";
  const LoadedLog log = Load(text).ValueOrDie();
  EXPECT_THAT(TextsOf(log.damages),
              ElementsAre("log line 6: expected {\"Event\":…, found garbage",
                          "log line 9: torn: SparkListenerStageCompleted ends after 100 bytes"));
  EXPECT_EQ(log.model.stages().at(0).attempts[0].tasks.ended(), 2);
  EXPECT_EQ(log.model.ended(), 16);
}

TEST_F(Loading, CountsDamagesPastTheFirstHundred) {
  std::string text = lines_[0] + "\n";
  for (int i = 0; i < 500; ++i) text += "garbage\n";
  const LoadedLog log = Load(text).ValueOrDie();
  EXPECT_EQ(log.damages.count(), 500);
  EXPECT_EQ(log.damages.kept().size(), LogDamages::kKept);
}

TEST_F(Loading, RefusesWhatIsNoEventLog) {
  EXPECT_EQ(Load("hello\nworld\n").status().message(),
            (folder_ / "log") +
                " is no event log: it begins with \"hello?world?\"; expected an event log of "
                "Spark, whose first line begins with {\"Event\":\"SparkListenerLogStart\"");
  EXPECT_THAT(Load("").status().message(), HasSubstr("log is empty; expected an event log"));
  EXPECT_THAT(Load(std::string(100000, '\0')).status().message(), HasSubstr("is no event log"));
  EXPECT_THAT(Load("{\"version\":1}").status().message(), HasSubstr("is no event log"));
}

// A damaged first line does not make a log another file.
TEST_F(Loading, ReadsALogWhoseFirstLineIsDamaged) {
  const LoadedLog log = Load("x" + SmallLog()).ValueOrDie();
  EXPECT_EQ(log.damages.count(), 1);
  EXPECT_EQ(log.model.stages().size(), 3u);
}

TEST_F(Loading, ReadsLinesLongerThanItsBuffer) {
  std::string text = lines_[0] + "\n";
  text +=
      R"({"Event":"SparkListenerEnvironmentUpdate","x":")" + std::string(5 << 20, 'x') + "\"}\n";
  for (size_t i = 1; i < lines_.size(); ++i) text += lines_[i] + "\n";
  const LoadedLog log = Load(text).ValueOrDie();
  EXPECT_THAT(TextsOf(log.damages), IsEmpty());
  EXPECT_EQ(log.events, 15);
  EXPECT_EQ(log.model.ended(), 16);
}

TEST_F(Loading, ReadsOneRolledFileAfterTheOther) {
  std::string text[2];
  for (size_t i = 0; i < lines_.size(); ++i) text[i < 5 ? 0 : 1] += lines_[i] + "\n";
  folder_.Write("v2/events_1_app.zstd", TestCodecs()[1].encode(text[0]));
  folder_.Write("v2/events_3_app.lz4", TestCodecs()[2].encode(text[1] + "x\n"));
  folder_.Write("v2/appstatus_app", "");
  const LoadedLog log = LoadLog(folder_ / "v2", {}).ValueOrDie();
  EXPECT_EQ(log.events, 14);
  EXPECT_THAT(TextsOf(log.damages), ElementsAre(folder_ / "v2: events_2 is missing",
                                                "events_3_app.lz4 line 10: expected {\"Event\":…, "
                                                "found x"));
  EXPECT_EQ(log.model.ended(), 16);
}

// As many events as there are whole lines, wherever a driver died.
TEST_F(Loading, ReadsALogCutAtAnyByte) {
  const std::string text = SmallLog();
  for (size_t size = 1; size <= text.size(); ++size) {
    const Result<LoadedLog> log = Load(std::string_view(text).substr(0, size));
    ASSERT_TRUE(log.ok()) << size << log.status();
    const auto lines = std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(size), '\n');
    const bool whole = text[size - 1] == '\n' || text[size] == '\n';
    ASSERT_EQ(log->events, lines + (text[size] == '\n' ? 1 : 0)) << size;
    ASSERT_EQ(log->damages.count(), whole ? 0 : 1) << size;
    if (!whole) {
      ASSERT_EQ(log->damages.kept()[0].line, lines + 1) << size;
    }
  }
}

TEST_F(Loading, ReadsEveryCodecCutAtAnyByte) {
  const std::string text = SmallLog();
  for (const TestCodec& codec : TestCodecs()) {
    const std::string stream = codec.encode(text);
    int64_t most = 0;
    for (size_t size = 8; size <= stream.size(); ++size) {
      const Result<LoadedLog> log = Load(std::string_view(stream).substr(0, size));
      if (!log.ok()) {
        ASSERT_THAT(log.status().message(),
                    AnyOf(HasSubstr("holds no event: it ends inside the "), HasSubstr("is empty")));
        continue;
      }
      ASSERT_GE(log->events, most) << codec.name << size;
      most = log->events;
    }
    EXPECT_EQ(most, 14) << codec.name;
  }
}

}  // namespace
}  // namespace reprise
