#include "exchange/column_reader.h"

#include <arrow/array/array_primitive.h>
#include <arrow/array/util.h>
#include <arrow/util/bit_util.h>
#include <arrow/util/bitmap_ops.h>

#include <cstring>

#include "expressions/values.h"

namespace reprise {

namespace {

using block::Encoding;

template <typename T, typename Narrow>
void AddBase(const uint8_t* from, int64_t base, int64_t rows, T* out) {
  using Unsigned = std::make_unsigned_t<T>;
  for (int64_t row = 0; row < rows; ++row) {
    Narrow value;
    std::memcpy(&value, from + row * sizeof(Narrow), sizeof(Narrow));
    out[row] = static_cast<T>(static_cast<Unsigned>(base) + static_cast<Unsigned>(value));
  }
}

template <typename T>
Status Widen(const BlockColumn& block, const uint8_t* raw, T* out) {
  int64_t base;
  std::memcpy(&base, raw, sizeof(base));
  raw += sizeof(base);
  switch (block.column->head.width) {
    case 1:
      AddBase<T, uint8_t>(raw, base, block.rows, out);
      return Status::OK();
    case 2:
      AddBase<T, uint16_t>(raw, base, block.rows, out);
      return Status::OK();
    default:
      AddBase<T, uint32_t>(raw, base, block.rows, out);
      return Status::OK();
  }
}

Status Widen(const BlockColumn& block, const uint8_t* raw, Int128Cell* out) {
  raw += sizeof(int64_t);
  for (int64_t row = 0; row < block.rows; ++row) {
    int64_t value;
    std::memcpy(&value, raw + row * sizeof(value), sizeof(value));
    out[row] = Int128Cell(value);
  }
  return Status::OK();
}

Status Damaged(std::string_view what, int64_t found, int64_t expected) {
  return Status::IOError("the block is damaged: ", what, " of ", found, " bytes, expected ",
                         expected);
}

bool IsWidth(uint8_t width, size_t value_bytes) {
  if (value_bytes == sizeof(Int128Cell)) return width == 8;
  return (width == 1 || width == 2 || width == 4) && width < value_bytes;
}

template <typename T>
Status ReadValues(std::span<const BlockColumn> blocks, BufferOpener* opener, uint8_t* out) {
  auto* next = reinterpret_cast<T*>(out);
  for (const BlockColumn& block : blocks) {
    const block::ColumnHead& head = block.column->head;
    if (head.encoding == Encoding::kNulls) {
      std::memset(next, 0, static_cast<size_t>(block.rows) * sizeof(T));
      next += block.rows;
      continue;
    }
    const int64_t raw_bytes = block.column->buffers[1].raw_bytes;
    const bool is_narrow = head.width != 0;
    if (is_narrow && !IsWidth(head.width, sizeof(T))) {
      return Status::IOError("the block is damaged: values of ", head.width, " bytes");
    }
    const int64_t expected =
        is_narrow ? 8 + block.rows * head.width : block.rows * static_cast<int64_t>(sizeof(T));
    if (raw_bytes != expected) return Damaged("values", raw_bytes, expected);
    if (!is_narrow) {
      RETURN_NOT_OK(BufferOpener::OpenInto(block, 1, reinterpret_cast<uint8_t*>(next)));
    } else {
      ARROW_ASSIGN_OR_RAISE(const uint8_t* raw, opener->Open(block, 1));
      if constexpr (std::is_integral_v<T> || std::is_same_v<T, Int128Cell>) {
        RETURN_NOT_OK(Widen(block, raw, next));
      } else {
        return Status::IOError("the block is damaged: floating-point values as differences");
      }
    }
    next += block.rows;
  }
  return Status::OK();
}

Status ReadBits(std::span<const BlockColumn> blocks, int buffer, BufferOpener* opener,
                uint8_t* bits) {
  int64_t written = 0;
  for (const BlockColumn& block : blocks) {
    const CheckedBlock::Column& column = *block.column;
    const bool is_validity = buffer == 0;
    const bool is_stored = is_validity ? (column.head.flags & block::kHasValidity) != 0
                                       : column.head.encoding != Encoding::kNulls;
    if (!is_stored) {
      // Without a validity all rows are null, or none is.
      arrow::bit_util::SetBitsTo(bits, written, block.rows,
                                 is_validity && column.head.encoding != Encoding::kNulls);
    } else {
      const int64_t expected = arrow::bit_util::BytesForBits(block.rows);
      if (column.buffers[buffer].raw_bytes != expected) {
        return Damaged(is_validity ? "a validity" : "booleans", column.buffers[buffer].raw_bytes,
                       expected);
      }
      ARROW_ASSIGN_OR_RAISE(const uint8_t* raw, opener->Open(block, buffer));
      arrow::internal::CopyBitmap(raw, 0, block.rows, bits, written);
    }
    written += block.rows;
  }
  return Status::OK();
}

Result<std::shared_ptr<arrow::Buffer>> Bits(int64_t rows, arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(auto bits,
                        arrow::AllocateBuffer(arrow::bit_util::BytesForBits(rows), pool));
  if (bits->size() > 0) bits->mutable_data()[bits->size() - 1] = 0;
  return std::shared_ptr<arrow::Buffer>(std::move(bits));
}

template <typename T>
Result<std::shared_ptr<arrow::Buffer>> Values(std::span<const BlockColumn> blocks, int64_t rows,
                                              BufferOpener* opener, arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(auto values,
                        arrow::AllocateBuffer(rows * static_cast<int64_t>(sizeof(T)), pool));
  RETURN_NOT_OK(ReadValues<T>(blocks, opener, values->mutable_data()));
  return std::shared_ptr<arrow::Buffer>(std::move(values));
}

Result<std::shared_ptr<arrow::Buffer>> FixedWidthValues(const arrow::DataType& type,
                                                        std::span<const BlockColumn> blocks,
                                                        int64_t rows, BufferOpener* opener,
                                                        arrow::MemoryPool* pool) {
  switch (type.id()) {
    case arrow::Type::BOOL: {
      ARROW_ASSIGN_OR_RAISE(auto bits, Bits(rows, pool));
      RETURN_NOT_OK(ReadBits(blocks, 1, opener, bits->mutable_data()));
      return bits;
    }
    case arrow::Type::INT8:
      return Values<int8_t>(blocks, rows, opener, pool);
    case arrow::Type::INT16:
      return Values<int16_t>(blocks, rows, opener, pool);
    case arrow::Type::INT32:
    case arrow::Type::DATE32:
      return Values<int32_t>(blocks, rows, opener, pool);
    case arrow::Type::INT64:
    case arrow::Type::TIMESTAMP:
    case arrow::Type::DECIMAL64:
      return Values<int64_t>(blocks, rows, opener, pool);
    case arrow::Type::FLOAT:
      return Values<float>(blocks, rows, opener, pool);
    case arrow::Type::DOUBLE:
      return Values<double>(blocks, rows, opener, pool);
    case arrow::Type::DECIMAL128:
      return Values<Int128Cell>(blocks, rows, opener, pool);
    default:
      return Status::NotImplemented("type ", type.ToString(), " has no form in a block");
  }
}

}  // namespace

Result<const uint8_t*> BufferOpener::Open(const BlockColumn& block, int buffer) {
  const CheckedBlock::Stored& stored = block.column->buffers[buffer];
  if (!stored.is_compressed()) return stored.bytes.data();
  if (!scratch_) {
    ARROW_ASSIGN_OR_RAISE(scratch_, arrow::AllocateResizableBuffer(stored.raw_bytes, pool_));
  } else if (scratch_->size() < stored.raw_bytes) {
    RETURN_NOT_OK(scratch_->Resize(stored.raw_bytes, /*shrink_to_fit=*/false));
  }
  RETURN_NOT_OK(OpenInto(block, buffer, scratch_->mutable_data()));
  return scratch_->data();
}

Status BufferOpener::OpenInto(const BlockColumn& block, int buffer, uint8_t* out) {
  const CheckedBlock::Stored& stored = block.column->buffers[buffer];
  if (stored.is_compressed()) {
    return block.compressor->Decompress(stored.bytes, out, stored.raw_bytes);
  }
  if (stored.raw_bytes > 0) std::memcpy(out, stored.bytes.data(), stored.bytes.size());
  return Status::OK();
}

Result<std::shared_ptr<arrow::Buffer>> ReadValidity(std::span<const BlockColumn> blocks,
                                                    int64_t rows, BufferOpener* opener,
                                                    arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(auto bits, Bits(rows, pool));
  RETURN_NOT_OK(ReadBits(blocks, 0, opener, bits->mutable_data()));
  return bits;
}

Result<std::shared_ptr<arrow::Array>> ReadColumn(const std::shared_ptr<arrow::DataType>& type,
                                                 std::span<const BlockColumn> blocks, int64_t rows,
                                                 arrow::MemoryPool* pool) {
  if (type->id() == arrow::Type::NA) return std::make_shared<arrow::NullArray>(rows);
  BufferOpener opener(pool);
  int64_t nulls = 0;
  for (const BlockColumn& block : blocks) nulls += block.column->head.null_count;
  std::shared_ptr<arrow::Buffer> validity;
  if (nulls > 0) {
    ARROW_ASSIGN_OR_RAISE(validity, ReadValidity(blocks, rows, &opener, pool));
  }
  const bool is_text = type->id() == arrow::Type::STRING || type->id() == arrow::Type::BINARY;
  for (const BlockColumn& block : blocks) {
    const Encoding encoding = block.column->head.encoding;
    if (encoding == Encoding::kNulls || is_text == (encoding != Encoding::kValues)) continue;
    return Status::IOError("the block is damaged: a column of ", type->ToString(), " has encoding ",
                           static_cast<int>(encoding));
  }
  if (is_text) return ReadText(type, blocks, rows, nulls, std::move(validity), pool);
  ARROW_ASSIGN_OR_RAISE(auto values, FixedWidthValues(*type, blocks, rows, &opener, pool));
  return arrow::MakeArray(
      arrow::ArrayData::Make(type, rows, {std::move(validity), std::move(values)}, nulls));
}

}  // namespace reprise
