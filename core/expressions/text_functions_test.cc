#include <gtest/gtest.h>

#include "expressions/expression_testing.h"

namespace reprise {
namespace {

using Texts = std::vector<std::optional<std::string>>;

ExpressionSpec OfText(const char* function, std::vector<ExpressionSpec> more = {},
                      const char* type = "string") {
  more.insert(more.begin(), Col(0, "string"));
  return Call(function, type, std::move(more));
}

TEST(TextFunctionsTest, TrimOfSpacesAndOfCharacters) {
  const auto texts = Strings({"  a b ", "", "   ", std::nullopt, "\ta\n"});
  ExpectValues(OfText("trim"), {texts}, Strings({"a b", "", "", std::nullopt, "\ta\n"}));
  ExpectValues(OfText("trim_left"), {texts}, Strings({"a b ", "", "", std::nullopt, "\ta\n"}));
  ExpectValues(OfText("trim_right"), {texts}, Strings({"  a b", "", "", std::nullopt, "\ta\n"}));
  ExpectValues(OfText("trim", {Lit("äx", "string")}), {Strings({"xäaxä", "ä", "b"})},
               Strings({"a", "", "b"}));
  ExpectValues(OfText("trim"), {DictionaryOf({" a", "b "}, {1, std::nullopt, 0})},
               Strings({"b", std::nullopt, "a"}));
}

TEST(TextFunctionsTest, EmptyTextsBecomeNull) {
  const auto texts = Strings({"a", "", std::nullopt, "ä"});
  const auto expected = Strings({"a", std::nullopt, std::nullopt, "ä"});
  ExpectValues(OfText("empty_to_null"), {texts}, expected);
  ExpectValues(OfText("empty_to_null"), {Strings({"", "x"})}, Strings({std::nullopt, "x"}));
  ExpectValues(OfText("empty_to_null"), {texts->Slice(1, 3)}, expected->Slice(1, 3));
  ExpectValues(OfText("empty_to_null"), {DictionaryOf({"", "b"}, {1, 0, std::nullopt})},
               Strings({"b", std::nullopt, std::nullopt}));
}

TEST(TextFunctionsTest, ReverseRepeatReplace) {
  ExpectValues(OfText("reverse"), {Strings({"größe", "", std::nullopt})},
               Strings({"eßörg", "", std::nullopt}));
  ExpectValues(OfText("repeat", {Lit(3, "integer")}), {Strings({"ab", "", std::nullopt})},
               Strings({"ababab", "", std::nullopt}));
  ExpectValues(OfText("repeat", {Lit(-1, "integer")}), {Strings({"ab"})}, Strings({""}));
  ExpectValues(OfText("replace", {Lit("aa", "string"), Lit("b", "string")}),
               {Strings({"aaaxaa", "", std::nullopt})}, Strings({"baxb", "", std::nullopt}));
  ExpectValues(OfText("replace", {Lit("", "string"), Lit("b", "string")}), {Strings({"abc"})},
               Strings({"abc"}));
  EXPECT_EQ(ErrorOf(OfText("repeat", {Lit(2147483647, "integer")}), {Strings({"ab"})}),
            "java.lang.ArithmeticException message=integer overflow");
}

TEST(TextFunctionsTest, PartsOfUrls) {
  const auto of_url = [](std::vector<ExpressionSpec> more) {
    return OfText("parse_url", std::move(more));
  };
  const auto urls =
      Strings({"http://a.b:80/c/d?x=1&y=2#e", "s3a://Bucket-1", "ftp://h?q", std::nullopt});
  ExpectValues(of_url({Lit("HOST", "string")}), {urls},
               Strings({"a.b", "Bucket-1", "h", std::nullopt}));
  ExpectValues(of_url({Lit("AUTHORITY", "string")}), {urls},
               Strings({"a.b:80", "Bucket-1", "h", std::nullopt}));
  ExpectValues(of_url({Lit("PATH", "string")}), {urls}, Strings({"/c/d", "", "", std::nullopt}));
  ExpectValues(of_url({Lit("FILE", "string")}), {urls},
               Strings({"/c/d?x=1&y=2", "", "?q", std::nullopt}));
  ExpectValues(of_url({Lit("QUERY", "string")}), {urls},
               Strings({"x=1&y=2", std::nullopt, "q", std::nullopt}));
  ExpectValues(of_url({Lit("REF", "string")}), {urls},
               Strings({"e", std::nullopt, std::nullopt, std::nullopt}));
  ExpectValues(of_url({Lit("PROTOCOL", "string")}), {urls},
               Strings({"http", "s3a", "ftp", std::nullopt}));
  ExpectValues(of_url({Lit("QUERY", "string"), Lit("y", "string")}), {urls},
               Strings({"2", std::nullopt, std::nullopt, std::nullopt}));
  ExpectValues(of_url({Lit("PATH", "string"), Lit("y", "string")}), {urls},
               Strings({std::nullopt, std::nullopt, std::nullopt, std::nullopt}));
}

TEST(TextFunctionsTest, Pads) {
  const auto texts = Strings({"ab", "größe", std::nullopt});
  ExpectValues(OfText("pad_left", {Lit(5, "integer"), Lit("xy", "string")}), {texts},
               Strings({"xyxab", "größe", std::nullopt}));
  ExpectValues(OfText("pad_right", {Lit(4, "integer"), Lit("xy", "string")}), {texts},
               Strings({"abxy", "größ", std::nullopt}));
  ExpectValues(OfText("pad_right", {Lit(4, "integer"), Lit("", "string")}), {texts},
               Strings({"ab", "größ", std::nullopt}));
  ExpectValues(OfText("pad_left", {Lit(-1, "integer"), Lit("x", "string")}), {texts},
               Strings({"", "", std::nullopt}));
}

TEST(TextFunctionsTest, ConcatAndConcatWs) {
  const std::vector<std::shared_ptr<arrow::Array>> columns = {
      Strings({"a", "b", std::nullopt}), Strings({"x", std::nullopt, std::nullopt})};
  ExpectValues(OfText("concat", {Lit("-", "string"), Col(1, "string")}), columns,
               Strings({"a-x", std::nullopt, std::nullopt}));
  ExpectValues(
      Call("concat_ws", "string", {Lit("-", "string"), Col(0, "string"), Col(1, "string")}),
      columns, Strings({"a-x", "b", ""}));
  ExpectValues(OfText("concat_ws", {Col(1, "string")}), columns, Strings({"x", "", std::nullopt}));
}

TEST(TextFunctionsTest, Measures) {
  const auto texts = Strings({"größe", "", std::nullopt});
  ExpectValues(OfText("length", {}, "integer"), {texts}, Ints({5, 0, std::nullopt}));
  ExpectValues(OfText("octet_length", {}, "integer"), {texts}, Ints({7, 0, std::nullopt}));
  ExpectValues(OfText("bit_length", {}, "integer"), {texts}, Ints({56, 0, std::nullopt}));
  ExpectValues(OfText("position", {Lit("ß", "string")}, "integer"), {texts},
               Ints({4, 0, std::nullopt}));
  ExpectValues(OfText("position", {Lit("", "string")}, "integer"), {texts},
               Ints({1, 1, std::nullopt}));
}

ExpressionSpec OfBytes(const char* function, std::vector<ExpressionSpec> more = {},
                       const char* type = "string") {
  more.insert(more.begin(), Call("cast", "binary", {Col(0, "string")}, {{"ansi", true}}));
  return Call(function, type, std::move(more));
}

TEST(TextFunctionsTest, DigestsAndChecksums) {
  const auto texts = Strings({"Spark", "", std::nullopt});
  ExpectValues(OfBytes("md5"), {texts},
               Strings({"8cde774d6f7333752ed72cacddb05126", "d41d8cd98f00b204e9800998ecf8427e",
                        std::nullopt}));
  ExpectValues(OfBytes("sha1"), {DictionaryOf({"b", "Spark"}, {1, std::nullopt})},
               Strings({"85f5955f4b27a9a4c2aab6ffe5d7189fc298b92c", std::nullopt}));
  ExpectValues(OfBytes("sha2", {Lit(256, "integer")}), {Strings({"Spark"})},
               Strings({"529bc3b07127ecb7e53a4dcf1991d9152c24537d919178022b2c42657f79a26b"}));
  ExpectValues(OfBytes("sha2", {Lit(1, "integer")}), {texts},
               Strings({std::nullopt, std::nullopt, std::nullopt}));
  ExpectValues(OfBytes("crc32", {}, "long"), {texts}, Longs({1557323817, 0, std::nullopt}));
}

}  // namespace
}  // namespace reprise
