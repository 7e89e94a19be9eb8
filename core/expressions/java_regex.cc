#include "expressions/java_regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

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
    : pattern_(std::move(pattern)), compiled_(std::move(compiled)) {}

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
    literal_bounds_[0] = place;
    literal_bounds_[1] = place + pattern_.literal->size();
    bounds_ = literal_bounds_;
    return Found::kMatch;
  }
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
