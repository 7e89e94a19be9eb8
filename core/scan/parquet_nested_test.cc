#include <arrow/json/from_string.h>

#include "operators/fixed_memory.h"
#include "operators/task_memory.h"
#include "scan/parquet_scan_fixture.h"

namespace reprise::parquet_test {
namespace {

using parquet::Repetition;
using parquet::schema::GroupNode;
using parquet::schema::NodePtr;
using parquet::schema::NodeVector;
using parquet::schema::PrimitiveNode;
using testing::HasSubstr;

/// What one leaf column of INT32 has.
struct Chunk {
  std::vector<int16_t> definition;
  std::vector<int16_t> repetition;
  std::vector<int32_t> values;
};

NodePtr IntNode(const std::string& name, Repetition::type repetition = Repetition::OPTIONAL) {
  return PrimitiveNode::Make(name, repetition, parquet::Type::INT32);
}

NodePtr Group(const std::string& name, Repetition::type repetition, NodeVector fields,
              Logical logical = nullptr) {
  return GroupNode::Make(name, repetition, std::move(fields), std::move(logical));
}

NodePtr ListNode(NodePtr repeated) {
  return Group("l", Repetition::OPTIONAL, {std::move(repeated)}, parquet::LogicalType::List());
}

TestColumn Nested(NodePtr node, int64_t rows, std::vector<Chunk> leaves) {
  TestColumn column;
  column.node = std::move(node);
  column.rows = rows;
  column.write = [leaves = std::move(leaves)](parquet::RowGroupWriter* row_group, int64_t,
                                              int64_t) {
    for (const Chunk& leaf : leaves) {
      auto* writer = static_cast<parquet::Int32Writer*>(row_group->NextColumn());
      writer->WriteBatch(static_cast<int64_t>(leaf.definition.size()), leaf.definition.data(),
                         leaf.repetition.data(), leaf.values.data());
      writer->Close();
    }
  };
  return column;
}

DataType ArrayOf(const std::string& element) {
  return {TypeKind::kOther, 0, 0,
          R"({"type":"array","elementType":)" + element + R"(,"containsNull":true})"};
}

DataType MapOf(const std::string& value) {
  return {TypeKind::kOther, 0, 0,
          R"({"type":"map","keyType":"integer","valueType":)" + value +
              R"(,"valueContainsNull":true})"};
}

std::string StructText(const std::vector<std::pair<std::string, std::string>>& fields) {
  std::string text;
  for (const auto& [name, type] : fields) {
    text += (text.empty() ? "" : ",") + (R"({"name":")" + name + R"(","type":)") + type +
            R"(,"nullable":true,"metadata":{}})";
  }
  return R"({"type":"struct","fields":[)" + text + "]}";
}

DataType StructOf(const std::vector<std::pair<std::string, std::string>>& fields) {
  return {TypeKind::kOther, 0, 0, StructText(fields)};
}

constexpr char kInt[] = R"("integer")";

class ParquetNestedTest : public ParquetScanTest {
 protected:
  Result<std::shared_ptr<arrow::Array>> ReadColumn(const TestColumn& column, const DataType& type,
                                                   const nlohmann::json& more = {},
                                                   const WriteOptions& options = {}) {
    ARROW_ASSIGN_OR_RAISE(const Output output, RoundTrip(column, type, options, more));
    return ReadableColumn(output.column(0), type, arrow::default_memory_pool());
  }

  void ExpectValues(const TestColumn& column, const DataType& type, const std::string& json,
                    const nlohmann::json& more = {}, const WriteOptions& options = {}) {
    SCOPED_TRACE(json);
    const auto read = ReadColumn(column, type, more, options);
    ASSERT_TRUE(read.ok()) << read.status();
    const auto expected = arrow::json::ArrayFromJSONString((*read)->type(), json).ValueOrDie();
    EXPECT_TRUE((*read)->Equals(expected)) << (*read)->ToString();
  }

