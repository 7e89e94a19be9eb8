// Values of text files as columns, where their text says without doubt what Spark reads.
//
// Input:   the text of a value. Output: a column. Example: as a column of decimal(5,2), "12.5" is
//          12.50; "1,250" and "12.345" are left to Spark, which drops commas and rounds. Of nested
//          columns the text is that of JSON (expressions/json_values.h).
#pragma once

#include <arrow/array.h>
#include <arrow/memory_pool.h>

#include <memory>
#include <string_view>

#include "expressions/zone_rules.h"
#include "plan/data_type.h"

namespace reprise {

/// A column of a batch, which is filled row by row. A row may be put again: the last value counts.
class TextColumn {
 public:
  virtual ~TextColumn() = default;

  /// Begins a batch of at most `rows_max` rows.
  virtual Status Begin(int64_t rows_max) = 0;
  virtual Status PutNull(int64_t row) = 0;
  /// False for a text that is left to Spark.
  virtual Result<bool> Put(int64_t row, std::string_view text) = 0;
  /// The first `rows` rows, each of which has been put.
  virtual Result<std::shared_ptr<arrow::Array>> Finish(int64_t rows) = 0;
};

/// A column of a type for which IsTextType, or that has a JsonTextTree. `zone`, which must outlive
/// it, is that of timestamps that name none.
std::unique_ptr<TextColumn> MakeTextColumn(const DataType& type, const ZoneRules& zone,
                                           arrow::MemoryPool* pool);

}  // namespace reprise
