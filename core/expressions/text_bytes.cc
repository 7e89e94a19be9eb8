// encode: a string's bytes in a character set; decode: the string that they are. Input: a string,
// or bytes, and the set's name; two settings of its errors. Output: binary; string. In doubt are
// other sets than UTF-8, and what is no UTF-8.
//   encode("ü", "utf-8") = C3BC;  decode(C3BC, "UTF-8") = "ü"
// Source: Spark's Encode and StringDecode.
#include "expressions/tried_texts.h"
#include "plan/replaced_text.h"

namespace reprise {

namespace {

bool IsNameOfUtf8(std::string_view name) {
  constexpr std::string_view kName = "UTF-8";
  return std::ranges::equal(name, kName, [](char one, char other) {
    return (one >= 'a' && one <= 'z' ? one - 'a' + 'A' : one) == other;
  });
}

template <typename Builder>
MadeExpression MakeOfUtf8(FunctionCall call) {
  const auto name = LiteralText(call, 1);
  const bool is_utf8 = name && IsNameOfUtf8(*name);
  KeepSubject(&call);
  return MakeTriedTexts<Builder>(std::move(call), [is_utf8](Texts texts, std::string* out) {
    if (!is_utf8 || !IsUtf8(texts[0])) return false;
    out->assign(texts[0]);
    return true;
  });
}

}  // namespace

MadeExpression MakeEncode(FunctionCall call) {
  return MakeOfUtf8<arrow::BinaryBuilder>(std::move(call));
}

MadeExpression MakeDecode(FunctionCall call) {
  return MakeOfUtf8<arrow::StringBuilder>(std::move(call));
}

}  // namespace reprise
