#include "transitions/copied_column.h"

#include <arrow/buffer.h>
#include <arrow/type_traits.h>
#include <arrow/util/bit_util.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "plan/unsafe_row.h"
#include "transitions/column_source.h"

namespace reprise {

namespace {

/// Bytes of the offsets of so many values.
int64_t OffsetsBytes(int64_t rows) { return (rows + 1) * int64_t{sizeof(int32_t)}; }

/// `rows` bytes, of which those that are not 0 are set bits.
Result<std::shared_ptr<arrow::Buffer>> Packed(const uint8_t* bytes, int64_t rows, bool inverted,
                                              arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(auto bits,
                        arrow::AllocateBuffer(arrow::bit_util::BytesForBits(rows), pool));
  uint8_t* out = bits->mutable_data();
  for (int64_t row = 0; row < rows; row += 8) {
    uint8_t byte = 0;
    for (int64_t i = row; i < std::min(row + 8, rows); ++i) {
      byte |= static_cast<uint8_t>((bytes[i] != 0) != inverted) << (i - row);
    }
    *out++ = byte;
  }
  return std::shared_ptr<arrow::Buffer>(std::move(bits));
}

/// Which rows are null.
class NullFlags {
 public:
  void Begin() { any_ = false; }

  /// Where the flags of `count` rows behind the first `position` are to be written.
  uint8_t* Room(int64_t position, int64_t count) {
    if (std::ssize(flags_) < position + count) flags_.resize(static_cast<size_t>(position + count));
    return flags_.data() + position;
  }

  /// Some of these rows are null, as their flags say; or none is.
  void Accept(int64_t position, int64_t count, bool any) {
    if (any && !any_) std::memset(flags_.data(), 0, static_cast<size_t>(position));
    any_ |= any;
    if (any_ && !any) std::memset(flags_.data() + position, 0, static_cast<size_t>(count));
  }

  /// Null where the rows have values all.
  Result<std::shared_ptr<arrow::Buffer>> Finish(int64_t rows, arrow::MemoryPool* pool) const {
    if (!any_) return std::shared_ptr<arrow::Buffer>();
    return Packed(flags_.data(), rows, /*inverted=*/true, pool);
  }

 private:
  std::vector<uint8_t> flags_;  // kept from batch to batch
  bool any_ = false;
};

Result<std::shared_ptr<arrow::ResizableBuffer>> NewBuffer(int64_t bytes, arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateResizableBuffer(bytes, pool));
  return std::shared_ptr<arrow::ResizableBuffer>(std::move(buffer));
}

/// At least so many bytes, and no step by step.
Status Grow(arrow::ResizableBuffer* buffer, int64_t bytes) {
  if (bytes <= buffer->size()) return Status::OK();
  return buffer->Resize(std::max(bytes, buffer->size() * 2), /*shrink_to_fit=*/false);
}

/// What stays with a batch is what it needs: operators above keep batches.
Status Fit(arrow::ResizableBuffer* buffer, int64_t bytes) {
  return buffer->Resize(bytes, /*shrink_to_fit=*/buffer->capacity() - bytes > bytes / 8 + 64);
}

class FixedColumn final : public CopiedColumn {
 public:
  FixedColumn(int number, std::shared_ptr<arrow::DataType> type, arrow::MemoryPool* pool)
      : number_(number),
        type_(std::move(type)),
        is_boolean_(type_->id() == arrow::Type::BOOL),
        width_(is_boolean_ ? 1 : type_->bit_width() / 8),
        pool_(pool) {}

  Status Begin(int64_t rows) override {
    nulls_.Begin();
    return NewBuffer(rows * width_, pool_).Value(&values_);
  }

  Result<int64_t> Append(ColumnSource* source, int64_t first, int64_t count, int64_t position,
                         int64_t) override {
    RETURN_NOT_OK(Grow(values_.get(), (position + count) * width_));
    ARROW_ASSIGN_OR_RAISE(const int64_t nulls,
                          source->CopyFixed(number_, first, count, width_,
                                            values_->mutable_data() + position * width_,
                                            nulls_.Room(position, count)));
    if (nulls == ColumnSource::kFailed) return nulls;
    nulls_.Accept(position, count, nulls > 0);
    return count;
  }

