// Reads JSON documents as far as it is sure that Jackson reads them alike.
#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "plan/replaced_text.h"
#include "plan/utf16.h"

namespace reprise {

/// A walk over one document, from its beginning. Once in doubt, what it gives is nothing: of single
/// quotes, control characters, what is no JSON.
class JsonScanner {
 public:
  explicit JsonScanner(std::string_view text) : text_(text) {
    if (text_.size() > kBytesMax) Doubt();
  }

  bool in_doubt() const { return in_doubt_; }

 protected:
  static constexpr int kLevelsMax = 100;
  /// Jackson refuses longer ones, by limits of its own: documents, names, numbers.
  static constexpr size_t kBytesMax = size_t{1} << 22;
  static constexpr size_t kNameMax = 40'000;
  static constexpr size_t kNumberMax = 900;

  bool Doubt() {
    in_doubt_ = true;
    at_ = text_.size();
    return false;
  }
  bool is_at_end() const { return at_ == text_.size(); }
  std::string_view rest() const { return text_.substr(at_); }
  bool IsNull() const { return rest().starts_with("null"); }

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

  /// Passes a word.
  bool TakesWord(std::string_view word) {
    if (!rest().starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  /// Calls `f(name, has_escapes)` at the value of each field of the object here, which it must
  /// pass.
  template <typename F>
  void ForEachField(F&& f) {
    ++at_;
    SkipSpaces();
    if (Takes('}')) return;
    do {
      SkipSpaces();
      bool has_escapes = false;
      const std::string_view name = String(&has_escapes);
      SkipSpaces();
      if (name.size() > kNameMax || !Takes(':')) return static_cast<void>(Doubt());
      SkipSpaces();
      f(name, has_escapes);
      SkipSpaces();
    } while (Takes(','));
    if (!Takes('}')) Doubt();
  }

  /// Calls `f()` at each element of the array here, which it must pass.
  template <typename F>
  void ForEachElement(F&& f) {
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

  /// What a string means, of which `inside` stands between the quotes, as String has it; nothing
  /// where that is in doubt.
  static std::optional<std::string> Unescaped(std::string_view inside) {
    std::string value;
    while (true) {
      const size_t escape = std::min(inside.find('\\'), inside.size());
      value += inside.substr(0, escape);
      inside.remove_prefix(escape);
      if (inside.empty()) return value;
      if (inside[1] == 'u') {
        const std::string characters = TakeUnits(&inside);
        // Half of a character becomes it, too.
        if (characters.find("\uFFFD") != std::string::npos) return std::nullopt;
        value += characters;
      } else {
        constexpr std::string_view kLetters = "\"\\/bfnrt";
        constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
        value += kMeant[kLetters.find(inside[1])];
        inside.remove_prefix(2);
      }
    }
  }

  /// Takes "\u00e9", and those that follow it.
  static std::string TakeUnits(std::string_view* inside) {
    std::u16string units;
    for (; inside->starts_with("\\u"); inside->remove_prefix(6)) {
      uint16_t unit = 0;
      std::from_chars(inside->data() + 2, inside->data() + 6, unit, 16);
      units += static_cast<char16_t>(unit);
    }
    return Utf16ToUtf8(units);
  }

  /// Passes the value here.
  void Skip(int depth) {
    if (depth > kLevelsMax || at_ >= text_.size()) return static_cast<void>(Doubt());
    switch (text_[at_]) {
      case '{':
        return ForEachField([&](std::string_view, bool has_escapes) {
          is_rewritten_ |= has_escapes;
          Skip(depth + 1);
        });
      case '[':
        return ForEachElement([&] { Skip(depth + 1); });
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
    if (TakesWord("null") || TakesWord("true") || TakesWord("false")) return;
    const size_t begin = at_;
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
    if (at_ - begin > kNumberMax) Doubt();
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
    bool is_ascii = true;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"') {
        const std::string_view inside = text_.substr(begin, at_++ - begin);
        if (!is_ascii && !IsUtf8(inside)) break;
        return inside;
      }
      is_ascii &= static_cast<uint8_t>(c) < 0x80;
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
  size_t at_ = 0;
  bool is_rewritten_ = false;  ///< what was passed stands there otherwise than Jackson writes it

 private:
  bool in_doubt_ = false;
};

}  // namespace reprise
