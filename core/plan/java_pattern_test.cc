#include "plan/java_pattern.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

std::string Pcre(std::string_view pattern) {
  const auto read = JavaPattern::Read(pattern);
  return read ? read->pcre : "not read";
}

TEST(JavaPatternTest, WritesWhatBothReadAlike) {
  EXPECT_EQ(Pcre("a+b"), "a+b");
  EXPECT_EQ(Pcre("(a|bc)*?"), "(a|bc)*?");
  EXPECT_EQ(Pcre("(?:x{2,3})d{4}"), "(?:x{2,3})d{4}");
  EXPECT_EQ(Pcre("^\\d$"), "\\A[0-9]\\z");
  EXPECT_EQ(Pcre("."), R"([^\n\r\x{85}\x{2028}\x{2029}])");
  EXPECT_EQ(Pcre("[^a-c\\w]"), "[^a-ca-zA-Z_0-9]");
  EXPECT_EQ(Pcre("[-a]\\S"), R"([\x2da][^ \t\n\x0b\f\r])");
  EXPECT_EQ(Pcre("\\.ä"), "\\x2eä");
}

TEST(JavaPatternTest, LeavesWhatJavaMayReadOtherwise) {
  for (const char* pattern :
       {"(?=a)",   "(?<n>a)", "(?s).",   "a++",     "a*+",   "a**",    "(a*)*",   "(|a)+",
        "(a)\\1",  "\\p{L}",  "\\Z",     "\\Qa\\E", "\\x41", "[a[b]]", "[a&&b]",  "[]a]",
        "[a-\\d]", "[\\d-a]", "[a-b-c]", "*a",      "a{2",   "a{3,2}", "a{1001}", "(a",
        "a)",      "[a",      "\\",      "(?i)ä",   "{",     "\xC3"}) {
    EXPECT_EQ(Pcre(pattern), "not read") << pattern;
  }
  const std::string deep = std::string(100, '(') + "a" + std::string(100, ')');
  EXPECT_EQ(Pcre(deep), "not read");
}

TEST(JavaPatternTest, SaysWhichTextsAreInDoubt) {
  EXPECT_TRUE(JavaPattern::Read("a$")->asks_for_end);
  EXPECT_FALSE(JavaPattern::Read("a\\$")->asks_for_end);
  EXPECT_TRUE(JavaPattern::Read("(?i)a")->is_for_ascii);
  EXPECT_TRUE(JavaPattern::Read("\\ba")->is_for_ascii);
  EXPECT_FALSE(JavaPattern::Read("[a-z]ä")->is_for_ascii);
  EXPECT_TRUE(EndsLine("a\n"));
  EXPECT_TRUE(EndsLine("a\xC2\x85"));
  EXPECT_TRUE(EndsLine("a\xE2\x80\xA9"));
  EXPECT_FALSE(EndsLine("\na"));
}

TEST(JavaPatternTest, KnowsLiteralsGroupsAndEmptiness) {
  EXPECT_EQ(JavaPattern::Read("a\\.b")->literal, "a.b");
  EXPECT_EQ(JavaPattern::Read("a.b")->literal, std::nullopt);
  EXPECT_EQ(JavaPattern::Read("a|b")->literal, std::nullopt);
  EXPECT_EQ(JavaPattern::Read("(a)(?:b)(c|(d))")->groups, 3);
  for (const char* pattern : {"", "a*", "a?", "a|", "^", "\\b", "a{0,2}", "(a|b*)"}) {
    EXPECT_TRUE(JavaPattern::Read(pattern)->can_be_empty) << pattern;
  }
  for (const char* pattern : {"a", "a+", "a*b", "a|b", "a{1,2}"}) {
    EXPECT_FALSE(JavaPattern::Read(pattern)->can_be_empty) << pattern;
  }
}

TEST(JavaPatternTest, KnowsPiecesOneCharacterAndRuns) {
  using Pieces = std::vector<std::string>;
  EXPECT_EQ(JavaPattern::Read("fin.*ly")->pieces, (Pieces{"fin", "ly"}));
  EXPECT_EQ(JavaPattern::Read(".*a\\.b.*?c")->pieces, (Pieces{"", "a.b", "c"}));
  for (const char* pattern :
       {"ab", "a.b", "a.+b", "a.*b*", "(a.*)b", "a.*b|c", "^a.*b", "(?i)a.*b"}) {
    EXPECT_EQ(JavaPattern::Read(pattern)->pieces, Pieces{}) << pattern;
  }
  EXPECT_FALSE(JavaPattern::Read("a.*+b").has_value());
  for (const char* pattern : {"[aeiou]", "\\d", "(.)", "(?:([^a]))", "(?i)a"}) {
    EXPECT_TRUE(JavaPattern::Read(pattern)->is_one_character) << pattern;
    EXPECT_FALSE(JavaPattern::Read(pattern)->is_run) << pattern;
  }
  for (const char* pattern : {"[a-z]+", "(\\w+)", "a+", "((.+))"}) {
    EXPECT_TRUE(JavaPattern::Read(pattern)->is_run) << pattern;
    EXPECT_FALSE(JavaPattern::Read(pattern)->is_one_character) << pattern;
  }
  for (const char* pattern :
       {"a+?", "(a)+", "a*", "a{2}", "ab", "a()", "(a|b)", "\\ba", "a$", "(a+)+", ".*"}) {
    const auto read = JavaPattern::Read(pattern);
    EXPECT_FALSE(read->is_one_character || read->is_run) << pattern;
  }
}

}  // namespace
}  // namespace reprise
