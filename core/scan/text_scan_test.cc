// Scans of text: which rows the core makes, and what it leaves to Spark.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "scan/parquet_test_files.h"
#include "scan/piece_test_source.h"
#include "scan/scans.h"
#include "transitions/nested_column.h"

namespace reprise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class TextScanTest : public ::testing::Test {
 protected:
  static OperatorSpec SpecOf(std::string_view kind) {
    OperatorSpec spec;
    spec.kind = kind;
    spec.name = "Scan";
    spec.output = {{"a", ParseDataType("integer"), true}, {"s", ParseDataType("string"), true}};
    spec.arguments = {{"columns", ToJson(spec.output)},
                      {"partitionColumns", nlohmann::json::array()},
                      {"positions", {0u, 1u}},
                      {"width", 2},
                      {"separator", ","},
                      {"quote", "\""},
                      {"escape", "\\"},
                      {"header", false},
                      {"nullValue", ""},
                      {"emptyValue", ""}};
    return spec;
  }

  static OperatorSpec LineSpec() {
    OperatorSpec spec = SpecOf("line_scan");
    spec.output = {{"value", ParseDataType("string"), true}};
    spec.arguments["columns"] = ToJson(spec.output);
    return spec;
  }

  // The rows that the core makes of a file: "1:x".
  std::vector<std::string> Rows(OperatorSpec spec, const std::string& text) {
    const std::string path = folder_.file("text");
    std::ofstream(path, std::ios::binary) << text;
    FileSplit split;
    split.path = path;
    split.length = static_cast<int64_t>(text.size());
    parts_.clear();
    auto scan = MakeScan(std::move(spec), {split}, context_, nullptr,
                         std::make_unique<NotedPieces>(&parts_))
                    .ValueOrDie();
    std::vector<std::string> rows;
    while (const auto batch = scan->Next().ValueOrDie()) {
      const auto& a = static_cast<const arrow::Int32Array&>(*batch->columns[0]);
      const auto& s = static_cast<const arrow::StringArray&>(*batch->columns[1]);
      for (int64_t row = 0; row < batch->row_count; ++row) {
        rows.push_back((a.IsNull(row) ? "null" : std::to_string(a.Value(row))) + ":" +
                       (s.IsNull(row) ? "null" : s.GetString(row)));
      }
    }
    return rows;
  }

  parquet_test::TemporaryFolder folder_;
  NotedPieces::Parts parts_;
  TaskContext context_;
};

TEST_F(TextScanTest, CsvWithoutDoubtLeavesNothingToSpark) {
  EXPECT_THAT(Rows(SpecOf("csv_scan"), "1,x\n\n,\"y,z\"\n3,\n"),
              ElementsAre("1:x", "null:y,z", "3:null"));
  EXPECT_THAT(parts_, IsEmpty());
}

