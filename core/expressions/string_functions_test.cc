// Tests of what works on strings and on dates: matching, substring, fields of a date.
#include <gtest/gtest.h>

#include "expressions/civil_date.h"
#include "expressions/expression_testing.h"

namespace reprise {
namespace {

ExpressionSpec Match(const char* function, ExpressionSpec pattern) {
  return Call(function, "boolean", {Col(0, "string"), std::move(pattern)});
}

TEST(StringMatching, FindsPartsOfStringsAndOfDictionaries) {
  const std::vector<std::optional<std::string>> names = {"green", "forest green", std::nullopt, ""};
  const auto plain = Strings(names);
  const auto encoded = DictionaryOf({"green", "forest green", ""}, {0, 1, std::nullopt, 2});
  for (const auto& column : {plain, encoded}) {
    ExpectValues(Match("starts_with", Lit("green", "string")), {column},
                 Booleans({true, false, std::nullopt, false}));
    ExpectValues(Match("ends_with", Lit("green", "string")), {column},
                 Booleans({true, true, std::nullopt, false}));
    ExpectValues(Match("contains", Lit("t g", "string")), {column},
                 Booleans({false, true, std::nullopt, false}));
    ExpectValues(Match("contains", Lit("", "string")), {column},
                 Booleans({true, true, std::nullopt, true}));
    ExpectValues(Match("contains", Lit(nullptr, "string")), {column},
                 Booleans({std::nullopt, std::nullopt, std::nullopt, std::nullopt}));
    ExpressionSpec like = Match("like", Lit("%e_n", "string"));
    like.attributes = {{"escape", "\\"}};
    ExpectValues(like, {column}, Booleans({true, true, std::nullopt, false}));
    EXPECT_EQ(SelectRows(like, BatchOf({column})), (std::vector<int32_t>{0, 1}));
  }
}

TEST(StringMatching, ThePatternMayDifferFromRowToRow) {
  ExpectValues(
      Match("starts_with", Col(1, "string")),
      {Strings({"abc", "abc", std::nullopt, "x"}), Strings({"ab", "bc", "a", std::nullopt})},
      Booleans({true, false, std::nullopt, std::nullopt}));
}

TEST(StringMatching, APatternThatSparkRefusesIsAnError) {
  ExpressionSpec like = Match("like", Lit("a\\b", "string"));
  like.attributes = {{"escape", "\\"}};
  EXPECT_EQ(Evaluate(like, {Strings({"a"})}).status().message(),
            "like: the pattern has its escape before 'b'");
}

TEST(Substring, CountsCharactersFromEitherEnd) {
  const auto part = [](int position, int length) {
    return Call("substring", "string",
                {Col(0, "string"), Lit(position, "integer"), Lit(length, "integer")});
  };
  const auto text =
      Strings({"gr\xC3\xB6\xC3\x9F"
               "e",
               "ab", "", std::nullopt});
  ExpectValues(part(2, 3), {text}, Strings({"r\xC3\xB6\xC3\x9F", "b", "", std::nullopt}));
  ExpectValues(part(0, 1), {text}, Strings({"g", "a", "", std::nullopt}));
  ExpectValues(part(-2, 5), {text},
               Strings({"\xC3\x9F"
                        "e",
                        "ab", "", std::nullopt}));
  // From before the start: the characters before it count.
  ExpectValues(part(-4, 3), {text}, Strings({"r\xC3\xB6\xC3\x9F", "a", "", std::nullopt}));
  ExpectValues(part(1, -1), {text}, Strings({"", "", "", std::nullopt}));
  ExpectValues(part(3, std::numeric_limits<int32_t>::max()), {text},
               Strings({"\xC3\xB6\xC3\x9F"
                        "e",
                        "", "", std::nullopt}));
}

// Spark reads what lies behind the string there (docs/internals/differences.md).
TEST(Substring, EndsWhereTheStringEnds) {
  const auto part =
      Call("substring", "string", {Col(0, "string"), Lit(2, "integer"), Lit(3, "integer")});
  ExpectValues(part, {Strings({"a\xE2\x82", "ab\xF0"})}, Strings({"\xE2\x82", "b\xF0"}));
}

TEST(DateFields, FollowTheProlepticCalendarAndIsoWeeks) {
  const auto field = [](const char* name) { return Call(name, "integer", {Col(0, "date")}); };
  const auto day = [](int year, int month, int day) {
    return static_cast<int32_t>(DaysOf({year, month, day}));
  };
  const auto dates =
      Dates({day(1995, 9, 17), day(1995, 1, 1), day(2004, 12, 31), day(-1, 2, 28), std::nullopt});
  ExpectValues(field("year"), {dates}, Ints({1995, 1995, 2004, -1, std::nullopt}));
  ExpectValues(field("quarter"), {dates}, Ints({3, 1, 4, 1, std::nullopt}));
  ExpectValues(field("month"), {dates}, Ints({9, 1, 12, 2, std::nullopt}));
  ExpectValues(field("day_of_month"), {dates}, Ints({17, 1, 31, 28, std::nullopt}));
  ExpectValues(field("day_of_year"), {dates}, Ints({260, 1, 366, 59, std::nullopt}));
  ExpectValues(field("day_of_week"), {dates}, Ints({1, 1, 6, 1, std::nullopt}));
  ExpectValues(field("week_day"), {dates}, Ints({6, 6, 4, 6, std::nullopt}));
  ExpectValues(field("week_of_year"), {dates}, Ints({37, 52, 53, 8, std::nullopt}));
}

}  // namespace
}  // namespace reprise
