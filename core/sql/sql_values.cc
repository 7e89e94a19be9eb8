#include <algorithm>
#include <charconv>
#include <ranges>

#include "base/nearest_name.h"
#include "sql/sql_coercion.h"
#include "sql/sql_functions.h"
#include "sql/sql_literal_text.h"
#include "sql/sql_parser.h"

namespace reprise {

namespace {

struct ArithmeticSign {
  std::string_view symbol;
  std::string_view function;
};

constexpr ArithmeticSign kSums[] = {{"+", "add"}, {"-", "subtract"}};
constexpr ArithmeticSign kProducts[] = {{"*", "multiply"}, {"/", "divide"}, {"%", "remainder"}};

// Words that are no column where they stand alone; a column of such a name is written `so`.
constexpr std::string_view kReserved[] = {
    "AND",  "OR",   "NOT", "IS",   "NULL", "BETWEEN", "IN",     "LIKE",     "CASE", "WHEN",
    "THEN", "ELSE", "END", "CAST", "AS",   "DIV",     "ESCAPE", "DISTINCT", "FROM"};

bool EqualIgnoringCase(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

SqlParser::Bound SqlParser::Sum() {
  ARROW_ASSIGN_OR_RAISE(ExpressionSpec left, Product());
  while (true) {
    const size_t begin = token().begin;
    if (Take("||")) {
      ARROW_ASSIGN_OR_RAISE(ExpressionSpec right, Product());
      ARROW_ASSIGN_OR_RAISE(
          left, SqlAt(begin, SqlFunctionCall("concat", {std::move(left), std::move(right)})));
      continue;
    }
    const auto* found = std::ranges::find_if(
        kSums, [&](const ArithmeticSign& candidate) { return token().Is(candidate.symbol); });
    if (found == std::end(kSums)) return left;
    Advance();
    ARROW_ASSIGN_OR_RAISE(ExpressionSpec right, Product());
    ARROW_ASSIGN_OR_RAISE(
        left, SqlAt(begin, SqlArithmetic(found->function, std::move(left), std::move(right))));
  }
}

SqlParser::Bound SqlParser::Product() {
  ARROW_ASSIGN_OR_RAISE(ExpressionSpec left, Signed());
  while (true) {
    const size_t begin = token().begin;
    const auto* found = std::ranges::find_if(
        kProducts, [&](const ArithmeticSign& candidate) { return token().Is(candidate.symbol); });
    std::string_view function = "integral_divide";
    if (found != std::end(kProducts)) {
      Advance();
      function = found->function;
    } else if (!TakeWord("DIV")) {
      return left;
    }
    ARROW_ASSIGN_OR_RAISE(ExpressionSpec right, Signed());
    ARROW_ASSIGN_OR_RAISE(left,
                          SqlAt(begin, SqlArithmetic(function, std::move(left), std::move(right))));
  }
}

SqlParser::Bound SqlParser::Signed() {
  const size_t begin = token().begin;
  bool negative = false;
  while (true) {
    if (Take("-")) {
      negative = !negative;
    } else if (!Take("+")) {
      break;
    }
  }
  if (!negative) return Primary();
  if (token().kind == SqlToken::Kind::kNumber) {
    const std::string text = "-" + token().text;
    Advance();
    return SqlAt(begin, SqlNumber(text));
  }
  ARROW_ASSIGN_OR_RAISE(ExpressionSpec operand, Primary());
  const DataType type = operand.type;
  if (!type.is_integral() && !type.is_floating() && !type.is(TypeKind::kDecimal)) {
    return Status::Invalid(SqlPlace(begin), "- takes a number, found ", type.ToString());
  }
  ExpressionSpec negated = SqlCall("negate", type, {std::move(operand)});
  negated.attributes["ansi"] = true;
  return negated;
}

SqlParser::Bound SqlParser::Primary() {
  const SqlToken first = token();
  switch (first.kind) {
    case SqlToken::Kind::kNumber:
      Advance();
      return SqlAt(first.begin, SqlNumber(first.text));
    case SqlToken::Kind::kString:
      Advance();
      return SqlLiteralOf({TypeKind::kString}, first.text);
    case SqlToken::Kind::kQuotedName:
      Advance();
      return Column(first);
    case SqlToken::Kind::kName:
      return Word(first);
    default:
      break;
  }
  if (!Take("(")) return Unexpected("a value");
  ARROW_ASSIGN_OR_RAISE(ExpressionSpec inner, Whole());
  RETURN_NOT_OK(Expect(")"));
  return inner;
}

SqlParser::Bound SqlParser::Word(const SqlToken& first) {
  const SqlToken& second = tokens_[std::min(next_ + 1, tokens_.size() - 1)];
  if (second.kind == SqlToken::Kind::kString) {
    for (const auto& [word, kind] :
         {std::pair{"DATE", TypeKind::kDate}, std::pair{"TIMESTAMP", TypeKind::kTimestamp},
          std::pair{"TIMESTAMP_NTZ", TypeKind::kTimestampNtz}}) {
      if (!first.IsWord(word)) continue;
      Advance();
      Advance();
      return SqlAt(second.begin, SqlCast(SqlLiteralOf({TypeKind::kString}, second.text), {kind}));
    }
  }
  if (first.IsWord("CAST") && second.Is("(")) return Cast();
  if (first.IsWord("CASE")) return Case();
  const bool reserved =
      std::ranges::any_of(kReserved, [&](std::string_view word) { return first.IsWord(word); });
  if (second.Is("(") && !reserved) {
    Advance();
    Advance();
    ARROW_ASSIGN_OR_RAISE(Arguments arguments, List());
    return SqlAt(first.begin, SqlFunctionCall(first.text, std::move(arguments)));
  }
  if (first.IsWord("NULL")) {
    Advance();
    return SqlLiteralOf({TypeKind::kNull}, nullptr);
  }
  if (reserved) return Unexpected("a value");
  Advance();
  // A column may have such a name.
  const bool is_truth = first.IsWord("TRUE") || first.IsWord("FALSE");
  const bool is_column = std::ranges::any_of(
      input_, [&](const Field& field) { return EqualIgnoringCase(field.name, first.text); });
  if (is_truth && !is_column) return SqlLiteralOf(kSqlBoolean, first.IsWord("TRUE"));
  return Column(first);
}

Result<SqlParser::Arguments> SqlParser::List() {
  Arguments list;
  if (Take(")")) return list;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(ExpressionSpec item, Whole());
    list.push_back(std::move(item));
    if (Take(")")) return list;
    if (!Take(",")) return Unexpected("',' or ')'");
  }
}

SqlParser::Bound SqlParser::Cast() {
  const size_t begin = token().begin;
  Advance();
  RETURN_NOT_OK(Expect("("));
  ARROW_ASSIGN_OR_RAISE(ExpressionSpec value, Whole());
  RETURN_NOT_OK(ExpectWord("AS"));
  const SqlToken name = token();
  if (name.kind != SqlToken::Kind::kName) return Unexpected("a type");
  Advance();
  std::vector<int> numbers;
  if (Take("(")) {
    do {
      int number = 0;
      const std::string& text = token().text;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      if (token().kind != SqlToken::Kind::kNumber || error != std::errc() ||
          end != text.data() + text.size()) {
        return Unexpected("a number of digits");
      }
      numbers.push_back(number);
      Advance();
    } while (Take(","));
    RETURN_NOT_OK(Expect(")"));
  }
  RETURN_NOT_OK(Expect(")"));
  ARROW_ASSIGN_OR_RAISE(const DataType type, SqlAt(name.begin, SqlType(name.text, numbers)));
  return SqlAt(begin, SqlCast(std::move(value), type));
}

SqlParser::Bound SqlParser::Case() {
  const size_t begin = token().begin;
  Advance();
  std::optional<ExpressionSpec> compared;
  if (!token().IsWord("WHEN")) {
    ARROW_ASSIGN_OR_RAISE(compared, Whole());
  }
  Arguments conditions;
  Arguments values;
  while (TakeWord("WHEN")) {
    const size_t place = token().begin;
    ARROW_ASSIGN_OR_RAISE(ExpressionSpec condition, compared ? Whole() : Condition());
    if (compared) {
      ARROW_ASSIGN_OR_RAISE(condition,
                            SqlCompared(place, "equal", *compared, std::move(condition)));
    }
    conditions.push_back(std::move(condition));
    RETURN_NOT_OK(ExpectWord("THEN"));
    ARROW_ASSIGN_OR_RAISE(ExpressionSpec value, Whole());
    values.push_back(std::move(value));
  }
  if (conditions.empty()) return Unexpected("WHEN");
  if (TakeWord("ELSE")) {
    ARROW_ASSIGN_OR_RAISE(ExpressionSpec value, Whole());
    values.push_back(std::move(value));
  }
  RETURN_NOT_OK(ExpectWord("END"));
  const Status unified = SqlUnify(&values);
  if (!unified.ok()) return WithPrefix(unified, SqlPlace(begin));
  const DataType type = values[0].type;
  Arguments branches;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i < conditions.size()) branches.push_back(std::move(conditions[i]));
    branches.push_back(std::move(values[i]));
  }
  return SqlCall("case_when", type, std::move(branches));
}

SqlParser::Bound SqlParser::Column(const SqlToken& name) const {
  std::optional<int> index;
  for (int i = 0; i < static_cast<int>(input_.size()); ++i) {
    if (!EqualIgnoringCase(input_[i].name, name.text)) continue;
    if (index) {
      return Status::Invalid(SqlPlace(name.begin), "more than one column is called ", name.text);
    }
    index = i;
  }
  if (!index) {
    const auto names = input_ | std::views::transform(&Field::name);
    return Status::Invalid(SqlPlace(name.begin), "there is no column ", name.text,
                           input_.empty() ? "" : "; did you mean ", NearestName(name.text, names),
                           input_.empty() ? "" : "?");
  }
  const Field& field = input_[*index];
  if (field.type.is(TypeKind::kOther)) {
    return Status::Invalid(SqlPlace(name.begin), "column ", name.text, " has the type ",
                           field.type.ToString(), ", which predicates cannot read");
  }
  ExpressionSpec column = SqlCall("column", field.type, {});
  column.nullable = field.nullable;
  column.attributes["index"] = *index;
  return column;
}

}  // namespace reprise
