// shuffle_write: distributes rows over the partitions of an exchange, as encoded blocks.
//
// Input:   one, any columns.  Output: the same rows, those of a block together; of their columns
// the first ones, where those behind are there for the partitioning alone. Example: hash
// partitioning by a, 2 partitions, over a = [1, 2, 3]: one block of rows 1 and 3, one of row 2 (or
// however their hashes fall).
//
// Rows are collected until there are enough of them for blocks of a good size, so that a partition
// gets few large blocks; then all partitions are encoded one after the other. Where memory is
// short, what has been collected is encoded to a file, whose blocks leave before any row that was
// collected later: each partition gets its rows in the order in which they came, as from Spark.
//
// Rows that are dealt out one after the other are ordered before (row_hash_order.h), unless Spark
// was told not to.
#include "operators/shuffle_write.h"

#include <arrow/array/util.h>
#include <arrow/scalar.h>

#include <algorithm>
#include <deque>

#include "exchange/block_decoder.h"
#include "exchange/partitioned_rows.h"
#include "exchange/spill_file.h"
#include "operators/row_hash_order.h"
#include "operators/sort.h"
#include "operators/spec_members.h"

namespace reprise {

namespace {

// Collected at most, and encoded into one block at most.
constexpr int64_t kCollectedBytesMax = int64_t{64} << 20;
constexpr int64_t kBlockBytesMax = int64_t{16} << 20;
// Encoding takes memory too, of which there is little when it is to be freed: the bytes of the
// block so many times.
constexpr int64_t kSpilledBlockBytesMax = int64_t{4} << 20;
constexpr int64_t kEncodedCopies = 3;

constexpr TraceRange kEncodeRange = {"encode block", "exchange", {"partition", "rows", "bytes"}};
constexpr TraceRange kReadSpilledRange = {
    "read spilled block", "spill", {"partition", "rows", "bytes"}};

// OperatorMetrics.extra, in the order of vocabulary/operators.def.
enum WrittenFigure { kDataSize, kBlocks, kBytesWritten, kWrittenFigures };

class ShuffleWrite final : public Operator, public BlockProducer {
 public:
  /// `rows`: the columns of the blocks.
  ShuffleWrite(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
               const TaskContext& context, std::shared_ptr<arrow::Schema> rows,
               std::unique_ptr<Partitioning> partitioning, std::unique_ptr<BlockEncoder> encoder,
               Codec codec, std::unique_ptr<RowHashOrder> order)
      : Operator(std::move(spec), std::move(inputs), context),
        schema_(std::move(rows)),
        partitioning_(std::move(partitioning)),
        encoder_(std::move(encoder)),
        codec_(codec),
        decoder_(schema_, pool()),
        rows_(partitioning_.get(), static_cast<size_t>(schema_->num_fields()), pool()),
        order_(std::move(order)) {
    mutable_metrics().extra.assign(kWrittenFigures, 0);
  }

  Result<std::optional<EncodedBlock>> NextBlock() override {
    // By way of Next, for its time, cancellation and capture. Rows are decoded again for a capture
    // only.
    only_block_ = !has_capture();
    const auto batch = Next();
    only_block_ = false;
    RETURN_NOT_OK(batch.status());
    if (!batch->has_value()) return std::nullopt;
    return std::move(block_);
  }

  int64_t SpillableBytes() const override { return rows_.bytes() + (order_ ? order_->bytes() : 0); }

  Result<int64_t> Spill() override {
    const int64_t freed = SpillableBytes();
    if (order_) {
      ARROW_ASSIGN_OR_RAISE(const int64_t written, order_->Spill());
      CountSpilled(written);
    }
    if (rows_.bytes() > 0) RETURN_NOT_OK(SpillBlocks());
    return freed;
  }

 private:
  /// One block is one batch.
  bool may_be_cut() const override { return false; }

