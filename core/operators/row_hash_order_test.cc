#include "operators/row_hash_order.h"

#include <algorithm>
#include <random>

#include "expressions/murmur3_hash.h"
#include "operators/fixed_memory.h"
#include "operators/operator_testing.h"

namespace reprise::testing {
namespace {

std::vector<int64_t> Longs(const Batch& batch) {
  const auto& column = static_cast<const arrow::Int64Array&>(*batch.columns[0]);
  return {column.raw_values(), column.raw_values() + column.length()};
}

std::vector<int64_t> AllOf(RowHashOrder* order) {
  std::vector<int64_t> all;
  while (const auto batch = Good(order->Next())) {
    const auto longs = Longs(*batch);
    all.insert(all.end(), longs.begin(), longs.end());
  }
  return all;
}

Batch BatchOfLongs(const std::vector<int64_t>& values) {
  arrow::Int64Builder builder;
  EXPECT_TRUE(builder.AppendValues(values).ok());
  return BatchOfArrays(Fields({"a long"}), {Good(builder.Finish())});
}

std::string RowOf(int64_t value) {
  std::string row(16, '\0');
  std::memcpy(row.data() + 8, &value, sizeof(value));
  return row;
}

TEST(RowHashOrder, OrdersByTheHashesOfSparksRows) {
  const TaskContext context;
  const auto fields = Fields({"a integer"});
  const auto order = Good(RowHashOrder::Make(fields, context));
  EXPECT_TRUE(order->Add(BatchOf(fields, {"[0, 1, 2, 3, 4]"})).ok());
  const Batch second = BatchOf(fields, {"[5, 100, 6, 7, 100, 8, 9]"});
  EXPECT_TRUE(order->Add(WithSelection(second, {0, 2, 3, 5, 6})).ok());
  EXPECT_TRUE(order->End().ok());
  const auto rows = Good(order->Next());
  // Their hashes, as Spark's Murmur3 gives them: -771300025, -348168691, -300363099, 260196596 …
  EXPECT_TRUE(rows->columns[0]->Equals(*Values("integer", "[3, 7, 0, 5, 6, 8, 2, 9, 4, 1]")));
  EXPECT_FALSE(Good(order->Next()).has_value());
  EXPECT_EQ(order->bytes(), 0);
}

TEST(RowHashOrder, RowsOfTheSameHashAreOrderedByTheDifferenceOfWords) {
  // Two pairs of the same hash each, where the difference of words is too large for a word.
  const std::vector<int64_t> rows = {-3066383234735701821, -5221111061310845066,
                                     4880944054494543627, 7418248092495226616};
  ASSERT_EQ(Murmur3OfBytes(RowOf(rows[0]), 42), Murmur3OfBytes(RowOf(rows[3]), 42));
  ASSERT_EQ(Murmur3OfBytes(RowOf(rows[1]), 42), Murmur3OfBytes(RowOf(rows[2]), 42));
  const std::vector<int64_t> expected = {rows[3], rows[3], rows[0], rows[2], rows[1], rows[1]};
  const TaskContext context;
  for (const bool spills : {false, true}) {
    const auto order = Good(RowHashOrder::Make(Fields({"a long"}), context));
    EXPECT_TRUE(order->Add(BatchOfLongs({rows[0], rows[1], rows[3]})).ok());
    if (spills) {
      EXPECT_GT(Good(order->Spill()), 0);
    }
    EXPECT_TRUE(order->Add(BatchOfLongs({rows[1], rows[2], rows[3]})).ok());
    if (spills) {
      EXPECT_GT(Good(order->Spill()), 0);
    }
    EXPECT_TRUE(order->End().ok());
    EXPECT_EQ(AllOf(order.get()), expected);
  }
}

TEST(RowHashOrder, BytesCompareByLengthAndThenByWords) {
  const auto compare = RowHashKeys::CompareBytes;
  EXPECT_EQ(compare(RowOf(1), RowOf(1)), 0);
  EXPECT_EQ(compare(RowOf(1), RowOf(2)), -1);
  EXPECT_EQ(compare(RowOf(2), RowOf(1)), 1);
  EXPECT_EQ(compare(RowOf(9), RowOf(1) + RowOf(1)), -1);
  EXPECT_EQ(compare(RowOf(INT64_MIN), RowOf(1)), 1);
  EXPECT_EQ(compare("", ""), 0);
}

TEST(RowHashOrder, TheOrderIsThatOfTheRowsHoweverTheyComeAndSpill) {
  std::mt19937_64 random(17);
  std::vector<int64_t> values(5000);
  for (int64_t& value : values) value = static_cast<int64_t>(random() % 3000);
  TaskContext context;
  context.batch_rows_target = 700;
  const auto run = [&](int64_t batch_rows, int spill_every) {
    const auto order = Good(RowHashOrder::Make(Fields({"a long"}), context));
    int batches = 0;
    for (size_t i = 0; i < values.size(); i += batch_rows) {
      const auto end = std::min(values.size(), i + batch_rows);
      EXPECT_TRUE(order->Add(BatchOfLongs({values.begin() + i, values.begin() + end})).ok());
      if (spill_every > 0 && ++batches % spill_every == 0) {
        EXPECT_GT(Good(order->Spill()), 0);
      }
    }
    EXPECT_TRUE(order->End().ok());
    // What has not been given may be spilled.
    std::vector<int64_t> given = Longs(*Good(order->Next()));
    if (spill_every == 0) {
      EXPECT_GT(Good(order->Spill()), 0);
    }
    const auto rest = AllOf(order.get());
    given.insert(given.end(), rest.begin(), rest.end());
    return given;
  };
  std::vector<int64_t> expected = values;
  std::ranges::sort(expected, {},
                    [](int64_t value) { return Murmur3OfBytes(RowOf(value), kMurmur3Seed); });
  EXPECT_EQ(run(5000, -1), expected);
  std::ranges::shuffle(values, random);
  EXPECT_EQ(run(64, 0), expected);
  std::ranges::shuffle(values, random);
  EXPECT_EQ(run(250, 1), expected);
}

}  // namespace
}  // namespace reprise::testing
