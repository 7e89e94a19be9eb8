#include "base/json_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace reprise {
namespace {

TEST(JsonText, StringsReadBackAsTheyWere) {
  std::string all;
  for (char c = 0; c < 127; ++c) all += c;
  for (const std::string& text :
       {std::string(), std::string("Filter#0"), all, std::string("\"a\\\"b\n\"\\"),
        std::string("Größe \t 汉字 😀"), std::string("\x7f")}) {
    EXPECT_EQ(nlohmann::json::parse(JsonString(text)), text);
  }
}

TEST(JsonText, InvalidUtf8IsReplaced) {
  EXPECT_EQ(nlohmann::json::parse(JsonString("a\xff z")), "a\uFFFD z");
}

TEST(JsonText, NestingIsThatOfTheDeepestPlace) {
  EXPECT_EQ(NestingOf(""), 0);
  EXPECT_EQ(NestingOf("12"), 0);
  EXPECT_EQ(NestingOf(R"({"a":[1,[]],"b":{}})"), 3);
  EXPECT_EQ(NestingOf(R"(["[[{", "\"[[", "\\", []])"), 2);
  EXPECT_EQ(NestingOf(R"({"a":[1,{"b":[]}],"c":{}})"), 4);
  EXPECT_EQ(NestingOf(R"(["]]]","[[[[[",{"a\\"]":"\\\\"}])"), 2);
  EXPECT_EQ(NestingOf(std::string(200000, '[')), 200000);
}

TEST(JsonText, IsAppended) {
  std::string json = "[";
  AppendJsonString("a\"", &json);
  EXPECT_EQ(json, R"(["a\"")");
}

}  // namespace
}  // namespace reprise
