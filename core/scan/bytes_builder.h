// Builds utf8 and binary arrays from bytes that lie elsewhere.
#pragma once

#include <arrow/array/data.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>

#include "scan/batch_validity.h"

namespace reprise {

/// A value's bytes.
struct Bytes {
  const uint8_t* data;
  int64_t length;
};

/// Whether strings over a dictionary of `size` values leave as its indices, in batches of `rows`
/// rows: not where it is so great that it would cost the readers more than it spares them.
inline bool StaysEncoded(int64_t size, int64_t rows) {
  constexpr int64_t kRowsPerValueMin = 2;
  return size * kRowsPerValueMin <= rows;
}

/// Offsets and bytes of a utf8 or binary array that grow together.
class BytesBuilder {
 public:
  BytesBuilder(int64_t rows, int64_t size_hint, arrow::MemoryPool* pool)
      : rows_(rows), size_hint_(size_hint), pool_(pool) {}

  Status Init() {
    ARROW_ASSIGN_OR_RAISE(offsets_buffer_, AllocateValues(rows_ + 1, sizeof(int32_t), pool_));
    offsets_ = reinterpret_cast<int32_t*>(offsets_buffer_->mutable_data());
    offsets_[0] = 0;
    ARROW_ASSIGN_OR_RAISE(data_, arrow::AllocateResizableBuffer(size_hint_, pool_));
    bytes_ = data_->mutable_data();
    return Status::OK();
  }

  /// Makes room for `more` bytes. An array holds at most 2 GiB.
  Status Reserve(int64_t more) {
    const int64_t needed = size_ + more;
    if (needed > std::numeric_limits<int32_t>::max()) {
      return Status::CapacityError(
          "a batch has more than 2 GiB of strings: lower spark.reprise.sql.batchRows");
    }
    if (needed <= data_->size()) return Status::OK();
    RETURN_NOT_OK(data_->Resize(std::max(needed, data_->size() * 2), /*shrink_to_fit=*/false));
    bytes_ = data_->mutable_data();
    return Status::OK();
  }

  /// Call after Reserve.
  void Append(Bytes value) {
    Copy(value, bytes_ + size_);
    size_ += value.length;
    offsets_[++row_] = static_cast<int32_t>(size_);
  }
  void AppendNull() {
    ++row_;
    offsets_[row_] = offsets_[row_ - 1];
  }

  Result<std::shared_ptr<arrow::ArrayData>> Finish(std::shared_ptr<arrow::DataType> type,
                                                   const BatchValidity& validity) {
    RETURN_NOT_OK(data_->Resize(size_, /*shrink_to_fit=*/false));
    return arrow::ArrayData::Make(std::move(type), row_,
                                  {validity.bitmap(), offsets_buffer_, std::move(data_)},
                                  validity.null_count());
  }

  int64_t size() const { return size_; }

 private:
  /// Most strings are short, and a call of memcpy costs more than copying them: so two moves that
  /// overlap.
  static void Copy(Bytes value, uint8_t* to) {
    const uint8_t* from = value.data;
    const int64_t length = value.length;
    if (length > 32) {
      std::memcpy(to, from, length);
    } else if (length >= 16) {
      CopyEnds<16>(from, to, length);
    } else if (length >= 8) {
      CopyEnds<8>(from, to, length);
    } else if (length >= 4) {
      CopyEnds<4>(from, to, length);
    } else {
      for (int64_t i = 0; i < length; ++i) to[i] = from[i];
    }
  }
  template <int kWidth>
  static void CopyEnds(const uint8_t* from, uint8_t* to, int64_t length) {
    uint8_t first[kWidth];
    uint8_t last[kWidth];
    std::memcpy(first, from, kWidth);
    std::memcpy(last, from + length - kWidth, kWidth);
    std::memcpy(to, first, kWidth);
    std::memcpy(to + length - kWidth, last, kWidth);
  }

  int64_t rows_;
  int64_t size_hint_;
  arrow::MemoryPool* pool_;
  std::shared_ptr<arrow::Buffer> offsets_buffer_;
  int32_t* offsets_ = nullptr;
  std::shared_ptr<arrow::ResizableBuffer> data_;
  uint8_t* bytes_ = nullptr;
  int64_t size_ = 0;
  int64_t row_ = 0;
};

/// Appends `count` rows: the values `value_at(0)` … `value_at(values - 1)` at the rows whose level
/// is not 0, and nulls at the others. Call after Reserve.
template <typename ValueAt>
void AppendSpread(int64_t count, int64_t values, const int16_t* levels, BytesBuilder* builder,
                  ValueAt&& value_at) {
  if (values == count) {
    for (int64_t i = 0; i < count; ++i) builder->Append(value_at(i));
    return;
  }
  int64_t next = 0;
  for (int64_t i = 0; levels != nullptr && i < count; ++i) {
    if (levels[i] != 0) {
      builder->Append(value_at(next++));
    } else {
      builder->AppendNull();
    }
  }
}

}  // namespace reprise
