// get_json_object: what stands at a path in a JSON document, as text, or null. Input: a string, a
// path that is a literal. Output: a string. In doubt are documents that Spark's parser may read
// otherwise (single quotes, control characters, what is no JSON, what follows it), and values that
// it would write otherwise than they stand there: numbers with a fraction, \u escapes, objects and
// arrays with spaces.
//   get_json_object('{"a":{"b":[1,"x"]}}', '$.a.b[1]') = "x"
// Source: Spark's GetJsonObjectEvaluator, Jackson's parser.
#include <cctype>

#include "expressions/tried_texts.h"
#include "plan/json_path.h"
#include "plan/replaced_text.h"
#include "plan/utf8.h"

namespace reprise {

namespace {

constexpr int kLevelsMax = 100;
/// Jackson refuses longer ones, by limits of its own.
constexpr size_t kBytesMax = size_t{1} << 22;

using Steps = std::span<const JsonStep>;

/// A walk over one document. Once in doubt, what it gives is nothing.
class JsonWalk {
 public:
  JsonWalk(std::string_view text, std::string* out) : text_(text), out_(out) {}

  /// Whether something stands at the path; `in_doubt` must be asked first.
  bool Find(Steps steps) {
    if (text_.size() > kBytesMax || (!IsAscii(text_) && !IsUtf8(text_))) return Doubt();
    SkipSpaces();
    if (!Peeks('{') && !Peeks('[')) return Doubt();
    const bool found = At(steps, 0);
    SkipSpaces();
    if (at_ != text_.size()) return Doubt();
    return found;
  }

  bool in_doubt() const { return in_doubt_; }

 private:
  bool Doubt() {
    in_doubt_ = true;
    at_ = text_.size();
    return false;
  }
  bool Peeks(char c) const { return at_ < text_.size() && text_[at_] == c; }
  bool Takes(char c) {
    if (!Peeks(c)) return false;
    ++at_;
    return true;
  }
  void SkipSpaces() {
    const size_t before = at_;
    while (Peeks(' ') || Peeks('\t') || Peeks('\n') || Peeks('\r')) ++at_;
    is_rewritten_ |= at_ != before;
  }

  /// The value here: writes what stands at the path in it.
  bool At(Steps steps, int depth) {
    if (depth > kLevelsMax) return Doubt();
    if (steps.empty()) return Copy(depth);
    if (Peeks('{') && steps[0].name) return InObject(steps, depth);
    if (Peeks('[') && !steps[0].name) return InArray(steps, depth);
    Skip(depth);
    return false;
  }

  /// Of fields of one name the first counts in which something is found.
  bool InObject(Steps steps, int depth) {
    bool found = false;
    ForEachField(depth, [&](std::string_view name, bool has_escapes) {
      if (has_escapes) return static_cast<void>(Doubt());
      if (found || name != *steps[0].name || IsNull()) return Skip(depth + 1);
      found = At(steps.subspan(1), depth + 1);
    });
    return found;
  }

  bool InArray(Steps steps, int depth) {
    bool found = false;
    ForEachElement(depth, [&, index = int64_t{0}]() mutable {
      if (index++ != steps[0].index) return Skip(depth + 1);
      found = At(steps.subspan(1), depth + 1);
    });
    return found;
  }

  bool IsNull() const { return text_.substr(at_).starts_with("null"); }

  template <typename F>
  void ForEachField(int depth, F&& f) {
    ++at_;
    SkipSpaces();
    if (Takes('}')) return;
    do {
      SkipSpaces();
      bool has_escapes = false;
      const std::string_view name = String(&has_escapes);
      SkipSpaces();
      if (!Takes(':')) return static_cast<void>(Doubt());
      SkipSpaces();
      f(name, has_escapes);
      SkipSpaces();
    } while (Takes(','));
    if (!Takes('}')) Doubt();
  }

  template <typename F>
  void ForEachElement(int depth, F&& f) {
    ++at_;
    SkipSpaces();
    if (Takes(']')) return;
    do {
      SkipSpaces();
      f();
      SkipSpaces();
    } while (Takes(','));
    if (!Takes(']')) Doubt();
  }

