#include "statements/sql_value.h"

#include <arrow/array.h>
#include <arrow/util/base64.h>
#include <arrow/util/decimal.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "expressions/zone_rules.h"
#include "plan/date_text.h"
#include "plan/floating_literal.h"
#include "plan/replaced_text.h"
#include "plan/string_literal.h"

namespace reprise {

namespace {

/// Years of four digits, which date literals are written in.
constexpr int64_t kDayFirst = -719'162, kDayLast = 2'932'896;

std::string CastTo(std::string_view text, const DataType& type) {
  return fmt::format("CAST({} AS {})", text, type.ToString());
}

std::string Bytes(std::string_view bytes) {
  std::string hex;
  for (const unsigned char c : bytes) hex += fmt::format("{:02X}", c);
  return "X'" + hex + "'";
}

std::string Floating(double value, const DataType& type) {
  if (std::isnan(value)) return CastTo("'NaN'", type);
  if (std::isinf(value)) return CastTo(value < 0 ? "'-Infinity'" : "'Infinity'", type);
  if (type.is(TypeKind::kFloat))
    return CastTo(fmt::format("'{}'", static_cast<float>(value)), type);
  return CastTo(fmt::format("'{}'", value), type);
}

std::string Integral(int64_t value, const DataType& type) {
  // The least of each has no literal: it is read as the negative of one that is too large.
  if (type.is(TypeKind::kInteger) && value > std::numeric_limits<int32_t>::min()) {
    return fmt::format("{}", value);
  }
  return CastTo(fmt::format("'{}'", value), type);
}

std::string Date(int64_t days) {
  if (days < kDayFirst || days > kDayLast) return fmt::format("date_from_unix_date({})", days);
  return "DATE '" + DateText(days) + "'";
}

Result<std::string> Local(int64_t micros) {
  const int64_t day = FloorDiv(micros, kMicrosPerDay);
  if (day < kDayFirst || day > kDayLast) {
    return Status::NotImplemented("a timestamp_ntz beyond the years 1 to 9999 has no literal");
  }
  const int64_t time = FloorMod(micros, kMicrosPerDay);
  const int64_t seconds = time / 1'000'000;
  return fmt::format("TIMESTAMP_NTZ '{} {:02}:{:02}:{:02}.{:06}'", DateText(day), seconds / 3600,
                     seconds / 60 % 60, seconds % 60, time % 1'000'000);
}

// A plain integer of a type that is kept as one.
Result<std::string> OfInteger(int64_t value, const DataType& type) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      return value != 0 ? "true" : "false";
    case TypeKind::kDate:
      return Date(value);
    case TypeKind::kTimestamp:
      return fmt::format("timestamp_micros({})", Integral(value, {TypeKind::kLong}));
    case TypeKind::kTimestampNtz:
      return Local(value);
    default:
      return Integral(value, type);
  }
}

// Of what is nested in another value, whose own type is written around it.
DataType TypeOf(const arrow::Scalar& value) {
  const auto type = FromArrow(*value.type);
  return type.ok() ? *type : DataType{TypeKind::kOther};
}

Result<std::string> OfItems(const arrow::Array& items, std::string_view function) {
  std::string text(function);
  text += "(";
  for (int64_t i = 0; i < items.length(); ++i) {
    ARROW_ASSIGN_OR_RAISE(const auto item, items.GetScalar(i));
    ARROW_ASSIGN_OR_RAISE(const std::string written, SqlOfValue(*item, TypeOf(*item)));
    text += (i > 0 ? ", " : "") + written;
  }
  return text + ")";
}

Result<std::string> OfStruct(const arrow::StructScalar& value) {
  std::string text;
  for (size_t i = 0; i < value.value.size(); ++i) {
    ARROW_ASSIGN_OR_RAISE(const std::string written,
                          SqlOfValue(*value.value[i], TypeOf(*value.value[i])));
    text += fmt::format("{}{}, {}", i > 0 ? ", " : "",
                        SqlText(value.type->field(static_cast<int>(i))->name()), written);
  }
  return "named_struct(" + text + ")";
}

// Arrays, maps, structs: as functions make them, and where the type is known, as that.
Result<std::string> OfNested(const arrow::Scalar& value, const DataType& type) {
  std::string text;
  switch (value.type->id()) {
    case arrow::Type::LIST: {
      ARROW_ASSIGN_OR_RAISE(text,
                            OfItems(*static_cast<const arrow::ListScalar&>(value).value, "array"));
      break;
    }
    case arrow::Type::MAP: {
      const auto& entries = static_cast<const arrow::StructArray&>(
          *static_cast<const arrow::MapScalar&>(value).value);
      ARROW_ASSIGN_OR_RAISE(const std::string keys, OfItems(*entries.field(0), "array"));
      ARROW_ASSIGN_OR_RAISE(const std::string values, OfItems(*entries.field(1), "array"));
      text = fmt::format("map_from_arrays({}, {})", keys, values);
      break;
    }
    case arrow::Type::STRUCT: {
      ARROW_ASSIGN_OR_RAISE(text, OfStruct(static_cast<const arrow::StructScalar&>(value)));
      break;
    }
    default:
      return Status::NotImplemented("a value of type ", type.ToString(), " has no literal");
  }
  return type.text.empty() ? text : CastTo(text, type);
}