  void ExpectError(const TestColumn& column, const DataType& type, const std::string& text) {
    const Status status = ReadColumn(column, type).status();
    ASSERT_NE(SparkErrorOf(status), nullptr) << status;
    EXPECT_EQ(SparkErrorOf(status)->condition(), "FAILED_READ_FILE.NO_HINT");
    EXPECT_THAT(status.message(), HasSubstr(text));
    EXPECT_THAT(status.message(), HasSubstr("column.parquet"));
  }
};

const char kThreeLists[] = "[[7, null], null, [], [8]]";

TEST_F(ParquetNestedTest, ListsOfThreeLevels) {
  const Chunk chunk = {{3, 2, 0, 1, 3}, {0, 1, 0, 0, 0}, {7, 8}};
  for (const char* name : {"list", "bag", "x"}) {
    const TestColumn column =
        Nested(ListNode(Group(name, Repetition::REPEATED, {IntNode("element")})), 4, {chunk});
    ExpectValues(column, ArrayOf(kInt), kThreeLists);
  }
}

TEST_F(ParquetNestedTest, ListsOfTwoLevels) {
  const TestColumn numbers = Nested(ListNode(IntNode("element", Repetition::REPEATED)), 4,
                                    {{{2, 2, 0, 1, 2}, {0, 1, 0, 0, 0}, {6, 7, 8}}});
  ExpectValues(numbers, ArrayOf(kInt), "[[6, 7], null, [], [8]]");
  const Chunk field = {{3, 2, 0, 1, 3}, {0, 1, 0, 0, 0}, {7, 8}};
  for (const char* name : {"array", "l_tuple"}) {
    const TestColumn structs =
        Nested(ListNode(Group(name, Repetition::REPEATED, {IntNode("a")})), 4, {field});
    ExpectValues(structs, ArrayOf(StructText({{"a", kInt}})),
                 R"([[{"a": 7}, {"a": null}], null, [], [{"a": 8}]])");
  }
  const TestColumn pairs =
      Nested(ListNode(Group("element", Repetition::REPEATED, {IntNode("a"), IntNode("b")})), 4,
             {field, field});
  ExpectValues(pairs, ArrayOf(StructText({{"b", kInt}})),
               R"([[{"b": 7}, {"b": null}], null, [], [{"b": 8}]])");
}

TEST_F(ParquetNestedTest, RepeatedFieldsAreLists) {
  ExpectValues(
      Nested(IntNode("l", Repetition::REPEATED), 3, {{{1, 1, 0, 1}, {0, 1, 0, 0}, {1, 2, 3}}}),
      ArrayOf(kInt), "[[1, 2], [], [3]]");
  ExpectValues(Nested(Group("l", Repetition::REPEATED, {IntNode("a")}), 3,
                      {{{2, 1, 0, 2}, {0, 1, 0, 0}, {1, 3}}}),
               ArrayOf(StructText({{"a", kInt}})), R"([[{"a": 1}, {"a": null}], [], [{"a": 3}]])");
}

TEST_F(ParquetNestedTest, MapsGoByPlace) {
  const auto entry = [](NodePtr value) {
    return Group("e", Repetition::REPEATED,
                 {IntNode("first", Repetition::REQUIRED), std::move(value)});
  };
  const Chunk keys = {{2, 2, 0, 1}, {0, 1, 0, 0}, {1, 2}};
  const Chunk values = {{3, 2, 0, 1}, {0, 1, 0, 0}, {10}};
  const TestColumn map = Nested(
      Group("m", Repetition::OPTIONAL, {entry(IntNode("second"))}, parquet::LogicalType::Map()), 3,
      {keys, values});
  ExpectValues(map, MapOf(kInt), "[[[1, 10], [2, null]], null, []]");
  const TestColumn legacy =
      Nested(GroupNode::Make("m", Repetition::OPTIONAL, NodeVector{entry(IntNode("second"))},
                             parquet::ConvertedType::MAP_KEY_VALUE),
             3, {keys, values});
  ExpectValues(legacy, MapOf(kInt), "[[[1, 10], [2, null]], null, []]");
}

TEST_F(ParquetNestedTest, KeysThatAreNullAreDamage) {
  const TestColumn map =
      Nested(Group("m", Repetition::OPTIONAL,
                   {Group("key_value", Repetition::REPEATED, {IntNode("key"), IntNode("value")})},
                   parquet::LogicalType::Map()),
             1, {{{2}, {0}, {}}, {{3}, {0}, {1}}});
  ExpectError(map, MapOf(kInt), "column m: a map has a key that is null");
}

// s: struct<a, b: struct<c>, d: list<int>>
TestColumn Structs() {
  return Nested(Group("s", Repetition::OPTIONAL,
                      {IntNode("a"), Group("b", Repetition::OPTIONAL, {IntNode("c")}),
                       Group("d", Repetition::OPTIONAL,
                             {Group("list", Repetition::REPEATED, {IntNode("element")})},
                             parquet::LogicalType::List())}),
                4,
                {{{2, 0, 1, 1}, {0, 0, 0, 0}, {1}},
                 {{3, 0, 2, 1}, {0, 0, 0, 0}, {5}},
                 {{4, 3, 0, 1, 2}, {0, 1, 0, 0, 0}, {9}}});
}

TEST_F(ParquetNestedTest, NullStructsAreNoStructsOfNulls) {
  ExpectValues(Structs(),
               StructOf({{"d", ArrayOf(kInt).text}, {"a", kInt}, {"B", StructText({{"c", kInt}})}}),
               R"([{"d": [9, null], "a": 1, "B": {"c": 5}}, null,
                   {"d": null, "a": null, "B": {"c": null}}, {"d": [], "a": null, "B": null}])");
}

TEST_F(ParquetNestedTest, FieldsThatTheFileLacksAreNull) {
  ExpectValues(Structs(), StructOf({{"x", kInt}, {"a", kInt}, {"y", ArrayOf(kInt).text}}),
               R"([{"x": null, "a": 1, "y": null}, null, {"x": null, "a": null, "y": null},
                   {"x": null, "a": null, "y": null}])");
  // Which structs are null is known by another field.
  const DataType none = StructOf({{"x", kInt}, {"b", StructText({{"z", kInt}})}});
  ExpectValues(Structs(), none,
               R"([{"x": null, "b": {"z": null}}, null, {"x": null, "b": {"z": null}},
                   {"x": null, "b": null}])");
  ExpectValues(Structs(), none, "[null, null, null, null]", {{"nullStructs", true}});
  ExpectValues(Structs(), StructOf({{"a", kInt}, {"b", StructText({{"z", kInt}})}}),
               R"([{"a": 1, "b": null}, null, {"a": null, "b": null}, {"a": null, "b": null}])",
               {{"nullStructs", true}});
}

