#include "replay/replay.h"

#include <arrow/array/array_primitive.h>
#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <parquet/arrow/reader.h>

#include <fstream>

#include "dump/begin.h"
#include "dump/capture_writer.h"
#include "dump/sample_dump.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

// Hands its input on; `spoil`, where given, may change or refuse a batch.
using Spoil = std::function<Result<std::optional<Batch>>(const Batch&)>;

class Pass : public Operator {
 public:
  Pass(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs, const TaskContext& context,
       Spoil spoil)
      : Operator(std::move(spec), std::move(inputs), context), spoil_(std::move(spoil)) {}

 protected:
  Result<std::optional<Batch>> NextBatch() override {
    ARROW_ASSIGN_OR_RAISE(auto batch, Pull());
    if (!batch || !spoil_) return batch;
    return spoil_(*batch);
  }

 private:
  Spoil spoil_;
};

OperatorFactory PassFactory(Spoil spoil = {}) {
  return [spoil](OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
                 const TaskContext& context) -> Result<std::unique_ptr<Operator>> {
    return std::make_unique<Pass>(std::move(spec), std::move(inputs), context, spoil);
  };
}

class ReplayTest : public testing::Test {
 protected:
  void Begin(const OperatorSpec& spec, int partition_count = 2) {
    spec_ = spec;
    ASSERT_TRUE(BeginDump(BeginRequest(spec_, capture_, partition_count)).ok());
  }

  // Two partitions: two batches of three and two rows, and no batch at all.
  void RecordTwo() {
    Begin(PassSpec(kLongAndText));
    ASSERT_TRUE(RecordPass(spec_, capture_, {first_, second_}, 0).ok());
    ASSERT_TRUE(RecordPass(spec_, capture_, {}, 1).ok());
  }

  // Runs the operator natively with a capture, pulling until `rows_max` rows, and finishes the
  // task.
  void RunCaptured(const std::vector<std::shared_ptr<arrow::RecordBatch>>& batches,
                   int64_t rows_max, bool failed = false) {
    TaskContext context;
    context.attempt = 41;
    auto source = [batches,
                   next = size_t{0}]() mutable -> Result<std::shared_ptr<arrow::RecordBatch>> {
      return next < batches.size() ? batches[next++] : nullptr;
    };
    std::vector<std::unique_ptr<Operator>> inputs;
    inputs.push_back(MakeLeaf(std::move(source), context));
    Pass pass(spec_, std::move(inputs), context, {});
    pass.set_capture(MakeDumpCapture(spec_, capture_, context).ValueOrDie());
    int64_t rows = 0;
    while (rows < rows_max) {
      const auto batch = pass.Next().ValueOrDie();
      if (!batch) break;
      rows += batch->selected_count();
    }
    ASSERT_TRUE(pass.Finish(failed ? CaptureEnd::kFailed : CaptureEnd::kSucceeded).ok());
  }

  static std::unique_ptr<Operator> MakeLeaf(
      std::function<Result<std::shared_ptr<arrow::RecordBatch>>()> source,
      const TaskContext& context) {
    class Leaf : public Operator {
     public:
      Leaf(OperatorSpec spec, std::function<Result<std::shared_ptr<arrow::RecordBatch>>()> source,
           const TaskContext& context)
          : Operator(std::move(spec), {}, context), source_(std::move(source)) {}

     protected:
      Result<std::optional<Batch>> NextBatch() override {
        ARROW_ASSIGN_OR_RAISE(const auto records, source_());
        if (records == nullptr) return std::nullopt;
        return ToBatch(records);
      }

     private:
      std::function<Result<std::shared_ptr<arrow::RecordBatch>>()> source_;
    };
    OperatorSpec spec;
    spec.name = "leaf";
    spec.output = kLongAndText;
    return std::make_unique<Leaf>(spec, std::move(source), context);
  }

  Result<ReplayReport> Run(Spoil spoil = {}) {
    options_.make_operator = PassFactory(std::move(spoil));
    return Replay(folder_ / "loreId-5", options_);
  }

  TemporaryFolder folder_;
  OperatorSpec spec_;
  nlohmann::json capture_ = CaptureJson(folder_.path());
  ReplayOptions options_;
  std::shared_ptr<arrow::RecordBatch> first_ =
      BatchOf(kLongAndText, R"([[1,"x"],[2,null],[3,"z"]])");
  std::shared_ptr<arrow::RecordBatch> second_ = BatchOf(kLongAndText, R"([[4,"x"],[null,""]])");
};

