#include "expressions/java_regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>

#include "plan/replaced_text.h"
#include "plan/utf8.h"

namespace reprise {

namespace {

/// Steps of a search. A text for which more are needed is Spark's to search.
constexpr uint32_t kStepsMax = 200'000;

}  // namespace

struct JavaRegex::Compiled {
  pcre2_code* code = nullptr;
  pcre2_match_data* match = nullptr;
  pcre2_match_context* context = nullptr;

  ~Compiled() {
    pcre2_match_context_free(context);
    pcre2_match_data_free(match);
    pcre2_code_free(code);
  }
};

JavaRegex::JavaRegex(JavaPattern pattern, std::unique_ptr<Compiled> compiled)
    : pattern_(std::move(pattern)),
      compiled_(std::move(compiled)),
      same_bounds_(2 * (static_cast<size_t>(pattern_.groups) + 1)) {
  if (!pattern_.is_one_character && !pattern_.is_run) return;
  for (size_t i = 0; i < characters_.size(); ++i) {
    const char character = static_cast<char>(i);
    characters_[i] = SearchCompiled({&character, 1}, 0) == Found::kMatch;
  }
}

JavaRegex::~JavaRegex() = default;

std::unique_ptr<JavaRegex> JavaRegex::Compile(JavaPattern pattern) {
  auto compiled = std::make_unique<Compiled>();
  int error = 0;
  size_t place = 0;
  compiled->code =
      pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.pcre.data()), pattern.pcre.size(),
                    PCRE2_UTF | PCRE2_NO_UTF_CHECK, &error, &place, nullptr);
  if (compiled->code == nullptr) return nullptr;
  // Where the system forbids code that is made, it interprets.
  pcre2_jit_compile(compiled->code, PCRE2_JIT_COMPLETE);
  compiled->match = pcre2_match_data_create_from_pattern(compiled->code, nullptr);
  compiled->context = pcre2_match_context_create(nullptr);
  if (compiled->match == nullptr || compiled->context == nullptr) return nullptr;
  pcre2_set_match_limit(compiled->context, kStepsMax);
  return std::unique_ptr<JavaRegex>(new JavaRegex(std::move(pattern), std::move(compiled)));
}

bool JavaRegex::Takes(std::string_view text) const {
  if (!IsAscii(text) && (pattern_.is_for_ascii || !IsUtf8(text))) return false;
  return !pattern_.asks_for_end || !EndsLine(text);
}

JavaRegex::Found JavaRegex::Search(std::string_view text, size_t from) {
  if (pattern_.literal) {
    const size_t place = text.find(*pattern_.literal, from);
    if (place == std::string_view::npos) return Found::kNone;
    return MatchesAt(place, place + pattern_.literal->size());
  }
  if (pattern_.is_one_character || pattern_.is_run) {
    if (const auto found = SearchCharacters(text, from)) return *found;
  }
  return SearchCompiled(text, from);
}

JavaRegex::Found JavaRegex::Matches(std::string_view text) {
  if (pattern_.pieces.empty()) return Search(text);
  size_t begin = std::string_view::npos;
  size_t end = 0;
  for (const std::string& piece : pattern_.pieces) {
    const size_t place = text.find(piece, end);
    if (place == std::string_view::npos) return Found::kNone;
    if (begin == std::string_view::npos && !piece.empty()) begin = place;
    end = place + piece.size();
  }
  if (begin == std::string_view::npos) return Found::kMatch;
  // A line may end between them.
  const bool is_in_a_line = std::ranges::all_of(text.substr(begin, end - begin), [](char c) {
    return c != '\n' && c != '\r' && static_cast<uint8_t>(c) < 0x80;
  });
  return is_in_a_line ? Found::kMatch : SearchCompiled(text, 0);
}

std::optional<JavaRegex::Found> JavaRegex::SearchCharacters(std::string_view text, size_t from) {
  const auto is_one = [&](size_t at) { return characters_[static_cast<uint8_t>(text[at])]; };
  const auto is_ascii = [&](size_t at) { return static_cast<uint8_t>(text[at]) < 0x80; };
  size_t begin = from;
  while (begin < text.size() && is_ascii(begin) && !is_one(begin)) ++begin;
  if (begin == text.size()) return Found::kNone;
  if (!is_ascii(begin)) return std::nullopt;
  size_t end = begin + 1;
  while (pattern_.is_run && end < text.size() && is_ascii(end) && is_one(end)) ++end;
  if (pattern_.is_run && end < text.size() && !is_ascii(end)) return std::nullopt;
  return MatchesAt(begin, end);
}

JavaRegex::Found JavaRegex::MatchesAt(size_t begin, size_t end) {
  for (size_t i = 0; i < same_bounds_.size(); i += 2) {
    same_bounds_[i] = begin;
    same_bounds_[i + 1] = end;
  }
  bounds_ = same_bounds_.data();
  return Found::kMatch;
}

JavaRegex::Found JavaRegex::SearchCompiled(std::string_view text, size_t from) {
  const int count =
      pcre2_match(compiled_->code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), from,
                  PCRE2_NO_UTF_CHECK, compiled_->match, compiled_->context);
  if (count == PCRE2_ERROR_NOMATCH) return Found::kNone;
  if (count < 0) return Found::kInDoubt;
  bounds_ = pcre2_get_ovector_pointer(compiled_->match);
  return Found::kMatch;
}

std::optional<std::string_view> JavaRegex::group(std::string_view text, int group) const {
  const size_t begin = bounds_[2 * static_cast<size_t>(group)];
  if (begin == PCRE2_UNSET) return std::nullopt;
  return text.substr(begin, bounds_[2 * static_cast<size_t>(group) + 1] - begin);
}

}  // namespace reprise
