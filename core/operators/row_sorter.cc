#include "operators/row_sorter.h"

#include <algorithm>
#include <limits>

namespace reprise {

namespace {

// Taken out at once where rows go to disk.
constexpr BatchBounds kSpilled{std::numeric_limits<int32_t>::max(), int64_t{1} << 20};

}  // namespace

RowSorter::RowSorter(const SortKeys* keys, std::shared_ptr<arrow::Schema> schema, SpillPlace place,
                     int64_t limit)
    : keys_(*keys),
      schema_(schema),
      place_(std::move(place)),
      pool_(place_.context.pool),
      limit_(limit),
      keyed_(pool_),
      batches_(schema),
      runs_(keys, std::move(schema), &place_) {}

int64_t RowSorter::GrowthBytes(const Batch& batch) const {
  const int64_t bytes = PlainBytes(batch);
  // The rows once more, and their keys twice.
  return (keys_.fits() ? 1 : 2) * bytes +
         batch.selected_count() * static_cast<int64_t>(2 * sizeof(SortItem));
}

Status RowSorter::Add(const Batch& batch) {
  RETURN_NOT_OK(keys_.Append(batch, batches_.size(), pool_, &keyed_));
  return AddRows(batch);
}

Status RowSorter::AddRows(const Batch& batch) {
  ARROW_ASSIGN_OR_RAISE(Batch compacted, Compacted(batch, pool_));
  rows_bytes_ += PlainBytes(compacted);
  batches_.Add(std::move(compacted));
  bytes_ = rows_bytes_ + keyed_.bytes();
  return Status::OK();
}

void RowSorter::SortRows() {
  if (is_sorted_) return;
  if (limit_ == std::numeric_limits<int64_t>::max()) {
    keyed_.Sort();
  } else {
    keyed_.SortStably();
  }
  is_sorted_ = true;
}

Status RowSorter::KeepKeyed() {
  BatchPile kept(schema_);
  KeyedRows keyed(pool_);
  int64_t bytes = 0;
  for (int64_t next = 0; next < row_count();) {
    ARROW_ASSIGN_OR_RAISE(Batch batch, TakeFrom(next, kSpilled, row_count()));
    keyed.BeginBatch();
    for (int32_t row = 0; row < batch.row_count; ++row) {
      RETURN_NOT_OK(keyed.Copy(keyed_, keyed_.items()[next++], kept.size(), row));
    }
    bytes += PlainBytes(batch);
    kept.Add(std::move(batch));
  }
  Forget();
  keyed_ = std::move(keyed);
  batches_ = std::move(kept);
  rows_bytes_ = bytes;
  bytes_ = rows_bytes_ + keyed_.bytes();
  return Status::OK();
}

Status RowSorter::Finish() {
  // One run more, rather than rows in memory beside the batches of the merge.
  if (runs_.has_runs()) return Spill().status();
  // As Spark's SortExec; what takes the first rows only keeps them in another way.
  if (limit_ == std::numeric_limits<int64_t>::max()) {
    RETURN_NOT_OK(keys_.PlaceNulls(&keyed_, pool_));
  }
  SortRows();
  return Status::OK();
}

Result<std::optional<Batch>> RowSorter::Next(const BatchBounds& bounds) {
  const int64_t left = limit_ - given_;
  std::optional<Batch> batch;
  if (left > 0 && runs_.has_runs()) {
    ARROW_ASSIGN_OR_RAISE(batch, runs_.Next({std::min(bounds.rows, left), bounds.bytes}));
  } else if (left > 0 && position_ < row_count()) {
    ARROW_ASSIGN_OR_RAISE(batch, TakeSorted(bounds, End()));
  }
  if (!batch) {
    Forget();
    return std::nullopt;
  }
  given_ += batch->row_count;
  return batch;
}

// The next rows in the order up to position `end`; the keys are sorted.
Result<Batch> RowSorter::TakeSorted(const BatchBounds& bounds, int64_t end) {
  ARROW_ASSIGN_OR_RAISE(Batch batch, TakeFrom(position_, bounds, end));
  position_ += batch.row_count;
  return batch;
}

// The rows whose keys stand at `begin` and behind, up to `end`.
Result<Batch> RowSorter::TakeFrom(int64_t begin, const BatchBounds& bounds, int64_t end) const {
  const auto row_at = [&](int64_t i) {
    const SortItem& item = keyed_.items()[begin + i];
    return RowOfBatch{item.batch, item.row};
  };
  return batches_.TakeWithin(bounds, end - begin, row_at, pool_);
}

Result<int64_t> RowSorter::Spill() {
  const int64_t freed = SpillableBytes();
  if (freed == 0) return 0;
  SortRows();
  const int64_t end = End();
  std::unique_ptr<SpillFile> run;
  while (position_ < end) {
    ARROW_ASSIGN_OR_RAISE(const Batch batch, TakeSorted(kSpilled, end));
    RETURN_NOT_OK(runs_.Write(batch, &run));
  }
  if (run) runs_.Add(std::move(run));
  Forget();
  return freed;
}

void RowSorter::Forget() {
  keyed_.Clear(/*release=*/true);
  batches_.Clear();
  position_ = rows_bytes_ = bytes_ = 0;
  is_sorted_ = false;
}

}  // namespace reprise