TEST_F(ReplayTest, GivesTheRecordedOutputAgain) {
  RecordTwo();
  const ReplayReport report = Run().ValueOrDie();
  EXPECT_TRUE(report.holds());
  ASSERT_EQ(report.partitions.size(), 2u);
  const PartitionReplay& replay = report.partitions[0];
  EXPECT_EQ(replay.comparison.verdict, Verdict::kEqual);
  EXPECT_EQ(replay.attempt, 41);
  EXPECT_EQ(replay.input_rows, 5);
  EXPECT_EQ(replay.input_batches, 2);
  EXPECT_EQ(replay.output.rows, 5);
  EXPECT_EQ(replay.output, replay.comparison.recorded);
  EXPECT_FALSE(replay.ended_with_record);
  EXPECT_EQ(report.partitions[1].output.rows, 0);
  EXPECT_EQ(report.partitions[1].comparison.verdict, Verdict::kEqual);
}

TEST_F(ReplayTest, EveryTypeReplaysBitForBit) {
  Begin(PassSpec(EveryType()), 1);
  ASSERT_TRUE(RecordPass(spec_, capture_, {EveryTypeBatch(50), EveryTypeBatch(9, 2)}).ok());
  options_.repeat = 3;
  const ReplayReport report = Run().ValueOrDie();
  EXPECT_TRUE(report.holds());
  EXPECT_EQ(report.partitions[0].output.rows, 59);
  EXPECT_EQ(report.partitions[0].runs.size(), 3u);
  EXPECT_EQ(report.partitions[0].comparison.verdict, Verdict::kEqual);
}

TEST_F(ReplayTest, OneChangedValueIsFoundWithItsColumn) {
  RecordTwo();
  const auto spoil = [&](const Batch& batch) -> Result<std::optional<Batch>> {
    Batch other = batch;
    if (batch.row_count == 2)
      other.columns[1] = BatchOf(kLongAndText, R"([[4,"x"],[null,"!"]])")->column(1);
    return other;
  };
  const ReplayReport report = Run(spoil).ValueOrDie();
  EXPECT_FALSE(report.holds());
  EXPECT_EQ(report.partitions[0].comparison.verdict, Verdict::kDifferent);
  EXPECT_THAT(report.partitions[0].comparison.columns, ElementsAre(1));
  ASSERT_TRUE(report.partitions[0].first_difference);
  EXPECT_EQ(report.partitions[0].first_difference->row, 4);
  EXPECT_EQ(report.partitions[0].first_difference->column, 1);
  EXPECT_EQ(report.partitions[0].first_difference->recorded, "");
  EXPECT_EQ(report.partitions[0].first_difference->replayed, "!");
  EXPECT_EQ(report.partitions[1].comparison.verdict, Verdict::kEqual);
}

TEST_F(ReplayTest, AnotherOrderIsToldFromOtherRows) {
  RecordTwo();
  const auto reverse = [](const Batch& batch) -> Result<std::optional<Batch>> {
    Batch other = batch;
    std::vector<int32_t> rows;
    for (int i = static_cast<int>(batch.row_count) - 1; i >= 0; --i) rows.push_back(i);
    for (auto& column : other.columns) {
      ARROW_ASSIGN_OR_RAISE(column, Gather(*column, rows, arrow::default_memory_pool()));
    }
    return other;
  };
  const ReplayReport report = Run(reverse).ValueOrDie();
  EXPECT_EQ(report.partitions[0].comparison.verdict, Verdict::kOtherOrder);
  EXPECT_TRUE(report.holds());
}

TEST_F(ReplayTest, ALostRowIsFound) {
  RecordTwo();
  const auto lose = [](const Batch& batch) -> Result<std::optional<Batch>> {
    Batch other = batch;
    other.selection = arrow::Buffer::FromVector(std::vector<int32_t>{0});
    return other;
  };
  const ReplayReport report = Run(lose).ValueOrDie();
  EXPECT_EQ(report.partitions[0].comparison.verdict, Verdict::kDifferent);
  EXPECT_EQ(report.partitions[0].output.rows, 2);
  EXPECT_EQ(report.partitions[0].first_difference->row, 1);
}

