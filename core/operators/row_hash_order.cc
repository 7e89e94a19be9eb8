#include "operators/row_hash_order.h"

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
      batches_(schema_),
      keys_(context.pool),
      runs_(schema_, context.pool) {}

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
  RETURN_NOT_OK(row_keys_.Append(compacted, batches_.size(), &keys_));
  bytes_ += Growth(compacted);
  batches_.Add(std::move(compacted));
  return Status::OK();
}

Status RowHashOrder::End() {
  is_complete_ = true;
  return SortKeys();
}

Status RowHashOrder::SortKeys() {
  if (!is_sorted_) RETURN_NOT_OK(row_keys_.Sort(batches_.batches(), &keys_));
  is_sorted_ = true;
  return Status::OK();
}

Result<Batch> RowHashOrder::TakeSorted(const BatchBounds& bounds) {
  const auto row_at = [this](int64_t i) {
    return RowOfBatch{keys_[position_ + i].batch, keys_[position_ + i].row};
  };
  ARROW_ASSIGN_OR_RAISE(
      Batch batch, batches_.TakeWithin(bounds, keys_.size() - position_, row_at, context_.pool));
  position_ += batch.row_count;
  return batch;
}

Result<int64_t> RowHashOrder::Spill() {
  if (bytes() == 0) return 0;
  RETURN_NOT_OK(SortKeys());
  auto run = std::make_unique<Run>(context_.pool);
  ARROW_ASSIGN_OR_RAISE(run->file,
                        SpillFile::Make(SpillStorageOf(context_), schema_, context_.pool));
  while (position_ < keys_.size()) {
    ARROW_ASSIGN_OR_RAISE(const Batch batch, TakeSorted(kHashRunBatch));
    RETURN_NOT_OK(run->file->Write(batch));
  }
  run->file->EndWriting();
  const int64_t written = run->file->bytes();
  runs_.Add(std::move(run));
  Forget();
  return written;
}

void RowHashOrder::Forget() {
  batches_.Clear();
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

Result<std::optional<Batch>> RowHashOrder::NextMerged() {
  const auto compare = [this](const Run& a, const Run& b) {
    const auto compared =
        row_keys_.Compare(*a.batch, a.keys[a.position], *b.batch, b.keys[b.position]);
    if (!compared.ok()) compared_ = compared.status();
    return compared.ok() ? *compared : 0;
  };
  ARROW_ASSIGN_OR_RAISE(auto batch, runs_.Next(context_.bounds(), compare, [this](Run* run) {
    if (!run->batch) {
      run->keys.Release();
      return Status::OK();
    }
    RETURN_NOT_OK(run->keys.ResizeUninitialised(0));
    return row_keys_.Append(*run->batch, 0, &run->keys);
  }));
  RETURN_NOT_OK(compared_);
  return batch;
}

}  // namespace reprise
