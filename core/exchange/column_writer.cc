// Columns of a fixed width: validity, values as differences to the smallest one.
#include "exchange/column_writer.h"

#include <arrow/util/bit_util.h>
#include <arrow/util/bitmap_ops.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "expressions/values.h"

namespace reprise {

namespace {

using block::ColumnHead;
using block::Encoding;

// Below this, the directory's entry costs more than compressing saves.
constexpr size_t kCompressMin = 256;
// Of a buffer that compressing does not make smaller, the next blocks' are not tried.
constexpr int kSkipMax = 63;

/// Boolean columns: a bit a row.
class BitWriter final : public ColumnWriter {
 public:
  using ColumnWriter::ColumnWriter;

 private:
  Status WriteValues(std::span<const ColumnSlice> slices, int64_t rows, bool has_nulls,
                     ColumnHead* head, BufferSink* sink) override {
    const int64_t bytes = arrow::bit_util::BytesForBits(rows);
    ARROW_ASSIGN_OR_RAISE(uint8_t * bits, Scratch(bytes));
    std::memset(bits, 0, static_cast<size_t>(bytes));
    int64_t written = 0;
    for (const ColumnSlice& slice : slices) {
      const uint8_t* from = slice.data->buffers[1]->data();
      if (slice.has_nulls()) {
        for (int64_t row = 0; row < slice.count; ++row) {
          const bool value =
              slice.is_valid(row) && arrow::bit_util::GetBit(from, slice.offset() + row);
          arrow::bit_util::SetBitTo(bits, written + row, value);
        }
      } else {
        arrow::internal::CopyBitmap(from, slice.offset(), slice.count, bits, written);
      }
      written += slice.count;
    }
    return sink->Add(Written(bytes), experience(1));
  }
};

template <typename T>
struct Range {
  T least;
  T most;
};

/// The extremes of the values that are not null; there is one.
template <typename T>
Range<T> RangeOf(std::span<const ColumnSlice> slices) {
  Range<T> range{std::numeric_limits<T>::max(), std::numeric_limits<T>::min()};
  for (const ColumnSlice& slice : slices) {
    const T* values = slice.data->GetValues<T>(1, slice.offset());
    const bool has_nulls = slice.has_nulls();
    T least = range.least;
    T most = range.most;
    for (int64_t row = 0; row < slice.count; ++row) {
      if (has_nulls && !slice.is_valid(row)) continue;
      least = std::min(least, values[row]);
      most = std::max(most, values[row]);
    }
    range = {least, most};
  }
  return range;
}

/// Differences of the values to `base`, nulls as 0.
template <typename T, typename Narrow>
void WriteDifferences(std::span<const ColumnSlice> slices, T base, uint8_t* out) {
  using Unsigned = std::make_unsigned_t<T>;
  auto* next = reinterpret_cast<Narrow*>(out);
  for (const ColumnSlice& slice : slices) {
    const T* values = slice.data->GetValues<T>(1, slice.offset());
    for (int64_t row = 0; row < slice.count; ++row) {
      next[row] =
          static_cast<Narrow>(static_cast<Unsigned>(values[row]) - static_cast<Unsigned>(base));
    }
    if (slice.has_nulls()) {
      for (int64_t row = 0; row < slice.count; ++row) {
        if (!slice.is_valid(row)) next[row] = 0;
      }
    }
    next += slice.count;
  }
}

/// Writes the values as they are, nulls as 0.
template <typename T>
void WriteAsTheyAre(std::span<const ColumnSlice> slices, uint8_t* out) {
  for (const ColumnSlice& slice : slices) {
    const auto bytes = static_cast<size_t>(slice.count) * sizeof(T);
    std::memcpy(out, slice.data->GetValues<T>(1, slice.offset()), bytes);
    if (slice.has_nulls()) {
      for (int64_t row = 0; row < slice.count; ++row) {
        if (!slice.is_valid(row)) std::memset(out + row * sizeof(T), 0, sizeof(T));
      }
    }
    out += bytes;
  }
}

/// Integers of 2 to 8 bytes.
template <typename T>
class IntegerWriter final : public ColumnWriter {
 public:
  using ColumnWriter::ColumnWriter;