TEST_F(ReplayTest, TheOperatorsErrorIsReported) {
  RecordTwo();
  const auto fail = [](const Batch&) -> Result<std::optional<Batch>> {
    return Status::Invalid("cannot go on");
  };
  const ReplayReport report = Run(fail).ValueOrDie();
  EXPECT_FALSE(report.holds());
  EXPECT_EQ(report.partitions[0].error, "ReprisePass (LORE id 5): cannot go on");
  EXPECT_EQ(report.partitions[1].error, "");
}

TEST_F(ReplayTest, RunsThatDifferAreUnstable) {
  RecordTwo();
  options_.repeat = 2;
  int calls = 0;
  const auto waver = [&](const Batch& batch) -> Result<std::optional<Batch>> {
    Batch other = batch;
    if (++calls > 2) other.selection = arrow::Buffer::FromVector(std::vector<int32_t>{0});
    return other;
  };
  const ReplayReport report = Run(waver).ValueOrDie();
  EXPECT_TRUE(report.partitions[0].unstable);
  EXPECT_EQ(report.partitions[0].comparison.verdict, Verdict::kEqual);
  EXPECT_FALSE(report.holds());
}

TEST_F(ReplayTest, AStoppedOutputIsComparedAsFarAsItWent) {
  Begin(PassSpec(kLongAndText), 1);
  RunCaptured({first_, second_, first_}, 4);
  const ReplayReport report = Run().ValueOrDie();
  const PartitionReplay& replay = report.partitions[0];
  EXPECT_TRUE(replay.comparison.prefix);
  EXPECT_EQ(replay.comparison.verdict, Verdict::kEqual);
  EXPECT_EQ(replay.output.rows, 5);
  EXPECT_FALSE(replay.ended_with_record);
}

TEST_F(ReplayTest, AStoppedOutputMustHaveItsRowsInOrder) {
  Begin(PassSpec(kLongAndText), 1);
  RunCaptured({first_, second_, first_}, 4);
  const auto lose = [](const Batch& batch) -> Result<std::optional<Batch>> {
    Batch other = batch;
    other.selection = arrow::Buffer::FromVector(std::vector<int32_t>{0});
    return other;
  };
  const ReplayReport report = Run(lose).ValueOrDie();
  EXPECT_EQ(report.partitions[0].comparison.verdict, Verdict::kDifferent);
  EXPECT_LT(report.partitions[0].output.rows, 5) << "the record's end is that of the stream";
}

TEST_F(ReplayTest, WithoutARecordedOutputAStoppedInputEndsTheReplay) {
  capture_["output"] = false;
  Begin(PassSpec(kLongAndText), 1);
  RunCaptured({first_, second_, first_}, 4);
  const ReplayReport report = Run().ValueOrDie();
  EXPECT_EQ(report.partitions[0].comparison.verdict, Verdict::kNotRecorded);
  EXPECT_TRUE(report.partitions[0].ended_with_record);
  EXPECT_EQ(report.partitions[0].output.rows, 5);
  EXPECT_TRUE(report.holds());
}

TEST_F(ReplayTest, AnIncompletePartitionIsAnErrorButItsAttemptReplays) {
  Begin(PassSpec(kLongAndText), 2);
  RunCaptured({first_, second_}, 3, /*failed=*/true);
  EXPECT_EQ(Run().status().message(),
            (folder_ / "loreId-5") +
                ": partition 0 is incomplete; attempt 41 failed after 1 batches; replay what an "
                "attempt recorded with --attempt (2 of 2 partitions lack a whole record; "
                "--recorded replays the others)");
  options_.partition = 0;
  options_.attempt = 41;
  const ReplayReport report = Run().ValueOrDie();
  EXPECT_EQ(report.partitions[0].output.rows, 3);
  ASSERT_TRUE(report.partitions[0].failed_attempt);
  EXPECT_EQ(report.partitions[0].failed_attempt->again, FailedAgain::kNot);
  EXPECT_EQ(report.verdict(), ReplayVerdict::kNotCompared);
  EXPECT_EQ(report.partitions[0].comparison.verdict, Verdict::kNotRecorded);
}

// Refuses the batch that holds `value`.
Spoil Refuse(const std::string& value, Status error) {
  return [value, error](const Batch& batch) -> Result<std::optional<Batch>> {
    ARROW_ASSIGN_OR_RAISE(const auto records, ToRecordBatch(batch, arrow::default_memory_pool()));
    if (records->ToString().find(value) != std::string::npos) return error;
    return batch;
  };
}