  /// Writes the value here as Jackson does.
  bool Copy(int depth) {
    if (Peeks('"')) {
      bool has_escapes = false;
      const std::string_view inside = String(&has_escapes);
      return has_escapes ? Unescape(inside) : Write(inside);
    }
    const size_t begin = at_;
    is_rewritten_ = false;
    Skip(depth);
    return is_rewritten_ ? Doubt() : Write(text_.substr(begin, at_ - begin));
  }

  bool Write(std::string_view value) {
    if (!in_doubt_) out_->assign(value);
    return !in_doubt_;
  }

  bool Unescape(std::string_view inside) {
    std::string value;
    for (size_t i = 0; i < inside.size(); ++i) {
      if (inside[i] != '\\') {
        value += inside[i];
        continue;
      }
      constexpr std::string_view kLetters = "\"\\/bfnrt";
      constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
      const size_t letter = kLetters.find(inside[++i]);
      if (letter == std::string_view::npos) return Doubt();
      value += kMeant[letter];
    }
    return Write(value);
  }

  void Skip(int depth) {
    if (depth > kLevelsMax || at_ >= text_.size()) return static_cast<void>(Doubt());
    switch (text_[at_]) {
      case '{':
        return ForEachField(depth, [&](std::string_view, bool has_escapes) {
          is_rewritten_ |= has_escapes;
          Skip(depth + 1);
        });
      case '[':
        return ForEachElement(depth, [&] { Skip(depth + 1); });
      case '"': {
        bool has_escapes = false;
        String(&has_escapes);
        is_rewritten_ |= has_escapes;
        return;
      }
      default:
        return SkipScalar();
    }
  }

  void SkipScalar() {
    for (const std::string_view word : {"null", "true", "false"}) {
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return;
    }
    const bool is_negative = Takes('-');
    const bool is_zero = Peeks('0');
    const size_t digits = SkipDigits();
    if (digits == 0 || (is_zero && digits > 1)) return static_cast<void>(Doubt());
    is_rewritten_ |= (is_zero && is_negative) || digits > 18;
    if (Takes('.')) {
      is_rewritten_ = true;
      if (SkipDigits() == 0) Doubt();
    }
    if (Takes('e') || Takes('E')) {
      is_rewritten_ = true;
      if (!Takes('+')) Takes('-');
      if (SkipDigits() == 0) Doubt();
    }
  }

  size_t SkipDigits() {
    const size_t begin = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    return at_ - begin;
  }

  /// What stands between the quotes.
  std::string_view String(bool* has_escapes) {
    if (!Takes('"')) {
      Doubt();
      return "";
    }
    const size_t begin = at_;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"') return text_.substr(begin, at_++ - begin);
      if (static_cast<uint8_t>(c) < 0x20) break;
      if (c != '\\') continue;
      *has_escapes = true;
      if (!SkipEscape()) break;
    }
    Doubt();
    return "";
  }

  /// Leaves the last character of the escape to be passed.
  bool SkipEscape() {
    ++at_;
    if (at_ >= text_.size()) return false;
    if (text_[at_] != 'u') return std::string_view("\"\\/bfnrt").find(text_[at_]) < 8;
    for (int i = 0; i < 4; ++i) {
      ++at_;
      if (at_ >= text_.size() || std::isxdigit(static_cast<uint8_t>(text_[at_])) == 0) return false;
    }
    return true;
  }

  const std::string_view text_;
  std::string* const out_;
  size_t at_ = 0;
  bool in_doubt_ = false;
  bool is_rewritten_ = false;  // what was passed stands there otherwise than Jackson writes it
};

}  // namespace

MadeExpression MakeGetJsonObject(FunctionCall call) {
  const auto path = LiteralText(call, 1);
  auto steps = path ? ReadJsonPath(*path) : std::nullopt;
  call.arguments.resize(1);
  return MakeTriedTexts<arrow::StringBuilder>(
      std::move(call), [steps = std::move(steps)](Texts texts, std::string* out) {
        if (!steps) return Tried::kInDoubt;
        JsonWalk walk(texts[0], out);
        const bool found = walk.Find(*steps);
        if (walk.in_doubt()) return Tried::kInDoubt;
        return found ? Tried::kValue : Tried::kNull;
      });
}

}  // namespace reprise
