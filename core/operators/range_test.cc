#include "operators/range.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "operators/registry.h"

namespace reprise {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

OperatorSpec RangeSpec(int64_t start, int64_t end, int64_t step, int64_t slices) {
  OperatorSpec spec;
  spec.kind = "range";
  spec.name = "RepriseRange";
  spec.output = {{"id", {TypeKind::kLong}, false}};
  spec.arguments = {{"start", start}, {"end", end}, {"step", step}, {"slices", slices}};
  return spec;
}

std::vector<int64_t> Numbers(const OperatorSpec& spec, int partition, int64_t batch_rows = 2) {
  TaskContext context;
  context.partition = partition;
  context.batch_rows_target = batch_rows;
  auto made = MakeOperator(spec, {}, context);
  EXPECT_TRUE(made.ok()) << made.status();
  std::vector<int64_t> numbers;
  while (true) {
    auto batch = (*made)->Next();
    EXPECT_TRUE(batch.ok()) << batch.status();
    if (!batch->has_value()) return numbers;
    EXPECT_LE((*batch)->row_count, batch_rows);
    const auto& column = static_cast<const arrow::Int64Array&>(*(*batch)->columns[0]);
    for (int64_t i = 0; i < column.length(); ++i) numbers.push_back(column.Value(i));
  }
}

std::string RangeError(const OperatorSpec& spec, int partition = 0) {
  TaskContext context;
  context.partition = partition;
  return MakeOperator(spec, {}, context).status().message();
}

TEST(RangeTest, SlicesAreCutAsSparkCutsThem) {
  EXPECT_THAT(Numbers(RangeSpec(1, 8, 2, 2), 0), ElementsAre(1, 3));
  EXPECT_THAT(Numbers(RangeSpec(1, 8, 2, 2), 1), ElementsAre(5, 7));
  EXPECT_THAT(Numbers(RangeSpec(0, 10, 1, 3), 0), ElementsAre(0, 1, 2));
  EXPECT_THAT(Numbers(RangeSpec(0, 10, 1, 3), 1), ElementsAre(3, 4, 5));
  EXPECT_THAT(Numbers(RangeSpec(0, 10, 1, 3), 2), ElementsAre(6, 7, 8, 9));
  EXPECT_THAT(Numbers(RangeSpec(0, 2, 1, 200), 0), IsEmpty());
  EXPECT_THAT(Numbers(RangeSpec(0, 2, 1, 200), 99), ElementsAre(0));
  EXPECT_THAT(Numbers(RangeSpec(0, 2, 1, 200), 199), ElementsAre(1));
}

TEST(RangeTest, CountsDown) {
  EXPECT_THAT(Numbers(RangeSpec(5, -6, -5, 1), 0), ElementsAre(5, 0, -5));
  EXPECT_THAT(Numbers(RangeSpec(5, 0, 1, 1), 0), IsEmpty());
  EXPECT_THAT(Numbers(RangeSpec(0, 5, -1, 1), 0), IsEmpty());
  EXPECT_THAT(Numbers(RangeSpec(3, 3, 1, 1), 0), IsEmpty());
}

TEST(RangeTest, EndsOfTheLongs) {
  EXPECT_THAT(Numbers(RangeSpec(kMin, kMax, kMax, 1), 0), ElementsAre(kMin, -1, kMax - 1));
  EXPECT_THAT(Numbers(RangeSpec(kMax - 1, kMax, 1, 1), 0), ElementsAre(kMax - 1));
  EXPECT_THAT(Numbers(RangeSpec(kMax, kMin, kMin, 1), 0), ElementsAre(kMax, -1));
  EXPECT_THAT(Numbers(RangeSpec(kMin, kMax, 3'000'000'000'000'000'000, 7), 6),
              ElementsAre(kMin + 9'000'000'000'000'000'000 + 9'000'000'000'000'000'000));
}

TEST(RangeTest, WhatIsNoRangeIsRefused) {
  EXPECT_EQ(RangeError(RangeSpec(0, 5, 0, 1)), "RepriseRange: \"step\" is 0");
  EXPECT_EQ(RangeError(RangeSpec(kMin, kMax, 1, 1)),
            "RepriseRange: there are more numbers from -9223372036854775808 to "
            "9223372036854775807 than a long counts");
  EXPECT_EQ(RangeError(RangeSpec(0, 5, 1, 2), 2), "RepriseRange: partition 2 is none of 2 slices");
  OperatorSpec two = RangeSpec(0, 5, 1, 1);
  two.output.push_back(two.output[0]);
  EXPECT_EQ(RangeError(two), "RepriseRange: \"output\" is not one column of longs");
}

}  // namespace
}  // namespace reprise
