#include "operators/row_hash_order.h"

#include <algorithm>

namespace reprise {

namespace {

// Small batches: a merge holds one of each run.
constexpr BatchBounds kHashRunBatch{8192, int64_t{256} << 10};

}  // namespace

RowHashOrder::RowHashOrder(RowHashKeys row_keys, std::shared_ptr<arrow::Schema> schema,
                           const TaskContext& context)
    : row_keys_(std::move(row_keys)),
      schema_(std::move(schema)),
      context_(context),
      pile_(schema_),
      keys_(context.pool) {}

Result<std::unique_ptr<RowHashOrder>> RowHashOrder::Make(const std::vector<Field>& fields,
                                                         const TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(auto schema, ToArrowSchema(fields));
  ARROW_ASSIGN_OR_RAISE(auto row_keys, RowHashKeys::Make(fields, context.pool));
  return std::unique_ptr<RowHashOrder>(
      new RowHashOrder(std::move(row_keys), std::move(schema), context));
}

int64_t RowHashOrder::Growth(const Batch& batch) {
  return PlainBytes(batch) + batch.selected_count() * static_cast<int64_t>(2 * sizeof(RowHashKey));
}

Status RowHashOrder::Add(const Batch& batch) {
  if (batch.selected_count() == 0) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(Batch compacted, Compacted(batch, context_.pool));
  RETURN_NOT_OK(row_keys_.Append(compacted, static_cast<int32_t>(batches_.size()), &keys_));
  bytes_ += Growth(compacted);
  pile_.Add(compacted);
  batches_.push_back(std::move(compacted));
  return Status::OK();
}

Status RowHashOrder::End() {
  is_complete_ = true;
  return SortKeys();
}

Status RowHashOrder::SortKeys() {
  if (!is_sorted_) RETURN_NOT_OK(row_keys_.Sort(batches_, &keys_));
  is_sorted_ = true;
  return Status::OK();
}

Result<Batch> RowHashOrder::TakeSorted(const BatchBounds& bounds) {
  const int64_t count = std::min(bounds.rows, keys_.size() - position_);
  std::vector<RowOfBatch> rows;
  int64_t bytes = 0;
  for (int64_t i = 0; i < count; ++i) {
    const RowOfBatch row{keys_[position_ + i].batch, keys_[position_ + i].row};
    bytes += pile_.BytesOf(row);
    if (bytes > bounds.bytes && i > 0) break;
    rows.push_back(row);
  }
  ARROW_ASSIGN_OR_RAISE(Batch batch, pile_.Take(rows, context_.pool));
  position_ += batch.row_count;
  return batch;
}

Result<int64_t> RowHashOrder::Spill() {
  if (bytes() == 0) return 0;
  RETURN_NOT_OK(SortKeys());
  auto run = std::make_unique<Run>(Run{.keys = PoolVector<RowHashKey>(context_.pool)});
  ARROW_ASSIGN_OR_RAISE(run->file,
                        SpillFile::Make(SpillDirectories(context_), schema_, context_.pool));
  while (position_ < keys_.size()) {
    ARROW_ASSIGN_OR_RAISE(const Batch batch, TakeSorted(kHashRunBatch));
    RETURN_NOT_OK(run->file->Write(batch));
  }
  run->file->EndWriting();
  const int64_t written = run->file->bytes();
  runs_.push_back(std::move(run));
  Forget();
  return written;
}

void RowHashOrder::Forget() {
  pile_.Clear();
  batches_.clear();
  keys_.Release();
  position_ = bytes_ = 0;
  is_sorted_ = false;
}

Result<std::optional<Batch>> RowHashOrder::Next() {
  if (!runs_.empty()) return NextMerged();
  if (position_ == keys_.size()) {
    Forget();
    return std::nullopt;
  }
  ARROW_ASSIGN_OR_RAISE(Batch batch, TakeSorted(context_.bounds()));
  return batch;
}

// The run's next batch, or none.
Status RowHashOrder::Advance(Run* run) {
  run->position = 0;
  run->slot = -1;
  ARROW_ASSIGN_OR_RAISE(run->batch, run->reader->Next());
  if (!run->batch) {
    run->keys.Release();
    return Status::OK();
  }
  ARROW_ASSIGN_OR_RAISE(run->batch, Compacted(*run->batch, context_.pool));
  run->widths = RowWidths(run->batch->columns);
  RETURN_NOT_OK(run->keys.ResizeUninitialised(0));
  return row_keys_.Append(*run->batch, 0, &run->keys);
}

bool RowHashOrder::IsAfter(int32_t left, int32_t right) {
  const Run& a = *runs_[left];
  const Run& b = *runs_[right];
  const auto compared =
      row_keys_.Compare(*a.batch, a.keys[a.position], *b.batch, b.keys[b.position]);
  if (!compared.ok()) {
    compared_ = compared.status();
    return false;
  }
  return *compared != 0 ? *compared > 0 : left > right;
}

Status RowHashOrder::StartMerge() {
  is_merging_ = true;
  for (size_t i = 0; i < runs_.size(); ++i) {
    runs_[i]->reader = runs_[i]->file->Read(context_.pool);
    RETURN_NOT_OK(Advance(runs_[i].get()));
    if (runs_[i]->batch) heap_.push_back(static_cast<int32_t>(i));
  }
  std::ranges::make_heap(heap_, [this](int32_t a, int32_t b) { return IsAfter(a, b); });
  return compared_;
}

Result<std::optional<Batch>> RowHashOrder::NextMerged() {
  if (!is_merging_) RETURN_NOT_OK(StartMerge());
  const auto after = [this](int32_t a, int32_t b) { return IsAfter(a, b); };
  const BatchBounds bounds = context_.bounds();
  BatchPile batches(schema_);
  std::vector<RowOfBatch> rows;
  int64_t bytes = 0;
  for (const auto& run : runs_) run->slot = -1;
  while (!heap_.empty() && std::ssize(rows) < bounds.rows) {
    Run& run = *runs_[heap_.front()];
    bytes += run.widths[run.position];
    if (bytes > bounds.bytes && !rows.empty()) break;
    std::ranges::pop_heap(heap_, after);
    if (run.slot < 0) {
      run.slot = batches.size();
      batches.Add(*run.batch);
    }
    rows.push_back({run.slot, static_cast<int32_t>(run.position)});
    if (++run.position == run.batch->row_count) RETURN_NOT_OK(Advance(&run));
    if (run.batch) {
      std::ranges::push_heap(heap_, after);
    } else {
      heap_.pop_back();
    }
    RETURN_NOT_OK(compared_);
  }
  if (rows.empty()) {
    runs_.clear();
    return std::nullopt;
  }
  ARROW_ASSIGN_OR_RAISE(Batch merged, batches.Take(rows, context_.pool));
  return merged;
}

}  // namespace reprise
