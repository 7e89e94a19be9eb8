// What a replay can be asked for besides a plain run, on a real operator that hands its input on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dump/begin.h"
#include "dump/sample_dump.h"
#include "replay/replay.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

OperatorSpec ProjectSpec() {
  OperatorSpec spec = PassSpec(kLongAndText);
  spec.kind = "project";
  spec.name = "RepriseProject";
  spec.arguments["expressions"] = nlohmann::json::array();
  for (const auto& [index, type] : {std::pair{0, "long"}, std::pair{1, "string"}}) {
    spec.arguments["expressions"].push_back({{"function", "column"},
                                             {"type", type},
                                             {"nullable", true},
                                             {"attributes", {{"index", index}}}});
  }
  return spec;
}

class ReplayOptionsTest : public testing::Test {
 protected:
  void SetUp() override { Record(folder_, {{first_, second_}, {}}); }

  // A dump of a projection, partition by partition.
  void Record(const TemporaryFolder& folder,
              const std::vector<std::vector<std::shared_ptr<arrow::RecordBatch>>>& partitions) {
    const auto capture = CaptureJson(folder.path());
    ASSERT_TRUE(BeginDump(BeginRequest(spec_, capture, static_cast<int>(partitions.size()))).ok());
    for (int i = 0; i < static_cast<int>(partitions.size()); ++i) {
      ASSERT_TRUE(RecordPass(spec_, capture, partitions[i], i).ok());
    }
  }

  Result<ReplayReport> Run() { return Replay(folder_ / "loreId-5", options_); }
  std::string Error() { return Run().status().message(); }

  TemporaryFolder folder_;
  TemporaryFolder work_;
  OperatorSpec spec_ = ProjectSpec();
  ReplayOptions options_;
  std::shared_ptr<arrow::RecordBatch> first_ =
      BatchOf(kLongAndText, R"([[1,"x"],[2,null],[3,"z"]])");
  std::shared_ptr<arrow::RecordBatch> second_ = BatchOf(kLongAndText, R"([[4,"x"],[null,""]])");
};

TEST_F(ReplayOptionsTest, WarmupRunsAreNotCounted) {
  options_.warmup = 2;
  options_.repeat = 3;
  const ReplayReport report = Run().ValueOrDie();
  EXPECT_TRUE(report.holds());
  EXPECT_EQ(report.partitions[0].runs.size(), 3u);
  EXPECT_EQ(report.partitions[0].output.rows, 5);
}

TEST_F(ReplayOptionsTest, WhatWasNotComparedIsNotEqual) {
  EXPECT_EQ(Run().ValueOrDie().verdict(), ReplayVerdict::kEqual);  // also of no rows
  const TemporaryFolder other;
  auto capture = CaptureJson(other.path());
  capture["output"] = false;
  ASSERT_TRUE(BeginDump(BeginRequest(spec_, capture, 2)).ok());
  ASSERT_TRUE(RecordPass(spec_, capture, {first_}, 0).ok());
  ASSERT_TRUE(RecordPass(spec_, capture, {}, 1).ok());
  const auto verdict = [&] { return Replay(other / "loreId-5", options_).ValueOrDie().verdict(); };
  EXPECT_EQ(verdict(), ReplayVerdict::kNotCompared);
  options_.assertion = "a < 4";
  EXPECT_EQ(verdict(), ReplayVerdict::kEqual);
  options_.assertion = "a < 3";
  EXPECT_EQ(verdict(), ReplayVerdict::kDifferent);
  options_.assertion = "";
  options_.compare_path = folder_ / "loreId-5";
  EXPECT_EQ(verdict(), ReplayVerdict::kDifferent);
}

TEST_F(ReplayOptionsTest, AssertionsShowTheRowsThatFail) {
  options_.assertion = "a < 3 AND b IS NOT NULL";
  const ReplayReport report = Run().ValueOrDie();
  EXPECT_FALSE(report.holds());
  const AssertionOutcome& outcome = *report.partitions[0].assertion;
  EXPECT_EQ(outcome.rows, 5);
  EXPECT_EQ(outcome.failing, 3);  // null in the last row: not false
  EXPECT_EQ(outcome.sample[0].row, 1);
  EXPECT_EQ(outcome.sample[0].values[1], std::pair(std::string("b"), std::string("null")));
  EXPECT_EQ(outcome.sample[2].row, 3);
  EXPECT_EQ(outcome.sample[2].values[0], std::pair(std::string("a"), std::string("4")));
  EXPECT_TRUE(report.partitions[1].assertion->holds());

  options_.assertion = "a > 0";
  EXPECT_TRUE(Run().ValueOrDie().holds()) << "null is not false, as in a CHECK constraint";
  options_.assertion = "a > 0 AND";
  EXPECT_EQ(Error(),
            "the assertion \"a > 0 AND\" cannot be read at character 10: expected a value, "
            "found the end");
  options_.assertion = "1 / (a - 3) > 0 OR true";
  EXPECT_EQ(Run().ValueOrDie().partitions[0].assertion->error, "DIVIDE_BY_ZERO");
}

