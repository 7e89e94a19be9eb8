#include "base/batch.h"

#include <arrow/array/array_dict.h>
#include <arrow/array/array_primitive.h>
#include <arrow/compute/api_vector.h>
#include <arrow/compute/exec.h>
#include <arrow/compute/initialize.h>

#include <unordered_set>

namespace reprise {

namespace {

// Arrow 21 and later keep most kernels in a library of their own, which has to be told to register
// them.
Status RegisterKernels() {
  static const Status status = arrow::compute::Initialize();
  return status;
}

Result<std::shared_ptr<arrow::Array>> TakeRows(const arrow::Array& column,
                                               std::shared_ptr<arrow::Buffer> indices,
                                               arrow::MemoryPool* pool) {
  RETURN_NOT_OK(RegisterKernels());
  const int64_t count = indices->size() / static_cast<int64_t>(sizeof(int32_t));
  arrow::Int32Array index_array(count, std::move(indices));
  arrow::compute::ExecContext context(pool);
  ARROW_ASSIGN_OR_RAISE(
      arrow::Datum taken,
      arrow::compute::Take(column.data(), index_array.data(),
                           arrow::compute::TakeOptions::NoBoundsCheck(), &context));
  return taken.make_array();
}

int64_t SizeOfUnseen(const arrow::ArrayData& data, std::unordered_set<const uint8_t*>* seen) {
  int64_t bytes = 0;
  for (const auto& buffer : data.buffers) {
    if (buffer && seen->insert(buffer->data()).second) bytes += buffer->size();
  }
  for (const auto& child : data.child_data) bytes += SizeOfUnseen(*child, seen);
  if (data.dictionary) bytes += SizeOfUnseen(*data.dictionary, seen);
  return bytes;
}

}  // namespace

Batch ToBatch(const std::shared_ptr<arrow::RecordBatch>& records) {
  return Batch{records->schema(), records->columns(), records->num_rows(), nullptr};
}

Result<std::shared_ptr<arrow::Array>> GatherColumn(const Batch& batch, int index,
                                                   arrow::MemoryPool* pool) {
  const auto& column = batch.columns[index];
  if (!batch.has_selection()) return column;
  return TakeRows(*column, batch.selection, pool);
}

Result<std::shared_ptr<arrow::Array>> Gather(const arrow::Array& column,
                                             std::span<const int32_t> indices,
                                             arrow::MemoryPool* pool) {
  auto buffer = std::make_shared<arrow::Buffer>(reinterpret_cast<const uint8_t*>(indices.data()),
                                                static_cast<int64_t>(indices.size_bytes()));
  return TakeRows(column, std::move(buffer), pool);
}

Result<std::shared_ptr<arrow::Array>> DecodeDictionary(const std::shared_ptr<arrow::Array>& column,
                                                       arrow::MemoryPool* pool) {
  if (column->type_id() != arrow::Type::DICTIONARY) return column;
  RETURN_NOT_OK(RegisterKernels());
  const auto& encoded = static_cast<const arrow::DictionaryArray&>(*column);
  arrow::compute::ExecContext context(pool);
  ARROW_ASSIGN_OR_RAISE(
      arrow::Datum decoded,
      arrow::compute::Take(encoded.dictionary()->data(), encoded.indices()->data(),
                           arrow::compute::TakeOptions::NoBoundsCheck(), &context));
  return decoded.make_array();
}

Result<std::shared_ptr<arrow::RecordBatch>> ToRecordBatch(const Batch& batch,
                                                          arrow::MemoryPool* pool) {
  std::vector<std::shared_ptr<arrow::Array>> columns;
  columns.reserve(batch.columns.size());
  for (int i = 0; i < static_cast<int>(batch.columns.size()); ++i) {
    ARROW_ASSIGN_OR_RAISE(auto column, GatherColumn(batch, i, pool));
    ARROW_ASSIGN_OR_RAISE(column, DecodeDictionary(column, pool));
    columns.push_back(std::move(column));
  }
  return arrow::RecordBatch::Make(batch.schema, batch.selected_count(), std::move(columns));
}

int64_t ByteSize(const Batch& batch) {
  std::unordered_set<const uint8_t*> seen;
  int64_t bytes = 0;
  for (const auto& column : batch.columns) bytes += SizeOfUnseen(*column->data(), &seen);
  return bytes;
}

}  // namespace reprise
