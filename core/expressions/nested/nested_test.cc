// Arrays and structs made and taken apart.
#include <gmock/gmock.h>

#include "expressions/expression_testing.h"

namespace reprise {
namespace {

std::string ArrayOf(const std::string& element) {
  return R"({"type":"array","elementType":")" + element + R"(","containsNull":true})";
}

std::string StructOf(const std::vector<std::string>& types) {
  std::string fields;
  for (size_t i = 0; i < types.size(); ++i) {
    fields += fmt::format(R"({}{{"name":"f{}","type":"{}","nullable":true,"metadata":{{}}}})",
                          i == 0 ? "" : ",", i, types[i]);
  }
  return R"({"type":"struct","fields":[)" + fields + "]}";
}

/// A struct of the columns, of these types.
ExpressionSpec Struct(const std::vector<std::string>& types) {
  std::vector<ExpressionSpec> arguments;
  for (size_t i = 0; i < types.size(); ++i) {
    arguments.push_back(Lit(fmt::format("f{}", i), "string"));
    arguments.push_back(Col(static_cast<int>(i), types[i].c_str()));
  }
  return Call("make_struct", StructOf(types).c_str(), std::move(arguments));
}

/// An array of the first columns, all of one type.
ExpressionSpec Array(const std::string& type, int count) {
  std::vector<ExpressionSpec> arguments;
  for (int i = 0; i < count; ++i) arguments.push_back(Col(i, type.c_str()));
  return Call("make_array", ArrayOf(type).c_str(), std::move(arguments));
}

ExpressionSpec FieldAt(ExpressionSpec of, int ordinal, const char* type) {
  return Call("struct_field", type, {std::move(of)}, {{"ordinal", ordinal}});
}

ExpressionSpec ItemAt(ExpressionSpec array, ExpressionSpec place, const char* type,
                      const json& ansi) {
  return Call("array_item", type, {std::move(array), std::move(place)}, ansi);
}

std::string BytesOf(const ExpressionSpec& spec,
                    const std::vector<std::shared_ptr<arrow::Array>>& columns) {
  const auto array = Evaluate(spec, columns);
  EXPECT_TRUE(array.ok()) << array.status();
  return static_cast<const arrow::BinaryArray&>(**array).GetString(0);
}

std::string Words(const std::vector<uint64_t>& words) {
  return {reinterpret_cast<const char*>(words.data()), words.size() * 8};
}

TEST(NestedExpressions, BytesAreSparks) {
  EXPECT_EQ(BytesOf(Struct({"integer", "string"}), {Ints({7}), Strings({"hi"})}),
            Words({0, 7, uint64_t{24} << 32 | 2, 0x6968}));
  EXPECT_EQ(BytesOf(Array("integer", 3), {Ints({7}), Ints({std::nullopt}), Ints({9})}),
            Words({3, 0b010, 7, 9}));
  EXPECT_EQ(BytesOf(Array("string", 2), {Strings({"hi"}), Strings({"x"})}),
            Words({2, 0, uint64_t{32} << 32 | 2, uint64_t{40} << 32 | 1, 0x6968, 'x'}));
  // Of a decimal as many words as its digits need, of a null none.
  EXPECT_EQ(BytesOf(Array("decimal(20,0)", 2),
                    {Decimals(20, 0, {std::nullopt}), Decimals(20, 0, {"-1"})}),
            Words({2, 0b01, 0, uint64_t{32} << 32 | 1, 0xff}));
}

TEST(NestedExpressions, WhatIsPutInComesOut) {
  const std::vector<std::shared_ptr<arrow::Array>> columns = {
      Longs({1, std::nullopt, -3}), Strings({"a", "", std::nullopt}),
      Decimals(30, 2, {"1.50", std::nullopt, "-123456789012345678901234.56"}),
      Booleans({true, std::nullopt, false}), DictionaryOf({"x", "y"}, {1, std::nullopt, 0})};
  const std::vector<std::string> types = {"long", "string", "decimal(30,2)", "boolean", "string"};
  for (int i = 0; i < 4; ++i) {
    ExpectValues(FieldAt(Struct(types), i, types[static_cast<size_t>(i)].c_str()), columns,
                 columns[static_cast<size_t>(i)]);
  }
  ExpectValues(FieldAt(Struct(types), 4, "string"), columns, Strings({"y", std::nullopt, "x"}));
  for (size_t i = 0; i < 4; ++i) {
    const char* type = types[i].c_str();
    const auto array = Call("make_array", ArrayOf(type).c_str(),
                            {Col(static_cast<int>(i), type), Col(static_cast<int>(i), type)});
    ExpectValues(ItemAt(array, Lit(1, "integer"), type, kAnsi), columns, columns[i]);
  }
}

TEST(NestedExpressions, APlaceOutsideOfAnArrayIsAnErrorUnderAnsi) {
  const std::vector<std::shared_ptr<arrow::Array>> columns = {Ints({5, 6, 7, 8}),
                                                              Ints({0, std::nullopt, 1, -1})};
  const ExpressionSpec one = Array("integer", 1);
  ExpectValues(ItemAt(one, Col(1, "integer"), "integer", kLegacy), columns,
               Ints({5, std::nullopt, std::nullopt, std::nullopt}));
  EXPECT_EQ(ErrorOf(ItemAt(one, Col(1, "integer"), "integer", kAnsi), columns),
            "INVALID_ARRAY_INDEX indexValue=1 arraySize=1");
}

TEST(NestedExpressions, NullsHaveNoFieldsAndNoElements) {
  const std::vector<std::shared_ptr<arrow::Array>> columns = {Ints({5, 6}),
                                                              Booleans({true, false})};
  const ExpressionSpec array = Array("integer", 1);
  const ExpressionSpec some =
      Call("if", ArrayOf("integer").c_str(),
           {Col(1, "boolean"), array, Lit(nullptr, ArrayOf("integer").c_str())});
  ExpectValues(ItemAt(some, Lit(0, "integer"), "integer", kAnsi), columns, Ints({5, std::nullopt}));
  ExpectValues(Call("size", "integer", {some}, {{"legacy", false}}), columns,
               Ints({1, std::nullopt}));
  ExpectValues(Call("size", "integer", {some}, {{"legacy", true}}), columns, Ints({1, -1}));
}

TEST(NestedExpressions, SayWhatIsWrongWithASpecification) {
  const std::vector<std::shared_ptr<arrow::Array>> columns = {Ints({5}), Strings({"a"})};
  const ExpressionSpec pair = Struct({"integer", "string"});
  EXPECT_EQ(ErrorOf(FieldAt(pair, 2, "integer"), columns),
            "struct_field has no attribute \"ordinal\" below 2");
  EXPECT_EQ(ErrorOf(FieldAt(pair, 1, "integer"), columns),
            "struct_field gives int, the struct's field is of another type");
  EXPECT_EQ(ErrorOf(ItemAt(pair, Lit(0, "integer"), "integer", kAnsi), columns),
            "array_item of struct<f0:int,f1:string>");
  EXPECT_EQ(ErrorOf(Call("size", "integer", {pair}, {{"legacy", true}}), columns),
            "size of struct<f0:int,f1:string>");
}

}  // namespace
}  // namespace reprise
