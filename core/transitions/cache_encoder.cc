#include "transitions/cache_encoder.h"

#include <utility>

#include "base/check.h"
#include "transitions/statistics_row.h"

namespace reprise {

namespace {

// Spark's ColumnBuilder.MAX_BATCH_SIZE_IN_BYTE: a batch that has as many takes no more rows.
constexpr int64_t kBatchBytes = int64_t{4} << 20;

/// Appends what `write` does, behind an int32 of its size.
template <typename Write>
Status AppendSized(arrow::BufferBuilder* to, Write&& write) {
  const int64_t size_at = to->length();
  RETURN_NOT_OK(to->Append(sizeof(int32_t), uint8_t{0}));
  const int64_t begin = to->length();
  RETURN_NOT_OK(write());
  StoreAs(to->mutable_data() + size_at, static_cast<int32_t>(to->length() - begin));
  return Status::OK();
}

}  // namespace

Result<std::unique_ptr<CacheEncoder>> CacheEncoder::Make(const std::vector<Field>& fields,
                                                         CacheLayout layout,
                                                         arrow::MemoryPool* pool) {
  std::vector<std::unique_ptr<CacheColumnWriter>> columns;
  for (const Field& field : fields) {
    ARROW_ASSIGN_OR_RAISE(columns.emplace_back(),
                          MakeCacheColumnWriter(field, layout.compresses, pool));
  }
  return std::unique_ptr<CacheEncoder>(new CacheEncoder(std::move(columns), layout, pool));
}

Status CacheEncoder::Add(const Batch& batch) {
  REPRISE_CHECK(batch.columns.size() == columns_.size(), "batch of {} columns, expected {}",
                batch.columns.size(), columns_.size());
  const int64_t rows = batch.selected_count();
  std::vector<int64_t> sizes(static_cast<size_t>(rows));
  std::vector<std::shared_ptr<arrow::Array>> held;
  for (size_t c = 0; c < columns_.size(); ++c) {
    ARROW_ASSIGN_OR_RAISE(held.emplace_back(), GatherColumn(batch, static_cast<int>(c), pool_));
    columns_[c]->Begin(*held.back());
    columns_[c]->AddSizes(sizes);
  }
  for (int64_t first = 0; first < rows;) {
    int64_t end = first;
    while (end < rows && pending_rows_ < layout_.rows_max && pending_bytes_ < kBatchBytes) {
      pending_bytes_ += sizes[static_cast<size_t>(end++)];
      ++pending_rows_;
    }
    for (const auto& column : columns_) RETURN_NOT_OK(column->Append(first, end - first));
    first = end;
    if (pending_rows_ >= layout_.rows_max || pending_bytes_ >= kBatchBytes) {
      RETURN_NOT_OK(EndBatch());
    }
  }
  return Status::OK();
}

Status CacheEncoder::EndBatch() {
  arrow::BufferBuilder bytes(pool_);
  StatisticsRow statistics(std::ssize(columns_));
  for (const auto& column : columns_) {
    RETURN_NOT_OK(AppendSized(&bytes, [&] { return column->Finish(&bytes, &statistics); }));
  }
  RETURN_NOT_OK(AppendSized(&bytes, [&] {
    const auto row = statistics.bytes();
    return bytes.Append(row.data(), std::ssize(row));
  }));
  ARROW_ASSIGN_OR_RAISE(auto whole, bytes.Finish());
  ready_.push_back({std::move(whole), std::exchange(pending_rows_, 0)});
  pending_bytes_ = 0;
  return Status::OK();
}

std::optional<EncodedCacheBatch> CacheEncoder::Take() {
  if (ready_.empty()) return std::nullopt;
  EncodedCacheBatch batch = std::move(ready_.front());
  ready_.pop_front();
  return batch;
}

}  // namespace reprise
