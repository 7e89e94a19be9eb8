#include "operators/guest_values.h"

#include <algorithm>
#include <limits>

#include "transitions/guest_rows.h"

namespace reprise {

namespace {

constexpr int64_t kFirstResultBytes = int64_t{1} << 16;

}  // namespace

Result<std::unique_ptr<GuestValues>> GuestValues::Make(const std::vector<Field>& read,
                                                       const std::vector<Field>& made,
                                                       int64_t number, const TaskContext& context) {
  if (!context.take_guest) {
    return Status::NotImplemented("its expressions are Spark's, and there is no Spark here");
  }
  std::unique_ptr<GuestRows> guests = context.take_guest(number);
  if (guests == nullptr) return Status::Invalid("the task has no guest ", number, " left");
  ARROW_ASSIGN_OR_RAISE(auto encoder, UnsafeRowEncoder::Make(read, context.pool));
  ARROW_ASSIGN_OR_RAISE(auto decoder, UnsafeRowDecoder::Make(made, context.pool));
  ARROW_ASSIGN_OR_RAISE(auto results,
                        arrow::AllocateResizableBuffer(kFirstResultBytes, context.pool));
  return std::unique_ptr<GuestValues>(new GuestValues(
      context, std::move(guests), std::move(encoder), std::move(decoder), std::move(results)));
}

Status GuestValues::Begin(const Batch& read) {
  rows_ = read.selected_count();
  given_ = 0;
  ARROW_ASSIGN_OR_RAISE(const EncodedRows rows, encoder_->Encode(read));
  return guests_->Begin(rows);
}

Result<GuestValues::Results> GuestValues::Next() {
  const int64_t wanted = left();
  lengths_.resize(static_cast<size_t>(wanted));
  int64_t bytes = 0;
  int64_t count = 0;
  Results next;
  while (count < wanted) {
    ARROW_ASSIGN_OR_RAISE(
        const RowSource::Filled filled,
        guests_->Fill(results_->mutable_data() + bytes, results_->size() - bytes,
                      lengths_.data() + count, static_cast<int32_t>(wanted - count)));
    if (filled.rows > 0) {
      for (int32_t i = 0; i < filled.rows; ++i) bytes += lengths_[count + i];
      count += filled.rows;
      ARROW_ASSIGN_OR_RAISE(next.failures, guests_->Failures());
      if (!next.failures.empty()) break;
      continue;
    }
    if (filled.needed_bytes == 0) {
      return Status::Invalid("the guests have given ", given_ + count, " rows of ", rows_);
    }
    if (count > 0 && bytes + filled.needed_bytes > context_.bounds().bytes) break;
    RETURN_NOT_OK(Grow(bytes + filled.needed_bytes));
  }
  ARROW_ASSIGN_OR_RAISE(next.columns,
                        decoder_->Decode({results_->data(), static_cast<size_t>(bytes)},
                                         {lengths_.data(), static_cast<size_t>(count)}));
  given_ += count;
  return next;
}

Status GuestValues::Grow(int64_t bytes) {
  if (bytes > std::numeric_limits<int32_t>::max()) {
    return Status::Invalid("a guest's results need ", bytes, " bytes; a row has at most 2 GB");
  }
  const int64_t doubled = std::min(results_->size() * 2, context_.bounds().bytes);
  return results_->Resize(std::max(bytes, doubled), /*shrink_to_fit=*/false);
}

}  // namespace reprise
