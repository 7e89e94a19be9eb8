// Arrays, maps, structs and intervals out of the bytes that Spark's rows keep them in, for whoever
// reads dumps by other means than Spark.
#pragma once

#include <arrow/array/array_base.h>
#include <arrow/memory_pool.h>

#include <memory>

#include "base/status.h"
#include "plan/data_type.h"
#include "plan/nested_type.h"

namespace reprise {

/// The Arrow type in which others read a column of `type`: list, map and struct for Spark's arrays,
/// maps and structs, utf8 for strings of any collation, char and varchar, month_day_nano_interval
/// for calendar intervals, the type of a user type's values; for all else ToArrow. The same as
/// ToArrow where a part of it has no readable form. Status::NotImplemented as of ToArrow.
Result<std::shared_ptr<arrow::DataType>> ReadableType(const DataType& type);

/// A column in which values of `type` travel (ToArrow), as ReadableType. The formats are those of
/// Spark's UnsafeArrayData, UnsafeMapData and UnsafeRow. Status::Invalid where a value does not
/// keep within its bytes.
Result<std::shared_ptr<arrow::Array>> ReadableColumn(const std::shared_ptr<arrow::Array>& column,
                                                     const DataType& type, arrow::MemoryPool* pool);
/// The same where `type` has been parsed to `nested`, for who reads many columns of it.
Result<std::shared_ptr<arrow::Array>> ReadableColumn(const std::shared_ptr<arrow::Array>& column,
                                                     const DataType& type, const NestedType& nested,
                                                     arrow::MemoryPool* pool);

}  // namespace reprise
