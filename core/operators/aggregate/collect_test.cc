// collect_list and collect_set: their arrays, byte by byte, and the order of a set.
#include <gmock/gmock.h>

#include "expressions/values.h"
#include "operators/aggregate/aggregate_testing.h"
#include "operators/aggregate/hash_set_order.h"
#include "transitions/nested_column.h"

namespace reprise {
namespace {

using namespace testing;

/// The arrays of a column, as text.
std::string ArraysOf(const arrow::RecordBatch& rows, int column, const std::string& type) {
  const Function function{"collect_list", type};
  const DataType array{TypeKind::kOther, 0, 0, function.result()};
  const auto read = Good(ReadableColumn(rows.column(column), array, arrow::default_memory_pool()));
  EXPECT_TRUE(read->ValidateFull().ok());
  std::string text;
  const auto& lists = static_cast<const arrow::ListArray&>(*read);
  for (int64_t row = 0; row < lists.length(); ++row) {
    for (int64_t i = lists.value_offset(row); i < lists.value_offset(row + 1); ++i) {
      text += Good(lists.values()->GetScalar(i))->ToString() + " ";
    }
    text += "| ";
  }
  return text;
}

std::string Collected(const std::string& function, const std::string& type,
                      const std::vector<std::pair<std::string, std::string>>& batches) {
  const auto fields = Fields({"k integer", "v " + type});
  std::vector<Batch> input;
  for (const auto& [keys, values] : batches) input.push_back(BatchOf(fields, {keys, values}));
  return ArraysOf(*Good(Compute({function, type}, fields, {0}, 1, input)), 1, type);
}

TEST(Collect, ListsTheValuesOfEachGroupAsTheyCome) {
  EXPECT_EQ(Collected("collect_list", "integer",
                      {{"[1, 2, 1, 1]", "[5, 6, null, 7]"}, {"[2, 3, 1]", "[6, null, 5]"}}),
            "5 7 5 | 6 6 | | ");
  EXPECT_EQ(Collected("collect_list", "string",
                      {{"[1, 1, 1]", R"(["", "nine bytes", "b"])"}, {"[1]", R"(["b"])"}}),
            " nine bytes b b | ");
  EXPECT_EQ(Collected("collect_list", "decimal(30,2)",
                      {{"[1, 1]", R"(["-1.50", "123456789012345678901234.56"])"}}),
            "-1.50 123456789012345678901234.56 | ");
  EXPECT_EQ(Collected("collect_list", "boolean", {{"[1, 1, 1]", "[true, false, true]"}}),
            "true false true | ");
  EXPECT_EQ(Collected("collect_list", "short", {{"[1, 1, 1]", "[1, -2, 3]"}}), "1 -2 3 | ");
}

TEST(Collect, ASetHasEachValueOnce) {
  EXPECT_EQ(Collected("collect_set", "integer",
                      {{"[1, 2, 1, 1]", "[5, 6, null, 5]"}, {"[2, 3, 1]", "[6, null, 4]"}}),
            "4 5 | 6 | | ");
  // Zero is found as minus zero is, NaN never.
  EXPECT_EQ(Collected("collect_set", "double",
                      {{"[1, 1, 1, 1]", "[-0.0, 0.0, NaN, NaN]"}, {"[1]", "[NaN]"}}),
            "-0 nan nan nan | ");
}

TEST(Collect, ABufferIsARowWithAnArray) {
  const auto fields = Fields({"v integer"});
  const Function function{"collect_list", "integer"};
  const auto partial =
      AggregateOperator(fields, {}, {function.Over("partial", {ColumnOf(fields, 0)})}, false);
  const auto rows = Good(RunAggregate(partial, {BatchOf(fields, {"[7, 8, 9]"})}));
  const auto& column = static_cast<const arrow::BinaryArray&>(*rows->column(0));
  const std::vector<uint64_t> words = {0, uint64_t{16} << 32 | 32, 3, 0, 7 | uint64_t{8} << 32, 9};
  EXPECT_EQ(column.GetView(0),
            std::string_view(reinterpret_cast<const char*>(words.data()), 8 * words.size()));
}

// scala> mutable.HashSet.from(0 until 13 map (_ * 16)) has grown to 32 buckets.
TEST(HashSetOrder, GrowsAsScalasDoes) {
  HashSetOrder set(arrow::default_memory_pool());
  ASSERT_TRUE(set.Grow(1).ok());
  std::vector<int32_t> elements;
  for (int32_t i = 0; i < 13; ++i) {
    set.MakeRoom(0);
    EXPECT_TRUE(Good(set.Add(0, i * 16, [&](int32_t element) { return element == i; })));
    elements.push_back(i);
  }
  set.Sort(0, elements);
  EXPECT_THAT(elements, ::testing::ElementsAre(0, 2, 4, 6, 8, 10, 12, 1, 3, 5, 7, 9, 11));
}

// scala> Seq[Any](1L << 40, 0.5, 1e300, 3e9, 0.1f, "", true).map(_.##), the text as Spark has it.
TEST(HashSetOrder, HashesAsScalaDoes) {
  EXPECT_EQ(ScalaHash(int64_t{1} << 40), 256);
  EXPECT_EQ(ScalaHash(int64_t{-5}), -5);
  EXPECT_EQ(ScalaHash(7.0), 7);
  EXPECT_EQ(ScalaHash(0.5), 0x3f000000);
  EXPECT_EQ(ScalaHash(3e9), static_cast<int32_t>(3000000000u));
  EXPECT_EQ(ScalaHash(0.1f), 0x3dcccccd);
  EXPECT_EQ(ScalaHash(true), 1231);
  EXPECT_EQ(ScalaHash(std::string_view()), 142593372);
}

}  // namespace
}  // namespace reprise