// An attempt that failed, of which a limit has left the last batch.
class FailedAttemptTest : public ReplayTest {
 protected:
  void RecordFailure(int64_t rows_max) {
    capture_["ringBytes"] = 1 << 20;
    capture_["when"] = "failure";
    if (rows_max > 0) capture_["maxRows"] = rows_max;
    Begin(PassSpec(kLongAndText), 1);
    TaskContext context;
    context.attempt = 41;
    const auto capture = MakeDumpCapture(spec_, capture_, context).ValueOrDie();
    ASSERT_TRUE(capture->OnInput(0, ToBatch(first_)).ok());
    ASSERT_TRUE(capture->OnOutput(ToBatch(first_)).ok());
    ASSERT_TRUE(capture->OnInput(0, ToBatch(second_)).ok());
    capture->OnFailure({.raised = WithPrefix(error_, ErrorPrefix(spec_))});
    ASSERT_TRUE(capture->Finish(CaptureEnd::kFailed).ok());
    options_.partition = 0;
    options_.attempt = 41;
  }

  std::string Again(Spoil spoil) {
    const ReplayReport report = Run(std::move(spoil)).ValueOrDie();
    return fmt::format("{}: {}", Name(report.partitions[0].failed_attempt->again),
                       Name(report.verdict()));
  }

  const Status error_ = SparkError("CAST_INVALID_INPUT", {{"value", "'4'"}}, "no '4'");
  const Status other_ = SparkError("CAST_INVALID_INPUT", {{"value", "'5'"}}, "no '5'");
};

TEST_F(FailedAttemptTest, FailsAgainInTheSameWayInAnotherOrNot) {
  RecordFailure(0);
  EXPECT_EQ(Again(Refuse("4", error_)), "in the same way: failed again");
  EXPECT_EQ(Again(Refuse("4", other_)), "in another way: different");
  EXPECT_EQ(Again({}), "not: different");
}

TEST_F(FailedAttemptTest, NamesTheRow) {
  RecordFailure(0);
  const ReplayReport report = Run(Refuse("4", error_)).ValueOrDie();
  EXPECT_EQ(ToString(report.partitions[0].failing_place.value()), "input-0, batch 1, row 0");
}

TEST_F(FailedAttemptTest, FailsAgainThoughALimitHasCutItsInput) {
  RecordFailure(2);
  EXPECT_EQ(Again(Refuse("4", error_)), "in the same way: failed again");
  EXPECT_EQ(Again(Refuse("4", other_)), "in another way: different");
  EXPECT_EQ(Again({}), "not: not compared") << "what is missing may be why";
}

TEST_F(ReplayTest, OnePartitionOrTheRecordedOnesReplayAlone) {
  Begin(PassSpec(kLongAndText), 3);
  ASSERT_TRUE(RecordPass(spec_, capture_, {first_}, 1).ok());
  EXPECT_THAT(Run().status().message(), HasSubstr("partition 0 has no record"));
  options_.recorded_only = true;
  EXPECT_EQ(Run().ValueOrDie().partitions.size(), 1u);
  options_.recorded_only = false;
  options_.partition = 1;
  EXPECT_EQ(Run().ValueOrDie().partitions[0].partition, 1);
  options_.partition = 7;
  EXPECT_THAT(Run().status().message(), HasSubstr("has no partition 7: expected 0 to 2"));
}

TEST_F(ReplayTest, PartitionsThatWereNotCapturedAreLeftOut) {
  capture_["partitions"] = {1};
  Begin(PassSpec(kLongAndText), 3);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(RecordPass(spec_, capture_, {first_}, i).ok());
  EXPECT_EQ(Run().ValueOrDie().partitions.size(), 1u);
  options_.partition = 2;
  EXPECT_THAT(Run().status().message(), HasSubstr("partition 2 was not captured"));
}

TEST_F(ReplayTest, ADamagedBatchIsAnErrorOfTheDumpNotOfTheOperator) {
  RecordTwo();
  const std::string path = folder_ / "loreId-5/input-0/partition-0/batch-1.parquet";
  FlipByte(path, 100);
  EXPECT_THAT(Run().status().message(), testing::StartsWith(path + " is damaged"));
  options_.repeat = 2;
  EXPECT_THAT(Run().status().message(), testing::StartsWith(path + " is damaged"));
}

