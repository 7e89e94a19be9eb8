#include "operators/interleave.h"

#include <arrow/array/util.h>
#include <arrow/util/bit_util.h>

#include <cstring>
#include <limits>

#include "expressions/values.h"

namespace reprise {

/// Takes rows of one column.
class BatchPile::Taking {
 public:
  Taking(const Column& column, std::span<const RowOfBatch> rows, arrow::MemoryPool* pool)
      : column_(column), rows_(rows), count_(static_cast<int64_t>(rows.size())), pool_(pool) {}

  Result<std::shared_ptr<arrow::Array>> Take(const std::shared_ptr<arrow::DataType>& type) {
    if (type->id() == arrow::Type::NA) return arrow::MakeArrayOfNull(type, count_, pool_);
    RETURN_NOT_OK(TakeValidity());
    arrow::BufferVector buffers{validity_};
    if (type->id() == arrow::Type::STRING || type->id() == arrow::Type::BINARY) {
      RETURN_NOT_OK(TakeTexts(&buffers));
    } else {
      ARROW_ASSIGN_OR_RAISE(auto values, TakeValues(*type));
      buffers.push_back(std::move(values));
    }
    return arrow::MakeArray(arrow::ArrayData::Make(type, count_, std::move(buffers), null_count_));
  }

 private:
  template <typename IsSet>
  Result<std::shared_ptr<arrow::Buffer>> MakeBits(IsSet&& is_set) {
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> bits,
                          arrow::AllocateBuffer(arrow::bit_util::BytesForBits(count_), pool_));
    WriteBits(count_, bits->mutable_data(), is_set);
    return bits;
  }

  Status TakeValidity() {
    if (!column_.has_nulls) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(validity_, MakeBits([&](int64_t i) {
                            return column_.arrays[rows_[i].batch]->IsValid(rows_[i].row);
                          }));
    for (const RowOfBatch& row : rows_) {
      null_count_ += column_.arrays[row.batch]->IsNull(row.row);
    }
    return Status::OK();
  }

  template <typename T>
  Result<std::shared_ptr<arrow::Buffer>> TakeFixed() {
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> buffer,
                          arrow::AllocateBuffer(count_ * static_cast<int64_t>(sizeof(T)), pool_));
    T* out = reinterpret_cast<T*>(buffer->mutable_data());
    for (const RowOfBatch& row : rows_) {
      *out++ = reinterpret_cast<const T*>(column_.values[row.batch])[row.row];
    }
    return buffer;
  }

  Result<std::shared_ptr<arrow::Buffer>> TakeValues(const arrow::DataType& type) {
    switch (type.bit_width()) {
      case 1:
        return MakeBits([&](int64_t i) {
          return arrow::bit_util::GetBit(column_.values[rows_[i].batch],
                                         column_.arrays[rows_[i].batch]->offset() + rows_[i].row);
        });
      case 8:
        return TakeFixed<uint8_t>();
      case 16:
        return TakeFixed<uint16_t>();
      case 32:
        return TakeFixed<uint32_t>();
      case 64:
        return TakeFixed<uint64_t>();
      case 128:
        return TakeFixed<Int128Cell>();
      default:
        return Status::NotImplemented("rows of ", type.ToString(), " cannot be put together");
    }
  }

  Status TakeTexts(arrow::BufferVector* buffers) {
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> offsets,
                          arrow::AllocateBuffer((count_ + 1) * sizeof(int32_t), pool_));
    auto* ends = reinterpret_cast<int32_t*>(offsets->mutable_data());
    int64_t bytes = 0;
    ends[0] = 0;
    for (int64_t i = 0; i < count_; ++i) {
      bytes += static_cast<int64_t>(column_.TextAt(rows_[i]).size());
      if (bytes > std::numeric_limits<int32_t>::max()) {
        return Status::CapacityError("a batch of ", count_,
                                     " rows has a column of more than 2 GiB");
      }
      ends[i + 1] = static_cast<int32_t>(bytes);
    }
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> values,
                          arrow::AllocateBuffer(bytes, pool_));
    char* out = reinterpret_cast<char*>(values->mutable_data());
    for (int64_t i = 0; i < count_; ++i) {
      const std::string_view text = column_.TextAt(rows_[i]);
      if (!text.empty()) std::memcpy(out + ends[i], text.data(), text.size());
    }
    buffers->push_back(std::move(offsets));
    buffers->push_back(std::move(values));
    return Status::OK();
  }

  const Column& column_;
  const std::span<const RowOfBatch> rows_;
  const int64_t count_;
  arrow::MemoryPool* pool_;
  std::shared_ptr<arrow::Buffer> validity_;
  int64_t null_count_ = 0;
};

Result<Batch> Compacted(const Batch& batch, arrow::MemoryPool* pool) {
  Batch compacted{batch.schema, {}, batch.selected_count(), nullptr};
  for (int i = 0; i < static_cast<int>(batch.columns.size()); ++i) {
    ARROW_ASSIGN_OR_RAISE(auto column, GatherColumn(batch, i, pool));
    ARROW_ASSIGN_OR_RAISE(column, DecodeDictionary(column, pool));
    compacted.columns.push_back(std::move(column));
  }
  return compacted;
}

BatchPile::BatchPile(std::shared_ptr<arrow::Schema> schema)
    : schema_(std::move(schema)), columns_(static_cast<size_t>(schema_->num_fields())) {}

void BatchPile::Add(Batch batch) {
  const RowWidths& widths = widths_.emplace_back(batch.columns);
  longest_row_ = std::max(longest_row_, widths.LongestRow());
  for (size_t i = 0; i < columns_.size(); ++i) {
    Column& column = columns_[i];
    const arrow::Array& array = *batch.columns[i];
    const arrow::ArrayData& data = *array.data();
    column.arrays.push_back(&array);
    column.has_nulls |= array.null_count() > 0;
    const bool is_text = arrow::is_base_binary_like(array.type_id());
    const size_t buffer = is_text ? 2 : 1;
    const bool has_values = data.buffers.size() > buffer && data.buffers[buffer] != nullptr;
    const uint8_t* values = has_values ? data.buffers[buffer]->data() : nullptr;
    if (is_text) {
      column.offsets.push_back(data.GetValues<int32_t>(1));
    } else if (values != nullptr && data.type->bit_width() >= 8) {
      values += data.offset * data.type->bit_width() / 8;
    }
    column.values.push_back(values);
  }
  batches_.push_back(std::move(batch));
}

void BatchPile::Clear() {
  for (Column& column : columns_) column = {};
  widths_.clear();
  batches_.clear();
  longest_row_ = 0;
}

Result<Batch> BatchPile::Take(std::span<const RowOfBatch> rows, arrow::MemoryPool* pool) const {
  Batch together{schema_, {}, static_cast<int64_t>(rows.size()), nullptr};
  for (int i = 0; i < schema_->num_fields(); ++i) {
    ARROW_ASSIGN_OR_RAISE(
        auto column,
        Taking(columns_[static_cast<size_t>(i)], rows, pool).Take(schema_->field(i)->type()));
    together.columns.push_back(std::move(column));
  }
  return together;
}

}  // namespace reprise
