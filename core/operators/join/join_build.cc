#include "operators/join/join_build.h"

#include <arrow/array/array_dict.h>
#include <arrow/array/concatenate.h>
#include <arrow/array/util.h>

#include <algorithm>
#include <span>

#include "operators/gather.h"
#include "operators/join/join_keys.h"

namespace reprise {

namespace {

bool IsEncoded(const std::shared_ptr<arrow::Array>& array) {
  return array->type_id() == arrow::Type::DICTIONARY;
}

int64_t BufferBytes(const arrow::ArrayData& data) {
  int64_t bytes = 0;
  for (const auto& buffer : data.buffers) bytes += buffer ? buffer->size() : 0;
  return bytes;
}

// A copy that shares no memory with `array`.
Result<std::shared_ptr<arrow::Array>> Copy(const std::shared_ptr<arrow::Array>& array,
                                           arrow::MemoryPool* pool) {
  return arrow::Concatenate({array, array->Slice(0, 0)}, pool);
}

// Encoded chunks stay encoded where all are of one dictionary; else their values are written out.
bool HaveOneDictionary(const arrow::ArrayVector& chunks) {
  if (!std::ranges::all_of(chunks, IsEncoded)) return false;
  return std::ranges::all_of(chunks, [&](const auto& chunk) {
    return chunk->data()->dictionary == chunks[0]->data()->dictionary;
  });
}

}  // namespace

JoinBuilder::JoinBuilder(const std::vector<Field>& fields, const std::vector<DataType>& key_types,
                         ChainOrder order, bool owns_memory, arrow::MemoryPool* pool)
    : fields_(fields),
      owns_memory_(owns_memory),
      pool_(pool),
      build_(std::make_shared<JoinBuild>()),
      keys_(&build_->layout, pool),
      chunks_(fields.size()),
      dictionaries_(fields.size()) {
  build_->layout = JoinKeyLayout(key_types);
  build_->table =
      key_types.empty() ? MakeKeylessJoinTable(pool) : MakeJoinTable(build_->layout, order, pool);
}

Status JoinBuilder::Add(const Batch& batch, const arrow::ArrayVector& keys) {
  const int64_t rows = batch.selected_count();
  if (rows == 0) return Status::OK();
  RETURN_NOT_OK(keys_.Encode(keys, rows));
  RETURN_NOT_OK(build_->table->Add(keys_));
  for (size_t i = 0; i < chunks_.size(); ++i) {
    ARROW_ASSIGN_OR_RAISE(auto column, GatherColumn(batch, static_cast<int>(i), pool_));
    column_bytes_ += NewBytes(i, *column);
    chunks_[i].push_back(std::move(column));
  }
  chunk_ends_.push_back(row_count());
  return Status::OK();
}

// Batches one after the other often share their dictionaries, which count once.
int64_t JoinBuilder::NewBytes(size_t column, const arrow::Array& chunk) {
  const arrow::ArrayData* dictionary = chunk.data()->dictionary.get();
  int64_t bytes = OwnBytes(*chunk.data());
  if (dictionary != nullptr && dictionary != dictionaries_[column]) {
    bytes += BufferBytes(*dictionary);
  }
  dictionaries_[column] = dictionary;
  return bytes;
}

int64_t JoinBuilder::GrowthBytes(const Batch& batch) const {
  const int64_t bytes = CopyBytes(batch);
  // The columns, and about as much for what it takes to add them.
  return 2 * bytes + build_->table->GrowthBytes(batch.selected_count(), bytes);
}

// Columns are joined one after the other; a decoded one stays larger than it was.
int64_t JoinBuilder::FinishBytes() const {
  int64_t largest = 0;
  int64_t decoded = 0;
  for (const arrow::ArrayVector& chunks : chunks_) {
    int64_t bytes = 0;
    const bool is_decoded =
        std::ranges::any_of(chunks, IsEncoded) && (owns_memory_ || !HaveOneDictionary(chunks));
    for (const auto& chunk : chunks) {
      const Batch column{nullptr, {chunk}, chunk->length(), nullptr};
      bytes += is_decoded ? PlainBytes(column) : BufferBytes(*chunk->data());
    }
    if (is_decoded) decoded += bytes;
    largest = std::max(largest, bytes);
  }
  // A byte a row for whoever marks those that had a match.
  return largest + decoded + build_->table->FinishBytes() + row_count();
}

// The columns once more, and three numbers or flags a row.
int64_t JoinBuilder::RegroupBytes() const {
  return column_bytes_ + row_count() * 3 * static_cast<int64_t>(sizeof(int32_t));
}

Result<Batch> JoinBuilder::TakeChunk(size_t chunk) {
  const int64_t begin = chunk == 0 ? 0 : chunk_ends_[chunk - 1];
  const int64_t rows = chunk_ends_[chunk] - begin;
  ARROW_ASSIGN_OR_RAISE(auto schema, ToArrowSchema(fields_));
  Batch batch{std::move(schema), {}, rows, nullptr};
  for (size_t i = 0; i < chunks_.size(); ++i) {
    // Finish has failed after it had joined some columns.
    batch.columns.push_back(i < build_->columns.size() ? build_->columns[i]->Slice(begin, rows)
                                                       : std::move(chunks_[i][chunk]));
  }
  return batch;
}

Status JoinBuilder::Regroup() {
  PoolVector<int32_t> old_rows(pool_);
  ARROW_ASSIGN_OR_RAISE(const bool is_regrouped, build_->table->Regroup(&old_rows));
  if (!is_regrouped) return Status::OK();
  const std::span<const int32_t> rows(old_rows.data(), static_cast<size_t>(old_rows.size()));
  // Until all are there the rows can be taken as they were.
  arrow::ArrayVector regrouped;
  for (const auto& column : build_->columns) {
    ARROW_ASSIGN_OR_RAISE(auto gathered, GatherRows(*column, rows, Missing::kUndefined, pool_));
    regrouped.push_back(std::move(gathered));
  }
  build_->columns = std::move(regrouped);
  return Status::OK();
}

Result<std::shared_ptr<const JoinBuild>> JoinBuilder::Finish(bool may_regroup) {
  for (size_t i = 0; i < chunks_.size(); ++i) {
    ARROW_ASSIGN_OR_RAISE(auto column, Joined(i));
    build_->columns.push_back(std::move(column));
    chunks_[i].clear();
  }
  RETURN_NOT_OK(build_->table->Finish());
  if (may_regroup) RETURN_NOT_OK(Regroup());
  build_->widths = RowWidths(build_->columns);
  build_->longest_row = build_->widths.LongestRow();
  for (const auto& column : build_->columns) build_->bytes += BufferBytes(*column->data());
  build_->bytes += build_->table->bytes();
  return std::move(build_);
}

Result<std::shared_ptr<arrow::Array>> JoinBuilder::Joined(size_t column) {
  arrow::ArrayVector& chunks = chunks_[column];
  if (chunks.empty()) {
    ARROW_ASSIGN_OR_RAISE(auto type, ToArrow(fields_[column].type));
    return arrow::MakeEmptyArray(type, pool_);
  }
  if (chunks.size() == 1 && !owns_memory_) return chunks[0];
  if (!HaveOneDictionary(chunks) || owns_memory_) {
    for (auto& chunk : chunks) {
      ARROW_ASSIGN_OR_RAISE(chunk, DecodeDictionary(chunk, pool_));
    }
  }
  if (chunks.size() == 1) return Copy(chunks[0], pool_);
  auto joined = arrow::Concatenate(chunks, pool_);
  if (joined.ok() || joined.status().IsOutOfMemory()) return joined;
  return Status::CapacityError("column ", column, " (", fields_[column].name,
                               ") of the build side: ", joined.status().message());
}

}  // namespace reprise
