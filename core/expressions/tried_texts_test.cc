// Functions that leave rows in doubt.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expressions/expression_testing.h"
#include "transitions/nested_column.h"

namespace reprise {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Rows in doubt; `expected` says the values of the others.
std::vector<int32_t> Doubts(const ExpressionSpec& spec, const std::shared_ptr<arrow::Array>& column,
                            const std::shared_ptr<arrow::Array>& expected) {
  const Batch batch = BatchOf({column});
  const auto expression = MakeExpression(spec, FieldsOf(batch));
  EXPECT_TRUE(expression.ok()) << expression.status();
  std::vector<int32_t> doubts;
  EvalInput input(batch, arrow::default_memory_pool());
  input.TellDoubts(&doubts);
  const auto values = EvaluateToArray(**expression, input);
  EXPECT_TRUE(values.ok()) << values.status();
  for (int32_t row = 0; row < expected->length(); ++row) {
    if (std::ranges::find(doubts, row) != doubts.end()) continue;
    EXPECT_TRUE((*values)->RangeEquals(*expected, row, row + 1, row))
        << spec.function << " of row " << row << ": " << (*values)->ToString();
  }
  return doubts;
}

ExpressionSpec OfColumn(const char* function, std::vector<ExpressionSpec> more = {},
                        const char* type = "string") {
  more.insert(more.begin(), Col(0, "string"));
  return Call(function, type, std::move(more));
}

TEST(TriedTextsTest, CharactersBeyondAsciiAreInDoubt) {
  const auto texts = Strings({"aB c1", "ä", std::nullopt, ""});
  EXPECT_THAT(Doubts(OfColumn("upper"), texts, Strings({"AB C1", "", std::nullopt, ""})),
              ElementsAre(1));
  EXPECT_THAT(Doubts(OfColumn("init_cap"), texts, Strings({"Ab C1", "", std::nullopt, ""})),
              ElementsAre(1));
  EXPECT_THAT(Doubts(OfColumn("translate", {Lit("aBa", "string"), Lit("x", "string")}), texts,
                     Strings({"x c1", "", std::nullopt, ""})),
              ElementsAre(1));
}

TEST(TriedTextsTest, OfADictionaryEachRowIsInDoubt) {
  const auto texts = DictionaryOf({"a", "ä"}, {1, 0, std::nullopt, 1, 0});
  EXPECT_THAT(Doubts(OfColumn("upper"), texts, Strings({"", "A", std::nullopt, "", "A"})),
              ElementsAre(0, 3));
}

TEST(TriedTextsTest, OnlyWhatABranchComesToIsInDoubt) {
  const ExpressionSpec is_short =
      Call("less", "boolean", {Call("length", "integer", {Col(0, "string")}), Lit(3, "integer")});
  const ExpressionSpec branch =
      Call("if", "string", {is_short, OfColumn("upper"), Col(0, "string")});
  EXPECT_THAT(Doubts(branch, Strings({"ä", "ab", "äöü"}), Strings({"", "AB", "äöü"})),
              ElementsAre(0));
}

TEST(TriedTextsTest, WithoutAnybodyToAskADoubtIsAnError) {
  EXPECT_TRUE(Evaluate(OfColumn("upper"), {Strings({"ä"})}).status().IsInvalid());
}

TEST(TriedTextsTest, RegularExpressions) {
  const auto texts = Strings({"a1b22", "none", "x\n", "", std::nullopt, "\xC3"});
  EXPECT_THAT(Doubts(OfColumn("rlike", {Lit("[0-9]$", "string")}, "boolean"), texts,
                     Booleans({true, false, {}, false, std::nullopt, {}})),
              ElementsAre(2, 5));
  EXPECT_THAT(Doubts(OfColumn("regexp_extract", {Lit("b(\\d)(x)?", "string"), Lit(1, "integer")}),
                     texts, Strings({"2", "", "", "", std::nullopt, ""})),
              ElementsAre(5));
  EXPECT_THAT(
      Doubts(OfColumn("regexp_replace",
                      {Lit("[0-9]*", "string"), Lit("<$0>", "string"), Lit(1, "integer")}),
             texts,
             Strings({"<>a<1><>b<22><>", "<>n<>o<>n<>e<>", "<>x<>\n<>", "<>", std::nullopt, ""})),
      ElementsAre(5));
  // A search that takes too many steps.
  EXPECT_THAT(
      Doubts(OfColumn("rlike", {Lit("(?:a|b|ab)+(?:a|b|ab)+(?:a|b|ab)+[cd]", "string")}, "boolean"),
             Strings({std::string(200, 'a')}), Booleans({false})),
      ElementsAre(0));
}

TEST(TriedTextsTest, OfLongTextsSparkIsAskedWhereItIsNotKnownAtOnce) {
  const auto texts = Strings({std::string(20'000, 'a')});
  EXPECT_THAT(
      Doubts(OfColumn("rlike", {Lit("(?:a|b)*c", "string")}, "boolean"), texts, Booleans({false})),
      IsEmpty());
  EXPECT_THAT(
      Doubts(OfColumn("rlike", {Lit("(a|b)*$", "string")}, "boolean"), texts, Booleans({true})),
      ElementsAre(0));
}

TEST(TriedTextsTest, PathsIntoJson) {
  const auto at = [](const char* path) {
    return OfColumn("get_json_object", {Lit(path, "string")});
  };
  const auto texts = Strings({R"({"a":"x\ty","b":[1,{"c":null}]})", R"({"a":1.5})", R"({"b":[]} )",
                              R"({'a':1})", R"({"a":1)", std::nullopt});
  EXPECT_THAT(Doubts(at("$.a"), texts, Strings({"x\ty", "", std::nullopt, "", "", std::nullopt})),
              ElementsAre(1, 3, 4));
  EXPECT_THAT(Doubts(at("$.b[1]"), texts,
                     Strings({R"({"c":null})", std::nullopt, std::nullopt, "", "", std::nullopt})),
              ElementsAre(3, 4));
  EXPECT_THAT(Doubts(at("$.b[1].c"), Strings({R"({"b":[1,{"c":null}]})"}), Strings({std::nullopt})),
              IsEmpty());
}

/// What from_json reads, as others read it.
std::string Read(const std::string& text, const std::string& fields) {
  const std::string type = R"({"type":"struct","fields":[)" + fields + "]}";
  const auto column = Evaluate(OfColumn("from_json", {}, type.c_str()), {Strings({text})});
  if (!column.ok()) return "in doubt";
  const auto readable =
      ReadableColumn(*column, ParseDataType(type), arrow::default_memory_pool()).ValueOrDie();
  return readable->GetScalar(0).ValueOrDie()->ToString();
}

std::string FieldOf(const std::string& name, const std::string& type) {
  return R"({"name":")" + name + R"(","type":)" + type + R"(,"nullable":true,"metadata":{}})";
}

TEST(TriedTextsTest, NumbersOfJson) {
  const std::string numbers = FieldOf("d", "\"double\"") + "," + FieldOf("f", "\"float\"") + "," +
                              FieldOf("w", "\"decimal(30,2)\"") + "," +
                              FieldOf("s", "\"decimal(5,2)\"") + "," + FieldOf("t", "\"byte\"");
  EXPECT_EQ(Read(R"({"t":-128,"d":1e3,"s":-1.5,"w":123456789012345678901.5,"f":0.25})", numbers),
            "{d:double = 1000, f:float = 0.25, w:decimal128(30, 2) = 123456789012345678901.50, "
            "s:decimal64(5, 2) = -1.50, t:int8 = -128}");
  EXPECT_EQ(Read(R"({"d":null})", numbers),
            "{d:double = null, f:float = null, w:decimal128(30, 2) = null, "
            "s:decimal64(5, 2) = null, t:int8 = null}");
  for (const char* text : {R"({"t":128})", R"({"t":1.0})", R"({"d":-0})", R"({"s":1.234})",
                           R"({"d":"1"})", R"({"w":1e2})", R"({"f":1.00000017881393432617187499})",
                           R"({"d":1,"d":2})", R"({"d":1)", R"({"x":1.})", "[]", "null", ""}) {
    EXPECT_EQ(Read(text, numbers), "in doubt") << text;
  }
}

TEST(TriedTextsTest, MapsAndArraysOfJson) {
  const std::string fields =
      FieldOf("m", R"({"type":"map","keyType":"string","valueType":"long"})") + "," +
      FieldOf("d", R"({"type":"array","elementType":"date"})");
  EXPECT_EQ(
      Read(R"({"d":["1970-01-02",null],"m":{"k":1,"\u00e9\ud83e\udd89":null,"k":2}})", fields),
      "{m:map<string, int64> = map<string, int64>[{key:string = k, value:int64 = 1}, "
      "{key:string = é🦉, value:int64 = null}, {key:string = k, value:int64 = 2}], "
      "d:list<element: date32[day]> = list<element: date32[day]>[1970-01-02, null]}");
  EXPECT_EQ(Read(R"({"m":{"\ud83e":1}})", fields), "in doubt") << "half of a character";
  EXPECT_EQ(Read("{\"m\":{\"\xff\":1}}", fields), "in doubt");
}

TEST(TriedTextsTest, Casts) {
  const auto texts = Strings({"-12.5e1", " 1", "1e999", "t"});
  EXPECT_THAT(Doubts(OfColumn("cast_text", {}, "double"), texts, Doubles({-125.0, {}, {}, {}})),
              ElementsAre(1, 2, 3));
  EXPECT_THAT(Doubts(OfColumn("cast_text", {}, "boolean"), texts, Booleans({{}, {}, {}, true})),
              ElementsAre(0, 1, 2));
  EXPECT_THAT(Doubts(OfColumn("cast_text", {}, "timestamp"),
                     Strings({"1970-01-02 00:00:00.5", "1970-02-30", "1970-01-01T24:00:00"}),
                     Instants({86'400'500'000, {}, {}})),
              ElementsAre(1, 2));
}

}  // namespace
}  // namespace reprise
