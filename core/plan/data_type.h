// Spark's data types, as the core knows them, and the Arrow types in which they travel.
#pragma once

#include <arrow/type.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace reprise {

enum class TypeKind {
  kNull,
  kBoolean,
  kByte,
  kShort,
  kInteger,
  kLong,
  kFloat,
  kDouble,
  kDecimal,
  kString,  ///< UTF8_BINARY collation only; other collations are kOther
  kBinary,
  kDate,       ///< days since 1970-01-01
  kTimestamp,  ///< microseconds since 1970-01-01 UTC
  kTimestampNtz,
  kOther,  ///< every type that the core does not run: arrays, maps, structs, intervals, user types
           ///< …
};

/// A Spark data type. `precision` and `scale` are set for decimals only; `text` for kOther only.
struct DataType {
  TypeKind kind = TypeKind::kNull;
  int precision = 0;
  int scale = 0;
  std::string text;

  bool operator==(const DataType&) const = default;
  bool is(TypeKind other) const { return kind == other; }
  bool is_integral() const { return kind >= TypeKind::kByte && kind <= TypeKind::kLong; }
  bool is_floating() const { return kind == TypeKind::kFloat || kind == TypeKind::kDouble; }
  /// A decimal of at most 18 digits: travels as a 64-bit integer.
  bool is_short_decimal() const { return kind == TypeKind::kDecimal && precision <= 18; }
  /// Spark's `simpleString`: "int", "bigint", "decimal(15,2)", "array<string>", "struct<a:int>" …
  std::string ToString() const;
};

inline DataType Decimal(int precision, int scale) {
  return {TypeKind::kDecimal, precision, scale, {}};
}

/// Parses the name that Spark's `DataType.json` writes, without quotes: "integer", "long",
/// "decimal(15,2)", "string", "date", "timestamp_ntz" … Anything unknown, or a JSON object, becomes
/// kOther with that text.
DataType ParseDataType(std::string_view json_name);

/// The name that ParseDataType reads.
std::string JsonName(const DataType& type);

/// The type whose form in Spark's rows values of `type` have. Of kOther: int for year-month
/// intervals, long for day-time intervals and times, the underlying type for user types, and binary
/// for what Spark keeps as bytes of its own in the row's variable part: arrays, maps, structs,
/// variants, calendar intervals, strings of other collations. kOther where the form is not known.
DataType StoredType(const DataType& type);

/// True for Spark's CalendarIntervalType: 16 bytes of the variable part, which a null keeps.
bool IsCalendarInterval(const DataType& type);

/// The Arrow type of the columns of this type: decimal64 up to 18 digits, decimal128 above, utf8,
/// binary, date32, timestamp(us, "UTC"), timestamp(us); for kOther that of its StoredType, so that
/// such columns can be recorded and handed on, but not computed with. Status::NotImplemented where
/// the form is not known.
Result<std::shared_ptr<arrow::DataType>> ToArrow(const DataType& type);

/// The inverse of ToArrow, for schemas read from a dump. Unknown Arrow types are Status::TypeError.
Result<DataType> FromArrow(const arrow::DataType& type);

/// A column of an operator's input or output.
struct Field {
  std::string name;
  DataType type;
  bool nullable = true;

  bool operator==(const Field&) const = default;
};

Result<std::shared_ptr<arrow::Schema>> ToArrowSchema(const std::vector<Field>& fields);

}  // namespace reprise
