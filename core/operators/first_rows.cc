#include "operators/first_rows.h"

#include <algorithm>
#include <bit>
#include <span>

namespace reprise {

namespace {

// So many batches of rows, some of which were dropped, are made one.
constexpr int32_t kPiecesMax = 64;

/// The rows of `batch` whose numbers among the selected ones are `positions`, in their order.
Batch RowsAt(Batch batch, std::span<const int32_t> positions) {
  if (std::ssize(positions) == batch.selected_count()) return batch;
  std::vector<int32_t> rows(positions.begin(), positions.end());
  if (batch.has_selection()) {
    for (int32_t& row : rows) row = batch.selected()[row];
  }
  batch.selection = arrow::Buffer::FromVector(std::move(rows));
  return batch;
}

}  // namespace

FirstRows::FirstRows(const SortKeys* keys, std::shared_ptr<arrow::Schema> schema,
                     const SpillPlace& place, int64_t limit, bool bounded_selection)
    : keys_(*keys),
      pool_(place.context.pool),
      limit_(limit),
      bounded_selection_(bounded_selection),
      dropped_target_(place.context.batch_rows_target),
      sorter_(keys, std::move(schema), place, limit),
      candidates_(pool_),
      last_(pool_),
      bound_(pool_) {}

Status FirstRows::Add(const Batch& batch, const std::function<Status(int64_t)>& reserve) {
  if (limit_ == 0) return Status::OK();
  candidates_.Clear(/*release=*/false);
  RETURN_NOT_OK(keys_.Append(batch, 0, pool_, &candidates_));
  passing_.clear();
  for (int64_t i = 0; i < candidates_.items().size(); ++i) {
    if (IsBeforeLast(candidates_.items()[i])) passing_.push_back(static_cast<int32_t>(i));
  }
  if (passing_.empty()) return Status::OK();
  RETURN_NOT_OK(sorter_.MergeRuns());
  RETURN_NOT_OK(reserve(sorter_.GrowthBytes(RowsAt(batch, passing_))));
  sorter_.keyed().BeginBatch();
  int32_t kept = 0;
  for (const int32_t position : passing_) {
    ARROW_ASSIGN_OR_RAISE(const bool is_kept, Offer(candidates_.items()[position], kept));
    if (is_kept) passing_[kept++] = position;
  }
  RETURN_NOT_OK(sorter_.AddRows(RowsAt(batch, std::span(passing_).first(kept))));
  return GiveUpDropped(reserve);
}

/// Else the row is not among the first ones, whatever comes.
bool FirstRows::IsBeforeLast(const SortItem& candidate) const {
  const auto is_before = [&](const KeyedRows& other) {
    return KeyedRows::Compare(candidates_, candidate, other, other.items()[0]) < 0;
  };
  if (sorter_.row_count() >= limit_) return is_before(last_);
  return !has_bound_ || is_before(bound_);
}

/// Whether the candidate is in the buffer now, as row `row` of the batch to be added next.
Result<bool> FirstRows::Offer(const SortItem& candidate, int32_t row) {
  KeyedRows& buffer = sorter_.keyed();
  const int64_t count = buffer.items().size();
  if (count >= limit_ && !IsBeforeLast(candidate)) return false;
  const bool is_last =
      count < limit_ &&
      (count == 0 || KeyedRows::Compare(candidates_, candidate, last_, last_.items()[0]) > 0);
  if (is_last) RETURN_NOT_OK(last_.Assign(candidates_, candidate));
  RETURN_NOT_OK(buffer.Copy(candidates_, candidate, sorter_.batch_count(), row));
  if (count + 1 == 2 * limit_) RETURN_NOT_OK(Trim());
  return true;
}

/// Leaves the first half of the buffer. Each round puts the items before and behind a pivot; once
/// there were too many of them, what is in question is sorted where rounds are bounded.
Status FirstRows::Trim() {
  KeyedRows& buffer = sorter_.keyed();
  const auto is_before = [&](const SortItem& left, const SortItem& right) {
    return KeyedRows::Compare(buffer, left, buffer, right) < 0;
  };
  int64_t first = 0;
  int64_t last = 2 * limit_ - 1;
  int64_t settled = 0;  // no item before this position has a greater key than one behind it
  int rounds = 3 * std::bit_width(static_cast<uint64_t>(last - first - 1));
  while (first < last) {
    const int64_t place = Partition(first, last);
    if (place == limit_) break;
    if (place > limit_) {
      last = place - 1;
    } else {
      first = std::max(place, first + 1);
      settled = place;
    }
    if (--rounds <= 0 && bounded_selection_) {
      SortItem* const items = buffer.items().data();
      std::stable_sort(items + first, items + last + 1, is_before);
      break;
    }
  }
  dropped_ += buffer.items().size() - limit_;
  RETURN_NOT_OK(buffer.items().ResizeUninitialised(limit_));
  const SortItem* const items = buffer.items().data();
  return last_.Assign(buffer, *std::max_element(items + settled, items + limit_, is_before));
}

/// Puts the items with lesser keys than the one in the middle before it, and says where it is then.
int64_t FirstRows::Partition(int64_t first, int64_t last) {
  const KeyedRows& buffer = sorter_.keyed();
  SortItem* const items = sorter_.keyed().items().data();
  const int64_t middle = (first + last + 1) / 2;
  const SortItem pivot = items[middle];
  items[middle] = items[last];
  int64_t place = first;
  for (int64_t i = first; i < last; ++i) {
    if (KeyedRows::Compare(buffer, items[i], buffer, pivot) < 0) {
      std::swap(items[place++], items[i]);
    }
  }
  items[last] = items[place];
  items[place] = pivot;
  return place;
}

/// Rows are dropped by as many as `limit_` at once: what is copied is never much more than that.
Status FirstRows::GiveUpDropped(const std::function<Status(int64_t)>& reserve) {
  if (dropped_ == 0) return Status::OK();
  if (dropped_ < dropped_target_ && sorter_.batch_count() < kPiecesMax) return Status::OK();
  // The rows that are kept are copied. There are none if they are spilled for that.
  RETURN_NOT_OK(reserve(sorter_.bytes()));
  dropped_ = 0;
  return sorter_.KeepKeyed();
}

Result<int64_t> FirstRows::Spill() {
  if (sorter_.row_count() >= limit_ && SpillableBytes() > 0) {
    std::swap(bound_, last_);
    has_bound_ = true;
  }
  dropped_ = 0;
  return sorter_.Spill();
}

}  // namespace reprise
