// Purpose: put columns beside the input's that only Spark can compute.
// Input:   one, any columns.  Output: its columns, then the guests'; as many rows. A value that
// Spark cannot compute is an error in its place (value_errors.h), and fails where it is used.
// Example: guest length(reverse(b)) over b = ["x", "yz"] gives b and [1, 2].
//
// Only the columns that the guests read become rows, and only their results come back. The first
// rows of a task are evaluated few at a time: a guest may be slow, and a limit above may be full
// after a row.
#include "operators/guest_project.h"

#include <arrow/buffer.h>

#include <algorithm>
#include <limits>

#include "expressions/expression.h"
#include "operators/sort.h"
#include "operators/spec_members.h"
#include "transitions/guest_rows.h"
#include "transitions/row_decoder.h"
#include "transitions/row_encoder.h"

namespace reprise {

namespace {

constexpr int64_t kFirstRows = 64;
constexpr int64_t kFirstResultBytes = int64_t{1} << 16;

class GuestProject final : public Operator {
 public:
  GuestProject(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
               const TaskContext& context, std::vector<int> reads,
               std::unique_ptr<GuestRows> guests, std::unique_ptr<UnsafeRowEncoder> encoder,
               std::unique_ptr<UnsafeRowDecoder> decoder,
               std::unique_ptr<arrow::ResizableBuffer> results)
      : Operator(std::move(spec), std::move(inputs), context),
        reads_(std::move(reads)),
        guests_(std::move(guests)),
        encoder_(std::move(encoder)),
        decoder_(std::move(decoder)),
        results_(std::move(results)) {}

 private:
  bool hands_on(int /*index*/, int column) const override {
    return std::ranges::find(reads_, column) == reads_.end();
  }

  Result<std::optional<Batch>> NextBatch() override {
    while (given_ == piece_rows_) {
      piece_.reset();
      while (!rest_.has_more()) {
        ARROW_ASSIGN_OR_RAISE(std::optional<Batch> batch, Pull());
        if (!batch.has_value()) return std::nullopt;
        if (batch->selected_count() > 0) rest_.Start(*std::move(batch));
      }
      RETURN_NOT_OK(Begin());
    }
    failures_.clear();
    ARROW_ASSIGN_OR_RAISE(const int64_t count, ReadResults());
    ARROW_ASSIGN_OR_RAISE(Batch output, WithResults(count));
    given_ += count;
    return output;
  }

  /// Hands the next rows to the guests.
  Status Begin() {
    const BatchBounds most = bounds();
    ARROW_ASSIGN_OR_RAISE(piece_,
                          rest_.Next({std::min(most.rows, rows_at_once_), most.bytes}, pool()));
    rows_at_once_ = std::min(rows_at_once_ * 4, most.rows);
    piece_rows_ = piece_->selected_count();
    given_ = 0;
    Batch read{nullptr, {}, piece_->row_count, piece_->selection};
    for (const int column : reads_) read.columns.push_back(piece_->columns[column]);
    ARROW_ASSIGN_OR_RAISE(const EncodedRows rows, encoder_->Encode(read));
    return guests_->Begin(rows);
  }

  /// The results of the next rows, in results_: up to one that fails, or that makes them too many
  /// bytes; one at least.
  Result<int64_t> ReadResults() {
    const int64_t wanted = piece_rows_ - given_;
    lengths_.resize(static_cast<size_t>(wanted));
    used_bytes_ = 0;
    int64_t count = 0;
    while (count < wanted) {
      ARROW_ASSIGN_OR_RAISE(
          const RowSource::Filled filled,
          guests_->Fill(results_->mutable_data() + used_bytes_, results_->size() - used_bytes_,
                        lengths_.data() + count, static_cast<int32_t>(wanted - count)));
      if (filled.rows > 0) {
        for (int32_t i = 0; i < filled.rows; ++i) used_bytes_ += lengths_[count + i];
        count += filled.rows;
        ARROW_ASSIGN_OR_RAISE(failures_, guests_->Failures());
        if (!failures_.empty()) break;
        continue;
      }
      if (filled.needed_bytes == 0) {
        return Status::Invalid("the guests have given ", given_ + count, " rows of ", piece_rows_);
      }
      if (count > 0 && used_bytes_ + filled.needed_bytes > bounds().bytes) break;
      RETURN_NOT_OK(Grow(used_bytes_ + filled.needed_bytes));
    }
    return count;
  }

