#include "plan/utf16.h"

#include <gtest/gtest.h>

#include <random>

namespace reprise {
namespace {

TEST(Utf16, BecomesUtf8AndBack) {
  const std::u16string text = u"a\u00e9\u20ac\U0001F600\uFFFF" + std::u16string(1, u'\0');
  const std::string expected("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\xEF\xBF\xBF\0", 14);
  EXPECT_EQ(Utf16ToUtf8(text), expected);
  EXPECT_EQ(Utf8ToUtf16(expected), text);
  EXPECT_EQ(Utf16ToUtf8({}), "");
  EXPECT_EQ(Utf8ToUtf16(""), u"");
}

TEST(Utf16, EveryCodePointGoesBothWays) {
  for (char32_t point = 0; point <= 0x10FFFF; ++point) {
    if (point >= 0xD800 && point < 0xE000) continue;
    std::u16string text;
    if (point < 0x10000) {
      text.push_back(static_cast<char16_t>(point));
    } else {
      text.push_back(static_cast<char16_t>(0xD7C0 + (point >> 10)));
      text.push_back(static_cast<char16_t>(0xDC00 + (point & 0x3FF)));
    }
    ASSERT_EQ(Utf8ToUtf16(Utf16ToUtf8(text)), text) << static_cast<uint32_t>(point);
  }
}

TEST(Utf16, LoneSurrogatesAreReplaced) {
  const std::u16string text = {u'a', 0xD83D, u'b', 0xDE00, 0xD83D};
  EXPECT_EQ(Utf16ToUtf8(text),
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(Utf16, MalformedBytesAreReplaced) {
  EXPECT_EQ(Utf8ToUtf16("a\xFF"
                        "b"),
            u"a\uFFFDb");
  EXPECT_EQ(Utf8ToUtf16("\xC0\x80"), u"\uFFFD\uFFFD");  // overlong
  EXPECT_EQ(Utf8ToUtf16("\xE0\x80\x80"), u"\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(Utf8ToUtf16("\xED\xA0\x80"), u"\uFFFD");                        // a surrogate
  EXPECT_EQ(Utf8ToUtf16("\xF4\x90\x80\x80"), u"\uFFFD\uFFFD\uFFFD\uFFFD");  // above U+10FFFF
  EXPECT_EQ(Utf8ToUtf16("\xE2\x82"), u"\uFFFD");                            // cut off
}

}  // namespace
}  // namespace reprise
