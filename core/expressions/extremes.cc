// greatest, least: of several values of one type those that are not null.
// Input: at least two arguments. Output: their type; null where all are null. Of equal values the
// first is taken; NaN is greatest, -0.0 equals 0.0 (Spark's Greatest, Least).
//   greatest(1, null, 3) = 3
#include <arrow/builder.h>

#include <algorithm>

#include "expressions/functions.h"
#include "expressions/null_intolerant.h"
#include "expressions/ordering.h"
#include "expressions/string_values.h"

namespace reprise {

namespace {

class Extreme : public Expression {
 public:
  Extreme(FunctionCall call, bool greatest)
      : Expression(call.spec.type,
                   std::any_of(call.arguments.begin(), call.arguments.end(),
                               [](const auto& argument) { return argument->can_fail(); })),
        arguments_(std::move(call.arguments)),
        greatest_(greatest) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    if (input.row_count() == 0) return NullColumn(type());
    std::vector<Column> columns;
    for (const auto& argument : arguments_) {
      ARROW_ASSIGN_OR_RAISE(Column column, argument->Evaluate(input));
      if (!IsNullScalar(column)) columns.push_back(std::move(column));
    }
    if (columns.empty()) return NullColumn(type());
    ARROW_ASSIGN_OR_RAISE(auto array, Extremes(columns, input.row_count(), input.pool()));
    return Column{std::move(array), nullptr};
  }

 private:
  Result<std::shared_ptr<arrow::Array>> Extremes(const std::vector<Column>& columns, int64_t rows,
                                                 arrow::MemoryPool* pool) const {
    if (type().is(TypeKind::kString)) return OfBytes(arrow::StringBuilder(pool), columns, rows);
    if (type().is(TypeKind::kBinary)) return OfBytes(arrow::BinaryBuilder(pool), columns, rows);
    if (type().is(TypeKind::kBoolean)) return OfBooleans(columns, rows, pool);
    return VisitStorage(type(), [&]<typename T>() { return OfValues<T>(columns, rows, pool); });
  }

  /// The column that has the row's extreme; -1 where all are null.
  template <typename Values>
  int Winner(const std::vector<Column>& columns, const Values& values, int64_t row) const {
    int winner = -1;
    for (int i = 0; i < static_cast<int>(columns.size()); ++i) {
      if (!IsValidAt(columns[i], row)) continue;
      if (winner < 0 || (greatest_ ? IsLess()(values[winner][row], values[i][row])
                                   : IsLess()(values[i][row], values[winner][row]))) {
        winner = i;
      }
    }
    return winner;
  }

  template <typename Builder>
  Result<std::shared_ptr<arrow::Array>> OfBytes(Builder builder, const std::vector<Column>& columns,
                                                int64_t rows) const {
    const std::vector<AnyStrings> values(columns.begin(), columns.end());
    for (int64_t row = 0; row < rows; ++row) {
      const int winner = Winner(columns, values, row);
      RETURN_NOT_OK(winner < 0 ? builder.AppendNull() : builder.Append(values[winner][row]));
    }
    return builder.Finish();
  }

  Result<std::shared_ptr<arrow::Array>> OfBooleans(const std::vector<Column>& columns, int64_t rows,
                                                   arrow::MemoryPool* pool) const {
    arrow::BooleanBuilder builder(pool);
    for (int64_t row = 0; row < rows; ++row) {
      bool any = false;
      bool value = !greatest_;
      for (const Column& column : columns) {
        if (!IsValidAt(column, row)) continue;
        any = true;
        const bool is = VisitBooleans(column, [&](auto values) { return bool{values[row]}; });
        value = greatest_ ? value || is : value && is;
      }
      RETURN_NOT_OK(any ? builder.Append(value) : builder.AppendNull());
    }
    return builder.Finish();
  }

  template <typename T>
  Result<std::shared_ptr<arrow::Array>> OfValues(const std::vector<Column>& columns, int64_t rows,
                                                 arrow::MemoryPool* pool) const {
    const std::vector<AnyValues<T>> values(columns.begin(), columns.end());
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> buffer,
                          arrow::AllocateBuffer(rows * static_cast<int64_t>(sizeof(T)), pool));
    T* out = reinterpret_cast<T*>(buffer->mutable_data());
    std::vector<int32_t> missing;
    for (int64_t row = 0; row < rows; ++row) {
      const int winner = Winner(columns, values, row);
      if (winner < 0) missing.push_back(static_cast<int32_t>(row));
      out[row] = winner < 0 ? T{} : values[winner][row];
    }
    ARROW_ASSIGN_OR_RAISE(const Nulls nulls, WithNullAt(Nulls(), missing, rows, pool));
    ARROW_ASSIGN_OR_RAISE(auto arrow_type, ToArrow(type()));
    return arrow::MakeArray(arrow::ArrayData::Make(std::move(arrow_type), rows,
                                                   {nulls.bits, std::move(buffer)}, nulls.count));
  }

  std::vector<std::unique_ptr<Expression>> arguments_;
  bool greatest_;
};

}  // namespace

MadeExpression MakeGreatest(FunctionCall call) {
  return std::make_unique<Extreme>(std::move(call), true);
}
MadeExpression MakeLeast(FunctionCall call) {
  return std::make_unique<Extreme>(std::move(call), false);
}

}  // namespace reprise
