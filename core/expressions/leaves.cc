#include "expressions/leaves.h"

#include <arrow/util/base64.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "expressions/decimal_math.h"
#include "expressions/functions.h"
#include "expressions/values.h"
#include "plan/floating_literal.h"
#include "plan/string_literal.h"
#include "plan/value_form.h"

namespace reprise {

namespace {

using ScalarResult = Result<std::shared_ptr<arrow::Scalar>>;

Status BadValue(const ExpressionSpec& spec, std::string_view expected) {
  const auto value = spec.attributes.find("value");
  return Status::Invalid("literal of type ", spec.type.ToString(), " has the value ",
                         value == spec.attributes.end() ? "(absent)" : value->dump(), "; expected ",
                         expected);
}

template <typename T>
Result<T> IntegerValue(const ExpressionSpec& spec, const nlohmann::json& value) {
  if (!value.is_number_integer()) return BadValue(spec, "an integer");
  if (value.is_number_unsigned() &&
      value.get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<T>::max())) {
    return BadValue(spec, "an integer of that type's range");
  }
  const int64_t number = value.get<int64_t>();
  if (number < std::numeric_limits<T>::min() || number > std::numeric_limits<T>::max()) {
    return BadValue(spec, "an integer of that type's range");
  }
  return static_cast<T>(number);
}

template <typename ScalarType, typename T>
ScalarResult IntegerLiteral(const ExpressionSpec& spec, const nlohmann::json& value) {
  ARROW_ASSIGN_OR_RAISE(T number, IntegerValue<T>(spec, value));
  return std::make_shared<ScalarType>(number);
}

Result<double> FloatingValue(const ExpressionSpec& spec, const nlohmann::json& value) {
  if (const auto number = FloatingLiteralValue(value)) return *number;
  return BadValue(spec, "a number, \"NaN\", \"Infinity\", \"-Infinity\" or \"-0.0\"");
}

ScalarResult DecimalScalar(const ExpressionSpec& spec, const nlohmann::json& value) {
  constexpr char kExpected[] = "its unscaled integer in a string";
  if (!value.is_string()) return BadValue(spec, kExpected);
  const std::optional<Int128> unscaled = ParseInt128(value.get_ref<const std::string&>());
  if (!unscaled) return BadValue(spec, kExpected);
  if (!FitsPrecision(*unscaled, spec.type.precision)) {
    return BadValue(spec, "an unscaled integer of that precision");
  }
  ARROW_ASSIGN_OR_RAISE(auto arrow_type, ToArrow(spec.type));
  if (spec.type.is_short_decimal()) {
    return std::make_shared<arrow::Decimal64Scalar>(
        arrow::Decimal64(static_cast<int64_t>(*unscaled)), arrow_type);
  }
  const Int128Cell cell(*unscaled);
  return std::make_shared<arrow::Decimal128Scalar>(arrow::Decimal128(cell.high, cell.low),
                                                   arrow_type);
}

ScalarResult StringLiteral(const ExpressionSpec& spec, const nlohmann::json& value) {
  if (spec.type.is(TypeKind::kString)) {
    auto text = StringLiteralBytes(value);
    if (!text) return BadValue(spec, "a string, or the base64 of its \"bytes\"");
    return std::make_shared<arrow::StringScalar>(*std::move(text));
  }
  if (!value.is_string()) return BadValue(spec, "base64");
  auto bytes = arrow::util::base64_decode(value.get_ref<const std::string&>());
  if (!bytes.ok()) return BadValue(spec, "base64");
  return std::make_shared<arrow::BinaryScalar>(arrow::Buffer::FromString(*std::move(bytes)));
}

ScalarResult TimestampLiteral(const ExpressionSpec& spec, const nlohmann::json& value) {
  ARROW_ASSIGN_OR_RAISE(int64_t micros, IntegerValue<int64_t>(spec, value));
  ARROW_ASSIGN_OR_RAISE(auto arrow_type, ToArrow(spec.type));
  return std::make_shared<arrow::TimestampScalar>(micros, arrow_type);
}

ScalarResult ParseLiteral(const ExpressionSpec& spec) {
  const auto found = spec.attributes.find("value");
  if (found == spec.attributes.end()) return BadValue(spec, "the attribute \"value\"");
  const nlohmann::json& value = *found;
  if (value.is_null()) {
    ARROW_ASSIGN_OR_RAISE(auto arrow_type, ToArrow(spec.type));
    return arrow::MakeNullScalar(arrow_type);
  }
  switch (spec.type.kind) {
    case TypeKind::kBoolean:
      if (!value.is_boolean()) return BadValue(spec, "true or false");
      return std::make_shared<arrow::BooleanScalar>(value.get<bool>());
    case TypeKind::kByte:
      return IntegerLiteral<arrow::Int8Scalar, int8_t>(spec, value);
    case TypeKind::kShort:
      return IntegerLiteral<arrow::Int16Scalar, int16_t>(spec, value);
    case TypeKind::kInteger:
      return IntegerLiteral<arrow::Int32Scalar, int32_t>(spec, value);
    case TypeKind::kLong:
      return IntegerLiteral<arrow::Int64Scalar, int64_t>(spec, value);
    case TypeKind::kDate:
      return IntegerLiteral<arrow::Date32Scalar, int32_t>(spec, value);
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampNtz:
      return TimestampLiteral(spec, value);
    case TypeKind::kFloat: {
      ARROW_ASSIGN_OR_RAISE(double number, FloatingValue(spec, value));
      return std::make_shared<arrow::FloatScalar>(static_cast<float>(number));
    }
    case TypeKind::kDouble: {
      ARROW_ASSIGN_OR_RAISE(double number, FloatingValue(spec, value));
      return std::make_shared<arrow::DoubleScalar>(number);
    }
    case TypeKind::kDecimal:
      return DecimalScalar(spec, value);
    case TypeKind::kString:
    case TypeKind::kBinary:
      return StringLiteral(spec, value);
    default:
      return Status::NotImplemented("literal of type ", spec.type.ToString());
  }
}

}  // namespace

