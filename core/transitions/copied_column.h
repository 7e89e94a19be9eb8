// Spark's columns -> Arrow.
#pragma once

#include <arrow/array.h>
#include <arrow/memory_pool.h>

#include <memory>

#include "base/status.h"
#include "plan/data_type.h"

namespace reprise {

class ColumnSource;

/// One column, put together of pieces of columns of a ColumnSource; used for one batch after the
/// other: Begin, Append for each piece, Finish.
class CopiedColumn {
 public:
  virtual ~CopiedColumn() = default;

  /// Column `number` of a source whose values are of the field's type. Status::NotImplemented where
  /// the type has no native form.
  static Result<std::unique_ptr<CopiedColumn>> Make(const Field& field, int number,
                                                    arrow::MemoryPool* pool);

  /// Starts a column of about so many rows.
  virtual Status Begin(int64_t rows) = 0;

  /// Copies `count` rows of the source's batch, from `first` on, behind the first `position` of
  /// those that are here; what was behind them goes. Gives how many rows were copied: fewer than
  /// asked for where values of various lengths would take more than `bytes_max` bytes, though never
  /// none where `position` is 0; or ColumnSource::kFailed.
  virtual Result<int64_t> Append(ColumnSource* source, int64_t first, int64_t count,
                                 int64_t position, int64_t bytes_max) = 0;

  /// What the first `rows` values of various lengths take.
  virtual int64_t variable_bytes(int64_t rows) const = 0;

  /// The first `rows` of what was appended.
  virtual Result<std::shared_ptr<arrow::Array>> Finish(int64_t rows) = 0;
};

}  // namespace reprise