TEST_F(ParquetNestedTest, RowsMayGoOnInTheNextPage) {
  Chunk chunk;
  std::string json;
  for (int16_t row = 0; row < 40; ++row) {
    json += (row == 0 ? "[[" : "], [");
    for (int16_t i = 0; i < row % 7 + 1; ++i) {
      chunk.definition.push_back(i % 3 == 2 ? 2 : 3);
      chunk.repetition.push_back(i == 0 ? 0 : 1);
      json += i == 0 ? "" : ", ";
      if (i % 3 == 2) {
        json += "null";
      } else {
        chunk.values.push_back(row * 100 + i);
        json += std::to_string(row * 100 + i);
      }
    }
  }
  WriteOptions options;
  options.properties = parquet::WriterProperties::Builder()
                           .data_pagesize(1)
                           ->write_batch_size(3)
                           ->disable_dictionary()
                           ->disable_write_page_index()
                           ->build();
  const TestColumn column =
      Nested(ListNode(Group("list", Repetition::REPEATED, {IntNode("element")})), 40, {chunk});
  for (const int64_t rows : {int64_t{1}, int64_t{7}, int64_t{4096}}) {
    context_.batch_rows_target = rows;
    ExpectValues(column, ArrayOf(kInt), json + "]]", {}, options);
  }
}

