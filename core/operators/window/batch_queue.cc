#include "operators/window/batch_queue.h"

#include <algorithm>

#include "base/check.h"

namespace reprise {

void BatchQueue::Push(Batch batch) {
  Item item;
  item.bytes = CopyBytes(batch);
  item.batch = std::move(batch);
  bytes_ += item.bytes;
  items_.push_back(std::move(item));
}

void BatchQueue::PutBack(Batch batch) { in_front_ = std::move(batch); }

Result<Batch> BatchQueue::Pop() {
  if (in_front_) {
    Batch batch = *std::move(in_front_);
    in_front_.reset();
    return batch;
  }
  REPRISE_CHECK(!items_.empty(), "a batch is taken of a queue that has one");
  Item& item = items_.front();
  if (item.batch) {
    Batch batch = *std::move(item.batch);
    bytes_ -= item.bytes;
    items_.pop_front();
    return batch;
  }
  if (item.reader == nullptr) item.reader = item.file->Read(place_.context.pool);
  ARROW_ASSIGN_OR_RAISE(std::optional<Batch> read, item.reader->Next());
  REPRISE_CHECK(read.has_value(), "a spill file has {} batches more", item.batches_left);
  if (--item.batches_left == 0) items_.pop_front();
  return *std::move(read);
}

Result<int64_t> BatchQueue::Spill() {
  // Those in memory stand behind all files that have been written before.
  const auto first = std::ranges::find_if(items_, [](const Item& item) { return !!item.batch; });
  if (first == items_.end()) return 0;
  Item spilled;
  ARROW_ASSIGN_OR_RAISE(spilled.file, place_.MakeFile(schema_));
  for (auto item = first; item != items_.end(); ++item) {
    RETURN_NOT_OK(spilled.file->Write(*item->batch));
    ++spilled.batches_left;
  }
  spilled.file->EndWriting();
  place_.count_spilled(spilled.file->bytes());
  items_.erase(first, items_.end());
  items_.push_back(std::move(spilled));
  return std::exchange(bytes_, 0);
}

}  // namespace reprise