TEST_F(ReplayTest, ADamagedOutputIsAnErrorThoughItsDigestStillAgrees) {
  RecordTwo();
  const std::string path = folder_ / "loreId-5/output/partition-0/batch-0.parquet";
  FlipByte(path, 100);
  EXPECT_THAT(Run().status().message(), testing::StartsWith(path + " is damaged"));
}

TEST_F(ReplayTest, WritesTheOutputToAFile) {
  RecordTwo();
  options_.out_path = folder_ / "out.arrow";
  // Outside of the dump: the folder is the whole dump.
  ASSERT_TRUE(Run().ok());
  const auto file = arrow::io::ReadableFile::Open(options_.out_path).ValueOrDie();
  const auto reader = arrow::ipc::RecordBatchFileReader::Open(file).ValueOrDie();
  ASSERT_EQ(reader->num_record_batches(), 2);
  EXPECT_TRUE(reader->ReadRecordBatch(0).ValueOrDie()->Equals(*first_));
  EXPECT_TRUE(reader->ReadRecordBatch(1).ValueOrDie()->Equals(*second_));

  options_.out_path = folder_ / "out.parquet";
  ASSERT_TRUE(Run().ok());
  const std::string once = Contents(options_.out_path);
  ASSERT_TRUE(Run().ok());
  EXPECT_EQ(Contents(options_.out_path), once) << "two replays are bit-identical";
  const auto parquet =
      parquet::arrow::OpenFile(arrow::io::ReadableFile::Open(options_.out_path).ValueOrDie(),
                               arrow::default_memory_pool())
          .ValueOrDie();
  EXPECT_EQ(parquet->parquet_reader()->metadata()->num_rows(), 5);

  options_.out_path = folder_ / "out.csv";
  EXPECT_THAT(Run().status().message(), HasSubstr("must end with .parquet or .arrow"));
  options_.out_path = folder_ / "nowhere/out.arrow";
  EXPECT_THAT(Run().status().message(), HasSubstr("nowhere/out.arrow: "));
}

TEST_F(ReplayTest, ALeafHasNothingToReplay) {
  OperatorSpec spec = PassSpec(kLongAndText, 5, 0);
  Begin(spec, 1);
  EXPECT_THAT(Replay(folder_ / "loreId-5", options_).status().message(),
              HasSubstr("ReprisePass reads no other operator, so that no input was recorded"));
}

TEST_F(ReplayTest, AnUnknownOperatorIsAnError) {
  RecordTwo();
  EXPECT_THAT(Replay(folder_ / "loreId-5", {}).status().message(),
              HasSubstr("there is no operator of kind \"pass\""));
}

TEST_F(ReplayTest, GivesItsMemoryBackAndHoldsOneBatchAtATime) {
  RecordTwo();
  arrow::ProxyMemoryPool pool(arrow::default_memory_pool());
  options_.pool = &pool;
  ASSERT_TRUE(Run().ok());
  EXPECT_EQ(pool.bytes_allocated(), 0);
}

// Dumps of every format version are kept and must replay for ever.
TEST(KeptDumps, ReplayToTheirRecordedOutput) {
  const fs::path kept(REPRISE_DUMPS);
  ASSERT_TRUE(fs::exists(kept)) << "no " << kept;
  int operators = 0;
  for (const auto& version : fs::directory_iterator(kept)) {
    if (!version.is_directory()) continue;
    const auto ids = ListOperators(version.path().string());
    ASSERT_TRUE(ids.ok()) << ids.status().ToString();
    for (const int64_t id : *ids) {
      const fs::path folder = version.path() / ("loreId-" + std::to_string(id));
      SCOPED_TRACE(folder.string());
      ReplayOptions options;
      options.repeat = 2;
      const auto report = Replay(folder.string(), options);
      ASSERT_TRUE(report.ok()) << report.status().ToString();
      EXPECT_TRUE(report->holds());
      for (const PartitionReplay& replay : report->partitions) {
        EXPECT_EQ(replay.error, "");
        EXPECT_TRUE(replay.comparison.verdict == Verdict::kEqual ||
                    replay.comparison.verdict == Verdict::kOtherOrder)
            << "partition " << replay.partition << " is " << Name(replay.comparison.verdict);
      }
      ++operators;
    }
  }
  EXPECT_GT(operators, 0) << kept << " holds no dump";
}

}  // namespace
}  // namespace reprise
