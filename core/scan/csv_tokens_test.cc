#include "scan/csv_tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reprise {
namespace {

using ::testing::ElementsAre;

// The values, quoted ones in brackets; "?" for a line that is left to Spark.
std::vector<std::string> Values(std::string_view line, const CsvFormat& format = {}) {
  std::vector<CsvToken> tokens;
  std::string unquoted;
  if (!ReadCsvTokens(line, format, &tokens, &unquoted)) return {"?"};
  std::vector<std::string> values;
  for (const CsvToken& token : tokens) {
    const std::string text(token.text);
    values.push_back(token.is_quoted ? "[" + text + "]" : text);
  }
  return values;
}

TEST(CsvTokens, AreDividedAtSeparators) {
  EXPECT_THAT(Values("a,,b c,"), ElementsAre("a", "", "b c", ""));
  EXPECT_THAT(Values(R"("a,b","",c\d)"), ElementsAre("[a,b]", "[]", R"(c\d)"));
  EXPECT_THAT(Values("naïve,🦉"), ElementsAre("naïve", "🦉"));
  EXPECT_THAT(Values("a|'b'", {.separator = '|', .quote = '\''}), ElementsAre("a", "[b]"));
}

TEST(CsvTokens, DoubledQuotesAreOneWhereTheyEscape) {
  const CsvFormat doubled = {.escape = '"'};
  EXPECT_THAT(Values(R"("a ""b""","","""",c)", doubled),
              ElementsAre(R"([a "b"])", "[]", R"(["])", "c"));
  EXPECT_THAT(Values(R"("a ""b""")"), ElementsAre("?"));
}

TEST(CsvTokens, WhatIsInDoubtIsLeftToSpark) {
  for (const char* line : {R"("a)", R"("a"b)", R"("a" ,b)", R"(a "b")", R"("a\"b")", R"("a\n")",
                           "\xff", "\xed\xa0\x80"}) {
    EXPECT_THAT(Values(line), ElementsAre("?")) << line;
  }
}

}  // namespace
}  // namespace reprise