  int64_t variable_bytes(int64_t) const override { return 0; }

  Result<std::shared_ptr<arrow::Array>> Finish(int64_t rows) override {
    ARROW_ASSIGN_OR_RAISE(auto validity, nulls_.Finish(rows, pool_));
    std::shared_ptr<arrow::Buffer> values = values_;
    if (is_boolean_) {
      ARROW_ASSIGN_OR_RAISE(values, Packed(values_->data(), rows, /*inverted=*/false, pool_));
    } else {
      RETURN_NOT_OK(Fit(values_.get(), rows * width_));
    }
    values_.reset();
    return arrow::MakeArray(
        arrow::ArrayData::Make(type_, rows, {std::move(validity), std::move(values)}));
  }

 private:
  const int number_;
  const std::shared_ptr<arrow::DataType> type_;
  const bool is_boolean_;
  const int width_;
  arrow::MemoryPool* const pool_;
  NullFlags nulls_;
  std::shared_ptr<arrow::ResizableBuffer> values_;
};

/// A number of at most 16 bytes.
__int128 FromBigEndian(const uint8_t* bytes, int64_t size) {
  __int128 value = size > 0 && (bytes[0] & 0x80) != 0 ? -1 : 0;
  for (int64_t i = 0; i < size; ++i) {
    value = static_cast<__int128>(static_cast<unsigned __int128>(value) << 8) | bytes[i];
  }
  return value;
}

class BytesColumn final : public CopiedColumn {
 public:
  BytesColumn(int number, std::string name, std::shared_ptr<arrow::DataType> type,
              arrow::MemoryPool* pool)
      : number_(number), name_(std::move(name)), type_(std::move(type)), pool_(pool) {}

  Status Begin(int64_t rows) override {
    nulls_.Begin();
    ARROW_ASSIGN_OR_RAISE(offsets_, NewBuffer(OffsetsBytes(rows), pool_));
    offsets()[0] = 0;
    return NewBuffer(last_bytes_, pool_).Value(&values_);
  }

  Result<int64_t> Append(ColumnSource* source, int64_t first, int64_t count, int64_t position,
                         int64_t bytes_max) override {
    lengths_.resize(static_cast<size_t>(count));
    int64_t done = 0;
    while (done < count) {
      const int64_t used = offsets()[position + done];
      ARROW_ASSIGN_OR_RAISE(
          const int64_t copied,
          source->CopyBytes(number_, first + done, count - done, values_->mutable_data() + used,
                            values_->size() - used, lengths_.data()));
      if (copied == ColumnSource::kFailed) return copied;
      if (copied > 0) {
        RETURN_NOT_OK(Accept(position + done, copied, values_->size() - used));
        done += copied;
        continue;
      }
      if (used - copied > bytes_max && position + done > 0) break;
      RETURN_NOT_OK(GrowValues(used - copied, bytes_max));
    }
    return done;
  }

  int64_t variable_bytes(int64_t rows) const override {
    return reinterpret_cast<const int32_t*>(offsets_->data())[rows];
  }

  Result<std::shared_ptr<arrow::Array>> Finish(int64_t rows) override {
    ARROW_ASSIGN_OR_RAISE(auto validity, nulls_.Finish(rows, pool_));
    const int64_t bytes = offsets()[rows];
    last_bytes_ = bytes;
    arrow::BufferVector buffers = {std::move(validity)};
    if (type_->id() == arrow::Type::DECIMAL128) {
      ARROW_ASSIGN_OR_RAISE(auto numbers, Numbers(rows));
      buffers.push_back(std::move(numbers));
    } else {
      RETURN_NOT_OK(Fit(offsets_.get(), OffsetsBytes(rows)));
      RETURN_NOT_OK(Fit(values_.get(), bytes));
      buffers.push_back(std::move(offsets_));
      buffers.push_back(std::move(values_));
    }
    offsets_.reset();
    values_.reset();
    return arrow::MakeArray(arrow::ArrayData::Make(type_, rows, std::move(buffers)));
  }

