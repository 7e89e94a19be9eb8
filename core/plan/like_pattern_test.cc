#include "plan/like_pattern.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

bool Like(std::string_view text, std::string_view pattern, std::string_view escape = "\\") {
  const auto parsed = LikePattern::Parse(pattern, escape);
  EXPECT_TRUE(parsed.ok()) << parsed.status().message();
  return parsed->Matches(text);
}

TEST(LikePattern, WithoutWildcardsIsEquality) {
  EXPECT_TRUE(Like("abc", "abc"));
  EXPECT_FALSE(Like("abcd", "abc"));
  EXPECT_FALSE(Like("ab", "abc"));
  EXPECT_TRUE(Like("", ""));
  EXPECT_FALSE(Like("a", ""));
}

TEST(LikePattern, PercentIsAnyNumberOfCharacters) {
  EXPECT_TRUE(Like("", "%"));
  EXPECT_TRUE(Like("forest green", "%green%"));
  EXPECT_TRUE(Like("special packages requests", "%special%requests%"));
  EXPECT_FALSE(Like("requests special", "%special%requests%"));
  EXPECT_TRUE(Like("aXbXc", "a%b%c"));
  EXPECT_FALSE(Like("ab", "ab%b"));
  EXPECT_TRUE(Like("abab", "ab%ab"));
  EXPECT_FALSE(Like("aba", "ab%ba"));
  EXPECT_TRUE(Like("a\nb", "a%b"));
}

TEST(LikePattern, UnderscoreIsOneCharacterOfAnyLength) {
  EXPECT_TRUE(Like("größe", "gr__e"));
  EXPECT_FALSE(Like("größe", "gr___e"));
  EXPECT_TRUE(Like("x\xF0\x9F\x98\x80y", "x_y"));
  EXPECT_TRUE(Like("abcde", "%_d_"));
  EXPECT_FALSE(Like("abc", "%_d_"));
  EXPECT_TRUE(Like("xaybz", "%a_b%"));
  EXPECT_FALSE(Like("", "_"));
  EXPECT_TRUE(Like("ab", "%__"));
  EXPECT_FALSE(Like("a", "%__"));
}

TEST(LikePattern, EscapesTakeTheMeaningAway) {
  EXPECT_TRUE(Like("50%", "50\\%"));
  EXPECT_FALSE(Like("500", "50\\%"));
  EXPECT_TRUE(Like("a_b", "a#_b", "#"));
  EXPECT_TRUE(Like("a#b", "a##b", "#"));
  EXPECT_TRUE(Like("a%bc", "a\\%_c"));
}

TEST(LikePattern, WhatSparkRefusesIsInvalid) {
  EXPECT_EQ(LikePattern::Parse("ab\\", "\\").status().message(),
            "the pattern ends with its escape");
  EXPECT_EQ(LikePattern::Parse("a\\b", "\\").status().message(),
            "the pattern has its escape before 'b'");
}

TEST(LikePattern, ReadsWhatJavaReadsInBytesThatAreNotUtf8) {
  EXPECT_TRUE(Like("\xFF", "_"));
  EXPECT_TRUE(Like("\xE2\x82", "_"));
  EXPECT_TRUE(Like("a\xC3z", "a_z"));
  EXPECT_FALSE(Like("a\xC3z", "a_"));
  EXPECT_TRUE(Like("\xE0\x80", "__"));
  EXPECT_TRUE(Like("x\xFFy\xC3z", "x%\xC3%z"));  // the pattern's is U+FFFD too
  EXPECT_TRUE(
      Like("a\xFF"
           "b",
           "a%b"));
}

}  // namespace
}  // namespace reprise
