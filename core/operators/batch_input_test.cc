#include "operators/batch_input.h"

#include "operators/operator_testing.h"

namespace reprise {
namespace {

using testing::BatchOf;
using testing::Drain;
using testing::ExpectColumn;
using testing::Fields;
using testing::Good;

class Given final : public BatchSource {
 public:
  explicit Given(std::vector<Batch> batches) : batches_(std::move(batches)) {}
  Result<std::optional<Batch>> Next() override {
    if (next_ == batches_.size()) return std::nullopt;
    return batches_[next_++];
  }

 private:
  std::vector<Batch> batches_;
  size_t next_ = 0;
};

const std::vector<Field> kGivenFields = Fields({"a integer", "s string"});

OperatorSpec BatchInputSpec(const std::vector<Field>& output) {
  return {"batch_input", "RepriseBatchInput", 0, "", "", output, {}, {}};
}

std::unique_ptr<Operator> InputOf(std::vector<Batch> batches, const TaskContext& context) {
  return Good(MakeBatchInput(BatchInputSpec(kGivenFields),
                             std::make_unique<Given>(std::move(batches)), context));
}

TEST(BatchInput, PassesBatchesOnUnderItsOwnNames) {
  const TaskContext context;
  const auto others = Fields({"x integer", "y string"});
  const Batch first = BatchOf(others, {"[1, null]", R"(["p", "q"])"});
  Batch second = testing::BatchOfArrays(
      others, {testing::Values("integer", "[3, 4]"), testing::Encoded("[1, 0]", R"(["r", "s"])")});
  second = testing::WithSelection(second, {1});
  const auto op = InputOf({first, second}, context);
  const auto batch = Good(op->Next());
  EXPECT_EQ(batch->columns[0], first.columns[0]);
  EXPECT_EQ(batch->schema->field(0)->name(), "a");
  const auto rest = Good(Drain(op.get()));
  ExpectColumn(*rest, 0, "[4]");
  ExpectColumn(*rest, 1, R"(["r"])");
  EXPECT_EQ(op->metrics().output_rows, 3);
}

TEST(BatchInput, RefusesBatchesOfOtherTypes) {
  const TaskContext context;
  EXPECT_EQ(InputOf({BatchOf(Fields({"a integer"}), {"[1]"})}, context)->Next().status().message(),
            "RepriseBatchInput: a batch has 1 columns, expected 2");
  EXPECT_EQ(InputOf({BatchOf(Fields({"a integer", "s long"}), {"[1]", "[2]"})}, context)
                ->Next()
                .status()
                .message(),
            "RepriseBatchInput: column 1 (s) of a batch is int64, expected string");
}

TEST(BatchInput, IsALeaf) {
  const TaskContext context;
  OperatorSpec spec = BatchInputSpec(kGivenFields);
  spec.inputs.push_back(kGivenFields);
  EXPECT_EQ(MakeBatchInput(std::move(spec), nullptr, context).status().message(),
            "RepriseBatchInput: batch_input is a leaf, but its spec has 1 inputs");
}

}  // namespace
}  // namespace reprise
