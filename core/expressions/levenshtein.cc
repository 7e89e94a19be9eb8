// levenshtein: how many characters have to be put in, taken out or replaced to make one string of
// another. Input: two strings. Output: int. In doubt where one is not UTF-8.
//   levenshtein("kitten", "sitting") = 3
// Source: UTF8String.levenshteinDistance.
#include <algorithm>
#include <numeric>

#include "expressions/tried_texts.h"
#include "plan/replaced_text.h"
#include "plan/utf8.h"

namespace reprise {

namespace {

/// The characters of a text: its bytes where it is ASCII.
void ReadCharacters(std::string_view text, std::vector<std::string_view>* characters) {
  characters->clear();
  for (size_t at = 0; at < text.size();) {
    const size_t next = NextCharacter(text, at);
    characters->push_back(text.substr(at, next - at));
    at = next;
  }
}

/// The distances of all beginnings of `left` from one beginning of `right`, row after row.
template <typename Sequence>
int32_t Distance(const Sequence& left, const Sequence& right, std::vector<int32_t>* distances) {
  distances->resize(left.size() + 1);
  std::iota(distances->begin(), distances->end(), 0);
  for (size_t j = 0; j < right.size(); ++j) {
    int32_t diagonal = (*distances)[0];
    (*distances)[0] = static_cast<int32_t>(j + 1);
    for (size_t i = 0; i < left.size(); ++i) {
      const int32_t above = (*distances)[i + 1];
      const int32_t replaced = diagonal + (left[i] == right[j] ? 0 : 1);
      (*distances)[i + 1] = std::min({replaced, above + 1, (*distances)[i] + 1});
      diagonal = above;
    }
  }
  return distances->back();
}

struct Levenshtein {
  std::vector<int32_t> distances;
  std::vector<std::string_view> left;
  std::vector<std::string_view> right;

  bool operator()(Texts texts, int32_t* distance) {
    if (IsAscii(texts[0]) && IsAscii(texts[1])) {
      *distance = Distance(texts[0], texts[1], &distances);
      return true;
    }
    if (!IsUtf8(texts[0]) || !IsUtf8(texts[1])) return false;
    ReadCharacters(texts[0], &left);
    ReadCharacters(texts[1], &right);
    *distance = Distance(left, right, &distances);
    return true;
  }
};

}  // namespace

MadeExpression MakeLevenshtein(FunctionCall call) {
  return MakeTriedTexts<arrow::Int32Builder>(
      std::move(call), [state = std::make_shared<Levenshtein>()](Texts texts, int32_t* distance) {
        return (*state)(texts, distance);
      });
}

}  // namespace reprise
