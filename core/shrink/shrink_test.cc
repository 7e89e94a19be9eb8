#include "shrink/shrink.h"

#include <arrow/array/array_binary.h>
#include <arrow/array/array_primitive.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "dump/begin.h"
#include "dump/capture_writer.h"
#include "dump/sample_dump.h"
#include "shrink/row_edits.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

// The values of column "a" that an operator has read: of each input, by batch.
using Read = std::vector<std::vector<std::vector<int64_t>>>;

// Reads its inputs one after the other, hands the first one on, and fails as `judge` says.
class Judging : public Operator {
 public:
  using Judge = std::function<Status(const Read&)>;

  Judging(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
          const TaskContext& context, Judge judge, int64_t left_out)
      : Operator(std::move(spec), std::move(inputs), context),
        judge_(std::move(judge)),
        left_out_(left_out) {}

 protected:
  Result<std::optional<Batch>> NextBatch() override {
    if (read_.empty()) {
      for (size_t i = 0; i < this->spec().inputs.size(); ++i) RETURN_NOT_OK(ReadInput(i));
      if (judge_) RETURN_NOT_OK(judge_(read_));
    }
    if (next_ == batches_.size()) return std::nullopt;
    return batches_[next_++];
  }

 private:
  Status ReadInput(size_t input) {
    auto& values = read_.emplace_back();
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const auto batch, Pull(static_cast<int>(input)));
      if (!batch) return Status::OK();
      const auto& column = static_cast<const arrow::Int64Array&>(*batch->columns[0]);
      auto& of_batch = values.emplace_back();
      bool is_left_out = false;
      for (int64_t i = 0; i < column.length(); ++i) {
        of_batch.push_back(column.IsNull(i) ? -1 : column.Value(i));
        is_left_out |= of_batch.back() == left_out_;
      }
      if (input == 0 && !is_left_out) batches_.push_back(*batch);
    }
  }

  Judge judge_;
  int64_t left_out_;
  Read read_;
  std::vector<Batch> batches_;
  size_t next_ = 0;
};

OperatorFactory Factory(Judging::Judge judge, int64_t left_out = -2) {
  return [=](OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
             const TaskContext& context) -> Result<std::unique_ptr<Operator>> {
    return std::make_unique<Judging>(std::move(spec), std::move(inputs), context, judge, left_out);
  };
}

bool Has(const Read& read, size_t input, int64_t value) {
  return std::ranges::any_of(
      read[input], [&](const auto& batch) { return std::ranges::count(batch, value) > 0; });
}

class ShrinkTest : public testing::Test {
 protected:
  // The numbers from 0 on, in ten batches, as every input.
  void Record(int64_t rows, int input_count = 1, int partition = 0) {
    OperatorSpec spec = PassSpec(kLongAndText, 5, input_count);
    const nlohmann::json capture = CaptureJson(work_ / "dump");
    ASSERT_TRUE(BeginDump(BeginRequest(spec, capture, 2)).ok());
    RecordBatches batches;
    for (int64_t first = 0; first < rows; first += rows / 10) {
      std::string json;
      for (int64_t i = first; i < first + rows / 10; ++i) {
        json += fmt::format("{}[{},\"text {}\"]", json.empty() ? "" : ",", i, i);
      }
      batches.push_back(BatchOf(kLongAndText, "[" + json + "]"));
    }
    ASSERT_TRUE(RecordPass(spec, capture, batches, partition).ok());
  }

  Result<ShrinkReport> Run(Judging::Judge judge = {}) {
    options_.condition.replay.make_operator = Factory(std::move(judge));
    options_.out = work_ / "small";
    return Shrink(work_ / "dump/loreId-5", options_);
  }

  // The rows left of an input: [[7,"x"]].
  static std::string Left(const ShrinkReport& report, size_t input = 0) {
    std::string text;
    const RecordBatches& batches = report.rows.inputs[input];
    for (int64_t row = 0; row < RowCount(batches); ++row) {
      for (int column = 0; column < 2; ++column) {
        const auto value = ValueAt(batches, column, row).ValueOrDie();
        text += fmt::format("{}{}", column == 0 ? "|" : ",",
                            value->is_valid ? value->ToString() : "null");
      }
    }
    return text;
  }

  TemporaryFolder work_;
  ShrinkOptions options_;
};