 private:
  Status WriteValues(std::span<const ColumnSlice> slices, int64_t rows, bool has_nulls,
                     ColumnHead* head, BufferSink* sink) override {
    const Range<T> range = RangeOf<T>(slices);
    const auto spread = static_cast<uint64_t>(range.most) - static_cast<uint64_t>(range.least);
    const uint8_t width = spread > std::numeric_limits<uint32_t>::max() ? 8 : WidthOf(spread);
    if (width >= sizeof(T)) {
      const auto bytes = rows * static_cast<int64_t>(sizeof(T));
      ARROW_ASSIGN_OR_RAISE(uint8_t * out, Scratch(bytes));
      WriteAsTheyAre<T>(slices, out);
      return sink->Add(Written(bytes), experience(1));
    }
    head->width = width;
    const int64_t bytes = 8 + rows * width;
    ARROW_ASSIGN_OR_RAISE(uint8_t * out, Scratch(bytes));
    const auto base = static_cast<int64_t>(range.least);
    std::memcpy(out, &base, sizeof(base));
    if (width == 1) WriteDifferences<T, uint8_t>(slices, range.least, out + 8);
    if (width == 2) WriteDifferences<T, uint16_t>(slices, range.least, out + 8);
    if (width == 4) WriteDifferences<T, uint32_t>(slices, range.least, out + 8);
    return sink->Add(Written(bytes), experience(1));
  }
};

/// Decimals of more than 18 digits: their low 8 bytes alone where that is all there is to them.
class Decimal128Writer final : public ColumnWriter {
 public:
  using ColumnWriter::ColumnWriter;

 private:
  static bool AreLongs(std::span<const ColumnSlice> slices) {
    for (const ColumnSlice& slice : slices) {
      const auto* values = slice.data->GetValues<Int128Cell>(1, slice.offset());
      const bool has_nulls = slice.has_nulls();
      for (int64_t row = 0; row < slice.count; ++row) {
        if (has_nulls && !slice.is_valid(row)) continue;
        if (values[row].high != static_cast<int64_t>(values[row].low) >> 63) return false;
      }
    }
    return true;
  }

  Status WriteValues(std::span<const ColumnSlice> slices, int64_t rows, bool has_nulls,
                     ColumnHead* head, BufferSink* sink) override {
    if (!AreLongs(slices)) {
      const auto bytes = rows * static_cast<int64_t>(sizeof(Int128Cell));
      ARROW_ASSIGN_OR_RAISE(uint8_t * out, Scratch(bytes));
      WriteAsTheyAre<Int128Cell>(slices, out);
      return sink->Add(Written(bytes), experience(1));
    }
    head->width = 8;
    const int64_t bytes = 8 + rows * 8;
    ARROW_ASSIGN_OR_RAISE(uint8_t * out, Scratch(bytes));
    std::memset(out, 0, 8);
    auto* next = reinterpret_cast<uint64_t*>(out + 8);
    for (const ColumnSlice& slice : slices) {
      const auto* values = slice.data->GetValues<Int128Cell>(1, slice.offset());
      const bool slice_has_nulls = slice.has_nulls();
      for (int64_t row = 0; row < slice.count; ++row) {
        *next++ = slice_has_nulls && !slice.is_valid(row) ? 0 : values[row].low;
      }
    }
    return sink->Add(Written(bytes), experience(1));
  }
};

/// Floating point and bytes: as they are.
template <typename T>
class PlainWriter final : public ColumnWriter {
 public:
  using ColumnWriter::ColumnWriter;

 private:
  Status WriteValues(std::span<const ColumnSlice> slices, int64_t rows, bool has_nulls,
                     ColumnHead* head, BufferSink* sink) override {
    const auto bytes = rows * static_cast<int64_t>(sizeof(T));
    ARROW_ASSIGN_OR_RAISE(uint8_t * out, Scratch(bytes));
    WriteAsTheyAre<T>(slices, out);
    return sink->Add(Written(bytes), experience(1));
  }
};

/// Columns of Spark's void: all rows are null, so there are never values to write.
class NullWriter final : public ColumnWriter {
 public:
  using ColumnWriter::ColumnWriter;

