#include "operators/python_groups.h"

#include <gmock/gmock.h>

#include "operators/operator_testing.h"

namespace reprise {
namespace {

using testing::BatchOf;
using ::testing::ElementsAre;
using testing::Fields;
using testing::Good;
using testing::SourceOf;

const std::vector<Field> kRows = Fields({"k double", "a integer"});
const std::vector<Field> kMarked = Fields({"k double", "a integer", "last boolean"});

Batch KeysOf(const std::string& keys) {
  const auto values = testing::Values("double", keys);
  const auto numbers = Good(arrow::MakeArrayOfNull(arrow::int32(), values->length()));
  return testing::BatchOfArrays(kRows, {values, numbers});
}

OperatorSpec SpecOf(int64_t rows) {
  const nlohmann::json keys = {ToJson(testing::ColumnOf(kRows, 0))};
  return {"python_groups",
          "RepriseToPython",
          0,
          "",
          "",
          kMarked,
          {kRows},
          {{"rows", rows}, {"bytes", 1 << 20}, {"sent", {0, 1}}, {"keys", keys}}};
}

/// The rows of each batch that leaves: negative of a group's last.
std::vector<int64_t> GroupSizes(std::vector<Batch> batches, int64_t rows) {
  TaskContext context;
  auto op =
      Good(MakePythonGroups(SpecOf(rows), SourceOf(kRows, std::move(batches), context), context));
  std::vector<int64_t> sizes;
  while (true) {
    const auto batch = Good(op->Next());
    if (!batch) return sizes;
    const auto& last = static_cast<const arrow::BooleanArray&>(*batch->columns[2]);
    EXPECT_EQ(last.true_count(), last.Value(0) ? batch->row_count : 0);
    sizes.push_back(last.Value(0) ? -batch->row_count : batch->row_count);
  }
}

TEST(PythonGroups, ABatchHasRowsOfOneGroup) {
  EXPECT_THAT(GroupSizes({KeysOf("[1, 1, 2]"), KeysOf("[2, 2]"), KeysOf("[3]")}, 10),
              ElementsAre(-2, -3, -1));
  EXPECT_THAT(GroupSizes({}, 10), ElementsAre());
}

TEST(PythonGroups, TheLastBatchOfAGroupSaysSo) {
  EXPECT_THAT(GroupSizes({KeysOf("[1, 1, 1, 1, 1]"), KeysOf("[2, 2]")}, 2),
              ElementsAre(2, 2, -1, -2));
  EXPECT_THAT(GroupSizes({KeysOf("[1, 1]"), KeysOf("[1, 1]"), KeysOf("[1, 2]")}, 2),
              ElementsAre(2, 2, -1, -1));
  EXPECT_THAT(GroupSizes({KeysOf("[1, 1]"), KeysOf("[1, 1]")}, 4), ElementsAre(-4));
}

TEST(PythonGroups, WithoutALimitOfBytesAGroupIsOneBatch) {
  TaskContext context;
  context.batch_bytes_target = 10;
  OperatorSpec spec = SpecOf(0);
  spec.arguments["bytes"] = std::numeric_limits<int64_t>::max();
  std::vector<Batch> batches = {KeysOf("[1, 1, 1, 1, 1, 1, 1, 1]"), KeysOf("[1, 1, 1, 1, 1, 2]")};
  auto op = Good(MakePythonGroups(spec, SourceOf(kRows, std::move(batches), context), context));
  EXPECT_EQ(Good(op->Next())->row_count, 13);
  EXPECT_EQ(Good(op->Next())->row_count, 1);
}

TEST(PythonGroups, KeysAreEqualAsInSparksOrder) {
  EXPECT_THAT(GroupSizes({KeysOf("[null, null, -0.0]"), KeysOf("[0.0, 1]")}, 10),
              ElementsAre(-2, -2, -1));
}

TEST(PythonGroups, SayWhatIsWrongWithASpecification) {
  TaskContext context;
  OperatorSpec spec = SpecOf(1);
  spec.output.pop_back();
  EXPECT_EQ(MakePythonGroups(spec, SourceOf(kRows, {}, context), context).status().message(),
            "its output is not its input and a boolean");
}

}  // namespace
}  // namespace reprise
