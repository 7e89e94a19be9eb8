#include "expressions/expression_testing.h"
#include "expressions/parse_text.h"

namespace reprise {
namespace {

ExpressionSpec CastOf(const char* to, const json& mode) {
  return Call("cast", to, {Col(0, "string")}, mode);
}

TEST(CastFromString, IntegersWithoutAnsiDropTheFraction) {
  ExpectValues(CastOf("integer", kLegacy),
               {Strings({" 12 ",
                         "+5",
                         "-0",
                         "12.",
                         "12.7",
                         ".5",
                         ".",
                         "+",
                         "",
                         "2147483648",
                         "-2147483648",
                         "1e2",
                         "12L",
                         "\t7\n",
                         "\x7f"
                         "8",
                         "1 2",
                         {}})},
               Ints({12, 5, 0, 12, 12, 0, 0, {}, {}, {}, -2147483647 - 1, {}, {}, 7, 8, {}, {}}));
  ExpectValues(CastOf("byte", kLegacy), {Strings({"127", "128", "-128.9"})},
               Bytes({127, {}, -128}));
}

TEST(CastFromString, IntegersUnderAnsi) {
  ExpectValues(CastOf("long", kAnsi), {Strings({" 12 ", "9223372036854775807", {}})},
               Longs({12, std::numeric_limits<int64_t>::max(), {}}));
  for (const char* text : {"12.", "12.7", "", " ", "x", "9223372036854775808"}) {
    EXPECT_EQ(ConditionOf(CastOf("long", kAnsi), {Strings({text})}), "CAST_INVALID_INPUT") << text;
  }
  const auto encoded =
      *arrow::DictionaryArray::FromArrays(Ints({1, {}, 1}), Strings({"not referred to", "3"}));
  ExpectValues(CastOf("integer", kAnsi), {encoded}, Ints({3, {}, 3}));
}

TEST(CastFromString, Dates) {
  ExpectValues(CastOf("date", kLegacy),
               {Strings({"1970-01-02",
                         "1970-1-2T10:00",
                         "1970-01-02 xyz",
                         "1970-01",
                         "1970",
                         "1970 ",
                         "1970-01 x",
                         "2019-02-29",
                         "2020-02-29",
                         "1900-02-29",
                         "0000-01-01",
                         "-0001-12-31",
                         "1970-13-01",
                         "1970-001-01",
                         "70-01-01",
                         "",
                         "1970-01-02-3",
                         "+10000-01-01",
                         {}})},
               Dates({1,
                      1,
                      1,
                      0,
                      0,
                      0,
                      {},
                      {},
                      18321,
                      {},
                      -719528,
                      -719529,
                      {},
                      {},
                      {},
                      {},
                      {},
                      2932897,
                      {}}));
  EXPECT_EQ(ErrorOf(CastOf("date", kAnsi), {Strings({"2020-13-1"})}),
            "CAST_INVALID_INPUT expression='2020-13-1' sourceType=\"STRING\" "
            "targetType=\"DATE\"");
}

TEST(CastFromString, DatesEndWith32Bits) {
  EXPECT_EQ(ParseDate("5881580-07-11"), std::numeric_limits<int32_t>::max());
  EXPECT_EQ(ParseDate("5881580-07-12"), std::nullopt);
  EXPECT_EQ(ParseDate("-5877641-06-23"), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(ParseDate("-5877641-06-22"), std::nullopt);
}

}  // namespace
}  // namespace reprise
