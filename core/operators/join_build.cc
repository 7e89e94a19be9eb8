#include "operators/join_build.h"

#include <arrow/array/array_dict.h>
#include <arrow/array/concatenate.h>
#include <arrow/array/util.h>

#include <algorithm>

namespace reprise {

namespace {

bool IsEncoded(const std::shared_ptr<arrow::Array>& array) {
  return array->type_id() == arrow::Type::DICTIONARY;
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
                         bool owns_memory, arrow::MemoryPool* pool)
    : fields_(fields),
      owns_memory_(owns_memory),
      pool_(pool),
      build_(std::make_shared<JoinBuild>()),
      keys_(&build_->layout, pool),
      chunks_(fields.size()) {
  build_->layout = JoinKeyLayout(key_types);
  build_->table =
      key_types.empty() ? MakeKeylessJoinTable(pool) : MakeJoinTable(build_->layout, pool);
}

Status JoinBuilder::Add(const Batch& batch, const arrow::ArrayVector& keys) {
  const int64_t rows = batch.selected_count();
  if (rows == 0) return Status::OK();
  RETURN_NOT_OK(keys_.Encode(keys, rows));
  RETURN_NOT_OK(build_->table->Add(keys_));
  for (size_t i = 0; i < chunks_.size(); ++i) {
    ARROW_ASSIGN_OR_RAISE(auto column, GatherColumn(batch, static_cast<int>(i), pool_));
    chunks_[i].push_back(std::move(column));
  }
  return Status::OK();
}

Result<std::shared_ptr<const JoinBuild>> JoinBuilder::Finish() {
  for (size_t i = 0; i < chunks_.size(); ++i) {
    ARROW_ASSIGN_OR_RAISE(auto column, Joined(i));
    build_->columns.push_back(std::move(column));
    chunks_[i].clear();
  }
  RETURN_NOT_OK(build_->table->Finish());
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
  if (joined.ok()) return joined;
  return Status::CapacityError("column ", column, " (", fields_[column].name,
                               ") of the build side: ", joined.status().message());
}

}  // namespace reprise
