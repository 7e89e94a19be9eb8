// One batch as a Parquet file: the writer and the reader of batch-N.parquet.
#pragma once

#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/batch.h"
#include "base/status.h"
#include "plan/data_type.h"

namespace reprise {

/// The selected rows of `batch` as the bytes of a Parquet file (zstd, decimals up to 18 digits as
/// INT64, the Arrow schema kept). A column that travels dictionary-encoded is stored so, unless its
/// dictionary has more values than the batch has rows. Status::TypeError where a column's type is
/// not that of `schema`.
Result<std::shared_ptr<arrow::Buffer>> EncodeBatch(const Batch& batch,
                                                   const std::vector<Field>& schema,
                                                   arrow::MemoryPool* pool);

/// The batch that EncodeBatch wrote, with the names and nullability of `schema`. `rows` is checked,
/// and is the row count of a batch without columns. Status::Invalid names what the bytes have and
/// what was expected.
Result<std::shared_ptr<arrow::RecordBatch>> DecodeBatch(std::string bytes,
                                                        const std::vector<Field>& schema,
                                                        int64_t rows, arrow::MemoryPool* pool);

}  // namespace reprise
