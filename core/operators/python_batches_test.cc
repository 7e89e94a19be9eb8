#include "operators/python_batches.h"

#include <gmock/gmock.h>

#include "operators/operator_testing.h"

namespace reprise {
namespace {

using testing::BatchOf;
using ::testing::ElementsAre;
using testing::Fields;
using testing::Good;
using testing::SourceOf;

constexpr int64_t kManyBytes = int64_t{1} << 26;

const std::vector<Field> kColumns = Fields({"a integer", "b string"});

Batch Rows(int count, const std::string& text = "x") {
  std::string numbers;
  std::string texts;
  for (int i = 0; i < count; ++i) {
    numbers += fmt::format("{}{}", i == 0 ? "" : ",", i);
    texts += fmt::format("{}\"{}\"", i == 0 ? "" : ",", text);
  }
  return BatchOf(kColumns, {"[" + numbers + "]", "[" + texts + "]"});
}

/// The rows of each batch that leaves.
std::vector<int64_t> SizesOf(std::vector<Batch> batches, int64_t rows, int64_t bytes,
                             const std::vector<int>& sent) {
  TaskContext context;
  const nlohmann::json arguments = {{"rows", rows}, {"bytes", bytes}, {"sent", sent}};
  auto op = Good(MakePythonBatches(
      {"python_batches", "RepriseToPython", 0, "", "", kColumns, {kColumns}, arguments},
      SourceOf(kColumns, std::move(batches), context), context));
  std::vector<int64_t> sizes;
  while (true) {
    const auto batch = Good(op->Next());
    if (!batch) return sizes;
    EXPECT_FALSE(batch->has_selection());
    for (const auto& column : batch->columns) EXPECT_EQ(column->length(), batch->row_count);
    sizes.push_back(batch->row_count);
  }
}

TEST(PythonBatches, EndWhereSparksEnd) {
  EXPECT_THAT(SizesOf({Rows(2), Rows(2), Rows(3)}, 3, kManyBytes, {0}), ElementsAre(3, 3, 1));
  EXPECT_THAT(SizesOf({Rows(7)}, 3, kManyBytes, {0}), ElementsAre(3, 3, 1));
  EXPECT_THAT(SizesOf({Rows(2), Rows(2)}, 0, kManyBytes, {0}), ElementsAre(4));
  EXPECT_THAT(SizesOf({}, 3, kManyBytes, {0}), ElementsAre());
}

TEST(PythonBatches, OnlySelectedRowsCount) {
  EXPECT_THAT(SizesOf({testing::WithSelection(Rows(4), {0, 3}), testing::WithSelection(Rows(2), {}),
                       Rows(2)},
                      3, kManyBytes, {0, 1}),
              ElementsAre(3, 1));
}

TEST(PythonBatches, EndBehindTheRowThatIsEnoughInBytes) {
  // Of one integer column 4 bytes a row and a bit: 9, 13.
  EXPECT_THAT(SizesOf({Rows(5)}, 10, 9, {0}), ElementsAre(2, 2, 1));
  EXPECT_THAT(SizesOf({Rows(5)}, 10, 10, {0}), ElementsAre(3, 2));
  EXPECT_THAT(SizesOf({Rows(3)}, 10, 1, {0}), ElementsAre(1, 1, 1));
  // Of texts of 10 bytes with offsets: 1 + 8 + 10, 1 + 12 + 20.
  EXPECT_THAT(SizesOf({Rows(1, "0123456789"), Rows(2, "0123456789")}, 10, 33, {1}),
              ElementsAre(2, 1));
  // What is not sent does not count.
  EXPECT_THAT(SizesOf({Rows(3, std::string(100, 'x'))}, 10, 13, {0}), ElementsAre(3));
}

TEST(PythonBatches, LargeRowsAreNotKeptForLong) {
  TaskContext context;
  context.batch_bytes_target = 1000;
  const nlohmann::json arguments = {{"rows", 100}, {"bytes", kManyBytes}, {"sent", {0}}};
  auto op = Good(MakePythonBatches(
      {"python_batches", "RepriseToPython", 0, "", "", kColumns, {kColumns}, arguments},
      SourceOf(kColumns, {Rows(5, std::string(1000, 'x')), Rows(5, std::string(1000, 'x'))},
               context),
      context));
  const auto first = Good(op->Next());
  EXPECT_LT(first->row_count, 10);
}

TEST(PythonBatches, SayWhatIsWrongWithASpecification) {
  TaskContext context;
  const auto error = [&](const nlohmann::json& arguments) {
    return MakePythonBatches({"python_batches", "P", 0, "", "", kColumns, {kColumns}, arguments},
                             SourceOf(kColumns, {}, context), context)
        .status()
        .message();
  };
  EXPECT_THAT(error({{"bytes", 1}, {"sent", {0}}}), ::testing::HasSubstr("\"rows\""));
  EXPECT_EQ(error({{"rows", 1}, {"bytes", 0}, {"sent", {0}}}), "\"bytes\" is 0, not above 0");
  EXPECT_THAT(error({{"rows", 1}, {"bytes", 1}, {"sent", {2}}}), ::testing::HasSubstr("\"sent\""));
}

}  // namespace
}  // namespace reprise
