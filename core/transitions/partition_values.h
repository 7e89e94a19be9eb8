// The constants that a file split has for its partition columns.
#pragma once

#include <arrow/scalar.h>

#include <memory>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "plan/data_type.h"

namespace reprise {

/// Decodes Spark's PartitionedFile.partitionValues, an UnsafeRow of `fields` in base64, to one
/// scalar a field. Base64 or a row that cannot be read is Status::Invalid.
Result<std::vector<std::shared_ptr<arrow::Scalar>>> DecodePartitionValues(
    std::string_view base64, const std::vector<Field>& fields);

}  // namespace reprise
