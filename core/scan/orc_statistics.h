// What an ORC file says of the values of a column: in the file, in a stripe, in a group of rows.
//
// Source:  the ORC specification, version 1 (ColumnStatistics of orc_proto.proto).
#pragma once

#include <cstdint>
#include <string_view>

#include "plan/data_type.h"
#include "scan/column_range.h"

namespace reprise {

/// What ColumnStatistics say of a column of `rows` rows that is read as `type`.
ColumnRange RangeOfOrc(std::string_view statistics, const DataType& type, int64_t rows);

/// How many values of a column are not null by ColumnStatistics; 0 where they do not say.
int64_t ValuesOf(std::string_view statistics);

/// How many bytes all strings of a column have by ColumnStatistics; 0 where they do not say.
int64_t StringBytesOf(std::string_view statistics);

}  // namespace reprise
