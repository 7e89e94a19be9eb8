#include "operators/interleave.h"

#include <arrow/util/bit_util.h>

#include <cstring>
#include <limits>

#include "expressions/values.h"

namespace reprise {

namespace {

/// One column of all batches.
class Sources {
 public:
  Sources(std::span<const Batch> batches, int column) {
    arrays_.reserve(batches.size());
    for (const Batch& batch : batches) {
      arrays_.push_back(batch.columns[column].get());
      has_nulls_ |= batch.columns[column]->null_count() > 0;
    }
  }
  const arrow::Array& operator[](int32_t batch) const { return *arrays_[batch]; }
  size_t size() const { return arrays_.size(); }
  bool has_nulls() const { return has_nulls_; }

 private:
  std::vector<const arrow::Array*> arrays_;
  bool has_nulls_ = false;
};

struct Validity {
  std::shared_ptr<arrow::Buffer> bits;
  int64_t null_count = 0;
};

Result<Validity> ValidityOf(const Sources& sources, std::span<const RowOfBatch> rows,
                            arrow::MemoryPool* pool) {
  Validity validity;
  if (!sources.has_nulls()) return validity;
  ARROW_ASSIGN_OR_RAISE(
      validity.bits, arrow::AllocateBuffer(
                         arrow::bit_util::BytesForBits(static_cast<int64_t>(rows.size())), pool));
  WriteBits(static_cast<int64_t>(rows.size()), validity.bits->mutable_data(),
            [&](int64_t i) { return sources[rows[i].batch].IsValid(rows[i].row); });
  for (const RowOfBatch& row : rows) validity.null_count += sources[row.batch].IsNull(row.row);
  return validity;
}

template <typename T>
Result<std::shared_ptr<arrow::Buffer>> FixedValues(const Sources& sources,
                                                   std::span<const RowOfBatch> rows,
                                                   arrow::MemoryPool* pool) {
  std::vector<const T*> values(sources.size());
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = sources[static_cast<int32_t>(i)].data()->GetValues<T>(1);
  }
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> buffer,
                        arrow::AllocateBuffer(static_cast<int64_t>(rows.size() * sizeof(T)), pool));
  T* out = reinterpret_cast<T*>(buffer->mutable_data());
  for (const RowOfBatch& row : rows) *out++ = values[row.batch][row.row];
  return buffer;
}

Result<std::shared_ptr<arrow::Buffer>> Bits(const Sources& sources,
                                            std::span<const RowOfBatch> rows,
                                            arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(
      std::shared_ptr<arrow::Buffer> buffer,
      arrow::AllocateBuffer(arrow::bit_util::BytesForBits(static_cast<int64_t>(rows.size())),
                            pool));
  WriteBits(static_cast<int64_t>(rows.size()), buffer->mutable_data(), [&](int64_t i) {
    const arrow::Array& array = sources[rows[i].batch];
    return arrow::bit_util::GetBit(array.data()->buffers[1]->data(), array.offset() + rows[i].row);
  });
  return buffer;
}

Result<std::shared_ptr<arrow::Array>> Texts(const Sources& sources,
                                            std::span<const RowOfBatch> rows, Validity validity,
                                            const std::shared_ptr<arrow::DataType>& type,
                                            arrow::MemoryPool* pool) {
  std::vector<StringRows> texts;
  for (size_t i = 0; i < sources.size(); ++i) {
    texts.push_back(StringsOf(sources[static_cast<int32_t>(i)]));
  }
  const auto count = static_cast<int64_t>(rows.size());
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> offsets,
                        arrow::AllocateBuffer((count + 1) * sizeof(int32_t), pool));
  auto* ends = reinterpret_cast<int32_t*>(offsets->mutable_data());
  int64_t bytes = 0;
  ends[0] = 0;
  for (int64_t i = 0; i < count; ++i) {
    bytes += static_cast<int64_t>(texts[rows[i].batch][rows[i].row].size());
    if (bytes > std::numeric_limits<int32_t>::max()) {
      return Status::CapacityError("a batch of ", count, " rows has a column of more than 2 GiB");
    }
    ends[i + 1] = static_cast<int32_t>(bytes);
  }
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> values, arrow::AllocateBuffer(bytes, pool));
  char* out = reinterpret_cast<char*>(values->mutable_data());
  for (int64_t i = 0; i < count; ++i) {
    const std::string_view text = texts[rows[i].batch][rows[i].row];
    if (!text.empty()) std::memcpy(out + ends[i], text.data(), text.size());
  }
  return arrow::MakeArray(arrow::ArrayData::Make(
      type, count, {std::move(validity.bits), std::move(offsets), std::move(values)},
      validity.null_count));
}

