// shuffle_read and broadcast_read: the blocks of an exchange as batches.
//
// Input:   a BlockSource.  Output: the blocks' rows in the order in which they come.
// Example: of the blocks [1, 2], [3] and [4, 5], batches of up to 3 rows are [1, 2, 3] and [4, 5].
//
// Small blocks become one batch while they are decoded: as many as it may have rows and bytes of
// values, whatever the blocks' own bytes are. The time that the source takes is that of
// Spark's shuffle, so it is not own time.
#include "operators/shuffle_read.h"

#include "base/trace.h"
#include "exchange/block_decoder.h"

namespace reprise {

namespace {

constexpr TraceRange kDecodeRange = {"decode blocks", "exchange", {"blocks", "rows", "bytes"}};

// OperatorMetrics.extra, in the order of vocabulary/operators.def.
enum ReadFigure { kBlocksRead, kBytesRead, kReadFigures };

class ShuffleRead final : public Operator {
 public:
  ShuffleRead(OperatorSpec spec, std::unique_ptr<BlockSource> source,
              std::optional<int64_t> broadcast, const TaskContext& context)
      : Operator(std::move(spec), {}, context),
        source_(std::move(source)),
        broadcast_(broadcast),
        decoder_(output_schema(), pool()) {
    mutable_metrics().extra.assign(kReadFigures, 0);
  }

  std::optional<int64_t> broadcast_id() const override { return broadcast_; }

 private:
  Result<std::optional<Batch>> NextBatch() override {
    std::vector<CheckedBlock> blocks;
    int64_t rows = 0;
    int64_t bytes = 0;
    while (true) {
      if (!next_) RETURN_NOT_OK(Fetch());
      if (!next_) break;
      const int64_t next_bytes = decoder_.PlainBytes(*next_);
      const bool fits =
          rows + next_->rows() <= bounds().rows && bytes + next_bytes <= bounds().bytes;
      if (!blocks.empty() && !fits) break;
      rows += next_->rows();
      bytes += next_bytes;
      blocks.push_back(*std::move(next_));
      next_.reset();
    }
    if (blocks.empty()) return std::nullopt;
    TraceScope range(context().trace, kDecodeRange);
    range.Count(std::ssize(blocks), rows, bytes);
    auto batch = decoder_.Decode(blocks);
    if (!batch.ok()) {
      return WithPrefix(
          batch.status(),
          fmt::format("one of the {} blocks up to block {}: ", blocks.size(), fetched_ - 1));
    }
    return std::optional<Batch>(std::move(*batch));
  }

  Status Fetch() {
    if (at_source_end_) return Status::OK();
    const int64_t start = MonotonicNs();
    auto bytes = source_->Next(pool());
    mutable_metrics().own_time_ns -= MonotonicNs() - start;
    RETURN_NOT_OK(bytes.status());
    at_source_end_ = *bytes == nullptr;
    if (at_source_end_) return Status::OK();
    mutable_metrics().extra[kBlocksRead] += 1;
    mutable_metrics().extra[kBytesRead] += (*bytes)->size();
    auto block = decoder_.Check(std::move(*bytes));
    if (!block.ok()) {
      return WithPrefix(block.status(), fmt::format("block {} of its input: ", fetched_));
    }
    ++fetched_;
    next_ = std::move(*block);
    return Status::OK();
  }

  std::unique_ptr<BlockSource> source_;
  std::optional<int64_t> broadcast_;
  BlockDecoder decoder_;
  std::optional<CheckedBlock> next_;
  int64_t fetched_ = 0;
  bool at_source_end_ = false;
};

}  // namespace

Result<std::unique_ptr<Operator>> MakeShuffleRead(OperatorSpec spec,
                                                  std::unique_ptr<BlockSource> source,
                                                  std::optional<int64_t> broadcast,
                                                  const TaskContext& context) {
  if (!spec.inputs.empty()) {
    return Status::Invalid(ErrorPrefix(spec), spec.kind, " is a leaf, but its spec has ",
                           spec.inputs.size(), " inputs");
  }
  RETURN_NOT_OK(ToArrowSchema(spec.output));
  return std::make_unique<ShuffleRead>(std::move(spec), std::move(source), broadcast, context);
}

}  // namespace reprise
