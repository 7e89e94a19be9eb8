// What a row group's statistics say about the values of a column.
#pragma once

#include <parquet/metadata.h>

#include <compare>
#include <optional>
#include <string>
#include <variant>

#include "plan/data_type.h"
#include "scan/parquet_calendar.h"
#include "scan/parquet_conversion.h"

namespace reprise {

/// A value in the order of its Spark type: booleans, integers, dates, timestamps and decimals
/// (unscaled) as an integer; float and double, never NaN; strings and binaries by unsigned bytes.
using RangeValue = std::variant<__int128, double, std::string>;

/// Negative, zero, positive: a < b, a = b, a > b. Both must hold the same alternative.
int CompareRangeValues(const RangeValue& a, const RangeValue& b);

/// The values of a column in one row group. What is absent is not known.
struct ColumnRange {
  bool all_null = false;          ///< certainly
  bool no_nulls = false;          ///< certainly
  bool may_have_nan = false;      ///< NaN may occur outside of the bounds
  std::optional<RangeValue> min;  ///< no value but NaN is less
  std::optional<RangeValue> max;  ///< no value but NaN is greater
};

/// The range of a column chunk as it is read: as `type`, by `conversion`. Statistics that cannot be
/// trusted are left out: bounds that are NaN or in the wrong order, bounds of strings and
/// byte-array decimals from before column orders were defined (as parquet-java's
/// ParquetMetadataConverter), values that the conversion does not keep in order, dates of another
/// calendar.
ColumnRange RangeOf(const parquet::ColumnChunkMetaData& chunk,
                    const parquet::ColumnDescriptor& column, ParquetConversion conversion,
                    const DataType& type, const RebaseModes& rebase);

}  // namespace reprise
