// upper, lower, init_cap and translate of strings whose characters are ASCII; others are in doubt,
// since Java's tables, or ICU's, say what becomes of them. Input: a string; of translate also the
// characters to be replaced and those that replace them. Output: a string.
//   init_cap("hELLO w0rld") = "Hello W0rld";  translate("AaBbCc", "abc", "12") = "A1B2C"
// Source: Spark's Upper, Lower, InitCap and StringTranslate, the methods of UTF8String.
#include <algorithm>
#include <array>
#include <tuple>

#include "expressions/tried_texts.h"
#include "plan/utf8.h"

namespace reprise {

namespace {

char ToUpper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }
char ToLower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

template <char (*kOf)(char)>
bool EachCharacter(Texts texts, std::string* out) {
  if (!IsAscii(texts[0])) return false;
  out->resize(texts[0].size());
  std::ranges::transform(texts[0], out->begin(), kOf);
  return true;
}

bool InitCap(Texts texts, std::string* out) {
  if (!EachCharacter<ToLower>(texts, out)) return false;
  char before = ' ';
  for (char& c : *out) {
    if (before == ' ') c = ToUpper(c);
    before = c;
  }
  return true;
}

bool Translate(Texts texts, std::string* out) {
  const auto [text, from, to] = std::tie(texts[0], texts[1], texts[2]);
  if (!IsAscii(text) || !IsAscii(from) || !IsAscii(to)) return false;
  std::array<int16_t, 128> becomes;
  for (int16_t c = 0; c < 128; ++c) becomes[static_cast<size_t>(c)] = c;
  // Of a character that is named twice the first counts; those without a partner are left out.
  for (size_t i = from.size(); i-- > 0;) {
    const bool is_gone = i >= to.size() || to[i] == '\0';
    becomes[static_cast<uint8_t>(from[i])] = is_gone ? int16_t{-1} : to[i];
  }
  for (const char c : text) {
    const int16_t other = becomes[static_cast<uint8_t>(c)];
    if (other >= 0) out->push_back(static_cast<char>(other));
  }
  return true;
}

MadeExpression MakeOf(FunctionCall call, bool (*function)(Texts, std::string*)) {
  return MakeTriedTexts<arrow::StringBuilder>(std::move(call), function);
}

}  // namespace

MadeExpression MakeUpper(FunctionCall call) {
  return MakeOf(std::move(call), EachCharacter<ToUpper>);
}
MadeExpression MakeLower(FunctionCall call) {
  return MakeOf(std::move(call), EachCharacter<ToLower>);
}
MadeExpression MakeInitCap(FunctionCall call) { return MakeOf(std::move(call), InitCap); }
MadeExpression MakeTranslate(FunctionCall call) { return MakeOf(std::move(call), Translate); }

}  // namespace reprise