  Result<std::optional<Batch>> NextBatch() override {
    ARROW_ASSIGN_OR_RAISE(const bool has_block, EncodeNext());
    if (!has_block) return std::nullopt;
    if (only_block_) return Batch{output_schema(), {}, block_.rows, nullptr};
    ARROW_ASSIGN_OR_RAISE(Batch batch, decoder_.Decode(block_.bytes));
    if (spec().output.size() == batch.columns.size()) return batch;
    ARROW_ASSIGN_OR_RAISE(
        auto partitions,
        arrow::MakeArrayFromScalar(arrow::Int32Scalar(block_.partition), batch.row_count, pool()));
    batch.columns.push_back(std::move(partitions));
    batch.schema = output_schema();
    return batch;
  }

  Result<bool> EncodeNext() {
    while (true) {
      if (is_giving_ && !spilled_.empty()) return ReadSpilled();
      if (is_giving_) {
        const auto chunk = rows_.Take(bounds().rows, BlockBytes());
        if (chunk) {
          ARROW_ASSIGN_OR_RAISE(block_, Encode(*chunk));
          return true;
        }
        // To reserve memory may have spilled the rows.
        is_giving_ = at_input_end_ && !spilled_.empty();
      } else if (at_input_end_) {
        return false;
      } else {
        RETURN_NOT_OK(Collect());
      }
    }
  }

  /// Of the next block. What is collected need not be spilled for it: a small one has room beside.
  int64_t BlockBytes() {
    const int64_t bytes = std::min({kBlockBytesMax, bounds().bytes, rows_.bytes()});
    return TryReserve(kEncodedCopies * bytes) ? bytes : std::min(bytes, kSpilledBlockBytesMax);
  }

  Status SpillBlocks() {
    if (!spill_) {
      ARROW_ASSIGN_OR_RAISE(spill_,
                            SpillFile::Make(SpillStorageOf(context()), schema_, pool(), codec_));
    }
    const int64_t before = spill_->bytes();
    const int64_t bytes_max = std::min(kSpilledBlockBytesMax, bounds().bytes);
    while (const auto chunk = rows_.Take(bounds().rows, bytes_max)) {
      ARROW_ASSIGN_OR_RAISE(EncodedBlock block, Encode(*chunk));
      RETURN_NOT_OK(spill_->WriteBlock(*block.bytes));
      block.bytes.reset();
      spilled_.push_back(std::move(block));
    }
    is_giving_ = at_input_end_;
    CountSpilled(spill_->bytes() - before);
    return Status::OK();
  }

  /// The next rows in the order in which they are given their partitions.
  Result<std::optional<Batch>> PullInOrder() {
    if (!order_) return Pull();
    while (!order_->is_complete()) {
      ARROW_ASSIGN_OR_RAISE(const auto batch, Pull());
      if (batch) {
        RETURN_NOT_OK(Reserve(RowHashOrder::Growth(*batch)));
        RETURN_NOT_OK(order_->Add(*batch));
      } else {
        if (order_->has_runs()) RETURN_NOT_OK(SpillRest());
        RETURN_NOT_OK(order_->End());
      }
    }
    return order_->Next();
  }

  Status Collect() {
    ARROW_ASSIGN_OR_RAISE(auto batch, PullInOrder());
    at_input_end_ = !batch.has_value();
    if (batch) {
      RETURN_NOT_OK(Reserve(rows_.Growth(*batch)));
      RETURN_NOT_OK(rows_.Add(std::move(*batch)));
    }
    is_giving_ =
        at_input_end_ || rows_.bytes() >= kCollectedBytesMax || rows_.rows() >= rows_wanted();
    return Status::OK();
  }

  /// Enough for one full batch of every partition.
  int64_t rows_wanted() const {
    return context().batch_rows_target * partitioning_->partition_count();
  }

  Result<EncodedBlock> Encode(const PartitionedRows::Chunk& chunk) {
    TraceScope range(context().trace, kEncodeRange);
    EncodedBlock block{nullptr, chunk.partition, chunk.rows};
    ARROW_ASSIGN_OR_RAISE(block.bytes, encoder_->Encode(chunk.slices));
    range.Count(block.partition, block.rows, block.bytes->size());
    auto& figures = mutable_metrics().extra;
    figures[kDataSize] += chunk.bytes;
    figures[kBlocks] += 1;
    figures[kBytesWritten] += block.bytes->size();
    return block;
  }

