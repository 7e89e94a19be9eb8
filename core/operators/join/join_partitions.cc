#include "operators/join/join_partitions.h"

#include <arrow/array/concatenate.h>
#include <xxhash.h>

#include <limits>

#include "operators/interleave.h"
#include "operators/spill_place.h"

namespace reprise {

namespace {

// Fewer rows are kept until there are more, so that blocks are not tiny.
constexpr int64_t kRowsAtOnceMax = 4096;
constexpr int64_t kPendingBytesMax = int64_t{1} << 20;
// Divided at once: what it takes to write them comes on top of the memory that is short.
constexpr BatchBounds kDivided{std::numeric_limits<int64_t>::max(), int64_t{4} << 20};
constexpr int kPartitionShift = 64 - 4;
static_assert(JoinPartitions::kCount == 1 << 4);

std::vector<DataType> TypesOf(const JoinPlan::Keys& keys) {
  std::vector<DataType> types;
  for (const auto& key : keys) types.push_back(key->type());
  return types;
}

}  // namespace

JoinPartitions::JoinPartitions(const JoinPlan::Keys* keys, bool keeps_null_keys,
                               std::shared_ptr<arrow::Schema> schema, int level,
                               const SpillPlace* place)
    : key_expressions_(*keys),
      keeps_null_keys_(keeps_null_keys),
      schema_(std::move(schema)),
      seed_(0x9E3779B97F4A7C15u * static_cast<uint64_t>(level + 1)),
      place_(*place),
      rows_at_once_(std::min(kRowsAtOnceMax, place->context.batch_rows_target)),
      layout_(TypesOf(*keys)),
      keys_(&layout_, place->context.pool) {
  wanted_.set();
}

Status JoinPartitions::Add(const Batch& batch) {
  if (IsWithin(batch, kDivided)) return AddPiece(batch);
  BatchCutter cutter;
  cutter.Start(batch);
  while (cutter.has_more()) {
    ARROW_ASSIGN_OR_RAISE(const Batch piece, cutter.Next(kDivided, place_.context.pool));
    RETURN_NOT_OK(AddPiece(piece));
  }
  return Status::OK();
}

Status JoinPartitions::AddPiece(const Batch& batch) {
  const int64_t rows = batch.selected_count();
  if (rows == 0) return Status::OK();
  if (pending_.empty() && rows >= rows_at_once_) return Write(batch);
  ARROW_ASSIGN_OR_RAISE(Batch compacted, Compacted(batch, place_.context.pool));
  pending_rows_ += rows;
  pending_bytes_ += PlainBytes(compacted);
  pending_.push_back(std::move(compacted));
  const bool is_enough = pending_rows_ >= rows_at_once_ || pending_bytes_ >= kPendingBytesMax;
  return is_enough ? Flush() : Status::OK();
}

Status JoinPartitions::End() {
  RETURN_NOT_OK(Flush());
  for (const auto& file : files_) {
    if (file) file->EndWriting();
  }
  return Status::OK();
}

Status JoinPartitions::Flush() {
  if (pending_.empty()) return Status::OK();
  Batch together{schema_, {}, pending_rows_, nullptr};
  for (size_t column = 0; column < pending_[0].columns.size(); ++column) {
    arrow::ArrayVector pieces;
    for (const Batch& batch : pending_) pieces.push_back(batch.columns[column]);
    ARROW_ASSIGN_OR_RAISE(auto joined, arrow::Concatenate(pieces, place_.context.pool));
    together.columns.push_back(std::move(joined));
  }
  pending_.clear();
  pending_rows_ = pending_bytes_ = 0;
  return Write(together);
}

Status JoinPartitions::Write(const Batch& batch) {
  const int64_t rows = batch.selected_count();
  ARROW_ASSIGN_OR_RAISE(const auto columns,
                        EvaluateKeys(key_expressions_, batch, place_.context.pool));
  RETURN_NOT_OK(keys_.Encode(columns, rows));
  const int words = layout_.word_count();
  std::array<std::vector<int32_t>, kCount> selections;
  for (int64_t row = 0; row < rows; ++row) {
    uint64_t partition = 0;
    if (keys_.is_null(row)) {
      if (!keeps_null_keys_) continue;
      partition = static_cast<uint64_t>(written_rows_ + row) % kCount;
    } else if (words > 0) {
      partition = XXH3_64bits_withSeed(keys_.words() + row * words,
                                       static_cast<size_t>(words) * sizeof(uint64_t), seed_) >>
                  kPartitionShift;
    } else {
      const std::string_view run = keys_.run(row);
      partition = XXH3_64bits_withSeed(run.data(), run.size(), seed_) >> kPartitionShift;
    }
    selections[partition].push_back(batch.has_selection() ? batch.selected()[row]
                                                          : static_cast<int32_t>(row));
  }
  written_rows_ += rows;
  Batch part = batch;
  for (size_t partition = 0; partition < kCount; ++partition) {
    if (selections[partition].empty() || !wanted_[partition]) continue;
    std::unique_ptr<SpillFile>& file = files_[partition];
    if (!file) {
      ARROW_ASSIGN_OR_RAISE(file, place_.MakeFile(schema_));
    }
    part.selection = arrow::Buffer::FromVector(std::move(selections[partition]));
    const int64_t before = file->bytes();
    RETURN_NOT_OK(file->Write(part));
    place_.count_spilled(file->bytes() - before);
  }
  return Status::OK();
}

}  // namespace reprise
