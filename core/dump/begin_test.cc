#include "dump/begin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "dump/dump_path.h"
#include "dump/meta.h"
#include "dump/sample_dump.h"
#include "dump/store.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string PathOf(std::string_view uri) { return OpenDumpPlace(uri).ValueOrDie().path; }

TEST(OpenDumpPlace, TakesFileUrisAndAbsolutePaths) {
  EXPECT_EQ(PathOf("file:/a/b"), "/a/b");
  EXPECT_EQ(PathOf("file:///a/b/"), "/a/b");
  EXPECT_EQ(PathOf("/a b/c:d%20"), "/a b/c:d%20");
  EXPECT_EQ(
      OpenDumpPlace("hdfs://host/a").status().message(),
      "dump path hdfs://host/a: file system \"hdfs\" is not supported; expected file:/… or an "
      "absolute path");
  EXPECT_THAT(OpenDumpPlace("file://host/a").status().message(), HasSubstr("with a host"));
  EXPECT_THAT(OpenDumpPlace("a/b").status().message(), HasSubstr("must be absolute"));
  EXPECT_THAT(OpenDumpPlace("").status().message(), HasSubstr("must be absolute"));
}

TEST(ParsePartitionFolder, TakesExactlyWhatIsWritten) {
  EXPECT_EQ(ParsePartitionFolder("partition-3")->partition, 3);
  EXPECT_FALSE(ParsePartitionFolder("partition-3")->attempt);
  EXPECT_EQ(ParsePartitionFolder("partition-3.attempt-41")->attempt, 41);
  for (const char* name : {"partition-", "partition-03", "partition-3.attempt-", "partition-x",
                           "partition-3.tmp", "Partition-3", "partition--3"}) {
    EXPECT_FALSE(ParsePartitionFolder(name)) << name;
  }
}

TEST(BeginDump, WritesTheFolderOfAnOperator) {
  const TemporaryFolder folder;
  const OperatorSpec spec = PassSpec(kLongAndText, 5, 2);
  nlohmann::json capture = CaptureJson(folder / "dump");
  capture["partitions"] = {3, 1};
  nlohmann::json request = BeginRequest(spec, capture);
  request["inputs"][1]["replicated"] = true;
  ASSERT_TRUE(BeginDump(request).ok());

  const PlanMeta plan = ReadPlanMeta(folder / "dump/loreId-5/plan.meta").ValueOrDie();
  EXPECT_EQ(ToJson(plan.spec), ToJson(spec));
  EXPECT_EQ(plan.query, "query-1");
  EXPECT_EQ(plan.partition_count, 4);
  EXPECT_EQ(plan.partitions_captured, (std::vector<int>{1, 3}));
  EXPECT_TRUE(plan.Captures(3));
  EXPECT_FALSE(plan.Captures(2));
  EXPECT_TRUE(plan.output_recorded);
  EXPECT_EQ(plan.conf["spark.sql.ansi.enabled"], "true");
  EXPECT_EQ(plan.versions["spark"], "4.1.3");

  const RddMeta input = ReadRddMeta(folder / "dump/loreId-5/input-1/rdd.meta").ValueOrDie();
  EXPECT_EQ(input.stream, 1);
  EXPECT_EQ(input.partitions, 4);
  EXPECT_TRUE(input.replicated);
  EXPECT_EQ(input.schema, kLongAndText);
  const RddMeta output = ReadRddMeta(folder / "dump/loreId-5/output/rdd.meta").ValueOrDie();
  EXPECT_EQ(output.stream, kOutputStream);
  EXPECT_FALSE(output.replicated);
}

TEST(BeginDump, TakesAnEmptyFolder) {
  const TemporaryFolder folder;
  EXPECT_TRUE(BeginDump(BeginRequest(PassSpec(kLongAndText), CaptureJson(folder.path()))).ok());
  EXPECT_TRUE(fs::exists(folder / "loreId-5/plan.meta"));
}

