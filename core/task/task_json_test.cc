#include "task/task_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reprise {
namespace {

std::string ErrorOf(std::string_view json) { return ParseTask(json).status().message(); }

TEST(TaskJson, ReadsEveryMember) {
  const auto task = ParseTask(R"({"stage":3,"partition":7,"attempt":5000000000,"settings":{
      "spark.reprise.sql.batchRows":"100","spark.reprise.memory.debug":"true"},"leaves":[{"rows":1},{"files":[
      {"path":"file:///a b.parquet","start":4,"length":1234,"partitionValues":"AAAA"},
      {"path":"x","start":0,"length":0}]},{"files":[]}]})")
                        .ValueOrDie();
  EXPECT_EQ(task.stage, 3);
  EXPECT_EQ(task.partition, 7);
  EXPECT_EQ(task.attempt, 5000000000);
  EXPECT_EQ(task.settings.integer("spark.reprise.sql.batchRows"), 100);
  EXPECT_EQ(task.settings.integer("spark.reprise.sql.batchBytes"), 4194304);
  EXPECT_TRUE(task.settings.boolean("spark.reprise.memory.debug"));
  ASSERT_EQ(task.leaves.size(), 3u);
  EXPECT_EQ(task.leaves[0].kind, TaskLeaf::Kind::kRows);
  EXPECT_EQ(task.leaves[0].source, 1);
  EXPECT_EQ(task.leaves[1].kind, TaskLeaf::Kind::kFiles);
  ASSERT_EQ(task.leaves[1].files.size(), 2u);
  EXPECT_EQ(task.leaves[1].files[0].path, "file:///a b.parquet");
  EXPECT_EQ(task.leaves[1].files[0].start, 4);
  EXPECT_EQ(task.leaves[1].files[0].length, 1234);
  EXPECT_EQ(task.leaves[1].files[0].partition_values, "AAAA");
  EXPECT_EQ(task.leaves[1].files[1].partition_values, "");
  EXPECT_TRUE(task.leaves[2].files.empty());
}

TEST(TaskJson, ReadsLeavesOfBlocksAndBatches) {
  const auto task = ParseTask(R"({"stage":0,"partition":0,"attempt":0,"leaves":[{"blocks":2},
      {"blocks":1,"broadcast":5000000000},{"batches":3},{},{"rows":0,"broadcast":7}]})")
                        .ValueOrDie();
  ASSERT_EQ(task.leaves.size(), 5u);
  EXPECT_EQ(task.leaves[4].kind, TaskLeaf::Kind::kRows);
  EXPECT_EQ(task.leaves[4].broadcast, 7);
  EXPECT_EQ(task.leaves[3].kind, TaskLeaf::Kind::kNothing);
  EXPECT_EQ(task.leaves[0].kind, TaskLeaf::Kind::kBlocks);
  EXPECT_EQ(task.leaves[0].source, 2);
  EXPECT_FALSE(task.leaves[0].broadcast.has_value());
  EXPECT_EQ(task.leaves[1].broadcast, 5000000000);
  EXPECT_EQ(task.leaves[2].kind, TaskLeaf::Kind::kBatches);
  EXPECT_EQ(task.leaves[2].source, 3);
  EXPECT_EQ(task.leaves[2].kind_name(), "batches");
}

TEST(TaskJson, HasDefaults) {
  const auto task = ParseTask(R"({"stage":0,"partition":0,"attempt":0,"leaves":[]})").ValueOrDie();
  EXPECT_EQ(task.settings.integer("spark.reprise.sql.batchRows"), 32768);
  EXPECT_FALSE(task.settings.boolean("spark.reprise.memory.debug"));
  EXPECT_FALSE(task.trace.has_value());
}

TEST(TaskJson, ReadsWhereToTraceTo) {
  const auto task = ParseTask(R"({"stage":0,"partition":0,"attempt":0,"leaves":[],
      "settings":{"spark.reprise.trace.path":"/t"},
      "process":{"application":"app-1","executor":"1","startMs":1700000000000}})")
                        .ValueOrDie();
  ASSERT_TRUE(task.trace.has_value());
  EXPECT_EQ(task.trace->directory, "/t");
  EXPECT_EQ(task.trace->application, "app-1");
  EXPECT_EQ(task.trace->executor, "1");
  EXPECT_EQ(task.trace->start_ms, 1700000000000);
  EXPECT_EQ(ErrorOf(R"({"stage":0,"partition":0,"attempt":0,"leaves":[],
      "settings":{"spark.reprise.trace.path":"/t"},
      "process":{"application":"app-1","executor":"1","startMs":-1}})"),
            "task: process: \"startMs\" is -1; expected 0 to 9223372036854");
  EXPECT_THAT(ErrorOf(R"({"stage":0,"partition":0,"attempt":0,"leaves":[],
      "settings":{"spark.reprise.trace.path":"/t"}})"),
              testing::StartsWith("task: process: "));
}

TEST(TaskJson, TracesForOtherFileSystemsGoToALocalFolderFirst) {
  const auto task = ParseTask(R"({"stage":0,"partition":0,"attempt":0,"leaves":[],
      "settings":{"spark.reprise.trace.path":"hdfs://host/t"},
      "process":{"application":"app-1","executor":"1","startMs":0,"traces":"/local/x"}})")
                        .ValueOrDie();
  ASSERT_TRUE(task.trace.has_value());
  EXPECT_EQ(task.trace->directory, "/local/x");
  EXPECT_FALSE(ParseTask(R"({"stage":0,"partition":0,"attempt":0,"leaves":[],
      "settings":{"spark.reprise.trace.path":"hdfs://host/t"},
      "process":{"application":"app-1","executor":"1","startMs":0}})")
                   .ValueOrDie()
                   .trace.has_value());
}

TEST(TaskJson, NamesWhatIsWrong) {
  EXPECT_TRUE(ErrorOf("{").starts_with("task: malformed JSON: ")) << ErrorOf("{");
  const std::string missing = ErrorOf(R"({"stage":0,"partition":0,"leaves":[]})");
  EXPECT_TRUE(missing.starts_with("task: ") && missing.find("attempt") != std::string::npos)
      << missing;
  EXPECT_EQ(ErrorOf(R"({"stage":-1,"partition":0,"attempt":0,"leaves":[]})"),
            "task: \"stage\" is -1; expected 0 to 2147483647");
  EXPECT_EQ(ErrorOf(R"({"stage":0,"partition":0,"attempt":0,"leaves":[],
      "settings":{"spark.reprise.sql.batchRows":"0"}})"),
            "task: settings: spark.reprise.sql.batchRows must be an integer from 1 to 16777216, "
            "found \"0\"");
  EXPECT_EQ(ErrorOf(R"({"stage":0,"partition":0,"attempt":0,"leaves":[{"rows":0},
      {"files":[{"path":"x","start":0,"length":-5}]}]})"),
            "task: leaf 1: file 0: \"length\" is -5; expected 0 to 9223372036854775807");
  EXPECT_EQ(
      ErrorOf(R"({"stage":0,"partition":0,"attempt":0,"leaves":[{"blocks":0,"broadcast":-1}]})"),
      "task: leaf 0: \"broadcast\" is -1; expected 0 to 9223372036854775807");
}

}  // namespace
}  // namespace reprise
