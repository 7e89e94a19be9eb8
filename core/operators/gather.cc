#include "operators/gather.h"

#include <arrow/array/util.h>
#include <arrow/buffer.h>
#include <arrow/util/bit_util.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "operators/fixed_values.h"

namespace reprise {

namespace {

using Indices = std::span<const int32_t>;

// Null where the index is below 0 (unless that does not matter) or the row is null.
Result<std::shared_ptr<arrow::Buffer>> GatherValidity(const arrow::Array& column, Indices indices,
                                                      Missing missing, arrow::MemoryPool* pool,
                                                      int64_t* null_count) {
  const Validity valid(column);
  const bool undefined = missing == Missing::kUndefined;
  *null_count = 0;
  if (valid.all() &&
      (undefined || std::ranges::none_of(indices, [](int32_t index) { return index < 0; }))) {
    return nullptr;
  }
  return MakeValidity(static_cast<int64_t>(indices.size()), pool, null_count,
                      [&](int64_t i) { return indices[i] < 0 ? undefined : valid[indices[i]]; });
}

template <typename T>
Result<std::shared_ptr<arrow::Buffer>> GatherFixed(const uint8_t* bytes, int64_t offset,
                                                   Indices indices, arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(
      std::shared_ptr<arrow::Buffer> buffer,
      arrow::AllocateBuffer(static_cast<int64_t>(indices.size() * sizeof(T)), pool));
  const T* from = reinterpret_cast<const T*>(bytes) + offset;
  T* to = reinterpret_cast<T*>(buffer->mutable_data());
  // Row 0 stands for no row: there is one, and its value does not matter.
  for (size_t i = 0; i < indices.size(); ++i) to[i] = from[std::max(indices[i], 0)];
  return buffer;
}

struct SixteenBytes {
  uint64_t halves[2];
};

Result<std::shared_ptr<arrow::Buffer>> GatherValues(const arrow::ArrayData& data, Indices indices,
                                                    arrow::MemoryPool* pool) {
  const uint8_t* bytes = data.buffers[1]->data();
  const int width = data.type->bit_width();
  switch (width) {
    case 1:
      return MakeBitmap(static_cast<int64_t>(indices.size()), pool, [&](int64_t i) {
        return arrow::bit_util::GetBit(bytes, data.offset + std::max(indices[i], 0));
      });
    case 8:
      return GatherFixed<uint8_t>(bytes, data.offset, indices, pool);
    case 16:
      return GatherFixed<uint16_t>(bytes, data.offset, indices, pool);
    case 32:
      return GatherFixed<uint32_t>(bytes, data.offset, indices, pool);
    case 64:
      return GatherFixed<uint64_t>(bytes, data.offset, indices, pool);
    case 128:
      return GatherFixed<SixteenBytes>(bytes, data.offset, indices, pool);
    default:
      return Status::NotImplemented("rows of ", width, " bits");
  }
}

Result<std::shared_ptr<arrow::Array>> GatherBytes(const arrow::ArrayData& data, Indices indices,
                                                  std::shared_ptr<arrow::Buffer> validity,
                                                  int64_t null_count, arrow::MemoryPool* pool) {
  const int64_t count = static_cast<int64_t>(indices.size());
  const int32_t* offsets = data.GetValues<int32_t>(1);
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> ends,
                        arrow::AllocateBuffer((count + 1) * sizeof(int32_t), pool));
  int32_t* end = reinterpret_cast<int32_t*>(ends->mutable_data());
  int64_t size = 0;
  end[0] = 0;
  for (int64_t i = 0; i < count; ++i) {
    const int32_t index = indices[i];
    if (index >= 0) size += offsets[index + 1] - offsets[index];
    if (size > std::numeric_limits<int32_t>::max()) {
      return Status::CapacityError("a batch of ", count, " rows has more than 2 GiB of ",
                                   data.type->ToString(), " values in one column");
    }
    end[i + 1] = static_cast<int32_t>(size);
  }
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> bytes, arrow::AllocateBuffer(size, pool));
  const uint8_t* from = data.buffers[2] ? data.buffers[2]->data() : nullptr;
  for (int64_t i = 0; i < count; ++i) {
    const int32_t length = end[i + 1] - end[i];
    if (length > 0) std::memcpy(bytes->mutable_data() + end[i], from + offsets[indices[i]], length);
  }
  return arrow::MakeArray(arrow::ArrayData::Make(
      data.type, count, {std::move(validity), std::move(ends), std::move(bytes)}, null_count));
}

}  // namespace

Result<std::shared_ptr<arrow::Array>> GatherRows(const arrow::Array& column, Indices indices,
                                                 Missing missing, arrow::MemoryPool* pool) {
  const int64_t count = static_cast<int64_t>(indices.size());
  const arrow::ArrayData& data = *column.data();
  if (column.length() == 0 || column.type_id() == arrow::Type::NA) {
    // No row can be picked. An encoded column is plain then, as it may be.
    const auto& type = column.type_id() == arrow::Type::DICTIONARY
                           ? static_cast<const arrow::DictionaryType&>(*data.type).value_type()
                           : data.type;
    return arrow::MakeArrayOfNull(type, count, pool);
  }
  int64_t null_count = 0;
  ARROW_ASSIGN_OR_RAISE(auto validity, GatherValidity(column, indices, missing, pool, &null_count));
  if (arrow::is_base_binary_like(column.type_id())) {
    return GatherBytes(data, indices, std::move(validity), null_count, pool);
  }
  ARROW_ASSIGN_OR_RAISE(auto values, GatherValues(data, indices, pool));
  auto gathered = arrow::ArrayData::Make(data.type, count, {std::move(validity), std::move(values)},
                                         null_count);
  gathered->dictionary = data.dictionary;
  return arrow::MakeArray(std::move(gathered));
}

}  // namespace reprise