TEST_F(ParquetNestedTest, ARowThatIsTooLargeTravelsAlone) {
  Chunk chunk;
  for (int row = 0; row < 100; ++row) {
    for (int i = 0; i < (row == 50 ? 100000 : 1); ++i) {
      chunk.definition.push_back(3);
      chunk.repetition.push_back(i == 0 ? 0 : 1);
      chunk.values.push_back(i);
    }
  }
  context_.batch_bytes_target = 64 << 10;
  const auto output = RoundTrip(
      Nested(ListNode(Group("list", Repetition::REPEATED, {IntNode("element")})), 100, {chunk}),
      ArrayOf(kInt));
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_EQ(output->rows(), 100);
  int64_t large = 0;
  for (const Batch& batch : output->batches) {
    const auto& column = static_cast<const arrow::BinaryArray&>(*batch.columns[0]);
    if (column.total_values_length() <= context_.batch_bytes_target) continue;
    EXPECT_EQ(batch.row_count, 1);
    ++large;
  }
  EXPECT_EQ(large, 1);
}

TEST_F(ParquetNestedTest, WhatIsNotAsAskedForIsAnErrorThatNamesTheFile) {
  const TestColumn list =
      Nested(ListNode(Group("list", Repetition::REPEATED, {IntNode("a")})), 1, {{{3}, {0}, {7}}});
  ExpectError(list, StructOf({{"list", kInt}}), "field l is asked for as a struct");
  ExpectError(list, MapOf(kInt), "field l is asked for as a map");
  ExpectError(list, ArrayOf(StructText({{"a", kInt}})), "field l.list.a is asked for as a struct");
  ExpectError(Structs(), StructOf({{"b", kInt}}), "field s.b is asked for as int");
  ExpectError(Ints("i", {1}), ArrayOf(kInt), "field i is asked for as an array");
}

TEST_F(ParquetNestedTest, PartsThatDoNotBelongTogetherAreDamage) {
  const auto pairs = [](Chunk a, Chunk b) {
    return Nested(ListNode(Group("element", Repetition::REPEATED, {IntNode("a"), IntNode("b")})), 2,
                  {std::move(a), std::move(b)});
  };
  const DataType type = ArrayOf(StructText({{"a", kInt}, {"b", kInt}}));
  const Chunk sound = {{3, 3, 3}, {0, 1, 0}, {1, 2, 3}};
  ExpectError(pairs(sound, {{3, 3}, {0, 0}, {1, 2}}), type,
              "a nested column has parts of 3 and of 2 values that belong together");
  ExpectError(pairs({{3, 3, 3}, {1, 0, 0}, {1, 2, 3}}, sound), type,
              "a column chunk begins within a row");
}

TEST_F(ParquetNestedTest, FlippedBytesNeverCrash) {
  for (const auto version :
       {parquet::ParquetDataPageVersion::V1, parquet::ParquetDataPageVersion::V2}) {
    const std::string path = folder_.file("flipped.parquet");
    WriteOptions options;
    options.properties =
        parquet::WriterProperties::Builder().data_page_version(version)->data_pagesize(8)->build();
    WriteParquet(path, {Structs()}, options);
    ExpectSoundWhereBytesFlip(path,
                              {.columns = {{"s", StructOf({{"d", ArrayOf(kInt).text},
                                                           {"a", kInt},
                                                           {"b", StructText({{"c", kInt}})}})}}});
  }
}

// A run of levels that says of itself how long it is takes few bytes in the file.
TEST_F(ParquetNestedTest, ListsThatClaimMuchGetNoMoreThanTheTaskMay) {
  constexpr int kElements = 16 << 20;
  Chunk chunk = {std::vector<int16_t>(kElements, 2), std::vector<int16_t>(kElements, 1), {}};
  chunk.repetition[0] = 0;
  const std::string path = folder_.file("large.parquet");
  WriteParquet(path, {Nested(ListNode(Group("list", Repetition::REPEATED, {IntNode("element")})), 1,
                             {std::move(chunk)})});
  EXPECT_LT(WholeFile(path).length, 16 << 20);
  FixedMemory granted(8 << 20);
  TaskMemory memory(&granted);
  context_.pool = &memory;
  context_.memory = &memory;
  const Status status = Run({.columns = {{"l", ArrayOf(kInt)}}}, {WholeFile(path)}).status();
  EXPECT_TRUE(status.IsOutOfMemory()) << status;
  EXPECT_LT(memory.max_memory(), 48 << 20);
}

}  // namespace
}  // namespace reprise::parquet_test
