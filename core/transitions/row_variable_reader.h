// Reads the columns whose values stand in the variable part of UnsafeRows.
#pragma once

#include <arrow/type.h>

#include <memory>

#include "transitions/row_column_base.h"

namespace reprise {

/// Strings and binary values.
std::unique_ptr<RowColumnReader> MakeVariableReader(FieldPlace place,
                                                    std::shared_ptr<arrow::DataType> type,
                                                    arrow::MemoryPool* pool);

/// Decimals of more than 18 digits.
std::unique_ptr<RowColumnReader> MakeLongDecimalReader(FieldPlace place,
                                                       std::shared_ptr<arrow::DataType> type,
                                                       arrow::MemoryPool* pool);

}  // namespace reprise
