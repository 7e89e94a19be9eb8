#include "operators/join/spilled_columns.h"

#include <arrow/util/bit_util.h>

namespace reprise {

Result<std::shared_ptr<arrow::Array>> FlagColumn(const uint8_t* flags, int64_t rows,
                                                 arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> bits,
                        arrow::AllocateEmptyBitmap(rows, pool));
  for (int64_t row = 0; flags != nullptr && row < rows; ++row) {
    if (flags[row] != 0) arrow::bit_util::SetBit(bits->mutable_data(), row);
  }
  return std::make_shared<arrow::BooleanArray>(rows, std::move(bits));
}

Result<std::shared_ptr<arrow::Array>> RowNumbers(int64_t first, int64_t rows,
                                                 arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> buffer,
                        arrow::AllocateBuffer(rows * static_cast<int64_t>(sizeof(int64_t)), pool));
  auto* numbers = reinterpret_cast<int64_t*>(buffer->mutable_data());
  for (int64_t row = 0; row < rows; ++row) numbers[row] = first + row;
  return std::make_shared<arrow::Int64Array>(rows, std::move(buffer));
}

Status AppendFlags(const arrow::Array& column, PoolVector<uint8_t>* flags) {
  const auto& bits = static_cast<const arrow::BooleanArray&>(column);
  const int64_t before = flags->size();
  RETURN_NOT_OK(flags->ResizeUninitialised(before + bits.length()));
  for (int64_t row = 0; row < bits.length(); ++row) (*flags)[before + row] = bits.Value(row);
  return Status::OK();
}

}  // namespace reprise
