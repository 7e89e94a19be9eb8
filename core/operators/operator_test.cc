#include <thread>

#include "operators/operator_testing.h"

namespace reprise {
namespace {

using testing::BatchOf;
using testing::Fields;
using testing::SourceOf;

// Passes batches on, slowly if told to; can be told to fail.
class PassOn final : public Operator {
 public:
  PassOn(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
         const TaskContext& context)
      : Operator(std::move(spec), std::move(inputs), context) {}

  Status failure;
  std::chrono::milliseconds delay{0};

 private:
  Result<std::optional<Batch>> NextBatch() override {
    ARROW_ASSIGN_OR_RAISE(auto batch, Pull());
    std::this_thread::sleep_for(delay);
    RETURN_NOT_OK(failure);
    return batch;
  }
};

// Writes down what it is shown.
class Recorder final : public Capture {
 public:
  explicit Recorder(std::vector<std::string>* calls) : calls_(calls) {}
  Status OnInput(int input, const Batch& batch) override {
    calls_->push_back(fmt::format("input {} {}", input, batch.selected_count()));
    return failure;
  }
  Status OnInputEnd(int input) override {
    calls_->push_back(fmt::format("input end {}", input));
    return Status::OK();
  }
  Status OnOutput(const Batch& batch) override {
    calls_->push_back(fmt::format("output {}", batch.selected_count()));
    return Status::OK();
  }
  Status OnOutputEnd() override {
    calls_->push_back("output end");
    return Status::OK();
  }
  void OnFailure(const FailureOfTask& task) override {
    calls_->push_back(fmt::format("{} {}", task.is_from_input ? "from input" : "from here",
                                  task.raised.message()));
  }
  Status Finish(CaptureEnd end) override {
    calls_->push_back(end == CaptureEnd::kFailed ? "finish failed" : "finish");
    return Status::OK();
  }
  Status failure;

 private:
  std::vector<std::string>* calls_;
};

const std::vector<Field> kPassed = Fields({"a integer"});

struct Fixture {
  TaskContext context;
  std::unique_ptr<PassOn> op;

