#include "exchange/partitioned_rows.h"

#include <algorithm>
#include <numeric>

#include "base/batch_bounds.h"
#include "expressions/row_error.h"

namespace reprise {

Status PartitionedRows::Add(Batch batch) {
  const int64_t count = batch.selected_count();
  if (count == 0) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(Sorted sorted, Sort(std::move(batch)));
  rows_ += count;
  bytes_ += NewBytes(sorted.batch);
  batches_.push_back(std::move(sorted));
  return Status::OK();
}

int64_t PartitionedRows::Growth(const Batch& batch) const {
  const bool is_kept = partitioning_->partition_count() == 1 && !batch.has_selection();
  if (is_kept || batch.row_count == 0) return 0;
  int64_t bytes = 0;
  for (const auto& column : batch.columns) bytes += OwnBytes(*column->data());
  return bytes * batch.selected_count() / batch.row_count;
}

/// Batches one after the other often share their dictionaries, which count once.
int64_t PartitionedRows::NewBytes(const Batch& batch) {
  dictionaries_.resize(batch.columns.size());
  int64_t bytes = 0;
  for (size_t i = 0; i < batch.columns.size(); ++i) {
    const arrow::ArrayData& data = *batch.columns[i]->data();
    bytes += OwnBytes(data);
    if (data.dictionary && data.dictionary.get() != dictionaries_[i]) {
      bytes += OwnBytes(*data.dictionary);
    }
    dictionaries_[i] = data.dictionary.get();
  }
  return bytes;
}

/// Sets partitions_, or tells the error of the first row that has one.
Status PartitionedRows::Assign(const Batch& batch) {
  const Status assigned = partitioning_->Assign(batch, pool_, partitions_);
  if (assigned.ok()) return assigned;
  return FindRowError(batch, assigned,
                      [this](const Batch& rows) {
                        std::vector<int32_t> partitions(static_cast<size_t>(rows.selected_count()));
                        return partitioning_->Assign(rows, pool_, partitions);
                      })
      .status;
}

Result<PartitionedRows::Sorted> PartitionedRows::Sort(Batch batch) {
  const auto count = static_cast<size_t>(batch.selected_count());
  const int partition_count = partitioning_->partition_count();
  Sorted sorted{std::move(batch), {}};
  if (partition_count == 1) {
    sorted.batch.columns.resize(column_count_);
    sorted.begins = {0, static_cast<int32_t>(count)};
    if (!sorted.batch.has_selection()) return sorted;
    indices_.assign(sorted.batch.selected().begin(), sorted.batch.selected().end());
  } else {
    partitions_.resize(count);
    RETURN_NOT_OK(Assign(sorted.batch));
    sorted.batch.columns.resize(column_count_);
    // Counted one place further on, so that the running sum is where each partition begins.
    sorted.begins.assign(static_cast<size_t>(partition_count) + 1, 0);
    for (const int32_t partition : partitions_) ++sorted.begins[partition + 1];
    std::partial_sum(sorted.begins.begin(), sorted.begins.end(), sorted.begins.begin());
    std::vector<int32_t> next(sorted.begins.begin(), sorted.begins.end() - 1);
    indices_.resize(count);
    if (sorted.batch.has_selection()) {
      const auto selected = sorted.batch.selected();
      for (size_t i = 0; i < count; ++i) indices_[next[partitions_[i]]++] = selected[i];
    } else {
      for (size_t i = 0; i < count; ++i) {
        indices_[next[partitions_[i]]++] = static_cast<int32_t>(i);
      }
    }
  }
  for (auto& column : sorted.batch.columns) {
    ARROW_ASSIGN_OR_RAISE(column, Gather(*column, indices_, pool_));
  }
  sorted.batch.row_count = static_cast<int64_t>(count);
  sorted.batch.selection = nullptr;
  return sorted;
}

void PartitionedRows::Begin(int partition) {
  for (const Sorted& sorted : batches_) {
    const int32_t begin = sorted.begins[partition];
    const int32_t count = sorted.begins[partition + 1] - begin;
    if (count > 0) left_.push_back({&sorted.batch, begin, count});
  }
}

std::optional<PartitionedRows::Chunk> PartitionedRows::Take(int64_t rows_max, int64_t bytes_max) {
  while (left_.empty() && next_partition_ < partitioning_->partition_count() && rows_ > 0) {
    Begin(next_partition_++);
  }
  if (left_.empty()) {
    batches_.clear();
    dictionaries_.clear();
    rows_ = 0;
    bytes_ = 0;
    next_partition_ = 0;
    return std::nullopt;
  }
  Chunk chunk{next_partition_ - 1, 0, 0, {}};
  while (!left_.empty() && chunk.rows < rows_max) {
    BatchSlice slice = left_.front();
    slice.count = std::min(slice.count, rows_max - chunk.rows);
    int64_t slice_bytes = PlainBytes(slice);
    // Halved until it fits; the first row of a chunk is taken whatever its size.
    while (chunk.bytes + slice_bytes > bytes_max && (chunk.rows > 0 || slice.count > 1)) {
      slice.count /= 2;
      if (slice.count == 0) break;
      slice_bytes = PlainBytes(slice);
    }
    if (slice.count == 0) break;
    chunk.bytes += slice_bytes;
    chunk.rows += slice.count;
    chunk.slices.push_back(slice);
    left_.front().begin += slice.count;
    left_.front().count -= slice.count;
    if (left_.front().count == 0) left_.pop_front();
  }
  return chunk;
}

}  // namespace reprise
