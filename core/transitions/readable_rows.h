// Record batches as others read them: without the bytes of Spark's own rows.
#pragma once

#include <arrow/record_batch.h>

#include <memory>
#include <vector>

#include "base/status.h"
#include "plan/data_type.h"

namespace reprise {

/// The columns `fields` in their readable types (transitions/nested_column.h).
Result<std::shared_ptr<arrow::Schema>> ReadableSchema(const std::vector<Field>& fields);

/// Rows of `fields` as `schema`, each column of which has the type in which it travels (ToArrow) or
/// its readable one; dictionaries are decoded.
Result<std::shared_ptr<arrow::RecordBatch>> ReadableRows(
    const arrow::RecordBatch& rows, const std::vector<Field>& fields,
    const std::shared_ptr<arrow::Schema>& schema);

}  // namespace reprise
