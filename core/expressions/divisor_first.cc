#include "expressions/divisor_first.h"

#include <arrow/util/bit_util.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "expressions/decimal_math.h"
#include "expressions/null_intolerant.h"
#include "expressions/nulls.h"
#include "expressions/values.h"

namespace reprise {

namespace {

// The rows whose divisor is a zero.
std::vector<int32_t> ZeroRows(const Column& divisor, const DataType& type, int64_t row_count) {
  std::vector<int32_t> rows;
  VisitStorage(type, [&]<typename T>() {
    const AnyValues<T> values(divisor);
    for (int64_t row = 0; row < row_count; ++row) {
      if (IsValidAt(divisor, row) && values[row] == T{}) rows.push_back(static_cast<int32_t>(row));
    }
  });
  return rows;
}

// As Spark finds it once the columns are bound to the input, whose filters say of more columns that
// they are not null than the expression itself: arithmetic and casts of integers hand that on.
bool MayBeNull(const ExpressionSpec& spec) {
  static const std::set<std::string_view> kArithmetic = {"add", "subtract", "multiply", "negate"};
  if (!spec.nullable) return false;
  const bool is_widened = spec.function == "cast" && spec.arguments[0].type.is_integral() &&
                          !spec.type.is(TypeKind::kDecimal);
  if (!is_widened && !kArithmetic.contains(spec.function)) return true;
  return std::ranges::any_of(spec.arguments, MayBeNull);
}

}  // namespace

DivisorFirst::DivisorFirst(const ExpressionSpec& division, bool is_ansi, Status (*error)())
    : ansi(is_ansi),
      may_be_null(std::ranges::any_of(division.arguments, MayBeNull)),
      zero_error(error) {}

Result<Column> DivisorFirst::Guard(const Column& divisor, const DataType& type,
                                   EvalInput& input) const {
  if (ansi && may_be_null) return divisor;
  const bool constant = divisor.is_scalar();
  const std::vector<int32_t> zeros = ZeroRows(divisor, type, constant ? 1 : input.row_count());
  if (zeros.empty()) return divisor;
  if (ansi) return zero_error();
  if (constant) return NullColumn(type);
  ARROW_ASSIGN_OR_RAISE(Nulls nulls,
                        UnionOfNulls(std::span(&divisor, 1), input.row_count(), input.pool()));
  ARROW_ASSIGN_OR_RAISE(nulls, WithNullAt(nulls, zeros, input.row_count(), input.pool()));
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> bits,
                        arrow::AllocateEmptyBitmap(input.row_count(), input.pool()));
  return Column{std::make_shared<arrow::BooleanArray>(input.row_count(), std::move(bits),
                                                      nulls.bits, nulls.count),
                nullptr};
}

}  // namespace reprise