Result<Column> ColumnReference::Evaluate(EvalInput& input) const {
  ARROW_ASSIGN_OR_RAISE(auto array, input.column(index_));
  return Column{std::move(array), nullptr};
}

Result<Column> CheckedColumn::Evaluate(EvalInput& input) const {
  RETURN_NOT_OK(input.ErrorIn(index_));
  ARROW_ASSIGN_OR_RAISE(auto array, input.column(index_));
  return Column{std::move(array), nullptr};
}

Result<int64_t> ColumnReference::Select(const Batch& batch, RowSet rows, arrow::MemoryPool*,
                                        int32_t* out) const {
  const arrow::Array& array = *batch.columns[index_];
  const uint8_t* bits = array.data()->buffers[1]->data();
  const int64_t offset = array.offset();
  if (array.null_count() == 0) {
    return WriteSelection(rows, out,
                          [=](int64_t row) { return arrow::bit_util::GetBit(bits, offset + row); });
  }
  const uint8_t* valid = array.null_bitmap_data();
  return WriteSelection(rows, out, [=](int64_t row) {
    return arrow::bit_util::GetBit(bits, offset + row) &
           arrow::bit_util::GetBit(valid, offset + row);
  });
}

Column LeafOf(const Expression& expression, const Batch& batch) {
  if (const auto* column = dynamic_cast<const ColumnReference*>(&expression)) {
    return Column{batch.columns[column->index()], nullptr};
  }
  if (const auto* literal = dynamic_cast<const Literal*>(&expression)) {
    return Column{nullptr, literal->value()};
  }
  return Column{};
}

MadeExpression MakeColumn(FunctionCall call) {
  const auto index = call.spec.attributes.find("index");
  if (index == call.spec.attributes.end() || !index->is_number_integer()) {
    return Status::Invalid("column has no integer attribute \"index\"");
  }
  const int64_t number = index->get<int64_t>();
  if (number < 0 || number >= static_cast<int64_t>(call.input.size())) {
    return Status::Invalid("column ", number, " of an input of ", call.input.size(), " columns");
  }
  const Field& field = call.input[number];
  if (!HaveSameForm(field.type, call.spec.type)) {
    return Status::Invalid("column ", number, " (", field.name, ") is ", field.type.ToString(),
                           " in the input, but ", call.spec.type.ToString(), " in the expression");
  }
  if (call.spec.attributes.value("checked", false)) {
    return std::make_unique<CheckedColumn>(call.spec.type, static_cast<int>(number));
  }
  return std::make_unique<ColumnReference>(call.spec.type, static_cast<int>(number));
}

MadeExpression MakeLiteral(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(auto value, ParseLiteral(call.spec));
  return std::make_unique<Literal>(call.spec.type, std::move(value));
}

MadeExpression MakeRuntimeValue(FunctionCall call) {
  return Status::Invalid("the result of subquery ", call.spec.attributes.value("id", int64_t{-1}),
                         " is not there: it is known only while its query runs");
}

}  // namespace reprise
