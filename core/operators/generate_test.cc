#include "operators/generate.h"

#include <gmock/gmock.h>

#include "operators/operator_testing.h"

namespace reprise {
namespace {

using testing::Good;
using ::testing::HasSubstr;

constexpr char kArrayOfInts[] = R"({"type":"array","elementType":"integer","containsNull":true})";
constexpr char kMapOfInts[] =
    R"({"type":"map","keyType":"integer","valueType":"integer","valueContainsNull":true})";
constexpr char kArrayOfPairs[] =
    R"({"type":"array","containsNull":true,"elementType":{"type":"struct","fields":[)"
    R"({"name":"x","type":"integer","nullable":true,"metadata":{}},)"
    R"({"name":"y","type":"string","nullable":true,"metadata":{}}]}})";

DataType Other(const char* text) { return {TypeKind::kOther, 0, 0, text}; }

std::string Words(const std::vector<uint64_t>& words) {
  return {reinterpret_cast<const char*>(words.data()), words.size() * 8};
}

// [1, null, 3]
std::string ThreeInts() { return Words({3, 0b010, 1, 3}); }

using Values = std::vector<std::optional<std::string>>;

std::vector<Field> InputOf(const char* type) {
  return {{"k", DataType{TypeKind::kString}, true}, {"c", Other(type), true}};
}

Batch BatchOfCollections(const char* type, const std::string& keys, const Values& values) {
  arrow::BinaryBuilder builder;
  for (const auto& value : values) {
    EXPECT_TRUE((value ? builder.Append(*value) : builder.AppendNull()).ok());
  }
  const std::vector<Field> fields = InputOf(type);
  return testing::BatchOfArrays(
      fields,
      {Good(arrow::json::ArrayFromJSONString(arrow::utf8(), keys)), Good(builder.Finish())});
}

OperatorSpec SpecOf(const char* type, const std::string& gives, bool outer,
                    const std::vector<std::string>& items, bool position = false) {
  const std::vector<Field> input = InputOf(type);
  OperatorSpec spec;
  spec.kind = "generate";
  spec.name = "RepriseGenerate";
  spec.lore_id = 7;
  spec.inputs = {input};
  spec.output = {input[0]};
  for (const Field& item : testing::Fields(items)) spec.output.push_back(item);
  spec.arguments = {{"columns", {0}},
                    {"collection", ToJson(testing::ColumnOf(input, 1))},
                    {"gives", gives},
                    {"position", position},
                    {"outer", outer}};
  return spec;
}

std::shared_ptr<arrow::RecordBatch> GeneratedRows(const OperatorSpec& spec, const Batch& batch,
                                                  const TaskContext& context = {}) {
  auto made =
      Good(MakeOperator(spec, testing::SourceOf(spec.inputs[0], {batch}, context), context));
  return Good(testing::Drain(made.get()));
}

TEST(Generate, GivesARowForEachElement) {
  const Batch batch = BatchOfCollections(kArrayOfInts, R"(["a", "b", "c", "d"])",
                                         {ThreeInts(), std::nullopt, Words({0}), Words({1, 0, 9})});
  const auto rows = GeneratedRows(SpecOf(kArrayOfInts, "elements", false, {"v integer"}), batch);
  testing::ExpectColumn(*rows, 0, R"(["a", "a", "a", "d"])");
  testing::ExpectColumn(*rows, 1, "[1, null, 3, 9]");
}

TEST(Generate, OuterGivesARowOfNullsForNothing) {
  const Batch batch = BatchOfCollections(kArrayOfInts, R"(["a", "b", "c"])",
                                         {Words({1, 0, 9}), std::nullopt, Words({0})});
  const auto rows = GeneratedRows(
      SpecOf(kArrayOfInts, "elements", true, {"p integer", "v integer"}, true), batch);
  testing::ExpectColumn(*rows, 0, R"(["a", "b", "c"])");
  testing::ExpectColumn(*rows, 1, "[0, null, null]");
  testing::ExpectColumn(*rows, 2, "[9, null, null]");
}

TEST(Generate, GivesKeysAndValues) {
  const std::string keys = Words({2, 0, 5 | uint64_t{6} << 32});
  const std::string values = Words({2, 0b10, 50});
  const std::string map = Words({keys.size()}) + keys + values;
  const auto rows = GeneratedRows(SpecOf(kMapOfInts, "entries", false, {"x integer", "y integer"}),
                                  BatchOfCollections(kMapOfInts, R"(["a"])", {map}));
  testing::ExpectColumn(*rows, 1, "[5, 6]");
  testing::ExpectColumn(*rows, 2, "[50, null]");
}

TEST(Generate, GivesFieldsOfStructs) {
  // (7, "hi"), and no struct at all.
  const std::string pair = Words({0, 7, uint64_t{24} << 32 | 2, 0x6968});
  const std::string array = Words({2, 0b10, uint64_t{32} << 32 | pair.size(), 0}) + pair;
  const auto rows = GeneratedRows(SpecOf(kArrayOfPairs, "fields", false, {"x integer", "y string"}),
                                  BatchOfCollections(kArrayOfPairs, R"(["a"])", {array}));
  testing::ExpectColumn(*rows, 0, R"(["a", "a"])");
  testing::ExpectColumn(*rows, 1, "[7, null]");
  testing::ExpectColumn(*rows, 2, R"(["hi", null])");
}

TEST(Generate, ReadsSelectedRowsAlone) {
  const Batch batch =
      testing::WithSelection(BatchOfCollections(kArrayOfInts, R"(["a", "b", "c"])",
                                                {ThreeInts(), Words({1, 0, 9}), ThreeInts()}),
                             {1});
  const auto rows = GeneratedRows(SpecOf(kArrayOfInts, "elements", false, {"v integer"}), batch);
  testing::ExpectColumn(*rows, 0, R"(["b"])");
}

TEST(Generate, GivesNoMoreAtOnceThanABatchMayHave) {
  TaskContext context;
  context.batch_rows_target = 2;
  const OperatorSpec spec = SpecOf(kArrayOfInts, "elements", false, {"v integer"});
  const Batch batch =
      BatchOfCollections(kArrayOfInts, R"(["a", "b"])", {ThreeInts(), Words({1, 0, 9})});
  auto made =
      Good(MakeOperator(spec, testing::SourceOf(spec.inputs[0], {batch}, context), context));
  EXPECT_EQ(Good(made->Next())->row_count, 2);
  EXPECT_EQ(Good(made->Next())->row_count, 2);
  EXPECT_FALSE(Good(made->Next()).has_value());
}

TEST(Generate, RefusesDamagedValues) {
  const OperatorSpec spec = SpecOf(kArrayOfInts, "elements", false, {"v integer"});
  const TaskContext context;
  for (const std::string& bytes : {Words({1u << 20, 0}), Words({3, 0, 1}), std::string("abc")}) {
    const Batch batch = BatchOfCollections(kArrayOfInts, R"(["a"])", {bytes});
    auto made =
        Good(MakeOperator(spec, testing::SourceOf(spec.inputs[0], {batch}, context), context));
    EXPECT_THAT(testing::Drain(made.get()).status().message(), HasSubstr("is damaged"));
  }
}

void ExpectRefused(const OperatorSpec& spec, const std::string& message) {
  const TaskContext context;
  const auto made = MakeOperator(spec, testing::SourceOf(spec.inputs[0], {}, context), context);
  EXPECT_THAT(made.status().message(), HasSubstr(message));
}

TEST(Generate, SaysWhatIsWrongWithItsSpecification) {
  const OperatorSpec good = SpecOf(kArrayOfInts, "elements", false, {"v integer"});
  OperatorSpec spec = good;
  spec.arguments["gives"] = "everything";
  ExpectRefused(spec, "\"gives\" is \"everything\"");
  spec = good;
  spec.arguments["gives"] = "entries";
  ExpectRefused(spec, "\"collection\" is array<int>");
  spec = good;
  spec.arguments["gives"] = "fields";
  ExpectRefused(spec, "which has no fields");
  spec = good;
  spec.arguments["columns"] = {2};
  ExpectRefused(spec, "\"columns\" names column 2 of 2");
  spec = good;
  spec.output[1].type = DataType{TypeKind::kLong};
  ExpectRefused(spec, "column v is bigint");
  spec = good;
  spec.arguments["position"] = true;
  ExpectRefused(spec, "an item has 1 values, and there are 0 columns");
}

}  // namespace
}  // namespace reprise
