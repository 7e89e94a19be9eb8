// Reads conditions in SQL by recursive descent, one function a level of precedence. What is read is
// bound to columns and typed at once: there is no tree of the text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/spec.h"
#include "sql/sql_tokens.h"

namespace reprise {

class SqlParser {
 public:
  using Bound = Result<ExpressionSpec>;
  using Arguments = std::vector<ExpressionSpec>;

  /// `input` must outlive this object.
  SqlParser(std::vector<SqlToken> tokens, const std::vector<Field>& input)
      : tokens_(std::move(tokens)), input_(input) {}

  /// One condition and nothing after it.
  Bound Parse();

 private:
  using Test = Result<std::optional<ExpressionSpec>>;

  const SqlToken& token() const { return tokens_[next_]; }
  bool Take(std::string_view symbol) { return token().Is(symbol) && Advance(); }
  bool TakeWord(std::string_view word) { return token().IsWord(word) && Advance(); }
  bool Advance();
  Status Expect(std::string_view symbol);
  Status ExpectWord(std::string_view word);
  Status Unexpected(const std::string& expected) const;

  // sql_parser.cc: from OR down to what is asked of a value.
  Bound Whole();
  Bound Condition();  // a whole expression that must be boolean
  Bound Joined(std::string_view word, std::string_view function, Bound (SqlParser::*operand)());
  Bound Or() { return Joined("OR", "or", &SqlParser::And); }
  Bound And() { return Joined("AND", "and", &SqlParser::Negation); }
  Bound Negation();
  Bound Predicate();
  Bound Is(size_t begin, ExpressionSpec value);
  Test TestOf(size_t begin,
              const ExpressionSpec& value);  // BETWEEN, IN or LIKE, if one stands here
  Test In(size_t begin, const ExpressionSpec& value);
  Test Like(size_t begin, const ExpressionSpec& value);

  // sql_values.cc: arithmetic down to literals and columns.
  Bound Sum();
  Bound Product();
  Bound Signed();
  Bound Primary();
  Bound Word(const SqlToken& first);
  Result<Arguments> List();  // up to the closing bracket; the opening one has been read
  Bound Cast();
  Bound Case();  // CASE [value] WHEN … THEN … [ELSE …] END
  Bound Column(const SqlToken& name) const;

  const std::vector<SqlToken> tokens_;
  const std::vector<Field>& input_;
  size_t next_ = 0;
  int depth_ = 0;
};

inline const DataType kSqlBoolean{TypeKind::kBoolean};
inline constexpr int kSqlDepthMax = 200;

/// Errors of binding begin with the place of the operator or function that they are about.
template <typename T>
Result<T> SqlAt(size_t begin, Result<T> result) {
  return result.ok() ? result : WithPrefix(result.status(), SqlPlace(begin));
}

/// A comparison of both, brought to one type.
Result<ExpressionSpec> SqlCompared(size_t begin, std::string_view function, ExpressionSpec left,
                                   ExpressionSpec right);

}  // namespace reprise