  void Make(std::vector<Batch> batches, int64_t lore_id = 5) {
    OperatorSpec spec{"pass", "RepriseFilter", lore_id, "", "", kPassed, {kPassed}, {}};
    op = std::make_unique<PassOn>(std::move(spec), SourceOf(kPassed, std::move(batches), context),
                                  context);
  }
};

TEST(Operator, CountsSelectedRowsBatchesAndBytes) {
  Fixture f;
  const Batch batch = BatchOf(kPassed, {"[1, 2, 3]"});
  f.Make({batch, testing::WithSelection(batch, {0, 2})});
  ASSERT_TRUE(testing::Drain(f.op.get()).ok());
  EXPECT_EQ(f.op->metrics().output_rows, 5);
  EXPECT_EQ(f.op->metrics().output_batches, 2);
  EXPECT_EQ(f.op->metrics().output_bytes, 2 * ByteSize(batch));
}

TEST(Operator, OwnTimeLeavesOutTheInputs) {
  Fixture f;
  f.Make({BatchOf(kPassed, {"[1]"})});
  f.op->delay = std::chrono::milliseconds(20);
  auto outer = PassOn(
      {"pass", "Outer", 0, "", "", kPassed, {kPassed}, {}},
      [&] {
        std::vector<std::unique_ptr<Operator>> inputs;
        inputs.push_back(std::move(f.op));
        return inputs;
      }(),
      f.context);
  ASSERT_TRUE(testing::Drain(&outer).ok());
  EXPECT_GE(outer.inputs()[0]->metrics().own_time_ns, 40'000'000);  // one batch and the end
  EXPECT_LT(outer.metrics().own_time_ns, 20'000'000);
}

TEST(Operator, StaysAtItsEnd) {
  Fixture f;
  f.Make({});
  EXPECT_FALSE((*f.op->Next()).has_value());
  EXPECT_FALSE((*f.op->Next()).has_value());
}

TEST(Operator, ErrorsNameTheOperatorAndItsLoreId) {
  Fixture f;
  f.Make({});
  f.op->failure = SparkError("DIVIDE_BY_ZERO", {}, "Division by zero.");
  const Status status = f.op->Next().status();
  EXPECT_EQ(status.message(), "RepriseFilter (LORE id 5): Division by zero.");
  ASSERT_NE(SparkErrorOf(status), nullptr);
  EXPECT_EQ(SparkErrorOf(status)->condition(), "DIVIDE_BY_ZERO");

  f.Make({}, 0);
  f.op->failure = Status::Invalid("broken");
  EXPECT_EQ(f.op->Next().status().message(), "RepriseFilter: broken");
}

TEST(Operator, AnErrorKeepsTheNameOfTheOperatorItIsFrom) {
  Fixture f;
  f.Make({});
  f.op->failure = Status::Invalid("broken");
  std::vector<std::unique_ptr<Operator>> inputs;
  inputs.push_back(std::move(f.op));
  PassOn outer({"pass", "Outer", 1, "", "", kPassed, {kPassed}, {}}, std::move(inputs), f.context);
  EXPECT_EQ(outer.Next().status().message(), "RepriseFilter (LORE id 5): broken");
}

TEST(Operator, StopsWhenTheTaskIsCancelled) {
  Fixture f;
  bool cancelled = false;
  f.context.cancelled = [&] { return cancelled; };
  f.Make({BatchOf(kPassed, {"[1]"}), BatchOf(kPassed, {"[2]"})});
  EXPECT_TRUE(f.op->Next().ok());
  cancelled = true;
  const Status status = f.op->Next().status();
  EXPECT_TRUE(status.IsCancelled());
  EXPECT_EQ(status.message(), "the task was cancelled");
}

TEST(Operator, ShowsTheCaptureEverythingInOrder) {
  Fixture f;
  const Batch batch = BatchOf(kPassed, {"[1, 2, 3]"});
  f.Make({batch, testing::WithSelection(batch, {1})});
  std::vector<std::string> calls;
  f.op->set_capture(std::make_unique<Recorder>(&calls));
  ASSERT_TRUE(testing::Drain(f.op.get()).ok());
  ASSERT_TRUE(f.op->Finish(CaptureEnd::kSucceeded).ok());
  EXPECT_EQ(calls, (std::vector<std::string>{"input 0 3", "output 3", "input 0 1", "output 1",
                                             "input end 0", "output end", "finish"}));
}

TEST(Operator, AFailingCaptureKeepsTheBatchFromTheOperator) {
  Fixture f;
  f.Make({BatchOf(kPassed, {"[1]"})});
  std::vector<std::string> calls;
  auto recorder = std::make_unique<Recorder>(&calls);
  recorder->failure = Status::IOError("disk full");
  f.op->set_capture(std::move(recorder));
  EXPECT_EQ(f.op->Next().status().message(), "disk full");
  ASSERT_TRUE(f.op->Finish(CaptureEnd::kFailed).ok());
  EXPECT_EQ(calls, (std::vector<std::string>{"input 0 1", "finish failed"}));
}

TEST(Operator, TellsItsCaptureWithWhatTheTaskFailed) {
  Fixture f;
  f.Make({});
  f.op->failure = Status::Invalid("broken");
  std::vector<std::string> inner;
  f.op->set_capture(std::make_unique<Recorder>(&inner));
  std::vector<std::unique_ptr<Operator>> inputs;
  inputs.push_back(std::move(f.op));
  PassOn outer({"pass", "Outer", 1, "", "", kPassed, {kPassed}, {}}, std::move(inputs), f.context);
  std::vector<std::string> calls;
  outer.set_capture(std::make_unique<Recorder>(&calls));
  const Status raised = outer.Next().status();
  outer.TellFailure({.raised = raised});
  EXPECT_EQ(inner.back(), "from here RepriseFilter (LORE id 5): broken");
  EXPECT_EQ(calls.back(), "from input RepriseFilter (LORE id 5): broken");
}

}  // namespace
}  // namespace reprise
