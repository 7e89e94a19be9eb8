#include "vocabulary/kinds.h"

#include <algorithm>

namespace reprise {

const std::vector<OperatorKind>& OperatorKinds() {
  static const auto* const kinds = new std::vector<OperatorKind>{
#define KIND(name, inputs, maker, metrics) {name, inputs, inputs == 0 ? "nothing" : "", metrics},
#define LEAF(name, reads, metrics) {name, 0, reads, metrics},
#include "vocabulary/operators.def"
  };
  return *kinds;
}

const OperatorKind* FindKind(std::string_view name) {
  const auto found = std::ranges::find(OperatorKinds(), name, &OperatorKind::name);
  return found == OperatorKinds().end() ? nullptr : &*found;
}

bool LeafReads(std::string_view kind, std::string_view input) {
  const OperatorKind* found = FindKind(kind);
  return found != nullptr && std::ranges::count(WordsOf(found->reads), input) > 0;
}

std::vector<std::string_view> WordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

}  // namespace reprise
