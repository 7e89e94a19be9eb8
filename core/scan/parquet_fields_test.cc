// Columns that files have under an id, or lack: which field of a file a column is, what it is where
// there is none, and what is left to Spark.
#include "scan/parquet_fields.h"

#include <arrow/json/from_string.h>

#include "scan/parquet_file.h"
#include "scan/parquet_scan_fixture.h"
#include "scan/piece_test_source.h"

namespace reprise::parquet_test {
namespace {

using parquet::schema::GroupNode;
using parquet::schema::NodePtr;
using parquet::schema::PrimitiveNode;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

const DataType kWhole = {TypeKind::kInteger};

TestColumn WithId(TestColumn column, int id) {
  const auto& node = static_cast<const PrimitiveNode&>(*column.node);
  column.node = PrimitiveNode::Make(node.name(), node.repetition(), node.logical_type(),
                                    node.physical_type(), node.type_length(), id);
  return column;
}

/// A struct that is never null, of one number.
TestColumn StructColumn(const std::string& name, int id, const TestColumn& field) {
  TestColumn column = field;
  column.node = GroupNode::Make(name, parquet::Repetition::REQUIRED, {field.node}, nullptr, id);
  return column;
}

ExpressionSpec NumberLiteral(int value) {
  return {"literal", kWhole, false, {{"value", value}}, {}};
}

ExpressionSpec IntColumn(int index) { return {"column", kWhole, true, {{"index", index}}, {}}; }

ExpressionSpec IsGreater(int column, int value) {
  return Condition("greater", {IntColumn(column), NumberLiteral(value)});
}

class ParquetFieldsTest : public ParquetScanTest {
 protected:
  /// Columns of numbers with these ids.
  static Scan ById(const std::vector<std::pair<std::string, int>>& columns) {
    Scan scan;
    scan.more["fieldIds"] = nlohmann::json::array();
    for (const auto& [name, id] : columns) {
      scan.columns.push_back({name, kWhole, true});
      scan.more["fieldIds"].push_back(id);
    }
    return scan;
  }

  std::string Write(const std::vector<TestColumn>& columns, int64_t row_group_rows = 100) {
    std::string path = folder_.file("ids.parquet");
    WriteParquet(path, columns, {.row_group_rows = row_group_rows});
    return path;
  }

  void ExpectColumns(const Scan& scan, const std::string& path,
                     const std::vector<std::string>& json) {
    const auto output = Run(scan, {WholeFile(path)});
    ASSERT_TRUE(output.ok()) << output.status();
    for (size_t i = 0; i < json.size(); ++i) {
      const auto column = output->column(static_cast<int>(i));
      const auto expected = arrow::json::ArrayFromJSONString(column->type(), json[i]).ValueOrDie();
      EXPECT_TRUE(column->Equals(expected)) << i << ": " << column->ToString();
    }
  }

  /// What is left to Spark of a file, which gives no rows for it; the scan ends with `status`.
  NotedPieces::Parts Left(const Scan& scan, const std::string& path, Status* status) {
    NotedPieces::Parts parts;
    auto op = MakeParquetScan(SpecOf(scan), {WholeFile(path)}, context_, nullptr,
                              std::make_unique<NotedPieces>(&parts))
                  .ValueOrDie();
    while (true) {
      const auto batch = op->Next();
      *status = batch.status();
      if (!batch.ok() || !*batch) return parts;
    }
  }