TEST(BeginDump, RefusesAFolderThatHoldsAnything) {
  const TemporaryFolder folder;
  std::ofstream(folder / "notes.txt") << "mine";
  const Status status = BeginDump(BeginRequest(PassSpec(kLongAndText), CaptureJson(folder.path())));
  EXPECT_EQ(status.message(),
            "dump path " + folder.path() +
                " must be empty or absent, but holds notes.txt; name another folder in "
                "spark.reprise.lore.dumpPath or empty this one");
  EXPECT_FALSE(fs::exists(folder / "loreId-5"));
}

// Two applications begin a dump at one path at the same moment. Whether each may.
std::pair<bool, bool> Race(const std::string& path, int64_t first_id, int64_t second_id) {
  int go[2];
  EXPECT_EQ(pipe(go), 0);
  std::vector<pid_t> children;
  for (const auto& [query, id] : {std::pair{"query-1", first_id}, {"query-2", second_id}}) {
    const auto request = BeginRequest(PassSpec(kLongAndText, id), CaptureJson(path, id, query));
    children.push_back(fork());
    if (children.back() != 0) continue;
    close(go[1]);
    char byte;
    (void)!read(go[0], &byte, 1);  // the end of the pipe
    const Status begun = BeginDump(request);
    const bool is_told = begun.message().find("must be empty or absent") != std::string::npos;
    _exit(begun.ok() ? 0 : is_told ? 1 : 2);
  }
  close(go[0]);
  close(go[1]);
  std::vector<int> codes;
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    codes.push_back(WEXITSTATUS(status));
    EXPECT_LE(codes.back(), 1) << "neither begun nor told why";
  }
  return {codes[0] == 0, codes[1] == 0};
}

TEST(BeginDump, OfTwoApplicationsAtOnePathOneIsTold) {
  for (int round = 0; round < 30; ++round) {
    const TemporaryFolder folder;
    const int64_t second_id = round % 2 == 0 ? 6 : 5;
    const auto [first, second] = Race(folder / "dump", 5, second_id);
    ASSERT_TRUE(first != second) << "round " << round << ": " << first << ", " << second;
    std::vector<std::string> left;
    for (const auto& entry : fs::directory_iterator(folder / "dump")) {
      left.push_back(entry.path().filename());
    }
    EXPECT_EQ(left, std::vector{fmt::format("loreId-{}", first ? 5 : second_id)});
    const PlanMeta plan = ReadPlanMeta(folder / ("dump/" + left[0] + "/plan.meta")).ValueOrDie();
    EXPECT_EQ(plan.query, first ? "query-1" : "query-2");
  }
}

TEST(BeginDump, RefusesAFile) {
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << "mine";
  const auto request = BeginRequest(PassSpec(kLongAndText), CaptureJson(folder / "file"));
  EXPECT_EQ(BeginDump(request).message(),
            "dump path " + (folder / "file") + " must be empty or absent, but is not a directory");
}

TEST(BeginDump, OperatorsOfOneQueryShareAFolder) {
  const TemporaryFolder folder;
  const std::string path = folder / "dump";
  ASSERT_TRUE(BeginDump(BeginRequest(PassSpec(kLongAndText, 5), CaptureJson(path, 5))).ok());
  ASSERT_TRUE(BeginDump(BeginRequest(PassSpec(kLongAndText, 7), CaptureJson(path, 7))).ok());
  EXPECT_TRUE(fs::exists(folder / "dump/loreId-7/plan.meta"));

  const auto other = BeginRequest(PassSpec(kLongAndText, 9), CaptureJson(path, 9, "query-2"));
  EXPECT_THAT(BeginDump(other).message(), HasSubstr("must be empty or absent, but holds loreId-"));
}

nlohmann::json KeptBack(const std::string& path, int64_t lore_id = 5) {
  nlohmann::json capture = CaptureJson(path, lore_id);
  capture["when"] = "failure";
  capture["ringBytes"] = 1 << 20;
  return capture;
}

