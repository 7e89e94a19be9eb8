// What tests read cached tables from.
#pragma once

#include <arrow/buffer.h>

#include <memory>
#include <string>
#include <utility>

#include "transitions/cached_columns.h"

namespace reprise {

/// One batch, each of whose columns has these bytes.
class OneBatch final : public CacheSource {
 public:
  OneBatch(int64_t rows, std::string bytes) : rows_(rows), bytes_(std::move(bytes)) {}
  Result<int64_t> Next() override { return std::exchange(rows_, ColumnSource::kEnd); }
  Status Raise() override { return Status::ExecutionError("raised"); }
  Result<std::shared_ptr<arrow::Buffer>> Column(int, arrow::MemoryPool*) override {
    return arrow::Buffer::FromString(bytes_);
  }

 private:
  int64_t rows_;
  const std::string bytes_;
};

}  // namespace reprise