  /// The next of the blocks that were spilled, of which there are some.
  Result<bool> ReadSpilled() {
    if (!spill_reader_) spill_reader_ = spill_->Read(pool());
    TraceScope range(context().trace, kReadSpilledRange);
    block_ = std::move(spilled_.front());
    spilled_.pop_front();
    ARROW_ASSIGN_OR_RAISE(block_.bytes, spill_reader_->NextBlock());
    range.Count(block_.partition, block_.rows, block_.bytes->size());
    if (spilled_.empty()) {
      spill_reader_.reset();
      spill_.reset();
    }
    return true;
  }

  std::shared_ptr<arrow::Schema> schema_;
  std::unique_ptr<Partitioning> partitioning_;
  std::unique_ptr<BlockEncoder> encoder_;
  Codec codec_;
  BlockDecoder decoder_;
  PartitionedRows rows_;
  std::unique_ptr<RowHashOrder> order_;  // null: rows are taken as they come
  EncodedBlock block_;
  std::unique_ptr<SpillFile> spill_;
  std::deque<EncodedBlock>
      spilled_;  // without their bytes, in the order in which they were written
  std::unique_ptr<SpillReader> spill_reader_;
  bool only_block_ = false;
  bool is_giving_ = false;
  bool at_input_end_ = false;
};

/// The columns of the rows that are divided.
Result<std::vector<Field>> DividedColumns(const OperatorSpec& spec) {
  OperatorSpec divided = spec;
  bool tells = false;
  if (spec.arguments.contains("tellsPartitions")) {
    ARROW_ASSIGN_OR_RAISE(tells, BooleanMember(spec.arguments, "tellsPartitions"));
  }
  if (tells) {
    if (spec.output.empty() || spec.output.back().type != PartitionColumn().type) {
      return Status::Invalid("its last column tells partitions: expected an int");
    }
    divided.output.pop_back();
  }
  RETURN_NOT_OK(CheckColumnsOfInput(divided));
  return std::move(divided.output);
}

}  // namespace

Result<std::unique_ptr<Operator>> MakeShuffleWrite(OperatorSpec spec,
                                                   std::vector<std::unique_ptr<Operator>> inputs,
                                                   const TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(const std::vector<Field> columns, DividedColumns(spec));
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* json, Member(spec.arguments, "partitioning"));
  ARROW_ASSIGN_OR_RAISE(const int64_t count, IntegerMember(spec.arguments, "numPartitions"));
  ARROW_ASSIGN_OR_RAISE(const std::string codec_name, StringMember(spec.arguments, "codec"));
  const Result<Codec> codec = CodecFromName(codec_name);
  if (!codec.ok()) return WithPrefix(codec.status(), "\"codec\": ");
  if (count < 1 || count > INT32_MAX) {
    return Status::Invalid("\"numPartitions\" is ", count, "; expected 1 to 2147483647");
  }
  ARROW_ASSIGN_OR_RAISE(
      auto partitioning,
      MakePartitioning(*json, spec.inputs[0], static_cast<int>(count), context.partition));
  ARROW_ASSIGN_OR_RAISE(const auto schema, ToArrowSchema(columns));
  ARROW_ASSIGN_OR_RAISE(auto encoder, BlockEncoder::Make(schema, *codec, context.pool));
  std::unique_ptr<RowHashOrder> order;
  if (count > 1 && (*json)["type"] == "round_robin" && json->contains("sorted")) {
    ARROW_ASSIGN_OR_RAISE(const bool is_sorted, BooleanMember(*json, "sorted"));
    if (is_sorted) {
      ARROW_ASSIGN_OR_RAISE(order, RowHashOrder::Make(columns, context));
    }
  }
  return std::make_unique<ShuffleWrite>(std::move(spec), std::move(inputs), context, schema,
                                        std::move(partitioning), std::move(encoder), *codec,
                                        std::move(order));
}

}  // namespace reprise
