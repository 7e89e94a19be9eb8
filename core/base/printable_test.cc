#include "base/printable.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

TEST(Printable, WritesControlCharactersAsJsonDoes) {
  EXPECT_EQ(Printable("map at \x1b[2Ja.py:3\r\x7f"), "map at \\u001b[2Ja.py:3\\u000d\\u007f");
  EXPECT_EQ(Printable("\xC2\x9b"
                      "31m"),
            "\\u009b31m");
  EXPECT_EQ(Printable("one\ntwo"), "one\ntwo");
  EXPECT_EQ(PrintableLine("one\ntwo"), "one\\u000atwo");
}

TEST(Printable, KeepsAllElse) {
  const std::string text = "\u00e4\u20ac \U0001F600 \xC2\xA0 \xC2";
  EXPECT_EQ(Printable(text), text);
  EXPECT_EQ(Printable(""), "");
}

}  // namespace
}  // namespace reprise
