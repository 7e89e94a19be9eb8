// Decimals of up to 18 digits as others have them who know no decimal64, such as pyarrow before 19.
#pragma once

#include <arrow/record_batch.h>

#include <memory>

#include "base/status.h"

namespace reprise {

/// The type with decimal128 for each decimal64 in it, also within lists, maps and structs.
std::shared_ptr<arrow::DataType> WideDecimals(const std::shared_ptr<arrow::DataType>& type);

std::shared_ptr<arrow::Schema> WideDecimals(const arrow::Schema& schema);

/// The rows as `schema`, which is the other one of theirs.
Result<std::shared_ptr<arrow::RecordBatch>> WideDecimals(
    const arrow::RecordBatch& rows, const std::shared_ptr<arrow::Schema>& schema);

}  // namespace reprise
