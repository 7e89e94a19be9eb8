// Rows go where Spark 4.1.3 sends them.
#include "exchange/partitioning.h"

#include <arrow/json/from_string.h>
#include <gtest/gtest.h>

#include "exchange/column_testing.h"
#include "exchange/partitioned_rows.h"

namespace reprise {
namespace {

using testing::Good;
using testing::Values;

using Json = nlohmann::json;

Json ColumnJson(const std::string& type, int index = 0) {
  return {{"function", "column"},
          {"type", type},
          {"nullable", true},
          {"attributes", {{"index", index}}}};
}

Json Order(const std::string& type, int index, bool ascending, bool nulls_first) {
  return {{"expression", ColumnJson(type, index)},
          {"ascending", ascending},
          {"nullsFirst", nulls_first}};
}

struct Table {
  std::vector<Field> fields;
  Batch batch;
};

Table TableOf(const std::vector<std::pair<std::string, std::string>>& columns) {
  Table table;
  for (const auto& [type, json] : columns) {
    table.fields.push_back({"c", ParseDataType(type), true});
    table.batch.columns.push_back(Values(type, json));
  }
  table.batch.row_count = table.batch.columns[0]->length();
  table.batch.schema = Good(ToArrowSchema(table.fields));
  return table;
}

std::vector<int32_t> Assign(const Json& json, const Table& table, int partitions = 200,
                            int task = 0) {
  const auto partitioning = Good(MakePartitioning(json, table.fields, partitions, task));
  std::vector<int32_t> assigned(static_cast<size_t>(table.batch.selected_count()));
  const Status status = partitioning->Assign(table.batch, arrow::default_memory_pool(), assigned);
  EXPECT_TRUE(status.ok()) << status;
  return assigned;
}

TEST(Partitioning, HashEqualsSparks) {
  // pmod(hash(id * 7919 - 500), n) of the first rows of range().
  const auto table = TableOf({{"integer", "[-500, 7419, 15338, 23257, 31176, 39095]"}});
  const Json hash = {{"type", "hash"}, {"expressions", {ColumnJson("integer")}}};
  using Partitions = std::vector<int32_t>;
  EXPECT_EQ(Assign(hash, table, 1), (Partitions{0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(Assign(hash, table, 7), (Partitions{1, 3, 6, 6, 4, 0}));
  EXPECT_EQ(Assign(hash, table, 64), (Partitions{53, 13, 5, 18, 29, 60}));
  EXPECT_EQ(Assign(hash, table, 200), (Partitions{117, 141, 77, 146, 69, 36}));
  EXPECT_EQ(Assign(hash, table, 1000), (Partitions{717, 341, 477, 746, 869, 436}));
}

TEST(Partitioning, HashReadsSelectedRowsAlone) {
  auto table = TableOf({{"integer", "[1, -500, 2, 7419]"}});
  table.batch.selection = arrow::Buffer::FromVector(std::vector<int32_t>{1, 3});
  EXPECT_EQ(Assign({{"type", "hash"}, {"expressions", {ColumnJson("integer")}}}, table),
            (std::vector<int32_t>{117, 141}));
}

TEST(Partitioning, RoundRobinBeginsWhereSparkDoes) {
  const auto table = TableOf({{"integer", "[0, 0, 0]"}});
  // One more than new XORShiftRandom(task).nextInt(partitions).
  struct Start {
    int task;
    int partitions;
    int position;
  };
  const Start starts[] = {{0, 1, 0},      {0, 3, 2},       {0, 5, 3},       {0, 8, 1},
                          {0, 200, 28},   {1, 3, 0},       {1, 5, 3},       {1, 16, 3},
                          {1, 200, 103},  {1, 1000, 703},  {2, 8, 7},       {2, 16, 15},
                          {7, 1000, 960}, {199, 200, 173}, {100000, 16, 5}, {100000, 1000, 291}};
  for (const Start& start : starts) {
    std::vector<int32_t> expected;
    for (int i = 1; i <= 3; ++i) expected.push_back((start.position + i) % start.partitions);
    EXPECT_EQ(Assign({{"type", "round_robin"}}, table, start.partitions, start.task), expected)
        << start.task << " " << start.partitions;
  }
}

TEST(Partitioning, RangeGoesByTheFirstBoundThatIsNotBefore) {
  const auto table = TableOf({{"long", "[5, 10, 11, null, 20, 21, -9]"}});
  const auto range = [](bool ascending, bool nulls_first, Json bounds) -> Json {
    return {{"type", "range"},
            {"ordering", {Order("long", 0, ascending, nulls_first)}},
            {"bounds", std::move(bounds)}};
  };
  using Partitions = std::vector<int32_t>;
  const Json up = Json::array({{10}, {20}});
  EXPECT_EQ(Assign(range(true, true, up), table), (Partitions{0, 0, 1, 0, 1, 2, 0}));
  EXPECT_EQ(Assign(range(true, false, up), table), (Partitions{0, 0, 1, 2, 1, 2, 0}));
  const Json down = Json::array({{20}, {10}});
  EXPECT_EQ(Assign(range(false, false, down), table), (Partitions{2, 1, 1, 2, 0, 0, 2}));
  const Json with_null = Json::array({Json::array({nullptr}), {10}});
  EXPECT_EQ(Assign(range(true, true, with_null), table), (Partitions{1, 1, 2, 0, 2, 2, 1}));
  EXPECT_EQ(Assign(range(true, true, Json::array()), table), (Partitions{0, 0, 0, 0, 0, 0, 0}));
}

TEST(Partitioning, RangeComparesEveryKeyInItsOwnOrder) {
  const auto table = TableOf(
      {{"string", R"(["b", "b", "b", "a", null, "bb"])"}, {"double", "[1, NaN, -0.0, 7, 0, 0]"}});
  const Json json = {
      {"type", "range"},
      {"ordering", {Order("string", 0, true, true), Order("double", 1, false, false)}},
      {"bounds",
       Json::array({Json::array({"a", 8.0}), Json::array({"b", "NaN"}), Json::array({"b", 0.0})})}};
  EXPECT_EQ(Assign(json, table), (std::vector<int32_t>{2, 1, 2, 1, 0, 3}));
}

TEST(Partitioning, RangeTakesEveryType) {
  const std::pair<std::string, Json> bounds[] = {{"boolean", false},
                                                 {"byte", 1},
                                                 {"short", 1},
                                                 {"integer", 1},
                                                 {"long", 1},
                                                 {"float", 1.0},
                                                 {"double", 1.0},
                                                 {"date", 1},
                                                 {"timestamp", 1},
                                                 {"decimal(10,0)", "1"},
                                                 {"decimal(30,0)", "1"},
                                                 {"string", "1"}};
  for (const auto& [type, bound] : bounds) {
    std::string json = "[0, 1, 2]";
    if (type == "boolean") json = "[false, false, true]";
    if (type == "string" || type.starts_with("decimal")) json = R"(["0", "1", "2"])";
    const Json range = {{"type", "range"},
                        {"ordering", {Order(type, 0, true, true)}},
                        {"bounds", Json::array({Json::array({bound})})}};
    EXPECT_EQ(Assign(range, TableOf({{type, json}})), (std::vector<int32_t>{0, 0, 1})) << type;
  }
}

std::string ErrorOf(const Json& json, int partitions = 2) {
  return MakePartitioning(json, {{"c", {TypeKind::kLong}, true}}, partitions, 0).status().message();
}

TEST(Partitioning, NamesWhatIsWrong) {
  EXPECT_EQ(ErrorOf({{"type", "hive"}}),
            "\"partitioning\": there is no partitioning \"hive\"; expected hash, range, "
            "round_robin or single");
  EXPECT_EQ(ErrorOf("x"), "\"partitioning\": it has no \"type\"");
  EXPECT_EQ(ErrorOf({{"type", "hash"}}), "\"partitioning\": \"expressions\" must be an array");
  EXPECT_EQ(ErrorOf({{"type", "hash"}}, 0),
            "\"partitioning\": \"numPartitions\" is 0; expected at least 1");
  EXPECT_EQ(ErrorOf({{"type", "range"}}),
            "\"partitioning\": \"ordering\" must be an array of at least one order");
  EXPECT_EQ(ErrorOf({{"type", "range"}, {"ordering", {Order("long", 0, true, true)}}}),
            "\"partitioning\": \"bounds\" must be an array");
  EXPECT_EQ(ErrorOf({{"type", "range"},
                     {"ordering", {Order("long", 0, true, true)}},
                     {"bounds", {Json::array()}}}),
            "\"partitioning\": \"bounds\": a bound must be an array of 1 values");
}

TEST(PartitionedRows, GivesPartitionAfterPartitionInTheRowsOwnOrder) {
  const Json range = {
      {"type", "range"}, {"ordering", {Order("long", 0, true, true)}}, {"bounds", {{10}, {20}}}};
  auto first = TableOf({{"long", "[15, 5, 25, 16, 6]"}});
  auto second = TableOf({{"long", "[7, 1, 30, 8]"}});
  second.batch.selection = arrow::Buffer::FromVector(std::vector<int32_t>{0, 2, 3});
  const auto partitioning = Good(MakePartitioning(range, first.fields, 0, 0));
  PartitionedRows rows(partitioning.get(), 1, arrow::default_memory_pool());
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(rows.Add(first.batch).ok());
    ASSERT_TRUE(rows.Add(second.batch).ok());
    EXPECT_EQ(rows.rows(), 8);
    std::string found;
    while (const auto chunk = rows.Take(3, 1 << 20)) {
      found += fmt::format("{}:", chunk->partition);
      int64_t count = 0;
      for (const BatchSlice& slice : chunk->slices) {
        const auto& column = static_cast<const arrow::Int64Array&>(*slice.batch->columns[0]);
        for (int64_t i = 0; i < slice.count; ++i) {
          found += fmt::format(" {}", column.Value(slice.begin + i));
        }
        count += slice.count;
      }
      EXPECT_EQ(chunk->rows, count);
      found += "; ";
    }
    EXPECT_EQ(found, "0: 5 6 7; 0: 8; 1: 15 16; 2: 25 30; ");
    EXPECT_EQ(rows.rows(), 0);
    EXPECT_EQ(rows.bytes(), 0);
  }
}

TEST(PartitionedRows, LeavesOutWhatIsThereToBePartitionedBy) {
  const Json range = {
      {"type", "range"}, {"ordering", {Order("long", 1, true, true)}}, {"bounds", {{10}}}};
  const auto table = TableOf({{"long", "[1, 2, 3]"}, {"long", "[15, 5, 25]"}});
  for (const bool is_single : {false, true}) {
    const auto partitioning = Good(MakePartitioning(is_single ? Json{{"type", "single"}} : range,
                                                    table.fields, is_single ? 1 : 0, 0));
    PartitionedRows rows(partitioning.get(), 1, arrow::default_memory_pool());
    ASSERT_TRUE(rows.Add(table.batch).ok());
    std::string found;
    while (const auto chunk = rows.Take(3, 1 << 20)) {
      for (const BatchSlice& slice : chunk->slices) {
        ASSERT_EQ(slice.batch->columns.size(), 1);
        const auto& column = static_cast<const arrow::Int64Array&>(*slice.batch->columns[0]);
        for (int64_t i = 0; i < slice.count; ++i) {
          found += fmt::format("{}: {}; ", chunk->partition, column.Value(slice.begin + i));
        }
      }
    }
    EXPECT_EQ(found, is_single ? "0: 1; 0: 2; 0: 3; " : "0: 2; 1: 1; 1: 3; ");
  }
}

TEST(PartitionedRows, CutsChunksByBytes) {
  const auto table = TableOf({{"long", "[1, 2, 3, 4, 5]"}});
  const auto partitioning = Good(MakePartitioning({{"type", "single"}}, table.fields, 1, 0));
  PartitionedRows rows(partitioning.get(), 1, arrow::default_memory_pool());
  ASSERT_TRUE(rows.Add(table.batch).ok());
  std::vector<int64_t> counts;
  while (const auto chunk = rows.Take(100, 17)) counts.push_back(chunk->rows);
  EXPECT_EQ(counts, (std::vector<int64_t>{2, 2, 1}));
  ASSERT_TRUE(rows.Add(table.batch).ok());
  counts.clear();
  while (const auto chunk = rows.Take(100, 1)) counts.push_back(chunk->rows);
  EXPECT_EQ(counts, (std::vector<int64_t>{1, 1, 1, 1, 1}));
}

}  // namespace
}  // namespace reprise
