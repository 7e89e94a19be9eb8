// row_input: the rows of a Spark RDD as batches.
//
// Input: a RowSource, which writes UnsafeRows. Output: Arrow columns of the same fields, in the
// same order. Example: the rows (1, "a"), (2, null) become one batch {[1, 2], ["a", null]}.
//
// The time that the source takes is Spark's (the rest of its stage runs inside it), so it is not
// own time.

#include "operators/row_input.h"

#include <arrow/buffer.h>

#include <algorithm>
#include <limits>

#include "base/trace.h"
#include "transitions/row_decoder.h"

namespace reprise {

namespace {

constexpr int64_t kFirstCapacity = int64_t{1} << 18;

class RowInput : public Operator {
 public:
  RowInput(OperatorSpec spec, std::unique_ptr<RowSource> source,
           std::unique_ptr<UnsafeRowDecoder> decoder, std::unique_ptr<arrow::ResizableBuffer> rows,
           std::unique_ptr<arrow::ResizableBuffer> lengths, std::optional<int64_t> broadcast,
           const TaskContext& context)
      : Operator(std::move(spec), {}, context),
        source_(std::move(source)),
        decoder_(std::move(decoder)),
        rows_(std::move(rows)),
        lengths_(std::move(lengths)),
        broadcast_(broadcast) {}

  std::optional<int64_t> broadcast_id() const override { return broadcast_; }

 protected:
  Result<std::optional<Batch>> NextBatch() override {
    RETURN_NOT_OK(ReadRows());
    if (row_count_ == 0) return std::nullopt;
    return decoder_->Decode({rows_->data(), static_cast<size_t>(used_bytes_)},
                            {lengths(), static_cast<size_t>(row_count_)});
  }

 private:
  int32_t* lengths() { return reinterpret_cast<int32_t*>(lengths_->mutable_data()); }

  // Reads rows until the batch is full, its bytes are many, or the source has no more.
  Status ReadRows() {
    row_count_ = 0;
    used_bytes_ = 0;
    while (!source_ended_ && row_count_ < context().batch_rows_target) {
      ARROW_ASSIGN_OR_RAISE(const RowSource::Filled filled, Fill());
      if (filled.rows > 0) {
        RETURN_NOT_OK(Accept(filled.rows));
      } else if (filled.fails_next) {
        // Rows before the error are a batch; whoever needs no more than them never meets it.
        if (row_count_ > 0) break;
      } else if (filled.needed_bytes == 0) {
        source_ended_ = true;
      } else {
        // Rows that were read already are a batch; the large one opens the next.
        if (used_bytes_ + filled.needed_bytes > bounds().bytes && row_count_ > 0) break;
        RETURN_NOT_OK(Grow(used_bytes_ + filled.needed_bytes));
      }
    }
    return Status::OK();
  }

  Result<RowSource::Filled> Fill() {
    const int64_t start = MonotonicNs();
    const auto rows_max = static_cast<int32_t>(context().batch_rows_target - row_count_);
    auto filled = source_->Fill(rows_->mutable_data() + used_bytes_, rows_->size() - used_bytes_,
                                lengths() + row_count_, rows_max);
    mutable_metrics().own_time_ns -= MonotonicNs() - start;
    if (filled.ok() && (filled->rows < 0 || filled->rows > rows_max || filled->needed_bytes < 0)) {
      return Status::Invalid("the row source reports ", filled->rows, " rows and ",
                             filled->needed_bytes, " bytes needed where ", rows_max,
                             " rows were asked for");
    }
    return filled;
  }

  Status Accept(int32_t rows) {
    for (int32_t i = 0; i < rows; ++i) {
      const int32_t length = lengths()[row_count_ + i];
      if (length < 0 || length > rows_->size() - used_bytes_) {
        return Status::Invalid("row ", row_count_ + i, " has ", length, " bytes where ",
                               rows_->size() - used_bytes_, " were left to write to");
      }
      used_bytes_ += length;
    }
    row_count_ += rows;
    return Status::OK();
  }

  Status Grow(int64_t bytes) {
    if (bytes > std::numeric_limits<int32_t>::max()) {
      return Status::Invalid("the row source asks for ", bytes, " bytes; a row has at most 2 GB");
    }
    const int64_t doubled = std::min(rows_->size() * 2, bounds().bytes);
    return rows_->Resize(std::max(bytes, doubled), /*shrink_to_fit=*/false);
  }

  std::unique_ptr<RowSource> source_;
  std::unique_ptr<UnsafeRowDecoder> decoder_;
  std::unique_ptr<arrow::ResizableBuffer> rows_;     // kept from batch to batch
  std::unique_ptr<arrow::ResizableBuffer> lengths_;  // int32, batch_rows_target of them
  std::optional<int64_t> broadcast_;
  int64_t row_count_ = 0;
  int64_t used_bytes_ = 0;
  bool source_ended_ = false;
};

}  // namespace

Result<std::unique_ptr<Operator>> MakeRowInput(OperatorSpec spec, std::unique_ptr<RowSource> source,
                                               const TaskContext& context,
                                               std::optional<int64_t> broadcast) {
  if (!spec.inputs.empty()) {
    return Status::Invalid(spec.name, ": row_input is a leaf, but its spec has ",
                           spec.inputs.size(), " inputs");
  }
  const int64_t rows_max = context.batch_rows_target;
  if (rows_max < 1 || rows_max > std::numeric_limits<int32_t>::max()) {
    return Status::Invalid(spec.name, ": a batch of ", rows_max, " rows; expected 1 to ",
                           std::numeric_limits<int32_t>::max());
  }
  arrow::MemoryPool* pool = context.pool;
  ARROW_ASSIGN_OR_RAISE(auto decoder, UnsafeRowDecoder::Make(spec.output, pool));
  ARROW_ASSIGN_OR_RAISE(auto rows, arrow::AllocateResizableBuffer(
                                       std::min(kFirstCapacity, context.batch_bytes_target), pool));
  ARROW_ASSIGN_OR_RAISE(auto lengths, arrow::AllocateResizableBuffer(
                                          rows_max * static_cast<int64_t>(sizeof(int32_t)), pool));
  return std::make_unique<RowInput>(std::move(spec), std::move(source), std::move(decoder),
                                    std::move(rows), std::move(lengths), broadcast, context);
}

}  // namespace reprise
