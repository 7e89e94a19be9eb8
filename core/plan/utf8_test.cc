#include "plan/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace reprise {
namespace {

TEST(Utf8Test, TellsAsciiAtEveryPlaceOfAWord) {
  for (size_t size = 0; size < 20; ++size) {
    std::string text(size, '\x7F');
    EXPECT_TRUE(IsAscii(text)) << size;
    EXPECT_EQ(CountCharacters(text), static_cast<int64_t>(size));
    for (size_t place = 0; place < size; ++place) {
      text[place] = '\x80';
      EXPECT_FALSE(IsAscii(text)) << place << " of " << size;
      text[place] = 'a';
    }
  }
}

TEST(Utf8Test, CountsCharactersAsSparkDoes) {
  EXPECT_EQ(CountCharacters("größe"), 5);
  EXPECT_EQ(CountCharacters("日本😀"), 3);
  EXPECT_EQ(CountCharacters("a\x80\xC2"), 3);
}

}  // namespace
}  // namespace reprise
