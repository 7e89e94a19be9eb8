#include "plan/replaced_text.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

constexpr const char* kOne = "\xEF\xBF\xBD";

std::string Replacements(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += kOne;
  return text;
}

TEST(ReplacedText, LeavesUtf8AsItIs) {
  for (const std::string text :
       {"", "abc",
        "gr\xC3\xB6\xC3\x9F"
        "e",
        "\xE2\x82\xAC and \xF0\x9F\x98\x80", "\xEE\x80\x80\xEF\xBF\xBF\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(IsUtf8(text)) << text;
    EXPECT_EQ(ReplacedText(text), text);
  }
}

// Each as `new String(bytes, UTF_8)` has it on Java 17.
TEST(ReplacedText, ReplacesPiecesAsJavaDoes) {
  const std::pair<std::string, std::string> cases[] = {
      {"\xFF", Replacements(1)},
      {"a\xC3z", "a" + Replacements(1) + "z"},
      {"\xC0\x80", Replacements(2)},
      {"\xE0\x80\x80", Replacements(3)},
      {"\xE2\x82", Replacements(1)},
      {"\xE2\x82z", Replacements(1) + "z"},
      {"\xE2z\x82", Replacements(1) + "z" + Replacements(1)},
      {"\xED\xA0\x80", Replacements(1)},
      {"\xED\xA0z", Replacements(1) + "z"},
      {"\xF0\x9F\x98z", Replacements(1) + "z"},
      {"\xF0\x9Fz\x98", Replacements(1) + "z" + Replacements(1)},
      {"\xF0\x80\x80\x80", Replacements(4)},
      {"\xF4\x90\x80\x80", Replacements(4)},
      {"\xF5\x80\x80\x80", Replacements(4)},
      {"12345678\x80", "12345678" + Replacements(1)},
  };
  for (const auto& [bytes, text] : cases) {
    EXPECT_FALSE(IsUtf8(bytes)) << text;
    EXPECT_EQ(ReplacedText(bytes), text);
  }
}

}  // namespace
}  // namespace reprise
