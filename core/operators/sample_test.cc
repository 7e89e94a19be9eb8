#include "operators/sample.h"

#include "operators/operator_testing.h"

namespace reprise {
namespace {

using testing::BatchOf;
using testing::Fields;
using testing::Good;

const std::vector<Field> kSampled = Fields({"a integer"});

OperatorSpec SampleSpec(double lower, double upper, int64_t seed) {
  return {
      "sample", "RepriseSample", 5,          "",
      "",       kSampled,        {kSampled}, {{"lower", lower}, {"upper", upper}, {"seed", seed}}};
}

void ExpectSample(const OperatorSpec& spec, std::vector<Batch> batches, const std::string& rows,
                  int partition = 0) {
  TaskContext context;
  context.partition = partition;
  auto sample =
      Good(MakeOperator(spec, testing::SourceOf(kSampled, std::move(batches), context), context));
  testing::ExpectColumn(*Good(testing::Drain(sample.get())), 0, rows);
}

// The numbers of seed 42 are 0.62, 0.51, 0.83, 0.26 (xor_shift_random_test.cc).
TEST(Sample, KeepsRowsWhoseNumberLiesWithin) {
  const Batch batch = BatchOf(kSampled, {"[1, 2, null, 4]"});
  ExpectSample(SampleSpec(0.0, 0.6, 42), {batch}, "[2, 4]");
  ExpectSample(SampleSpec(0.6, 1.0, 42), {batch}, "[1, null]");
  ExpectSample(SampleSpec(0.0, 1.0, 42), {batch}, "[1, 2, null, 4]");
  ExpectSample(SampleSpec(0.3, 0.3, 42), {batch}, "[]");
}

TEST(Sample, DrawsGoOnFromBatchToBatch) {
  ExpectSample(
      SampleSpec(0.0, 0.6, 42),
      {BatchOf(kSampled, {"[1]"}), BatchOf(kSampled, {"[2, 3]"}), BatchOf(kSampled, {"[4]"})},
      "[2, 4]");
}

TEST(Sample, DrawsForSelectedRowsAlone) {
  const Batch batch = BatchOf(kSampled, {"[1, 2, 3, 4, 5, 6]"});
  ExpectSample(SampleSpec(0.0, 0.6, 42), {testing::WithSelection(batch, {1, 3, 4, 5})}, "[4, 6]");
}

TEST(Sample, EachPartitionHasNumbersOfItsOwn) {
  const Batch batch = BatchOf(kSampled, {"[1, 2, 3, 4]"});
  ExpectSample(SampleSpec(0.0, 0.6, 40), {batch}, "[2, 4]", 2);
}

TEST(Sample, SaysWhichMemberIsMissing) {
  OperatorSpec spec = SampleSpec(0.0, 0.5, 1);
  spec.arguments["upper"] = "half";
  const TaskContext context;
  const auto made = MakeOperator(spec, testing::SourceOf(kSampled, {}, context), context);
  EXPECT_THAT(made.status().message(), ::testing::HasSubstr("\"upper\" is not a number"));
}

}  // namespace
}  // namespace reprise
