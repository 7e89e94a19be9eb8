#include "scan/parquet_conversion.h"

namespace reprise {

namespace {

using parquet::ColumnDescriptor;
using parquet::LogicalType;
using Conversion = ParquetConversion;

constexpr int kIntDigits = 10;          // DecimalType.IntDecimal
constexpr int kLongDigits = 20;         // DecimalType.LongDecimal
constexpr int kIntDecimalDigits = 9;    // Decimal.MAX_INT_DIGITS
constexpr int kLongDecimalDigits = 18;  // Decimal.MAX_LONG_DIGITS

bool IsUnannotated(const LogicalType* logical) { return logical == nullptr || logical->is_none(); }

bool IsInteger(const LogicalType* logical, bool is_signed) {
  return logical != nullptr && logical->is_int() &&
         static_cast<const parquet::IntLogicalType&>(*logical).is_signed() == is_signed;
}

bool IsUnsigned(const LogicalType* logical, int bit_width) {
  return IsInteger(logical, false) &&
         static_cast<const parquet::IntLogicalType&>(*logical).bit_width() == bit_width;
}

bool IsTimestamp(const LogicalType* logical, LogicalType::TimeUnit::unit unit) {
  return logical != nullptr && logical->is_timestamp() &&
         static_cast<const parquet::TimestampLogicalType&>(*logical).time_unit() == unit;
}

/// ParquetVectorUpdaterFactory.isDecimalTypeMatched: no digit may be lost.
bool CanReadAsDecimal(const ColumnDescriptor& column, const DataType& requested) {
  if (!requested.is(TypeKind::kDecimal)) return false;
  const LogicalType* logical = column.logical_type().get();
  if (logical != nullptr && logical->is_decimal()) {
    const auto& decimal = static_cast<const parquet::DecimalLogicalType&>(*logical);
    const int scale_increase = requested.scale - decimal.scale();
    return scale_increase >= 0 && requested.precision - decimal.precision() >= scale_increase;
  }
  if (!IsUnannotated(logical) && !IsInteger(logical, true)) return false;
  const int integer_digits = requested.precision - requested.scale;
  if (column.physical_type() == parquet::Type::INT32) return integer_digits >= kIntDigits;
  if (column.physical_type() == parquet::Type::INT64) return integer_digits >= kLongDigits;
  return false;
}

std::optional<Conversion> ReadInt32As(const ColumnDescriptor& column, const DataType& requested) {
  const LogicalType* logical = column.logical_type().get();
  switch (requested.kind) {
    case TypeKind::kInteger:
      return Conversion::kInt32;
    case TypeKind::kLong:
      return IsUnsigned(logical, 32) ? Conversion::kUInt32ToInt64 : Conversion::kInt32ToInt64;
    case TypeKind::kByte:
      return Conversion::kInt32ToInt8;
    case TypeKind::kShort:
      return Conversion::kInt32ToInt16;
    case TypeKind::kDouble:
      return Conversion::kInt32ToDouble;
    case TypeKind::kDate:
      return Conversion::kInt32ToDate;
    case TypeKind::kTimestampNtz:
      if (logical != nullptr && logical->is_date()) return Conversion::kInt32ToTimestamp;
      return std::nullopt;
    default:
      if (CanReadAsDecimal(column, requested)) return Conversion::kInt32ToDecimal;
      return std::nullopt;
  }
}

std::optional<Conversion> ReadInt64As(const ColumnDescriptor& column, const DataType& requested) {
  using Unit = LogicalType::TimeUnit;
  const LogicalType* logical = column.logical_type().get();
  switch (requested.kind) {
    case TypeKind::kLong:
      return Conversion::kInt64;
    case TypeKind::kTimestamp:
      if (IsTimestamp(logical, Unit::MICROS)) return Conversion::kInt64ToTimestamp;
      if (IsTimestamp(logical, Unit::MILLIS)) return Conversion::kMillisToTimestamp;
      return std::nullopt;
    case TypeKind::kTimestampNtz:
      if (IsTimestamp(logical, Unit::MICROS)) return Conversion::kInt64;
      if (IsTimestamp(logical, Unit::MILLIS)) return Conversion::kMillisToTimestampNtz;
      return std::nullopt;
    default:
      if (CanReadAsDecimal(column, requested)) return Conversion::kInt64ToDecimal;
      if (requested == Decimal(20, 0) && IsUnsigned(logical, 64)) {
        return Conversion::kUInt64ToDecimal;
      }
      return std::nullopt;
  }
}

std::optional<Conversion> ReadBytesAs(const ColumnDescriptor& column, const DataType& requested) {
  const bool fixed = column.physical_type() == parquet::Type::FIXED_LEN_BYTE_ARRAY;
  if (requested.is(TypeKind::kBinary)) return Conversion::kBytes;
  if (requested.is(TypeKind::kString) && !fixed) return Conversion::kBytes;
  if (CanReadAsDecimal(column, requested)) return Conversion::kBytesToDecimal;
  return std::nullopt;
}

/// Intervals of months and of days, and strings of a length.
std::optional<Conversion> ReadAsOther(const ColumnDescriptor& column, TypeKind stored) {
  const parquet::Type::type physical = column.physical_type();
  if (stored == TypeKind::kInteger && physical == parquet::Type::INT32) return Conversion::kInt32;
  if (stored == TypeKind::kLong && physical == parquet::Type::INT64) return Conversion::kInt64;
  if (stored == TypeKind::kBinary && physical == parquet::Type::BYTE_ARRAY) {
    return Conversion::kBytes;
  }
  return std::nullopt;
}

}  // namespace

std::optional<ParquetConversion> ConversionFor(const ColumnDescriptor& column,
                                               const DataType& requested) {
  if (requested.is(TypeKind::kOther)) return ReadAsOther(column, StoredType(requested).kind);
  const LogicalType* logical = column.logical_type().get();
  if (requested.is(TypeKind::kNull)) {
    if (logical != nullptr && logical->is_null()) return Conversion::kNull;
    return std::nullopt;
  }
  switch (column.physical_type()) {
    case parquet::Type::BOOLEAN:
      if (requested.is(TypeKind::kBoolean)) return Conversion::kBoolean;
      return std::nullopt;
    case parquet::Type::INT32:
      return ReadInt32As(column, requested);
    case parquet::Type::INT64:
      return ReadInt64As(column, requested);
    case parquet::Type::FLOAT:
      if (requested.is(TypeKind::kFloat)) return Conversion::kFloat;
      if (requested.is(TypeKind::kDouble)) return Conversion::kFloatToDouble;
      return std::nullopt;
    case parquet::Type::DOUBLE:
      if (requested.is(TypeKind::kDouble)) return Conversion::kDouble;
      return std::nullopt;
    case parquet::Type::INT96:
      if (requested.is(TypeKind::kTimestamp)) return Conversion::kInt96ToTimestamp;
      if (requested.is(TypeKind::kTimestampNtz)) return Conversion::kInt96ToTimestampNtz;
      return std::nullopt;
    case parquet::Type::BYTE_ARRAY:
    case parquet::Type::FIXED_LEN_BYTE_ARRAY:
      return ReadBytesAs(column, requested);
    default:
      return std::nullopt;
  }
}

namespace {

/// Of 3.5: the scale is the same, and the precision is of the form that the physical type has.
bool IsDecimalBeforeSpark4(const ColumnDescriptor& column, const DataType& requested) {
  const LogicalType* logical = column.logical_type().get();
  if (logical == nullptr || !logical->is_decimal() || ScaleIncrease(column, requested) != 0) {
    return false;
  }
  switch (column.physical_type()) {
    case parquet::Type::INT32:
      return requested.precision <= kIntDecimalDigits;
    case parquet::Type::INT64:
      return requested.precision <= kLongDecimalDigits;
    case parquet::Type::BYTE_ARRAY:
      return requested.precision > kLongDecimalDigits;
    default:
      return true;
  }
}

}  // namespace

bool IsInstantAsLocal(const ColumnDescriptor& column, const DataType& requested) {
  if (!requested.is(TypeKind::kTimestampNtz)) return false;
  if (column.physical_type() == parquet::Type::INT96) return true;
  const LogicalType* logical = column.logical_type().get();
  return column.physical_type() == parquet::Type::INT64 && logical != nullptr &&
         logical->is_timestamp() &&
         static_cast<const parquet::TimestampLogicalType&>(*logical).is_adjusted_to_utc();
}

bool IsReadBeforeSpark4(const ColumnDescriptor& column, const DataType& requested) {
  const LogicalType* logical = column.logical_type().get();
  switch (requested.kind) {
    case TypeKind::kNull:
      return false;
    case TypeKind::kLong:
      return column.physical_type() == parquet::Type::INT64 || IsUnsigned(logical, 32);
    case TypeKind::kDouble:
      return column.physical_type() == parquet::Type::DOUBLE;
    case TypeKind::kTimestampNtz:
      return column.physical_type() == parquet::Type::INT64 && !IsInstantAsLocal(column, requested);
    case TypeKind::kDecimal:
      return IsUnsigned(logical, 64) || IsDecimalBeforeSpark4(column, requested);
    default:
      return true;
  }
}

int ScaleIncrease(const ColumnDescriptor& column, const DataType& requested) {
  const LogicalType* logical = column.logical_type().get();
  const int scale = logical != nullptr && logical->is_decimal()
                        ? static_cast<const parquet::DecimalLogicalType&>(*logical).scale()
                        : 0;
  return requested.scale - scale;
}

std::string SparkPhysicalName(const ColumnDescriptor& column) {
  if (column.physical_type() == parquet::Type::BYTE_ARRAY) return "BINARY";
  return parquet::TypeToString(column.physical_type());
}

}  // namespace reprise