TEST_F(TextScanTest, ALineInDoubtAndWhatFollowsItAreSparks) {
  EXPECT_THAT(Rows(SpecOf("csv_scan"), "1,x\n2,y,z\n3,a\n"), ElementsAre("1:x"));
  EXPECT_THAT(parts_, ElementsAre(std::pair(3, 11))) << "from the end of the line before";
  std::string lines;
  for (int i = 0; i < 40'000; ++i) lines += "1,x\n";
  const std::string text = lines + "one,x\n" + lines;
  EXPECT_GT(Rows(SpecOf("csv_scan"), text).size(), 60'000);
  ASSERT_EQ(parts_.size(), 1);
  EXPECT_EQ(parts_[0].first, std::ssize(lines) - 1);
  EXPECT_LT(parts_[0].second, 70'000);
}

TEST_F(TextScanTest, TheHeaderIsSkippedOnce) {
  OperatorSpec spec = SpecOf("csv_scan");
  spec.arguments["header"] = true;
  EXPECT_THAT(Rows(spec, "\na,s\n1,x\n"), ElementsAre("1:x"));
}

TEST_F(TextScanTest, JsonHasItsFieldsByName) {
  const OperatorSpec spec = SpecOf("json_scan");
  EXPECT_THAT(Rows(spec, R"({"a":1,"s":"x"}
 {"s":"tab\t", "other":[1,{"b":null}], "a" : 2 }

{"a":null}
{"\u0061":4,"s":"né"}
)"),
              ElementsAre("1:x", "2:tab\t", "null:null", "4:né"));
  EXPECT_THAT(parts_, IsEmpty());
}

TEST_F(TextScanTest, JsonInDoubtIsSparks) {
  for (const char* line :
       {R"({"a":1.0})", R"({"a":"1"})", R"({"a":1,"a":1})", R"({"a":1}x)", R"([{"a":1}])",
        R"({"a":01})", R"({"a":1,"b":tru})", R"({"a":1)", R"({"s":5})", R"({'a':1})",
        R"({"s":"\ud800"})", R"({"b":"\q"})", "{\"s\":\"\x01\"}", "{\"s\":\"\xff\"}"}) {
    EXPECT_THAT(Rows(SpecOf("json_scan"), line), IsEmpty()) << line;
    EXPECT_EQ(parts_.size(), 1) << line;
  }
}

TEST_F(TextScanTest, JsonHasNestedColumns) {
  OperatorSpec spec = SpecOf("json_scan");
  const std::string type =
      R"({"type":"struct","fields":[)"
      R"({"name":"x","type":"string","nullable":true,"metadata":{}},)"
      R"({"name":"n","type":{"type":"array","elementType":"integer","containsNull":true},)"
      R"("nullable":true,"metadata":{}}]})";
  spec.output[1] = {"s", ParseDataType(type), true};
  spec.arguments["columns"] = ToJson(spec.output);
  const std::string path = folder_.file("nested");
  FileSplit split;
  split.path = path;
  split.length = 100;
  const auto next = [&](const char* text) {
    std::ofstream(path) << text;
    parts_.clear();
    auto scan = MakeScan(spec, {split}, context_, nullptr, std::make_unique<NotedPieces>(&parts_));
    return (*scan)->Next().ValueOrDie();
  };
  const auto batch = next(
      "{\"a\":1,\"s\":{\"n\":[7, null],\"x\":\"é\"}}\n"
      "{\"s\" : null}\n{\"s\":{\"n\":[]} ,\"a\":3}\n");
  ASSERT_EQ(batch->row_count, 3);
  EXPECT_THAT(parts_, IsEmpty());
  const auto readable =
      ReadableColumn(batch->columns[1], spec.output[1].type, arrow::default_memory_pool());
  EXPECT_EQ((*readable)->GetScalar(0).ValueOrDie()->ToString(),
            "{x:string = é, n:list<element: int32> = list<element: int32>[7, null]}");
  EXPECT_TRUE((*readable)->IsNull(1));
  EXPECT_EQ((*readable)->GetScalar(2).ValueOrDie()->ToString(),
            "{x:string = null, n:list<element: int32> = list<element: int32>[]}");
  for (const char* line : {R"({"s":{"n":[1}})", R"({"s":{"n":[1.5]}})", R"({"s":{"x":1}})",
                           R"({"s":[]})", R"({"s":{"x":"a","x":"b"}})", R"({"s":"{}"})",
                           R"({"s":{"x":"a"}}})", R"({"s":{"x":"\ud800"}})", R"({"s":{"y":01}})"}) {
    EXPECT_FALSE(next(line).has_value()) << line;
    EXPECT_EQ(parts_.size(), 1) << line;
  }
}

TEST_F(TextScanTest, WhatIsLeftToSparkBeginsWithTheSeparatorBefore) {
  OperatorSpec spec = SpecOf("csv_scan");
  spec.arguments["lineSeparator"] = "<>";
  EXPECT_THAT(Rows(spec, "1,x<>2,y\r<>"), ElementsAre("1:x", "2:y\r"));
  EXPECT_THAT(parts_, IsEmpty());
  EXPECT_THAT(Rows(spec, "1,x<>2,y,z<>3,a"), ElementsAre("1:x"));
  EXPECT_THAT(parts_, ElementsAre(std::pair(3, 12)));
  EXPECT_THAT(Rows(spec, "1,x<>2,y\nz<>"), ElementsAre("1:x")) << "univocity ends a record there";
  std::string lines;
  for (int i = 0; i < 20'000; ++i) lines += "1,xy<>";
  Rows(spec, "one,x<>" + lines);
  ASSERT_EQ(parts_.size(), 1);
  EXPECT_EQ(parts_[0].second % 6, 5) << "up to where a separator begins";
}

TEST_F(TextScanTest, ALineIsARowWhateverItsBytesAre) {
  const std::string path = folder_.file("lines");
  const std::string text = "\na,b\r\n\n \xff\xfe \r\xEF\xBB\xBFlast";
  std::ofstream(path, std::ios::binary) << text;
  FileSplit split;
  split.path = path;
  split.length = static_cast<int64_t>(text.size());
  auto scan =
      MakeScan(LineSpec(), {split}, context_, nullptr, std::make_unique<NotedPieces>(&parts_))
          .ValueOrDie();
  const auto batch = scan->Next().ValueOrDie();
  const auto& values = static_cast<const arrow::StringArray&>(*batch->columns[0]);
  std::vector<std::string> found;
  for (int64_t row = 0; row < batch->row_count; ++row) found.push_back(values.GetString(row));
  EXPECT_THAT(found, ElementsAre("", "a,b", "", " \xff\xfe ", "\xEF\xBB\xBFlast"));
  EXPECT_THAT(parts_, IsEmpty());
}

TEST_F(TextScanTest, MalformedSpecsAreRefused) {
  const auto error = [&](const OperatorSpec& spec) {
    return MakeScan(spec, {}, context_, nullptr, nullptr).status().message();
  };
  OperatorSpec spec = SpecOf("csv_scan");
  spec.arguments["separator"] = "||";
  EXPECT_THAT(error(spec), HasSubstr("\"separator\" is \"||\""));
  spec = SpecOf("csv_scan");
  spec.arguments["positions"] = {0u, 2u};
  EXPECT_THAT(error(spec), HasSubstr("\"positions\" names 2, of 2"));
  EXPECT_THAT(error(SpecOf("line_scan")), HasSubstr("\"columns\" has 2, of which a is int"));
  spec = SpecOf("csv_scan");
  spec.output[1].type = ParseDataType(R"({"type":"array","elementType":"integer"})");
  spec.arguments["columns"] = ToJson(spec.output);
  EXPECT_THAT(error(spec), HasSubstr("which is not read of text"));
  spec = SpecOf("json_scan");
  spec.output.pop_back();
  EXPECT_THAT(error(spec), HasSubstr("\"output\" differs"));
}

}  // namespace
}  // namespace reprise