TEST_F(ShrinkTest, OneRowOfManyIsFound) {
  Record(20'000);
  options_.condition.fails = true;
  const auto report =
      Run([](const Read& read) {
        return Has(read, 0, 17'777) ? Status::Invalid("bad value in row 17777") : Status::OK();
      }).ValueOrDie();
  EXPECT_EQ(Left(report), "|17777,null");
  EXPECT_THAT(report.rows_before, ElementsAre(20'000));
  EXPECT_TRUE(report.is_least);
  EXPECT_THAT(report.seen, EndsWith("): bad value in row 17777"));
  EXPECT_LT(report.candidates, 100);
  EXPECT_EQ(report.folder, work_ / "small/loreId-5");
  EXPECT_FALSE(fs::exists(work_ / "small/candidate"));

  ReplayOptions replay = options_.condition.replay;
  const auto again = Replay(report.folder, replay).ValueOrDie();
  EXPECT_EQ(again.partitions[0].input_rows, 1);
  EXPECT_EQ(again.partitions[0].error, report.seen);
}

TEST_F(ShrinkTest, ARowOfEachInputIsFound) {
  Record(1'000, 2);
  options_.condition.fails = true;
  const auto report =
      Run([](const Read& read) {
        return Has(read, 0, 123) && Has(read, 1, 877) ? Status::Invalid("they meet") : Status::OK();
      }).ValueOrDie();
  EXPECT_EQ(Left(report, 0), "|123,null");
  EXPECT_EQ(Left(report, 1), "|877,null");
}

TEST_F(ShrinkTest, AnotherErrorIsNotTakenForIt) {
  Record(100);
  options_.condition.fails = true;
  const auto report = Run([](const Read& read) {
                        if (read[0].empty()) return Status::Invalid("no rows");
                        return Has(read, 0, 42)
                                   ? Status::Invalid("bad 'value' in row ", read[0][0].size())
                                   : Status::OK();
                      }).ValueOrDie();
  EXPECT_EQ(Left(report), "|42,null");
  EXPECT_THAT(report.seen, EndsWith("): bad 'value' in row 1"));
}

TEST_F(ShrinkTest, BatchesStayApartWhereThatMatters) {
  Record(100);
  options_.condition.fails = true;
  const auto judge = [](const Read& read) {
    return read[0].size() > 1 ? Status::Invalid("a second batch") : Status::OK();
  };
  const auto report = Run(judge).ValueOrDie();
  ASSERT_EQ(report.rows.inputs[0].size(), 2);
  EXPECT_EQ(RowCount(report.rows.inputs[0]), 2);
}

TEST_F(ShrinkTest, ADifferenceFromSparkComesWithItsOutput) {
  Record(1'000, 1, 1);
  options_.condition.differs = true;
  options_.condition.on_spark = [](const std::string&) { return Factory({}, 305); };
  const auto report = Run().ValueOrDie();
  EXPECT_EQ(Left(report), "|305,null");
  EXPECT_EQ(report.rows.header.partition, 1);
  EXPECT_EQ(report.seen, "on Spark: 0 rows\nnatively: 1 row\n  a=305 b=null");
  const auto replayed = Replay(report.folder, options_.condition.replay).ValueOrDie();
  EXPECT_EQ(replayed.verdict(), ReplayVerdict::kDifferent);
  EXPECT_EQ(replayed.partitions[0].comparison.recorded.rows, 0);
}

TEST_F(ShrinkTest, ValuesAreMadeSimpler) {
  Record(100);
  options_.condition.assertion = "a < 50 OR b = 'text 3'";
  const auto report = Run().ValueOrDie();
  EXPECT_EQ(Left(report), "|50,") << report.seen;
  EXPECT_EQ(report.seen, "a < 50 OR b = 'text 3' fails in a=50 b=");
}

TEST_F(ShrinkTest, ACommandJudgesTheDump) {
  Record(100);
  options_.condition.command =
      "grep -q '\"rows\":[1-9]' \"$DUMP\"/input-0/partition-0/partition.meta";
  EXPECT_EQ(RowCount(Run().ValueOrDie().rows.inputs[0]), 1);
}

TEST_F(ShrinkTest, TheLeastSoFarIsTakenWhenTheTimeIsUp) {
  Record(100);
  options_.condition.fails = true;
  options_.time_limit_ns = 1;
  const auto report = Run([](const Read&) { return Status::Invalid("always"); }).ValueOrDie();
  EXPECT_FALSE(report.is_least);
  EXPECT_EQ(RowCount(report.rows.inputs[0]), 100);
  EXPECT_TRUE(fs::exists(report.folder));
}

TEST_F(ShrinkTest, SaysWhatCannotBeShrunk) {
  Record(100);
  EXPECT_THAT(Run().status().message(), HasSubstr("say what the rows must go on to show"));
  options_.condition.fails = true;
  EXPECT_EQ(Run().status().message(),
            (work_ / "dump/loreId-5") +
                ": no partition that was recorded shows what its rows are to go on to show, so "
                "that there is nothing to shrink");
  EXPECT_FALSE(fs::exists(work_ / "small"));
  options_.condition.assertion = "a < 50";
  EXPECT_THAT(Run().status().message(), HasSubstr("--while-assert SQL"));
  options_.condition.assertion.clear();
  fs::create_directory(work_ / "small");
  std::ofstream(work_ / "small/mine") << "kept";
  EXPECT_EQ(
      Run().status().message(),
      (work_ / "small") + " must be absent or empty, and is not; name another folder in --out");
  EXPECT_TRUE(fs::exists(work_ / "small/mine"));
}

}  // namespace
}  // namespace reprise