  Status Grow(int64_t bytes) {
    if (bytes > std::numeric_limits<int32_t>::max()) {
      return Status::Invalid("a guest's results need ", bytes, " bytes; a row has at most 2 GB");
    }
    const int64_t doubled = std::min(results_->size() * 2, bounds().bytes);
    return results_->Resize(std::max(bytes, doubled), /*shrink_to_fit=*/false);
  }

  /// The piece's next `count` rows with their results.
  Result<Batch> WithResults(int64_t count) {
    ARROW_ASSIGN_OR_RAISE(const Batch made,
                          decoder_->Decode({results_->data(), static_cast<size_t>(used_bytes_)},
                                           {lengths_.data(), static_cast<size_t>(count)}));
    ARROW_ASSIGN_OR_RAISE(const Batch rows, PieceOf(*piece_, given_, count, pool()));
    Batch output{output_schema(), {}, count, nullptr};
    EvalInput input(rows, pool());
    for (size_t i = 0; i < rows.columns.size(); ++i) {
      ARROW_ASSIGN_OR_RAISE(auto column, input.column(static_cast<int>(i)));
      output.columns.push_back(std::move(column));
    }
    output.columns.insert(output.columns.end(), made.columns.begin(), made.columns.end());
    ValueErrors errors = ErrorsByPlace(rows);
    const auto first = static_cast<int>(rows.columns.size());
    for (const auto& [guest, failure] : failures_) {
      errors.push_back({static_cast<int32_t>(count - 1), first + guest, failure});
    }
    output.errors = ToBatchErrors(std::move(errors));
    return output;
  }

  const std::vector<int> reads_;
  const std::unique_ptr<GuestRows> guests_;
  const std::unique_ptr<UnsafeRowEncoder> encoder_;
  const std::unique_ptr<UnsafeRowDecoder> decoder_;
  const std::unique_ptr<arrow::ResizableBuffer> results_;  // kept from piece to piece
  std::vector<int32_t> lengths_;
  BatchCutter rest_;
  std::optional<Batch> piece_;  // that the guests are evaluating
  int64_t piece_rows_ = 0;
  int64_t given_ = 0;  // rows of it that have left
  int64_t used_bytes_ = 0;
  std::vector<std::pair<int, Status>> failures_;  // of the last row that was read
  int64_t rows_at_once_ = kFirstRows;
};

}  // namespace

Result<std::unique_ptr<Operator>> MakeGuestProject(OperatorSpec spec,
                                                   std::vector<std::unique_ptr<Operator>> inputs,
                                                   const TaskContext& context) {
  const std::vector<Field>& input = spec.inputs[0];
  if (spec.output.size() <= input.size()) {
    return Status::Invalid("its output has ", spec.output.size(), " columns, its input ",
                           input.size(), ", so that no guest is left");
  }
  RETURN_NOT_OK(CheckInputFirst(spec));
  ARROW_ASSIGN_OR_RAISE(std::vector<int> reads,
                        ColumnNumbersMember(spec.arguments, "reads", input.size()));
  ARROW_ASSIGN_OR_RAISE(const int64_t number, IntegerMember(spec.arguments, "guest"));
  if (!context.take_guest) {
    return Status::NotImplemented("its expressions are Spark's, and there is no Spark here");
  }
  std::unique_ptr<GuestRows> guests = context.take_guest(number);
  if (guests == nullptr) return Status::Invalid("the task has no guest ", number, " left");
  std::vector<Field> read;
  for (const int column : reads) read.push_back(input[static_cast<size_t>(column)]);
  const std::vector<Field> made(spec.output.begin() + std::ssize(input), spec.output.end());
  ARROW_ASSIGN_OR_RAISE(auto encoder, UnsafeRowEncoder::Make(read, context.pool));
  ARROW_ASSIGN_OR_RAISE(auto decoder, UnsafeRowDecoder::Make(made, context.pool));
  ARROW_ASSIGN_OR_RAISE(auto results,
                        arrow::AllocateResizableBuffer(kFirstResultBytes, context.pool));
  return std::make_unique<GuestProject>(std::move(spec), std::move(inputs), context,
                                        std::move(reads), std::move(guests), std::move(encoder),
                                        std::move(decoder), std::move(results));
}

}  // namespace reprise
