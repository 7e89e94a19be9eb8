#include "eventlog/event_log_files.h"

#include <gmock/gmock.h>

#include "eventlog/log_testing.h"

namespace reprise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> NamesOf(const EventLogFiles& log) {
  std::vector<std::string> names;
  for (const std::string& file : log.files) {
    names.push_back(std::filesystem::path(file).filename());
  }
  return names;
}

TEST(EventLogFiles, AreOneFile) {
  const LogFolder folder;
  const std::string path = folder.Write("local-1.zstd.inprogress", "12345");
  const EventLogFiles log = FindEventLog(path).ValueOrDie();
  EXPECT_THAT(log.files, ElementsAre(path));
  EXPECT_EQ(log.bytes, 5);
  EXPECT_TRUE(log.in_progress);
  EXPECT_EQ(FindEventLog("file:" + path)->path, path);
}

TEST(EventLogFiles, OfARolledLogStandInTheOrderOfTheirNumbers) {
  const LogFolder folder;
  for (const char* name : {"events_10_app", "events_2_app", "events_1_app", "appstatus_app"}) {
    folder.Write(std::string("eventlog_v2_app/") + name, "x");
  }
  for (int i = 3; i < 10; ++i) folder.Write(fmt::format("eventlog_v2_app/events_{}_app", i), "x");
  folder.Write("eventlog_v2_app/.events_1_app.crc", "x");
  const EventLogFiles log = FindEventLog(folder / "eventlog_v2_app").ValueOrDie();
  EXPECT_EQ(NamesOf(log).size(), 10u);
  EXPECT_EQ(NamesOf(log)[1], "events_2_app");
  EXPECT_EQ(NamesOf(log)[9], "events_10_app");
  EXPECT_FALSE(log.in_progress);
  EXPECT_THAT(log.gaps, IsEmpty());
  // The folder that Spark writes all its logs to is good enough while there is only one.
  EXPECT_EQ(FindEventLog(folder.path())->files, log.files);
}

TEST(EventLogFiles, BeginWithTheLastCompactedOne) {
  const LogFolder folder;
  for (const char* name :
       {"events_1_app.zstd.compact", "events_2_app.zstd", "events_2_app.zstd.compact",
        "events_3_app.zstd", "events_6_app.zstd", "appstatus_app.inprogress"}) {
    folder.Write(name, "x");
  }
  const EventLogFiles log = FindEventLog(folder.path()).ValueOrDie();
  EXPECT_THAT(NamesOf(log),
              ElementsAre("events_2_app.zstd.compact", "events_3_app.zstd", "events_6_app.zstd"));
  EXPECT_TRUE(log.in_progress);
  EXPECT_THAT(log.gaps, ElementsAre("events_4 to events_5 are missing"));
}

TEST(EventLogFiles, OfARecordingAreItsEvents) {
  const LogFolder folder;
  for (const char* name : {"lineage.jsonl", "objects", "events"}) folder.Write(name, "x");
  EXPECT_THAT(NamesOf(FindEventLog(folder.path()).ValueOrDie()), ElementsAre("events"));
}

TEST(EventLogFiles, AreListedWhereThereAreSeveral) {
  const LogFolder folder;
  folder.Write("app-2", "x");
  folder.Write("eventlog_v2_app-1/events_1_app-1", "x");
  EXPECT_EQ(FindEventLog(folder.path()).status().message(),
            folder.path() + " holds 2 event logs; name one of them:\n  " + (folder / "app-2") +
                "\n  " + (folder / "eventlog_v2_app-1"));
}

TEST(EventLogFiles, AreMissed) {
  const LogFolder folder;
  EXPECT_THAT(FindEventLog(folder.path()).status().message(), HasSubstr("holds no event log"));
  EXPECT_EQ(FindEventLog("/nowhere").status().message(), "there is no /nowhere");
}

}  // namespace
}  // namespace reprise
