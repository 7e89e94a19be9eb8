#include "expressions/row_error.h"

#include <gtest/gtest.h>

#include <random>

#include "expressions/expression_testing.h"
#include "expressions/spark_errors.h"

namespace reprise {
namespace {

Batch BatchOfInts(const std::vector<int32_t>& values) {
  arrow::Int32Builder builder;
  EXPECT_TRUE(builder.AppendValues(values).ok());
  return {arrow::schema({arrow::field("a", arrow::int32())}),
          {builder.Finish().ValueOrDie()},
          static_cast<int64_t>(values.size()),
          nullptr};
}

std::vector<int32_t> RowsOf(const Batch& batch) {
  const auto& values = static_cast<const arrow::Int32Array&>(*batch.columns[0]);
  std::vector<int32_t> rows;
  for (int64_t i = 0; i < batch.selected_count(); ++i) {
    rows.push_back(values.Value(batch.has_selection() ? batch.selected()[i] : i));
  }
  return rows;
}

// Fails at each row below 0, telling its value, the last one first.
Result<std::vector<int32_t>> Positive(const Batch& batch) {
  const std::vector<int32_t> rows = RowsOf(batch);
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    if (*row < 0) return Status::Invalid("row ", *row);
  }
  return rows;
}

TEST(DueError, LetsTheRowsBeforeGoFirst) {
  DueError due;
  const auto rows = due.UpTo(BatchOfInts({1, 2, -3, 4, -5}), Positive);
  EXPECT_EQ(rows.ValueOrDie(), (std::vector<int32_t>{1, 2}));
  EXPECT_TRUE(due.is_due());
  EXPECT_EQ(due.status().message(), "row -3");
}

TEST(DueError, IsReturnedAtOnceWhereNoRowIsBefore) {
  DueError due;
  EXPECT_EQ(due.UpTo(BatchOfInts({-1, 2, -3}), Positive).status().message(), "row -1");
  EXPECT_FALSE(due.is_due());
}

TEST(DueError, IsNotThereWhereNothingFails) {
  DueError due;
  EXPECT_EQ(due.UpTo(BatchOfInts({1, 2}), Positive).ValueOrDie(), (std::vector<int32_t>{1, 2}));
  EXPECT_FALSE(due.is_due());
}

TEST(FindRowError, CountsSelectedRows) {
  Batch batch = BatchOfInts({-9, 1, -8, 2, -3});
  batch.selection = arrow::Buffer::FromVector(std::vector<int32_t>{1, 3, 4});
  const RowError error = FindRowError(batch, Positive(batch).status(),
                                      [](const Batch& rows) { return Positive(rows).status(); });
  EXPECT_EQ(error.row, 2);
  EXPECT_EQ(error.status.message(), "row -3");
}

TEST(FindRowError, TellsWhatIsOfNoRowAtOnce) {
  const auto never = [](const Batch&) -> Status { return Status::Invalid("called"); };
  const Batch batch = BatchOfInts({1, 2, 3});
  EXPECT_EQ(FindRowError(batch, Status::OutOfMemory("full"), never).status.message(), "full");
  EXPECT_EQ(FindRowError(batch, Status::Cancelled("stop"), never).status.message(), "stop");
  EXPECT_EQ(FindRowError(batch, Status::CapacityError("large"), never).status.message(), "large");
  // Of all rows together.
  const RowError whole =
      FindRowError(batch, Status::Invalid("too long"), [](const Batch&) { return Status::OK(); });
  EXPECT_EQ(whole.row, 0);
  EXPECT_EQ(whole.status.message(), "too long");
  EXPECT_EQ(FindRowError(BatchOfInts({}), Status::Invalid("none"), never).status.message(), "none");
}

TEST(FindRowError, FindsTheFirstOfRandomRows) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 200; ++round) {
    std::vector<int32_t> values(1 + random() % 300);
    for (auto& value : values) value = 1;
    const size_t failing = 1 + random() % 3;
    for (size_t i = 0; i < failing; ++i) values[random() % values.size()] = -1;
    const auto first = std::find(values.begin(), values.end(), -1) - values.begin();
    int64_t computed = 0;
    const Batch batch = BatchOfInts(values);
    const RowError error = FindRowError(batch, Positive(batch).status(), [&](const Batch& rows) {
      computed += rows.selected_count();
      return Positive(rows).status();
    });
    EXPECT_EQ(error.row, first);
    EXPECT_LE(computed, batch.row_count + 1);
  }
}

}  // namespace
}  // namespace reprise