TEST_F(ReplayOptionsTest, ComparesWithAnotherDump) {
  TemporaryFolder other;
  Record(other, {{first_, BatchOf(kLongAndText, R"([[4,"x"],[7,""]])")}, {}});
  options_.compare_path = other / "loreId-5";
  const ReplayReport report = Run().ValueOrDie();
  EXPECT_FALSE(report.holds());
  const PartitionReplay& replay = report.partitions[0];
  EXPECT_EQ(replay.comparison.verdict, Verdict::kEqual);
  EXPECT_EQ(replay.reference->comparison.verdict, Verdict::kDifferent);
  EXPECT_THAT(replay.reference->comparison.columns, testing::ElementsAre(0));
  EXPECT_EQ(replay.reference->first_difference->row, 4);
  EXPECT_EQ(replay.reference->first_difference->recorded, "7");
  EXPECT_EQ(replay.reference->first_difference->replayed, "null");
  EXPECT_EQ(report.partitions[1].reference->comparison.verdict, Verdict::kEqual);
}

TEST_F(ReplayOptionsTest, OrderCountsWhereItIsAskedFor) {
  TemporaryFolder other;
  Record(other, {{second_, first_}, {}});
  options_.compare_path = other / "loreId-5";
  ReplayReport report = Run().ValueOrDie();
  EXPECT_TRUE(report.holds());
  EXPECT_EQ(report.partitions[0].reference->comparison.verdict, Verdict::kOtherOrder);
  options_.ordered = true;
  report = Run().ValueOrDie();
  EXPECT_FALSE(report.holds());
  EXPECT_EQ(report.partitions[0].reference->first_difference->row, 0);
  EXPECT_EQ(report.partitions[0].reference->first_difference->recorded, "4");
}

TEST_F(ReplayOptionsTest, AnotherDumpMustFit) {
  TemporaryFolder other;
  Record(other, {{first_}});
  options_.compare_path = other / "loreId-5";
  EXPECT_THAT(Error(), HasSubstr("loreId-5 has 1 partitions, expected 2: the partitions are "
                                 "compared one by one"));
  TemporaryFolder third;
  spec_.output[0].name = "other";
  Record(third, {{}, {}});
  options_.compare_path = third / "loreId-5";
  EXPECT_THAT(Error(), HasSubstr("has other columns: other bigint, b string; expected a bigint, b "
                                 "string"));
}

TEST_F(ReplayOptionsTest, ComparesWithAFile) {
  for (const char* name : {"rows.parquet", "rows.arrow"}) {
    SCOPED_TRACE(name);
    options_.compare_path.clear();
    options_.out_path = work_ / name;
    ASSERT_TRUE(Run().ok());
    options_.compare_path = options_.out_path;
    options_.out_path.clear();
    options_.ordered = true;
    const ReplayReport report = Run().ValueOrDie();
    EXPECT_TRUE(report.holds());
    EXPECT_EQ(report.reference->comparison.verdict, Verdict::kEqual);
    EXPECT_FALSE(report.partitions[0].reference);

    TemporaryFolder other;
    Record(other, {{first_}, {second_, first_}});
    const ReplayReport longer = Replay(other / "loreId-5", options_).ValueOrDie();
    EXPECT_FALSE(longer.holds());
    EXPECT_TRUE(longer.partitions[1].holds());
    EXPECT_EQ(longer.reference->first_difference->row, 5);
    EXPECT_EQ(longer.reference->first_difference->recorded, "no row");
  }
  options_.compare_path = work_ / "rows.csv";
  EXPECT_THAT(Error(),
              HasSubstr("rows.csv: expected a folder loreId-N, or a file .parquet, .arrow"));
  options_.compare_path = work_ / "absent.parquet";
  EXPECT_THAT(Error(), HasSubstr("absent.parquet: "));
}

TEST_F(ReplayOptionsTest, ConfReplacesWhatTheOperatorReads) {
  options_.conf = {{"spark.reprise.sql.batchRows", "7"}, {"spark.memory.offHeap.size", "64m"}};
  EXPECT_TRUE(Run().ValueOrDie().holds());
  options_.conf = {{"spark.reprise.sql.batchRow", "7"}};
  EXPECT_EQ(Error(),
            "unknown configuration key spark.reprise.sql.batchRow, did you mean "
            "spark.reprise.sql.batchRows?");
  options_.conf = {{"spark.reprise.sql.batchRows", "none"}};
  EXPECT_EQ(Error(),
            "spark.reprise.sql.batchRows must be an integer from 1 to 16777216, found \"none\"");
  options_.conf = {{"spark.memory.offHeap.size", "64q"}};
  EXPECT_EQ(Error(),
            "spark.memory.offHeap.size must be a number of bytes such as 64m or 2g, found "
            "\"64q\"");
  options_.conf = {{"spark.sql.ansi.enabled", "false"}};
  EXPECT_THAT(Error(),
              HasSubstr("--conf spark.sql.ansi.enabled: the operator does not read it when "
                        "it runs, it was planned with \"true\" built in; --engine spark"));
}

TEST_F(ReplayOptionsTest, TwoReplaysAreBitIdentical) {
  for (const auto& version : fs::directory_iterator(REPRISE_DUMPS)) {
    if (!version.is_directory()) continue;
    for (const auto& folder : fs::directory_iterator(version.path())) {
      SCOPED_TRACE(folder.path());
      std::string before;
      for (int i = 0; i < 3; ++i) {
        options_.out_path = work_ / "rows.arrow";
        ASSERT_TRUE(Replay(folder.path(), options_).ok());
        const std::string bytes = Contents(options_.out_path);
        EXPECT_TRUE(i == 0 || bytes == before);
        before = bytes;
      }
    }
  }
}

}  // namespace
}  // namespace reprise
