#include "plan/java_pattern.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "plan/replaced_text.h"
#include "plan/utf8.h"

namespace reprise {

namespace {

constexpr std::string_view kAnyButLineEnds = R"([^\n\r\x{85}\x{2028}\x{2029}])";
constexpr std::array<std::string_view, 5> kLineEnds = {"\n", "\r", "\xC2\x85", "\xE2\x80\xA8",
                                                       "\xE2\x80\xA9"};
/// With more neither is fast.
constexpr int kRepetitionsMax = 1000;
constexpr int kDepthMax = 50;

/// A character as PCRE2 reads it literally, within a class or out of it.
std::string Quoted(std::string_view character) {
  const char first = character[0];
  const bool is_plain =
      character.size() > 1 || IsAsciiDigit(first) || IsAsciiLetter(first) || first == ' ';
  if (is_plain) return std::string(character);
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto byte = static_cast<uint8_t>(first);
  return std::string("\\x") + kDigits[byte >> 4] + kDigits[byte & 15];
}

/// What stands for a set of characters behind a backslash, as the inside of a class.
std::string_view ClassOf(char letter) {
  switch (letter) {
    case 'd':
      return "0-9";
    case 'w':
      return "a-zA-Z_0-9";
    case 's':
      return R"( \t\n\x0b\f\r)";
    default:
      return "";
  }
}

class Reader {
 public:
  explicit Reader(std::string_view pattern) : rest_(pattern) {}

  std::optional<JavaPattern> Read() {
    if (rest_.starts_with("(?i)")) {
      rest_.remove_prefix(4);
      result_.is_for_ascii = true;
      has_pieces_ = false;
      result_.pcre = "(?i)";
    }
    const bool ignores_case = result_.is_for_ascii;
    const auto all = Alternatives(0);
    if (!all || !rest_.empty() || (ignores_case && has_others_)) return std::nullopt;
    result_.pcre += all->text;
    result_.can_be_empty = all->can_be_empty;
    if (has_pieces_ && pieces_.size() == 1) result_.literal = pieces_[0];
    if (has_pieces_ && pieces_.size() > 1) result_.pieces = std::move(pieces_);
    result_.is_one_character = characters_ == 1 && others_ == 0 && quantifiers_ == 0;
    result_.is_run = characters_ == 1 && others_ == 0 && quantifiers_ == 1 && has_run_;
    return result_;
  }

 private:
  struct Part {
    std::string text;
    bool can_be_empty = false;
    bool is_group = false;
  };