 private:
  Status WriteValues(std::span<const ColumnSlice>, int64_t, bool, ColumnHead*,
                     BufferSink*) override {
    return Status::OK();
  }
};

}  // namespace

bool ColumnSlice::is_valid(int64_t row) const {
  return arrow::bit_util::GetBit(data->buffers[0]->data(), offset() + row);
}

Status BufferSink::Add(std::span<const uint8_t> raw, Experience* experience) {
  if (raw.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    return Status::CapacityError("a buffer of a block takes ", raw.size(), " bytes; at most 2 GB");
  }
  const auto raw_bytes = static_cast<uint32_t>(raw.size());
  const bool is_tried = compressor_->codec() != Codec::kNone && raw.size() >= kCompressMin &&
                        (experience->skip == 0 || --experience->skip == 0);
  if (is_tried) {
    RETURN_NOT_OK(out_->Reserve(compressor_->SizeMax(raw_bytes)));
    ARROW_ASSIGN_OR_RAISE(const int64_t stored,
                          compressor_->Compress(raw, out_->mutable_data() + out_->length()));
    if (stored <= raw_bytes - raw_bytes / 10) {
      experience->failures = 0;
      out_->UnsafeAdvance(stored);
      sizes_.push_back({raw_bytes, static_cast<uint32_t>(stored)});
      return Status::OK();
    }
    experience->failures = std::min(experience->failures + 1, 6);
    experience->skip = std::min((1 << experience->failures) - 1, kSkipMax);
  }
  sizes_.push_back({raw_bytes, raw_bytes});
  return out_->Append(raw.data(), raw_bytes);
}

Result<uint8_t*> ColumnWriter::Scratch(int64_t bytes) {
  scratch_.Rewind(0);
  RETURN_NOT_OK(scratch_.Reserve(bytes));
  return scratch_.mutable_data();
}

Result<ColumnHead> ColumnWriter::Write(std::span<const ColumnSlice> slices, BufferSink* sink) {
  int64_t rows = 0;
  int64_t nulls = 0;
  for (const ColumnSlice& slice : slices) {
    rows += slice.count;
    if (slice.data->type->id() == arrow::Type::NA) {
      nulls += slice.count;
    } else if (slice.has_nulls()) {
      nulls += slice.count - arrow::internal::CountSetBits(slice.data->buffers[0]->data(),
                                                           slice.offset(), slice.count);
    }
  }
  ColumnHead head;
  head.null_count = static_cast<uint32_t>(nulls);
  if (nulls == rows) return head;
  head.encoding = Encoding::kValues;
  if (nulls > 0) {
    head.flags |= block::kHasValidity;
    const int64_t bytes = arrow::bit_util::BytesForBits(rows);
    ARROW_ASSIGN_OR_RAISE(uint8_t * bits, Scratch(bytes));
    bits[bytes - 1] = 0;
    int64_t written = 0;
    for (const ColumnSlice& slice : slices) {
      if (slice.has_nulls()) {
        arrow::internal::CopyBitmap(slice.data->buffers[0]->data(), slice.offset(), slice.count,
                                    bits, written);
      } else {
        arrow::bit_util::SetBitsTo(bits, written, slice.count, true);
      }
      written += slice.count;
    }
    RETURN_NOT_OK(sink->Add(Written(bytes), experience(0)));
  }
  RETURN_NOT_OK(WriteValues(slices, rows, nulls > 0, &head, sink));
  return head;
}

Result<std::unique_ptr<ColumnWriter>> MakeColumnWriter(const arrow::DataType& type,
                                                       arrow::MemoryPool* pool) {
  switch (type.id()) {
    case arrow::Type::NA:
      return std::make_unique<NullWriter>(pool);
    case arrow::Type::BOOL:
      return std::make_unique<BitWriter>(pool);
    case arrow::Type::INT8:
      return std::make_unique<PlainWriter<int8_t>>(pool);
    case arrow::Type::INT16:
      return std::make_unique<IntegerWriter<int16_t>>(pool);
    case arrow::Type::INT32:
    case arrow::Type::DATE32:
      return std::make_unique<IntegerWriter<int32_t>>(pool);
    case arrow::Type::INT64:
    case arrow::Type::TIMESTAMP:
    case arrow::Type::DECIMAL64:
      return std::make_unique<IntegerWriter<int64_t>>(pool);
    case arrow::Type::FLOAT:
      return std::make_unique<PlainWriter<float>>(pool);
    case arrow::Type::DOUBLE:
      return std::make_unique<PlainWriter<double>>(pool);
    case arrow::Type::DECIMAL128:
      return std::make_unique<Decimal128Writer>(pool);
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      return MakeTextWriter(pool);
    default:
      return Status::NotImplemented("type ", type.ToString(), " has no form in a block");
  }
}

}  // namespace reprise
