// What a row group's statistics say about the values of a column.
#pragma once

#include <parquet/metadata.h>

#include "plan/data_type.h"
#include "scan/column_range.h"
#include "scan/parquet_calendar.h"
#include "scan/parquet_conversion.h"

namespace reprise {

/// The range of a column chunk as it is read: as `type`, by `conversion`. Statistics that cannot be
/// trusted are left out: bounds that are NaN or in the wrong order, bounds of strings and
/// byte-array decimals from before column orders were defined (as parquet-java's
/// ParquetMetadataConverter), values that the conversion does not keep in order, dates of another
/// calendar.
ColumnRange RangeOf(const parquet::ColumnChunkMetaData& chunk,
                    const parquet::ColumnDescriptor& column, ParquetConversion conversion,
                    const DataType& type, const RebaseModes& rebase);

}  // namespace reprise
