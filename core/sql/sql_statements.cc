#include "sql/sql_statements.h"

#include <algorithm>
#include <cctype>

namespace reprise {

namespace {

// Behind the string or quoted name that begins at `at`. A backslash takes the next character along,
// as in Spark's strings; a doubled quote is one string beside another.
size_t BehindQuoted(std::string_view text, size_t at) {
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote) at += text[at] == '\\' && quote != '`' ? 2 : 1;
  return std::min(at + 1, text.size());
}

// Behind the comment that begins at `at`; bracketed ones may stand in each other.
size_t BehindComment(std::string_view text, size_t at) {
  if (text[at] == '-') return std::min(text.find('\n', at), text.size());
  int depth = 0;
  while (at < text.size()) {
    const std::string_view two = text.substr(at, 2);
    if (two == "/*") ++depth;
    if (two == "*/") --depth;
    at += two == "/*" || two == "*/" ? 2 : 1;
    if (depth == 0) break;
  }
  return std::min(at, text.size());
}

bool IsBlank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

std::vector<std::string> SqlStatements(std::string_view text) {
  std::vector<std::string> statements;
  size_t begin = 0;
  bool is_blank = true;  // but for comments
  const auto end_at = [&](size_t end) {
    if (!is_blank) statements.emplace_back(Trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
    is_blank = true;
  };
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    const std::string_view two = text.substr(at, 2);
    if (two == "--" || two == "/*") {
      at = BehindComment(text, at);
    } else if (c == '\'' || c == '"' || c == '`') {
      is_blank = false;
      at = BehindQuoted(text, at);
    } else {
      if (c == ';') end_at(at);
      if (c != ';' && !IsBlank(c)) is_blank = false;
      ++at;
    }
  }
  if (begin < text.size()) end_at(text.size());
  return statements;
}

}  // namespace reprise
