// How a column of a Parquet file becomes a column of the Spark type asked for.
#pragma once

#include <parquet/schema.h>

#include <optional>
#include <string>

#include "plan/data_type.h"

namespace reprise {

/// Physical values on the left, what leaves on the right. Every pair keeps the order of values,
/// except where said.
enum class ParquetConversion {
  kNull,  ///< a column of logical type null
  kBoolean,
  kInt32,         ///< INT32 as int32
  kInt32ToInt8,   ///< low 8 bits; values that do not fit lose their order
  kInt32ToInt16,  ///< low 16 bits; values that do not fit lose their order
  kInt32ToInt64,
  kUInt32ToInt64,
  kInt32ToDouble,
  kInt32ToDate,       ///< days, of the proleptic Gregorian or (in legacy files) the hybrid calendar
  kInt32ToTimestamp,  ///< days as kInt32ToDate, to microseconds at midnight
  kInt32ToDecimal,
  kInt64,                 ///< INT64 as int64 or as timestamp without time zone in microseconds
  kInt64ToTimestamp,      ///< microseconds; legacy files: of the hybrid calendar
  kMillisToTimestamp,     ///< milliseconds to microseconds; legacy files: of the hybrid calendar
  kMillisToTimestampNtz,  ///< milliseconds to microseconds
  kInt64ToDecimal,
  kUInt64ToDecimal,  ///< to decimal(20,0)
  kFloat,
  kFloatToDouble,
  kDouble,
  kInt96ToTimestamp,  ///< Julian day and nanoseconds; legacy files: of the hybrid calendar
  kInt96ToTimestampNtz,
  kBytes,           ///< BYTE_ARRAY or FIXED_LEN_BYTE_ARRAY as string or binary
  kBytesToDecimal,  ///< big-endian two's complement
};

/// The conversion by which Spark's vectorized reader (ParquetVectorUpdaterFactory.getUpdater) reads
/// `column` as `requested`, or nothing where it raises SchemaColumnConvertNotSupportedException.
std::optional<ParquetConversion> ConversionFor(const parquet::ColumnDescriptor& column,
                                               const DataType& requested);

/// Whether Spark 3.5, whose reader widens no type, takes `column` for `requested`, of a pair that
/// ConversionFor knows.
bool IsReadBeforeSpark4(const parquet::ColumnDescriptor& column, const DataType& requested);

/// Whether Spark 3.5 raises an error of another kind for the pair: it takes no instants for local
/// date-times.
bool IsInstantAsLocal(const parquet::ColumnDescriptor& column, const DataType& requested);

/// Digits that a decimal's scale grows by when `column` is read as the decimal `requested`.
int ScaleIncrease(const parquet::ColumnDescriptor& column, const DataType& requested);

/// The physical type as Spark names it in errors: INT32, BINARY …
std::string SparkPhysicalName(const parquet::ColumnDescriptor& column);

}  // namespace reprise