  void ExpectIsSparks(const Scan& scan, const std::string& path, const std::string& why) {
    SCOPED_TRACE(why);
    EXPECT_THAT(Run(scan, {WholeFile(path)}).status().message(), HasSubstr(why));
    Status status;
    EXPECT_THAT(Left(scan, path, &status), ElementsAre(Pair(0, WholeFile(path).length)));
    EXPECT_TRUE(status.ok()) << status;
  }
};

TEST_F(ParquetFieldsTest, IdsCountWhereThereAreSome) {
  const std::string path =
      Write({WithId(Ints("x", {1, 2}), 1), WithId(Ints("y", {3, 4}), 2), Ints("z", {5, 6})});
  ExpectColumns(ById({{"a", 2}, {"X", 1}, {"c", 9}, {"Z", kNoFieldId}}), path,
                {"[3, 4]", "[1, 2]", "[null, null]", "[5, 6]"});
}

TEST_F(ParquetFieldsTest, GroupsAreSkippedByWhatTheColumnIs) {
  const std::string path = Write({WithId(Ints("x", {1, 9}), 1), Ints("y", {9, 1})}, 1);
  Scan scan = ById({{"a", 1}, {"y", kNoFieldId}});
  scan.pruning = {IsGreater(0, 5)};
  ExpectColumns(scan, path, {"[9]", "[1]"});
}

TEST_F(ParquetFieldsTest, WhereIdsAndNamesCrossSparkReads) {
  const std::string path =
      Write({WithId(Ints("a", {1}), 2), WithId(Ints("b", {2}), 1), Ints("c", {3})});
  const std::string name = "another field of the file has its name";
  ExpectIsSparks(ById({{"a", 1}}), path, "column a has the field id 1, but " + name);
  ExpectIsSparks(ById({{"A", 7}}), path, name);
  ExpectIsSparks(ById({{"a", 2}, {"C", 1}}), path, name);
  const std::string twice = "another column is the same field of the file";
  ExpectIsSparks(ById({{"x", 1}, {"y", 1}}), path, twice);
  ExpectIsSparks(ById({{"x", 8}, {"y", 8}}), path, twice);
  ExpectIsSparks(ById({{"x", 1}, {"b", kNoFieldId}}), path, twice);
  Scan scan = ById({{"A", 7}});
  scan.case_sensitive = true;
  ExpectColumns(scan, path, {"[null]"});
}

TEST_F(ParquetFieldsTest, OneIdIsOfOneField) {
  const std::string path = Write({WithId(Ints("x", {1}), 1), WithId(Ints("y", {2}), 1)});
  ExpectIsSparks(ById({{"a", 1}}), path,
                 "cannot read " + path +
                     ": column a has the field id 1, which several fields of the file have: [x, "
                     "y]; give each an id of its own");
  ExpectColumns(ById({{"a", 3}, {"y", kNoFieldId}}), path, {"[null]", "[2]"});
}

TEST_F(ParquetFieldsTest, FilesWithoutIdsAreErrorsWhereSparkAsksForSome) {
  std::string path = Write({Ints("a", {1})});
  Scan scan = {.columns = {{"a", kWhole, true}}, .more = {{"needsFieldIds", true}}};
  ExpectIsSparks(scan, path, "the columns have field ids, but no field of the file has one");
  scan = ById({{"b", 1}});
  ExpectColumns(scan, path, {"[null]"});
  path = Write({StructColumn("s", -1, WithId(Ints("a", {1}), 0))});
  scan.more["needsFieldIds"] = true;
  ExpectColumns(scan, path, {"[null]"});
}

TEST_F(ParquetFieldsTest, FieldsOfStructsHaveIdsToo) {
  const std::string path = Write({StructColumn("s", 4, WithId(Ints("x", {1, 2}), 5))});
  const auto read = [](const std::string& name, int id) {
    const nlohmann::json field = {{"name", name},
                                  {"type", "integer"},
                                  {"nullable", true},
                                  {"metadata", {{"parquet.field.id", id}}}};
    const nlohmann::json type = {{"type", "struct"}, {"fields", {field}}};
    Scan scan = {.columns = {{"t", {TypeKind::kOther, 0, 0, type.dump()}, true}}};
    scan.more["fieldIds"] = {4};
    return scan;
  };
  const Scan scan = read("a", 5);
  const auto output = Run(scan, {WholeFile(path)});
  ASSERT_TRUE(output.ok()) << output.status();
  const auto structs =
      ReadableColumn(output->column(0), scan.columns[0].type, arrow::default_memory_pool());
  ASSERT_TRUE(structs.ok()) << structs.status();
  EXPECT_EQ((*structs)->ToString(),
            "-- is_valid: all not null\n-- child 0 type: int32\n  [\n    1,\n    2\n  ]");
  ExpectIsSparks(read("x", 6), path, "another field of the file has its name");
}

TEST_F(ParquetFieldsTest, WhereRowsHaveLeftSparkIsOnlyToTell) {
  const std::string path = folder_.file("cut.parquet");
  WriteOptions options = {.row_group_rows = 1000};
  std::vector<std::optional<int64_t>> values;
  for (int64_t i = 0; i < 2000; ++i) values.push_back(i * i);
  WriteParquet(path, {Longs("l", values)}, options);
  const auto written = ParquetFile::Open(path, context_.pool).ValueOrDie();
  const auto second = written->metadata().RowGroup(1);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(second->ColumnChunk(0)->dictionary_page_offset());
  for (int i = 0; i < 400; ++i) file.put('\xFF');
  file.close();
  const Scan scan = {.columns = {{"l", {TypeKind::kLong}, true}}};
  Status status;
  EXPECT_THAT(Left(scan, path, &status), ElementsAre(Pair(0, WholeFile(path).length)));
  EXPECT_THAT(status.message(), HasSubstr("cannot read " + path + ": column l: "));
}

TEST_F(ParquetFieldsTest, ColumnsThatFilesLackHaveTheirDefaults) {
  const std::string path = Write({Ints("a", {1, 2})});
  Scan scan;
  scan.columns = {{"b", kWhole, true}, {"a", kWhole, true}, {"s", {TypeKind::kString}, true}};
  const ExpressionSpec text = {"literal", {TypeKind::kString}, false, {{"value", "x"}}, {}};
  scan.more["defaults"] = {ToJson(NumberLiteral(7)), ToJson(NumberLiteral(8)), ToJson(text)};
  ExpectColumns(scan, path, {"[7, 7]", "[1, 2]", R"(["x", "x"])"});
  scan.pruning = {IsGreater(0, 6), Condition("is_not_null", {IntColumn(0)})};
  ExpectColumns(scan, path, {"[7, 7]"});
  scan.pruning = {Condition("is_null", {IntColumn(0)})};
  const auto none = Run(scan, {WholeFile(path)});
  ASSERT_TRUE(none.ok()) << none.status();
  EXPECT_EQ(none->rows(), 0);
  scan.more["defaults"] = {nullptr, nullptr, nullptr};
  scan.pruning = {};
  ExpectColumns(scan, path, {"[null, null]"});
}

TEST_F(ParquetFieldsTest, RefusesMalformedDefaultsAndIds) {
  Scan scan = {.columns = {{"a", kWhole, true}}};
  const auto refusal = [&](const std::string& name, nlohmann::json value) {
    scan.more = {{name, std::move(value)}};
    return Run(scan, {}).status().message();
  };
  EXPECT_THAT(refusal("defaults", {nullptr, nullptr}),
              HasSubstr("argument \"defaults\" has 2 values for 1 columns"));
  EXPECT_THAT(refusal("defaults", nlohmann::json::array({ToJson(IntColumn(0))})),
              HasSubstr("column 0 of an input of 0 columns"));
  const ExpressionSpec text = {"literal", {TypeKind::kString}, false, {{"value", "x"}}, {}};
  EXPECT_THAT(refusal("defaults", nlohmann::json::array({ToJson(text)})),
              HasSubstr("the default value of column a is no literal of type int"));
  EXPECT_THAT(refusal("fieldIds", nlohmann::json::array({"one"})),
              HasSubstr("argument \"fieldIds\" has other than ids"));
}

}  // namespace
}  // namespace reprise::parquet_test
