// Columns to and from other Arrow implementations, in the types that Spark gives them there:
// Spark's decimals are decimal128 whatever their precision, and nothing is a dictionary.
#pragma once

#include <memory>
#include <vector>

#include "base/batch.h"
#include "plan/data_type.h"

namespace reprise {

struct ForeignColumns;

/// A copy of the columns of `foreign`, of these types, as they travel natively. Status::Invalid
/// where their buffers are not those of the types, Status::NotImplemented for what the core only
/// carries.
Result<std::vector<std::shared_ptr<arrow::Array>>> CopyForeign(const ForeignColumns& foreign,
                                                               const std::vector<DataType>& types,
                                                               arrow::MemoryPool* pool);

/// The schema of batches of `fields` for RecordBatchMessage: it says of arrays, maps and structs
/// which they are. Status::NotImplemented as of ToArrow.
Result<std::shared_ptr<arrow::Schema>> ForeignSchema(const std::vector<Field>& fields);

/// Columns of `batch`, which has no selection, as the message of a record batch in Arrow's
/// streaming format; `as_struct`: as the children of one column. The schema, which goes before it,
/// is the reader's. Nested columns go as such where the batch's schema is a ForeignSchema.
Result<std::shared_ptr<arrow::Buffer>> RecordBatchMessage(const Batch& batch,
                                                          const std::vector<int>& columns,
                                                          bool as_struct);

}  // namespace reprise