 private:
  int32_t* offsets() { return reinterpret_cast<int32_t*>(offsets_->mutable_data()); }

  /// Takes values that were copied to `room` bytes.
  Status Accept(int64_t position, int64_t count, int64_t room) {
    RETURN_NOT_OK(Grow(offsets_.get(), OffsetsBytes(position + count)));
    uint8_t* const flags = nulls_.Room(position, count);
    int32_t* const ends = offsets() + position + 1;
    const int64_t begin = ends[-1];
    int64_t end = begin;
    bool any = false;
    for (int64_t i = 0; i < count; ++i) {
      const int32_t length = lengths_[static_cast<size_t>(i)];
      flags[i] = length < 0;
      any |= length < 0;
      end += std::max(length, 0);
      if (end - begin > room) {
        return Status::Invalid("column ", name_, ": values of ", end - begin,
                               " bytes were copied where ", room, " were left");
      }
      ends[i] = static_cast<int32_t>(end);
    }
    nulls_.Accept(position, count, any);
    return Status::OK();
  }

  Status GrowValues(int64_t bytes, int64_t bytes_max) {
    if (bytes > std::numeric_limits<int32_t>::max()) {
      return Status::CapacityError("column ", name_, ": a value of ", bytes,
                                   " bytes; one has at most 2 GB");
    }
    const int64_t doubled = std::min(values_->size() * 2, bytes_max);
    return values_->Resize(std::max({bytes, doubled, int64_t{64}}), /*shrink_to_fit=*/false);
  }

  Result<std::shared_ptr<arrow::Buffer>> Numbers(int64_t rows) {
    ARROW_ASSIGN_OR_RAISE(auto numbers, arrow::AllocateBuffer(rows * kLongDecimalBytes, pool_));
    for (int64_t row = 0; row < rows; ++row) {
      const int64_t size = offsets()[row + 1] - offsets()[row];
      if (size > kLongDecimalBytes) {
        return Status::Invalid("column ", name_, ": a decimal of ", size,
                               " bytes; one has at most ", kLongDecimalBytes);
      }
      StoreAs<__int128>(numbers->mutable_data() + row * kLongDecimalBytes,
                        FromBigEndian(values_->data() + offsets()[row], size));
    }
    return std::shared_ptr<arrow::Buffer>(std::move(numbers));
  }

  const int number_;
  const std::string name_;
  const std::shared_ptr<arrow::DataType> type_;
  arrow::MemoryPool* const pool_;
  NullFlags nulls_;
  std::vector<int32_t> lengths_;  // of the last piece; kept from batch to batch
  std::shared_ptr<arrow::ResizableBuffer> offsets_;
  std::shared_ptr<arrow::ResizableBuffer> values_;
  int64_t last_bytes_ = 0;  // of the batch before: the next is probably alike
};

/// Of type void: every row is null.
class VoidColumn final : public CopiedColumn {
 public:
  Status Begin(int64_t) override { return Status::OK(); }
  Result<int64_t> Append(ColumnSource*, int64_t, int64_t count, int64_t, int64_t) override {
    return count;
  }
  int64_t variable_bytes(int64_t) const override { return 0; }
  Result<std::shared_ptr<arrow::Array>> Finish(int64_t rows) override {
    return std::make_shared<arrow::NullArray>(rows);
  }
};

}  // namespace

Result<std::unique_ptr<CopiedColumn>> CopiedColumn::Make(const Field& field, int number,
                                                         arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(auto type, ToArrow(field.type));
  if (type->id() == arrow::Type::NA) return std::make_unique<VoidColumn>();
  if (arrow::is_base_binary_like(type->id()) || type->id() == arrow::Type::DECIMAL128) {
    return std::make_unique<BytesColumn>(number, field.name, std::move(type), pool);
  }
  return std::make_unique<FixedColumn>(number, std::move(type), pool);
}

}  // namespace reprise
