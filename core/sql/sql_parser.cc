#include "sql/sql_parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "sql/sql_coercion.h"
#include "sql/sql_literal_text.h"

namespace reprise {

namespace {

struct ComparisonSign {
  std::string_view symbol;
  std::string_view function;
};

constexpr ComparisonSign kComparisons[] = {
    {"=", "equal"},          {"==", "equal"},  {"<=>", "equal_null_safe"}, {"<", "less"},
    {"<=", "less_or_equal"}, {">", "greater"}, {">=", "greater_or_equal"}};

ExpressionSpec NotOf(ExpressionSpec condition) {
  return SqlCall("not", kSqlBoolean, {std::move(condition)});
}

// An operand of AND, OR or NOT.
Result<ExpressionSpec> Boolean(size_t begin, std::string_view word, ExpressionSpec operand) {
  if (operand.type.is(TypeKind::kNull)) operand.type = kSqlBoolean;
  if (operand.type == kSqlBoolean) return operand;
  return Status::Invalid(SqlPlace(begin), word, " takes conditions, found a value of type ",
                         operand.type.ToString());
}

}  // namespace

Result<ExpressionSpec> SqlCompared(size_t begin, std::string_view function, ExpressionSpec left,
                                   ExpressionSpec right) {
  std::vector<ExpressionSpec> both = {std::move(left), std::move(right)};
  const Status unified = SqlUnify(&both);
  if (!unified.ok()) return WithPrefix(unified, SqlPlace(begin));
  return SqlCall(function, kSqlBoolean, std::move(both));
}

bool SqlParser::Advance() {
  if (next_ + 1 < tokens_.size()) ++next_;
  return true;
}

Status SqlParser::Expect(std::string_view symbol) {
  return Take(symbol) ? Status::OK() : Unexpected(fmt::format("'{}'", symbol));
}

Status SqlParser::ExpectWord(std::string_view word) {
  return TakeWord(word) ? Status::OK() : Unexpected(std::string(word));
}

Status SqlParser::Unexpected(const std::string& expected) const {
  const std::string found = token().kind == SqlToken::Kind::kEnd      ? "the end"
                            : token().kind == SqlToken::Kind::kString ? "a string"
                                                                      : "'" + token().text + "'";
  return Status::Invalid(SqlPlace(token().begin), "expected ", expected, ", found ", found);
}

SqlParser::Bound SqlParser::Parse() {
  ARROW_ASSIGN_OR_RAISE(ExpressionSpec condition, Condition());
  if (token().kind != SqlToken::Kind::kEnd) return Unexpected("AND, OR or the end");
  return condition;
}

SqlParser::Bound SqlParser::Condition() {
  const size_t begin = token().begin;
  ARROW_ASSIGN_OR_RAISE(ExpressionSpec condition, Whole());
  if (condition.type.is(TypeKind::kNull)) condition.type = kSqlBoolean;
  if (condition.type == kSqlBoolean) return condition;
  return Status::Invalid(SqlPlace(begin), "expected a condition, found a value of type ",
                         condition.type.ToString());
}

SqlParser::Bound SqlParser::Whole() {
  if (depth_ == kSqlDepthMax) {
    return Status::Invalid(SqlPlace(token().begin), "more than ", kSqlDepthMax,
                           " brackets, functions and NOTs within each other");
  }
  ++depth_;
  Bound whole = Or();
  --depth_;
  return whole;
}

SqlParser::Bound SqlParser::Joined(std::string_view word, std::string_view function,
                                   Bound (SqlParser::*operand)()) {
  ARROW_ASSIGN_OR_RAISE(ExpressionSpec left, (this->*operand)());
  while (token().IsWord(word)) {
    const size_t begin = token().begin;
    Advance();
    ARROW_ASSIGN_OR_RAISE(ExpressionSpec right, (this->*operand)());
    ARROW_ASSIGN_OR_RAISE(left, Boolean(begin, word, std::move(left)));
    ARROW_ASSIGN_OR_RAISE(right, Boolean(begin, word, std::move(right)));
    left = SqlCall(function, kSqlBoolean, {std::move(left), std::move(right)});
  }
  return left;
}

SqlParser::Bound SqlParser::Negation() {
  const size_t begin = token().begin;
  if (!TakeWord("NOT")) return Predicate();
  if (++depth_ > kSqlDepthMax) return Status::Invalid(SqlPlace(begin), "too many NOTs");
  Bound operand = Negation();
  --depth_;
  RETURN_NOT_OK(operand);
  ARROW_ASSIGN_OR_RAISE(ExpressionSpec condition, Boolean(begin, "NOT", *std::move(operand)));
  return NotOf(std::move(condition));
}

// A value, and what is asked of it.
SqlParser::Bound SqlParser::Predicate() {
  ARROW_ASSIGN_OR_RAISE(ExpressionSpec value, Sum());
  while (true) {
    const size_t begin = token().begin;
    const auto* comparison = std::ranges::find_if(
        kComparisons,
        [&](const ComparisonSign& candidate) { return token().Is(candidate.symbol); });
    if (comparison != std::end(kComparisons)) {
      Advance();
      ARROW_ASSIGN_OR_RAISE(ExpressionSpec other, Sum());
      ARROW_ASSIGN_OR_RAISE(
          value, SqlCompared(begin, comparison->function, std::move(value), std::move(other)));
    } else if (Take("<>") || Take("!=")) {
      ARROW_ASSIGN_OR_RAISE(ExpressionSpec other, Sum());
      ARROW_ASSIGN_OR_RAISE(value, SqlCompared(begin, "equal", std::move(value), std::move(other)));
      value = NotOf(std::move(value));
    } else if (TakeWord("IS")) {
      ARROW_ASSIGN_OR_RAISE(value, Is(begin, std::move(value)));
    } else {
      const bool negated = TakeWord("NOT");
      ARROW_ASSIGN_OR_RAISE(auto test, TestOf(begin, value));
      if (!test && negated) return Unexpected("BETWEEN, IN or LIKE");
      if (!test) return value;
      value = negated ? NotOf(*std::move(test)) : *std::move(test);
    }
  }
}

SqlParser::Bound SqlParser::Is(size_t begin, ExpressionSpec value) {
  const bool negated = TakeWord("NOT");
  ExpressionSpec test;
  if (TakeWord("NULL")) {
    return SqlCall(negated ? "is_not_null" : "is_null", kSqlBoolean, {std::move(value)});
  }
  if (TakeWord("DISTINCT")) {
    RETURN_NOT_OK(ExpectWord("FROM"));
    ARROW_ASSIGN_OR_RAISE(ExpressionSpec other, Sum());
    ARROW_ASSIGN_OR_RAISE(
        test, SqlCompared(begin, "equal_null_safe", std::move(value), std::move(other)));
    return negated ? std::move(test) : NotOf(std::move(test));
  }
  const bool is_true = token().IsWord("TRUE");
  if (!is_true && !token().IsWord("FALSE")) return Unexpected("NULL, TRUE, FALSE or DISTINCT");
  Advance();
  ARROW_ASSIGN_OR_RAISE(test, SqlCompared(begin, "equal_null_safe", std::move(value),
                                          SqlLiteralOf(kSqlBoolean, is_true)));
  return negated ? NotOf(std::move(test)) : std::move(test);
}

SqlParser::Test SqlParser::TestOf(size_t begin, const ExpressionSpec& value) {
  if (TakeWord("BETWEEN")) {
    ARROW_ASSIGN_OR_RAISE(ExpressionSpec low, Sum());
    RETURN_NOT_OK(ExpectWord("AND"));
    ARROW_ASSIGN_OR_RAISE(ExpressionSpec high, Sum());
    ARROW_ASSIGN_OR_RAISE(low, SqlCompared(begin, "greater_or_equal", value, std::move(low)));
    ARROW_ASSIGN_OR_RAISE(high, SqlCompared(begin, "less_or_equal", value, std::move(high)));
    return SqlCall("and", kSqlBoolean, {std::move(low), std::move(high)});
  }
  if (TakeWord("IN")) return In(begin, value);
  if (TakeWord("LIKE")) return Like(begin, value);
  return std::nullopt;
}

SqlParser::Test SqlParser::In(size_t begin, const ExpressionSpec& value) {
  RETURN_NOT_OK(Expect("("));
  ARROW_ASSIGN_OR_RAISE(Arguments list, List());
  list.insert(list.begin(), value);
  const Status unified = SqlUnify(&list);
  if (!unified.ok()) return WithPrefix(unified, SqlPlace(begin));
  // The registry's IN takes literals; with anything else it is the disjunction that it stands
  // for.
  const bool literals = std::all_of(list.begin() + 1, list.end(), [](const ExpressionSpec& item) {
    return item.function == "literal";
  });
  if (literals) return SqlCall("in", kSqlBoolean, std::move(list));
  std::optional<ExpressionSpec> any;
  for (size_t i = 1; i < list.size(); ++i) {
    ExpressionSpec equal = SqlCall("equal", kSqlBoolean, {list[0], std::move(list[i])});
    any = any ? SqlCall("or", kSqlBoolean, {*std::move(any), std::move(equal)}) : std::move(equal);
  }
  return any;
}

SqlParser::Test SqlParser::Like(size_t begin, const ExpressionSpec& value) {
  ARROW_ASSIGN_OR_RAISE(ExpressionSpec pattern, Sum());
  std::string escape = "\\";
  if (TakeWord("ESCAPE")) {
    if (token().kind != SqlToken::Kind::kString) return Unexpected("a string of one character");
    escape = token().text;
    Advance();
  }
  if (!value.type.is(TypeKind::kString) || !pattern.type.is(TypeKind::kString) ||
      pattern.function != "literal") {
    return Status::Invalid(SqlPlace(begin), "LIKE takes a string and a pattern in quotes, found ",
                           value.type.ToString(), " and ", pattern.type.ToString());
  }
  ExpressionSpec like = SqlCall("like", kSqlBoolean, {value, std::move(pattern)});
  like.attributes["escape"] = escape;
  return like;
}

}  // namespace reprise
