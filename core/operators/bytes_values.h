// Reads and makes Arrow columns of strings and binary values as byte ranges.
#pragma once

#include <arrow/array.h>

#include <limits>
#include <memory>
#include <string_view>

#include "operators/fixed_values.h"

namespace reprise {

/// The values of a utf8 or binary column, or of a dictionary-encoded utf8 column. Only for valid
/// rows.
class BytesValues {
 public:
  explicit BytesValues(const arrow::Array& column) {
    const arrow::ArrayData* values = column.data().get();
    if (column.type_id() == arrow::Type::DICTIONARY) {
      codes_ = values->GetValues<int32_t>(1);
      values = values->dictionary.get();
    }
    offsets_ = values->GetValues<int32_t>(1);
    bytes_ = values->buffers[2] ? reinterpret_cast<const char*>(values->buffers[2]->data()) : "";
  }
  std::string_view operator[](int64_t row) const {
    const int64_t index = codes_ == nullptr ? row : codes_[row];
    return {bytes_ + offsets_[index], static_cast<size_t>(offsets_[index + 1] - offsets_[index])};
  }

 private:
  const int32_t* codes_ = nullptr;
  const int32_t* offsets_ = nullptr;
  const char* bytes_ = nullptr;
};

/// A string or binary column of `count` rows: row i is value(i), a string_view, where valid(i),
/// else null. More than 2 GiB of bytes is Status::CapacityError.
template <typename Valid, typename Value>
Result<std::shared_ptr<arrow::Array>> MakeBytesColumn(const DataType& type, int64_t count,
                                                      arrow::MemoryPool* pool, Valid&& valid,
                                                      Value&& value) {
  ARROW_ASSIGN_OR_RAISE(auto arrow_type, ToArrow(type));
  int64_t null_count = 0;
  ARROW_ASSIGN_OR_RAISE(auto validity, MakeValidity(count, pool, &null_count, valid));
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> offsets,
                        arrow::AllocateBuffer((count + 1) * sizeof(int32_t), pool));
  int32_t* ends = reinterpret_cast<int32_t*>(offsets->mutable_data());
  ends[0] = 0;
  int64_t size = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (valid(i)) size += static_cast<int64_t>(value(i).size());
    if (size > std::numeric_limits<int32_t>::max()) {
      return Status::CapacityError("a batch of ", count, " rows has more than 2 GiB of ",
                                   type.ToString(), " values in one column");
    }
    ends[i + 1] = static_cast<int32_t>(size);
  }
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> bytes, arrow::AllocateBuffer(size, pool));
  for (int64_t i = 0; i < count; ++i) {
    if (ends[i + 1] == ends[i]) continue;
    const std::string_view from = value(i);
    std::memcpy(bytes->mutable_data() + ends[i], from.data(), from.size());
  }
  return arrow::MakeArray(arrow::ArrayData::Make(
      std::move(arrow_type), count, {std::move(validity), std::move(offsets), std::move(bytes)},
      null_count));
}

}  // namespace reprise