TEST(EndDumps, LeavesNothingOfAQueryWithoutAWantedTask) {
  const TemporaryFolder folder;
  const OperatorSpec spec = PassSpec(kLongAndText, 5, 2);
  nlohmann::json request = BeginRequest(spec, KeptBack(folder / "dump"));
  request["inputs"][1]["replicated"] = true;
  ASSERT_TRUE(BeginDump(request).ok());
  fs::create_directories(folder / "dump/loreId-5/input-1/partition-0");
  ASSERT_TRUE(EndDumps("query-2").ok());
  EXPECT_TRUE(fs::exists(folder / "dump/loreId-5/plan.meta"));
  ASSERT_TRUE(EndDumps("query-1").ok());
  EXPECT_FALSE(fs::exists(folder / "dump"));
  EXPECT_TRUE(EndDumps("query-1").ok());
}

TEST(EndDumps, LeavesAFolderThatWasThere) {
  const TemporaryFolder folder;
  ASSERT_TRUE(BeginDump(BeginRequest(PassSpec(kLongAndText), KeptBack(folder.path()))).ok());
  ASSERT_TRUE(EndDumps("query-1").ok());
  EXPECT_TRUE(fs::is_directory(folder.path()));
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(EndDumps, LeavesWhatWasRecordedAndWhatIsDumpedAlways) {
  const TemporaryFolder folder;
  const std::string path = folder / "dump";
  ASSERT_TRUE(BeginDump(BeginRequest(PassSpec(kLongAndText, 5), KeptBack(path, 5))).ok());
  ASSERT_TRUE(BeginDump(BeginRequest(PassSpec(kLongAndText, 6), KeptBack(path, 6))).ok());
  ASSERT_TRUE(BeginDump(BeginRequest(PassSpec(kLongAndText, 7), CaptureJson(path, 7))).ok());
  fs::create_directories(folder / "dump/loreId-6/input-0/partition-3.attempt-41");
  ASSERT_TRUE(EndDumps("query-1").ok());
  EXPECT_FALSE(fs::exists(folder / "dump/loreId-5"));
  EXPECT_TRUE(fs::exists(folder / "dump/loreId-6/plan.meta"));
  EXPECT_TRUE(fs::exists(folder / "dump/loreId-7/plan.meta"));
}

TEST(BeginDump, APlanMayRunTwiceButNotBeAnother) {
  const TemporaryFolder folder;
  const auto request = BeginRequest(PassSpec(kLongAndText), CaptureJson(folder / "dump"));
  ASSERT_TRUE(BeginDump(request).ok());
  EXPECT_TRUE(BeginDump(request).ok());
  auto other = request;
  other["operator"]["kind"] = "other";
  EXPECT_THAT(BeginDump(other).message(),
              HasSubstr("two operators of a query must not share LORE id 5"));
}

TEST(BeginDump, SaysWhatIsWrongWithARequest) {
  const TemporaryFolder folder;
  const auto request = BeginRequest(PassSpec(kLongAndText), CaptureJson(folder / "dump"));
  auto without = request;
  without["capture"].erase("path");
  EXPECT_EQ(BeginDump(without).message(), "begin dump: member \"path\" is missing");
  auto mistyped = request;
  mistyped["outputPartitions"] = "4";
  EXPECT_EQ(BeginDump(mistyped).message(),
            "begin dump: member \"outputPartitions\" must be an integer, found string");
  auto fewer = request;
  fewer["inputs"] = nlohmann::json::array();
  EXPECT_EQ(BeginDump(fewer).message(),
            "begin dump: member \"inputs\" has 0 elements, the operator has 1 inputs");
  auto confused = request;
  confused["operator"]["lore_id"] = 6;
  EXPECT_EQ(BeginDump(confused).message(),
            "begin dump: the capture is of LORE id 5, the operator's is 6");
  EXPECT_FALSE(BeginDump(nlohmann::json::array()).ok());
  EXPECT_FALSE(fs::exists(folder / "dump"));
}

TEST(BeginDump, SaysWhichFileCannotBeWritten) {
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << "mine";
  const auto request = BeginRequest(PassSpec(kLongAndText), CaptureJson(folder / "file/dump"));
  EXPECT_THAT(BeginDump(request).message(),
              HasSubstr((folder / "file/dump") + ": cannot create: Not a directory"));
}

}  // namespace
}  // namespace reprise
