#include "scan/file_tails.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

FileTail Tail(int64_t modified, std::string bytes) {
  return {{1, 100, modified}, std::make_shared<const std::string>(std::move(bytes))};
}

TEST(FileTailsTest, KeepsTheLatestOfAFile) {
  FileTails tails(10);
  EXPECT_EQ(tails.Find("a").bytes, nullptr);
  tails.Keep("a", Tail(1, "old"));
  tails.Keep("a", Tail(2, "newer"));
  EXPECT_EQ(*tails.Find("a").bytes, "newer");
  EXPECT_EQ(tails.Find("a").version, (FileVersion{1, 100, 2}));
  EXPECT_EQ(tails.bytes(), 5);
}

TEST(FileTailsTest, ForgetsWhatWasNotUsedForLong) {
  FileTails tails(10);
  tails.Keep("a", Tail(1, "aaaa"));
  tails.Keep("b", Tail(1, "bbbb"));
  EXPECT_NE(tails.Find("a").bytes, nullptr);
  tails.Keep("c", Tail(1, "cccc"));
  EXPECT_EQ(tails.Find("b").bytes, nullptr);
  EXPECT_NE(tails.Find("a").bytes, nullptr);
  tails.Keep("d", Tail(1, "more than it may be"));
  EXPECT_EQ(tails.Find("d").bytes, nullptr);
  EXPECT_EQ(tails.bytes(), 8);
}

}  // namespace
}  // namespace reprise