  bool Takes(char c) {
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view Character() {
    const size_t size = NextCharacter(rest_, 0);
    const std::string_view character = rest_.substr(0, size);
    rest_.remove_prefix(size);
    has_others_ |= size > 1;
    return character;
  }

  std::optional<Part> Alternatives(int depth) {
    if (depth > kDepthMax) return std::nullopt;
    auto all = Sequence(depth);
    while (all && Takes('|')) {
      has_pieces_ = false;
      ++others_;
      const auto next = Sequence(depth);
      if (!next) return std::nullopt;
      all->text += "|" + next->text;
      all->can_be_empty |= next->can_be_empty;
    }
    return all;
  }

  std::optional<Part> Sequence(int depth) {
    Part all{"", true};
    while (!rest_.empty() && rest_[0] != '|' && rest_[0] != ')') {
      if (TakesGap(&all)) continue;
      auto part = Atom(depth);
      if (!part || !Quantify(&*part)) return std::nullopt;
      all.text += part->text;
      all.can_be_empty &= part->can_be_empty;
    }
    return all;
  }

  /// `.*`, or the lazy one, and no possessive one.
  bool TakesGap(Part* sequence) {
    if (!rest_.starts_with(".*")) return false;
    const size_t size = rest_.starts_with(".*?") ? 3 : 2;
    if (rest_.size() > size && IsQuantifier(rest_[size])) return false;
    sequence->text.append(kAnyButLineEnds).append(rest_.substr(1, size - 1));
    rest_.remove_prefix(size);
    ++others_;
    pieces_.emplace_back();
    return true;
  }

  std::optional<Part> Atom(int depth) {
    const char first = rest_[0];
    switch (first) {
      case '(':
        return Group(depth);
      case '[':
        return Class();
      case '\\':
        return Escape();
      case '.':
        return Special(std::string(kAnyButLineEnds), false);
      case '^':
        return Special("\\A", true);
      case '$':
        result_.asks_for_end = true;
        return Special("\\z", true);
      case '*':
      case '+':
      case '?':
      case '{':
        return std::nullopt;
      default:
        return Literal(Character());
    }
  }

  std::optional<Part> Special(std::string text, bool can_be_empty) {
    rest_.remove_prefix(1);
    has_pieces_ = false;
    ++(can_be_empty ? others_ : characters_);
    return Part{std::move(text), can_be_empty};
  }

  Part Literal(std::string_view character) {
    pieces_.back() += character;
    ++characters_;
    return {Quoted(character)};
  }

  std::optional<Part> Group(int depth) {
    has_pieces_ = false;
    rest_.remove_prefix(1);
    const bool captures = !rest_.starts_with('?');
    if (captures) ++result_.groups;
    if (!captures && !rest_.starts_with("?:")) return std::nullopt;
    if (!captures) rest_.remove_prefix(2);
    auto inside = Alternatives(depth + 1);
    if (!inside || !Takes(')')) return std::nullopt;
    inside->text = (captures ? "(" : "(?:") + inside->text + ")";
    inside->is_group = true;
    if (inside->can_be_empty) ++others_;
    return inside;
  }

  std::optional<Part> Escape() {
    rest_.remove_prefix(1);
    if (rest_.empty()) return std::nullopt;
    const char letter = rest_[0];
    if (!IsAsciiLetter(letter) && !IsAsciiDigit(letter)) return Literal(Character());
    if (letter == 'b' || letter == 'B') {
      result_.is_for_ascii = true;
      return Special(std::string("\\") + letter, true);
    }
    if (const auto control = Control(letter)) {
      rest_.remove_prefix(1);
      return Literal(*control);
    }
    const bool is_negated = letter < 'a';
    const std::string_view inside = ClassOf(static_cast<char>(letter | 0x20));
    if (inside.empty()) return std::nullopt;
    return Special((is_negated ? "[^" : "[") + std::string(inside) + "]", false);
  }

  static std::optional<std::string_view> Control(char letter) {
    switch (letter) {
      case 't':
        return "\t";
      case 'n':
        return "\n";
      case 'r':
        return "\r";
      case 'f':
        return "\f";
      default:
        return std::nullopt;
    }
  }

  /// A member of a class: one character, or a set behind a backslash, of which `is_set` is told.
  std::optional<std::string> Member(bool* is_set) {
    *is_set = false;
    if (rest_.empty() || rest_[0] == '[' || rest_.starts_with("&&")) return std::nullopt;
    if (!Takes('\\')) return Quoted(Character());
    if (rest_.empty()) return std::nullopt;
    const char letter = rest_[0];
    if (!IsAsciiLetter(letter) && !IsAsciiDigit(letter)) return Quoted(Character());
    rest_.remove_prefix(1);
    if (const auto control = Control(letter)) return Quoted(*control);
    *is_set = true;
    const std::string_view inside = ClassOf(letter);
    if (inside.empty()) return std::nullopt;
    return std::string(inside);
  }

  std::optional<Part> Class() {
    has_pieces_ = false;
    ++characters_;
    rest_.remove_prefix(1);
    std::string text = Takes('^') ? "[^" : "[";
    if (rest_.starts_with(']')) return std::nullopt;
    bool may_be_range = false;
    while (!Takes(']')) {
      if (rest_.starts_with('-') && may_be_range && !rest_.starts_with("-]")) {
        rest_.remove_prefix(1);
        bool is_set = false;
        const auto to = Member(&is_set);
        if (!to || is_set) return std::nullopt;
        text += "-" + *to;
        may_be_range = false;
        if (rest_.starts_with('-') && !rest_.starts_with("-]")) return std::nullopt;
        continue;
      }
      bool is_set = false;
      const auto member = Member(&is_set);
      if (!member) return std::nullopt;
      text += *member;
      if (is_set && rest_.starts_with('-') && !rest_.starts_with("-]")) return std::nullopt;
      may_be_range = !is_set;
    }
    return Part{text + "]"};
  }

  /// The numbers of {n}, {n,} or {n,m} as they stand there.
  std::optional<std::string> Repetitions(bool* can_be_none) {
    const size_t end = rest_.find('}');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view inside = rest_.substr(0, end);
    const size_t comma = inside.find(',');
    const auto least = Number(inside.substr(0, comma));
    if (!least) return std::nullopt;
    if (comma != std::string_view::npos && comma + 1 < inside.size()) {
      const auto most = Number(inside.substr(comma + 1));
      if (!most || *most < *least) return std::nullopt;
    }
    *can_be_none = *least == 0;
    rest_.remove_prefix(end + 1);
    return "{" + std::string(inside) + "}";
  }

  static std::optional<int> Number(std::string_view digits) {
    if (digits.empty() || digits.size() > 4 || !std::ranges::all_of(digits, IsAsciiDigit)) {
      return std::nullopt;
    }
    int number = 0;
    for (const char digit : digits) number = 10 * number + (digit - '0');
    return number > kRepetitionsMax ? std::nullopt : std::optional(number);
  }

  /// False where what follows the part is no quantifier that both read alike.
  bool Quantify(Part* part) {
    if (rest_.empty()) return true;
    std::string quantifier(1, rest_[0]);
    bool can_be_none = rest_[0] != '+';
    if (rest_[0] == '{') {
      rest_.remove_prefix(1);
      const auto repetitions = Repetitions(&can_be_none);
      if (!repetitions) return false;
      quantifier = *repetitions;
    } else if (rest_[0] == '*' || rest_[0] == '+' || rest_[0] == '?') {
      rest_.remove_prefix(1);
    } else {
      return true;
    }
    has_pieces_ = false;
    ++quantifiers_;
    if (part->can_be_empty) return false;
    if (Takes('?')) quantifier += '?';
    has_run_ = quantifier == "+" && !part->is_group;
    // Possessive, or a quantifier of a quantifier.
    if (!rest_.empty() && IsQuantifier(rest_[0])) return false;
    part->text += quantifier;
    part->can_be_empty = can_be_none;
    return true;
  }

  static bool IsQuantifier(char c) {
    return std::string_view("*+?{").find(c) != std::string_view::npos;
  }

  std::string_view rest_;
  JavaPattern result_;
  bool has_pieces_ = true;               // and nothing else
  bool has_others_ = false;              // characters beyond ASCII
  std::vector<std::string> pieces_{""};  // what gaps part
  int characters_ = 0;                   // one each, of those that a part takes
  int others_ = 0;                       // parts that are something else
  int quantifiers_ = 0;
  bool has_run_ = false;  // the last quantifier is a greedy + of a character
};

}  // namespace

std::optional<JavaPattern> JavaPattern::Read(std::string_view pattern) {
  if (!IsUtf8(pattern)) return std::nullopt;
  return Reader(pattern).Read();
}

bool EndsLine(std::string_view text) {
  return std::ranges::any_of(kLineEnds, [&](auto end) { return text.ends_with(end); });
}

}  // namespace reprise
