#include "sql/sql_tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace reprise {

namespace {

// Longer symbols stand before their beginnings.
constexpr std::string_view kSymbols[] = {"<=>", "<=", ">=", "<>", "!=", "==", "||", "=",
                                         "<",   ">",  "+",  "-",  "*",  "/",  "%",  "(",
                                         ")",   ",",  "&",  "|",  "^",  "~"};

bool StartsName(unsigned char c) { return std::isalpha(c) != 0 || c == '_' || c >= 0x80; }
bool ContinuesName(unsigned char c) { return StartsName(c) || std::isdigit(c) != 0 || c == '$'; }
bool IsDigit(unsigned char c) { return std::isdigit(c) != 0; }

// What stands for `c` after a backslash; \% and \_ stay as they are.
std::string Unescaped(char c) {
  switch (c) {
    case '0':
      return std::string(1, '\0');
    case 'b':
      return "\b";
    case 'n':
      return "\n";
    case 'r':
      return "\r";
    case 't':
      return "\t";
    case 'Z':
      return "\x1a";
    case '%':
      return "\\%";
    case '_':
      return "\\_";
    default:
      return std::string(1, c);
  }
}

class Cutter {
 public:
  explicit Cutter(std::string_view sql) : sql_(sql) {}

  Result<std::vector<SqlToken>> Cut() {
    std::vector<SqlToken> tokens;
    while (true) {
      while (at_ < sql_.size() && std::isspace(static_cast<unsigned char>(sql_[at_])) != 0) ++at_;
      ARROW_ASSIGN_OR_RAISE(SqlToken token, Next());
      tokens.push_back(std::move(token));
      if (tokens.back().kind == SqlToken::Kind::kEnd) return tokens;
    }
  }

 private:
  Result<SqlToken> Next() {
    if (at_ == sql_.size()) return SqlToken{SqlToken::Kind::kEnd, "", at_};
    const char c = sql_[at_];
    if (c == '\'' || c == '"') return Quoted(SqlToken::Kind::kString, c);
    if (c == '`') return Quoted(SqlToken::Kind::kQuotedName, c);
    if (IsDigit(c) || (c == '.' && at_ + 1 < sql_.size() && IsDigit(sql_[at_ + 1]))) {
      return Number();
    }
    if (StartsName(c)) {
      const size_t begin = at_;
      while (at_ < sql_.size() && ContinuesName(sql_[at_])) ++at_;
      return SqlToken{SqlToken::Kind::kName, std::string(sql_.substr(begin, at_ - begin)), begin};
    }
    for (const std::string_view symbol : kSymbols) {
      if (!sql_.substr(at_).starts_with(symbol)) continue;
      at_ += symbol.size();
      return SqlToken{SqlToken::Kind::kSymbol, std::string(symbol), at_ - symbol.size()};
    }
    return Status::Invalid(SqlPlace(at_), "'", std::string(1, c), "' has no meaning here");
  }

  Result<SqlToken> Quoted(SqlToken::Kind kind, char quote) {
    SqlToken token{kind, "", at_};
    for (++at_; at_ < sql_.size(); ++at_) {
      const char c = sql_[at_];
      const bool escapes = c == '\\' && kind == SqlToken::Kind::kString;
      if (escapes && at_ + 1 < sql_.size()) {
        token.text += Unescaped(sql_[++at_]);
      } else if (c != quote) {
        token.text += c;
      } else if (at_ + 1 < sql_.size() && sql_[at_ + 1] == quote) {
        token.text += sql_[++at_];
      } else {
        ++at_;
        return token;
      }
    }
    return Status::Invalid(SqlPlace(token.begin), "the ",
                           kind == SqlToken::Kind::kString ? "string" : "name",
                           " that begins here has no closing ", std::string(1, quote));
  }

  Result<SqlToken> Number() {
    const size_t begin = at_;
    while (at_ < sql_.size() && IsDigit(sql_[at_])) ++at_;
    if (at_ < sql_.size() && sql_[at_] == '.') {
      for (++at_; at_ < sql_.size() && IsDigit(sql_[at_]);) ++at_;
    }
    if (at_ < sql_.size() && (sql_[at_] == 'e' || sql_[at_] == 'E')) {
      size_t digits = at_ + 1;
      if (digits < sql_.size() && (sql_[digits] == '+' || sql_[digits] == '-')) ++digits;
      if (digits < sql_.size() && IsDigit(sql_[digits])) {
        for (at_ = digits; at_ < sql_.size() && IsDigit(sql_[at_]);) ++at_;
      }
    }
    while (at_ < sql_.size() && ContinuesName(sql_[at_])) ++at_;  // 7L, 1.5BD
    return SqlToken{SqlToken::Kind::kNumber, std::string(sql_.substr(begin, at_ - begin)), begin};
  }

  const std::string_view sql_;
  size_t at_ = 0;
};

}  // namespace

bool SqlToken::IsWord(std::string_view word) const {
  return kind == Kind::kName &&
         std::ranges::equal(text, word, [](unsigned char written, unsigned char wanted) {
           return std::toupper(written) == wanted;
         });
}

Result<std::vector<SqlToken>> SqlTokens(std::string_view sql) { return Cutter(sql).Cut(); }

std::string SqlPlace(size_t begin) { return fmt::format("character {}: ", begin + 1); }

}  // namespace reprise