Result<std::string> OfOther(const arrow::Scalar& value, const DataType& type) {
  const bool is_interval = type.text.starts_with("interval");
  switch (value.type->id()) {
    case arrow::Type::INT32:
      if (!is_interval) break;
      return CastTo(fmt::format("make_ym_interval(0, {})",
                                static_cast<const arrow::Int32Scalar&>(value).value),
                    type);
    case arrow::Type::INT64:
      if (!is_interval) break;
      return CastTo(SqlOfMicros(static_cast<const arrow::Int64Scalar&>(value).value), type);
    case arrow::Type::STRING:
      return CastTo(SqlText(static_cast<const arrow::BaseBinaryScalar&>(value).view()), type);
    default:
      return OfNested(value, type);
  }
  return Status::NotImplemented("a value of type ", type.ToString(), " has no literal");
}

Result<std::string> OfDecimal(std::string digits, const DataType& type) {
  const bool is_negative = digits.starts_with('-');
  if (is_negative) digits.erase(0, 1);
  const auto scale = static_cast<size_t>(type.scale);
  if (digits.size() <= scale) digits.insert(0, scale + 1 - digits.size(), '0');
  if (scale > 0) digits.insert(digits.size() - scale, 1, '.');
  return CastTo(fmt::format("'{}{}'", is_negative ? "-" : "", digits), type);
}

}  // namespace

std::string SqlName(std::string_view name) {
  std::string quoted = "`";
  for (const char c : name) {
    quoted += c;
    if (c == '`') quoted += c;
  }
  return quoted + "`";
}

std::string SqlText(std::string_view bytes) {
  if (!IsUtf8(bytes) || bytes.find('\0') != std::string_view::npos) {
    return fmt::format("CAST({} AS string)", Bytes(bytes));
  }
  std::string quoted = "'";
  for (const char c : bytes) {
    if (c == '\n') {
      quoted += "\\n";
    } else {
      if (c == '\'' || c == '\\') quoted += '\\';
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string SqlOfMicros(int64_t micros) {
  return fmt::format("make_dt_interval(0, 0, 0, CAST('{}{}.{:06}' AS decimal(18,6)))",
                     micros < 0 ? "-" : "", std::abs(micros / 1'000'000),
                     std::abs(micros % 1'000'000));
}

Result<std::string> SqlOfValue(const arrow::Scalar& value, const DataType& type) {
  if (value.type->id() == arrow::Type::DICTIONARY) {
    ARROW_ASSIGN_OR_RAISE(const auto plain,
                          static_cast<const arrow::DictionaryScalar&>(value).GetEncodedValue());
    return SqlOfValue(*plain, type);
  }
  if (!value.is_valid) {
    if (type.is(TypeKind::kOther) && type.text.empty()) return "NULL";
    return type.is(TypeKind::kNull) ? "NULL" : CastTo("NULL", type);
  }
  switch (value.type->id()) {
    case arrow::Type::BOOL:
      return static_cast<const arrow::BooleanScalar&>(value).value ? "true" : "false";
    case arrow::Type::FLOAT:
      return Floating(static_cast<const arrow::FloatScalar&>(value).value, type);
    case arrow::Type::DOUBLE:
      return Floating(static_cast<const arrow::DoubleScalar&>(value).value, type);
    case arrow::Type::DECIMAL64:
      return OfDecimal(static_cast<const arrow::Decimal64Scalar&>(value).value.ToIntegerString(),
                       type);
    case arrow::Type::DECIMAL128:
      return OfDecimal(static_cast<const arrow::Decimal128Scalar&>(value).value.ToIntegerString(),
                       type);
    default:
      break;
  }
  if (type.is(TypeKind::kOther)) return OfOther(value, type);
  if (type.is(TypeKind::kString) || type.is(TypeKind::kBinary)) {
    const std::string_view bytes = static_cast<const arrow::BaseBinaryScalar&>(value).view();
    return type.is(TypeKind::kString) ? SqlText(bytes) : Bytes(bytes);
  }
  ARROW_ASSIGN_OR_RAISE(const auto integer, value.CastTo(arrow::int64()));
  return OfInteger(static_cast<const arrow::Int64Scalar&>(*integer).value, type);
}

Result<std::string> SqlOfLiteral(const ExpressionSpec& literal) {
  const auto found = literal.attributes.find("value");
  const DataType& type = literal.type;
  if (found == literal.attributes.end()) return Status::Invalid("a literal has no value");
  if (found->is_null()) return type.is(TypeKind::kNull) ? "NULL" : CastTo("NULL", type);
  if (found->is_boolean()) return found->get<bool>() ? "true" : "false";
  if (type.is_floating()) {
    if (const auto value = FloatingLiteralValue(*found)) return Floating(*value, type);
    return Status::Invalid("a literal holds ", found->dump(), ", which is no number");
  }
  if (found->is_number_integer()) return OfInteger(found->get<int64_t>(), type);
  if (type.is(TypeKind::kString)) {
    if (const auto bytes = StringLiteralBytes(*found)) return SqlText(*bytes);
  }
  if (type.is(TypeKind::kDecimal) && found->is_string()) {
    return OfDecimal(found->get<std::string>(), type);
  }
  if (type.is(TypeKind::kBinary) && found->is_string()) {
    ARROW_ASSIGN_OR_RAISE(const std::string bytes,
                          arrow::util::base64_decode(found->get_ref<const std::string&>()));
    return Bytes(bytes);
  }
  return Status::NotImplemented("a literal of type ", type.ToString(), " has no SQL form");
}

}  // namespace reprise