Result<std::shared_ptr<arrow::Array>> GatheredColumn(const Sources& sources,
                                                     std::span<const RowOfBatch> rows,
                                                     const std::shared_ptr<arrow::DataType>& type,
                                                     arrow::MemoryPool* pool) {
  const auto count = static_cast<int64_t>(rows.size());
  if (type->id() == arrow::Type::NA) return arrow::MakeArrayOfNull(type, count, pool);
  ARROW_ASSIGN_OR_RAISE(Validity validity, ValidityOf(sources, rows, pool));
  if (type->id() == arrow::Type::STRING || type->id() == arrow::Type::BINARY) {
    return Texts(sources, rows, std::move(validity), type, pool);
  }
  std::shared_ptr<arrow::Buffer> values;
  switch (type->bit_width()) {
    case 1: {
      ARROW_ASSIGN_OR_RAISE(values, Bits(sources, rows, pool));
      break;
    }
    case 8: {
      ARROW_ASSIGN_OR_RAISE(values, FixedValues<uint8_t>(sources, rows, pool));
      break;
    }
    case 16: {
      ARROW_ASSIGN_OR_RAISE(values, FixedValues<uint16_t>(sources, rows, pool));
      break;
    }
    case 32: {
      ARROW_ASSIGN_OR_RAISE(values, FixedValues<uint32_t>(sources, rows, pool));
      break;
    }
    case 64: {
      ARROW_ASSIGN_OR_RAISE(values, FixedValues<uint64_t>(sources, rows, pool));
      break;
    }
    case 128: {
      ARROW_ASSIGN_OR_RAISE(values, FixedValues<Int128Cell>(sources, rows, pool));
      break;
    }
    default:
      return Status::NotImplemented("rows of ", type->ToString(), " cannot be put together");
  }
  return arrow::MakeArray(arrow::ArrayData::Make(
      type, count, {std::move(validity.bits), std::move(values)}, validity.null_count));
}

}  // namespace

Result<Batch> Compacted(const Batch& batch, arrow::MemoryPool* pool) {
  Batch compacted{batch.schema, {}, batch.selected_count(), nullptr};
  for (int i = 0; i < static_cast<int>(batch.columns.size()); ++i) {
    ARROW_ASSIGN_OR_RAISE(auto column, GatherColumn(batch, i, pool));
    ARROW_ASSIGN_OR_RAISE(column, DecodeDictionary(column, pool));
    compacted.columns.push_back(std::move(column));
  }
  return compacted;
}

Result<Batch> Interleave(std::span<const Batch> batches, std::span<const RowOfBatch> rows,
                         const std::shared_ptr<arrow::Schema>& schema, arrow::MemoryPool* pool) {
  Batch together{schema, {}, static_cast<int64_t>(rows.size()), nullptr};
  for (int i = 0; i < schema->num_fields(); ++i) {
    ARROW_ASSIGN_OR_RAISE(
        auto column, GatheredColumn(Sources(batches, i), rows, schema->field(i)->type(), pool));
    together.columns.push_back(std::move(column));
  }
  return together;
}

}  // namespace reprise
