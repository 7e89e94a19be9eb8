// substring: part of a string, counted in characters from 1, or from the end where the position is
// negative; 0 is as 1.
// Input: string, position, length. Output: string (Spark's Substring on UTF8String.substringSQL).
//   substring("größe", 2, 3) = "röß";  substring("abc", -2, 5) = "bc"
#include <arrow/builder.h>

#include <limits>

#include "expressions/functions.h"
#include "expressions/null_intolerant.h"
#include "expressions/scatter.h"
#include "expressions/values.h"
#include "plan/utf8.h"

namespace reprise {

namespace {

std::string_view CharactersBetween(std::string_view text, int64_t start, int64_t end) {
  if (end <= start) return {};
  size_t position = 0;
  int64_t passed = 0;
  while (position < text.size() && passed < start) {
    position = NextCharacter(text, position);
    ++passed;
  }
  const size_t begin = position;
  while (position < text.size() && passed < end) {
    position = NextCharacter(text, position);
    ++passed;
  }
  return text.substr(begin, position - begin);
}

std::string_view SubstringOf(std::string_view text, int32_t position, int32_t length) {
  int64_t start = 0;
  if (position > 0) start = int64_t{position} - 1;
  if (position < 0) start = CountCharacters(text) + position;
  const int64_t end = std::clamp<int64_t>(start + length, std::numeric_limits<int32_t>::min(),
                                          std::numeric_limits<int32_t>::max());
  return CharactersBetween(text, start, end);
}

class Substring : public Expression {
 public:
  explicit Substring(FunctionCall call)
      : Expression(call.spec.type, std::any_of(call.arguments.begin(), call.arguments.end(),
                                               [](const auto& a) { return a->can_fail(); })),
        arguments_(std::move(call.arguments)) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    // Spark evaluates all three for every row that the string is not null in; a failing argument
    // behind a null is so rare that the rows are not told apart: the rules offer none that can
    // fail.
    std::vector<Column> columns;
    for (const auto& argument : arguments_) {
      ARROW_ASSIGN_OR_RAISE(Column column, argument->Evaluate(input));
      if (IsNullScalar(column)) return NullColumn(type());
      columns.push_back(std::move(column));
    }
    const int64_t row_count = input.row_count();
    if (row_count == 0) return NullColumn(type());
    ARROW_ASSIGN_OR_RAISE(Nulls nulls, UnionOfNulls(columns, row_count, input.pool()));
    const AnyValues<int32_t> positions(columns[1]);
    const AnyValues<int32_t> lengths(columns[2]);
    std::shared_ptr<arrow::Array> plain;
    if (!columns[0].is_scalar()) {
      ARROW_ASSIGN_OR_RAISE(plain, DecodeDictionary(columns[0].array, input.pool()));
    }
    arrow::StringBuilder builder(input.pool());
    RETURN_NOT_OK(builder.Reserve(row_count));
    for (int64_t row = 0; row < row_count; ++row) {
      if (!nulls.IsValid(row)) {
        builder.UnsafeAppendNull();
        continue;
      }
      const std::string_view text = plain ? StringsOf(*plain)[row] : StringOf(*columns[0].scalar);
      RETURN_NOT_OK(builder.Append(SubstringOf(text, positions[row], lengths[row])));
    }
    ARROW_ASSIGN_OR_RAISE(auto array, builder.Finish());
    return Column{std::move(array), nullptr};
  }

 private:
  std::vector<std::unique_ptr<Expression>> arguments_;
};

}  // namespace

MadeExpression MakeSubstring(FunctionCall call) {
  for (size_t i = 1; i < call.arguments.size(); ++i) {
    if (call.arguments[i]->can_fail()) {
      return Status::NotImplemented("substring: position and length must not be able to fail");
    }
  }
  return std::make_unique<Substring>(std::move(call));
}

}  // namespace reprise
