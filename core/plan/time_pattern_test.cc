#include "plan/time_pattern.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

bool IsRead(std::string_view pattern) { return TimePattern::Read(pattern).has_value(); }
bool IsForParsing(std::string_view pattern) { return TimePattern::Read(pattern)->is_for_parsing(); }

TEST(TimePatternTest, ReadsNumbersAndWhatStandsBetween) {
  const auto read = TimePattern::Read("yyyy-M'T'.SSS");
  ASSERT_TRUE(read.has_value());
  ASSERT_EQ(read->parts.size(), 6u);
  EXPECT_EQ(read->parts[0].field, 'y');
  EXPECT_EQ(read->parts[0].width, 4);
  EXPECT_EQ(read->parts[1].literal, "-");
  EXPECT_EQ(read->parts[2].width, 1);
  EXPECT_EQ(read->parts[3].literal, "T");
  EXPECT_EQ(read->parts[5].width, 3);
}

TEST(TimePatternTest, LeavesTheRest) {
  for (const char* pattern : {"yy", "yyyyy", "MMM", "dd MMMM", "hh", "a", "E", "SSSSSSS", "[HH]",
                              "{", "#", "'T", "''", "'a''b'", "yyyy ä"}) {
    EXPECT_FALSE(IsRead(pattern)) << pattern;
  }
}

TEST(TimePatternTest, SaysWhatIsOneDateAlone) {
  for (const char* pattern : {"yyyyMMdd", "dd/MM/yyyy HH", "yyyy-MM-dd'T'HH:mm:ss"}) {
    EXPECT_TRUE(IsForParsing(pattern)) << pattern;
  }
  for (const char* pattern : {"yyyy-MM", "HH:mm", "d/MM/yyyy", "yyyy-MM-dd mm", "yyyy-MM-dd HH:ss",
                              "yyyy-MM-dd HH:mm:ss.SSS", "yyyy-MM-dd dd"}) {
    EXPECT_FALSE(IsForParsing(pattern)) << pattern;
  }
}

}  // namespace
}  // namespace reprise
