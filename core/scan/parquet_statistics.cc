#include "scan/parquet_statistics.h"

#include <parquet/statistics.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

#include "base/check.h"
#include "plan/date_text.h"

namespace reprise {

namespace {

using Int128 = __int128;

template <typename T>
std::optional<T> Parse(std::string_view bytes) {
  if (bytes.size() != sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

std::optional<Int128> ParseBigEndian(std::string_view bytes) {
  if (bytes.empty() || bytes.size() > sizeof(Int128)) return std::nullopt;
  unsigned __int128 value = (bytes[0] & 0x80) != 0 ? ~static_cast<unsigned __int128>(0) : 0;
  for (char byte : bytes) value = (value << 8) | static_cast<uint8_t>(byte);
  return static_cast<Int128>(value);
}

std::optional<RangeValue> Scaled(Int128 value, int digits) {
  for (int i = 0; i < digits; ++i) {
    if (__builtin_mul_overflow(value, Int128{10}, &value)) return std::nullopt;
  }
  return value;
}

template <typename Narrow>
std::optional<RangeValue> IfFits(int32_t value) {
  const bool fits =
      value >= std::numeric_limits<Narrow>::min() && value <= std::numeric_limits<Narrow>::max();
  if (!fits) return std::nullopt;
  return Int128{value};
}

std::optional<RangeValue> NotNan(double value) {
  if (std::isnan(value)) return std::nullopt;
  return value;
}

std::optional<RangeValue> FromInt32(int32_t value, ParquetConversion conversion, int digits) {
  switch (conversion) {
    case ParquetConversion::kInt32:
    case ParquetConversion::kInt32ToInt64:
    case ParquetConversion::kInt32ToDate:
      return Int128{value};
    case ParquetConversion::kInt32ToInt8:
      return IfFits<int8_t>(value);
    case ParquetConversion::kInt32ToInt16:
      return IfFits<int16_t>(value);
    case ParquetConversion::kUInt32ToInt64:
      return Int128{static_cast<uint32_t>(value)};
    case ParquetConversion::kInt32ToDouble:
      return static_cast<double>(value);
    case ParquetConversion::kInt32ToTimestamp:
      return Int128{value} * kMicrosPerDay;
    case ParquetConversion::kInt32ToDecimal:
      return Scaled(value, digits);
    default:
      return std::nullopt;
  }
}

std::optional<RangeValue> FromInt64(int64_t value, ParquetConversion conversion, int digits) {
  switch (conversion) {
    case ParquetConversion::kInt64:
    case ParquetConversion::kInt64ToTimestamp:
      return Int128{value};
    case ParquetConversion::kMillisToTimestamp:
    case ParquetConversion::kMillisToTimestampNtz:
      return Int128{value} * 1000;
    case ParquetConversion::kUInt64ToDecimal:
      return Int128{static_cast<uint64_t>(value)};
    case ParquetConversion::kInt64ToDecimal:
      return Scaled(value, digits);
    default:
      return std::nullopt;
  }
}

/// A bound of the chunk, plainly encoded, as the value that would leave for it.
std::optional<RangeValue> Convert(std::string_view bytes, const parquet::ColumnDescriptor& column,
                                  ParquetConversion conversion, int digits) {
  switch (column.physical_type()) {
    case parquet::Type::BOOLEAN:
      if (bytes.size() != 1) return std::nullopt;
      return Int128{bytes[0] != 0};
    case parquet::Type::INT32:
      if (const auto value = Parse<int32_t>(bytes)) return FromInt32(*value, conversion, digits);
      return std::nullopt;
    case parquet::Type::INT64:
      if (const auto value = Parse<int64_t>(bytes)) return FromInt64(*value, conversion, digits);
      return std::nullopt;
    case parquet::Type::FLOAT:
      if (const auto value = Parse<float>(bytes)) return NotNan(*value);
      return std::nullopt;
    case parquet::Type::DOUBLE:
      if (const auto value = Parse<double>(bytes)) return NotNan(*value);
      return std::nullopt;
    case parquet::Type::BYTE_ARRAY:
    case parquet::Type::FIXED_LEN_BYTE_ARRAY:
      if (conversion == ParquetConversion::kBytes) return std::string(bytes);
      if (const auto value = ParseBigEndian(bytes)) return Scaled(*value, digits);
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

bool BoundsAreTrusted(const parquet::ColumnDescriptor& column, ParquetConversion conversion,
                      const RebaseModes& rebase) {
  switch (column.physical_type()) {
    case parquet::Type::BYTE_ARRAY:
    case parquet::Type::FIXED_LEN_BYTE_ARRAY: {
      // The deprecated bounds of byte arrays were made in an order that differed between writers.
      // And a decimal's bytes read as binary are ordered as decimals in the statistics.
      if (column.column_order().get_order() != parquet::ColumnOrder::TYPE_DEFINED_ORDER)
        return false;
      const auto& logical = column.logical_type();
      const bool decimal = logical != nullptr && logical->is_decimal();
      const auto order = column.sort_order();
      return conversion == ParquetConversion::kBytesToDecimal
                 ? decimal
                 : !decimal && order == parquet::SortOrder::UNSIGNED;
    }
    case parquet::Type::INT32:
    case parquet::Type::INT64:
      // Dates of files of the hybrid calendar move, and may raise errors, as they are read.
      switch (conversion) {
        case ParquetConversion::kInt32ToDate:
        case ParquetConversion::kInt32ToTimestamp:
        case ParquetConversion::kInt64ToTimestamp:
        case ParquetConversion::kMillisToTimestamp:
          return rebase.datetime == RebaseMode::kCorrected;
        default:
          return true;
      }
    default:
      return true;
  }
}

}  // namespace

ColumnRange RangeOf(const parquet::ColumnChunkMetaData& chunk,
                    const parquet::ColumnDescriptor& column, ParquetConversion conversion,
                    const DataType& type, const RebaseModes& rebase) {
  ColumnRange range;
  range.may_have_nan = type.is_floating();
  if (column.max_definition_level() == 0) range.no_nulls = true;
  const auto statistics = chunk.statistics();  // null where libparquet does not trust the writer
  if (statistics == nullptr) return range;
  if (statistics->HasNullCount()) {
    range.no_nulls = range.no_nulls || statistics->null_count() == 0;
    range.all_null = statistics->null_count() == chunk.num_values() && chunk.num_values() > 0;
  }
  if (!statistics->HasMinMax() || !BoundsAreTrusted(column, conversion, rebase)) return range;
  const int digits = type.is(TypeKind::kDecimal) ? ScaleIncrease(column, type) : 0;
  auto min = Convert(statistics->EncodeMin(), column, conversion, digits);
  auto max = Convert(statistics->EncodeMax(), column, conversion, digits);
  if (!min || !max || CompareRangeValues(*min, *max) > 0) return range;
  range.min = std::move(min);
  range.max = std::move(max);
  return range;
}

}  // namespace reprise
