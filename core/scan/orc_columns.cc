#include "scan/orc_columns.h"

#include <arrow/array/util.h>

#include <algorithm>
#include <vector>

#include "scan/bytes_builder.h"
#include "scan/orc_nullable_column.h"

namespace reprise {

namespace {

using Int128 = __int128;
using UInt128 = unsigned __int128;

constexpr int64_t kLengthsAtOnce = int64_t{1} << 16;

bool HasDictionary(const OrcEncoding& encoding) {
  return encoding.kind == OrcEncodingKind::kDictionary ||
         encoding.kind == OrcEncodingKind::kDictionary2;
}

/// Values of a fixed width, as a kind of values reads them.
template <class Values>
class FixedColumn final : public NullableOrcColumn {
 public:
  using Value = typename Values::Value;

  FixedColumn(const OrcColumnSource& source, std::shared_ptr<arrow::DataType> type)
      : NullableOrcColumn(source), type_(std::move(type)), values_(source) {}

 private:
  Result<std::shared_ptr<arrow::Array>> ReadValues(int64_t rows, int64_t values,
                                                   const int16_t* levels,
                                                   const BatchValidity& validity) override {
    ARROW_ASSIGN_OR_RAISE(auto buffer, AllocateValues(rows, sizeof(Value), pool()));
    auto* data = reinterpret_cast<Value*>(buffer->mutable_data());
    RETURN_NOT_OK(values_.Read(data, values));
    if (levels != nullptr) SpreadValues(data, values, levels, rows);
    return arrow::MakeArray(arrow::ArrayData::Make(
        type_, rows, {validity.bitmap(), std::move(buffer)}, validity.null_count()));
  }
  Status SeekValues(OrcPositions* positions) override { return values_.Seek(positions); }

  std::shared_ptr<arrow::DataType> type_;
  Values values_;
};

template <class T>
class IntegerValues {
 public:
  using Value = T;
  explicit IntegerValues(const OrcColumnSource& source)
      : integers_(OrcIntegersOf(source, OrcStreamKind::kData, /*is_signed=*/true)) {}

  Status Read(T* to, int64_t count) {
    if constexpr (sizeof(T) == sizeof(int64_t)) {
      integers_.Read(to, count);
    } else {
      if (std::ssize(wide_) < count) wide_.resize(count);
      integers_.Read(wide_.data(), count);
      for (int64_t i = 0; i < count; ++i) to[i] = static_cast<T>(wide_[i]);
    }
    return integers_.status();
  }
  Status Seek(OrcPositions* positions) {
    integers_.Seek(positions);
    return integers_.status();
  }

 private:
  OrcIntegers integers_;
  std::vector<int64_t> wide_;
};

/// Days of the hybrid calendar.
class DateValues {
 public:
  using Value = int32_t;
  explicit DateValues(const OrcColumnSource& source) : days_(source) {}
  Status Read(int32_t* to, int64_t count) {
    RETURN_NOT_OK(days_.Read(to, count));
    for (int64_t i = 0; i < count; ++i) {
      if (to[i] < kLastSwitchDay) to[i] = RebaseJulianToGregorianDays(to[i]);
    }
    return Status::OK();
  }
  Status Seek(OrcPositions* positions) { return days_.Seek(positions); }

 private:
  IntegerValues<int32_t> days_;
};

class ByteValues {
 public:
  using Value = int8_t;
  explicit ByteValues(const OrcColumnSource& source) : bytes_(source.open(OrcStreamKind::kData)) {}
  Status Read(int8_t* to, int64_t count) {
    for (int64_t i = 0; i < count; ++i) to[i] = static_cast<int8_t>(bytes_.Next());
    return bytes_.status();
  }
  Status Seek(OrcPositions* positions) {
    bytes_.Seek(positions);
    return bytes_.status();
  }

 private:
  OrcBytes bytes_;
};

/// Values that are stored as they are, the least significant byte first.
template <class T>
class PlainValues {
 public:
  using Value = T;
  explicit PlainValues(const OrcColumnSource& source) : bytes_(source.open(OrcStreamKind::kData)) {}
  Status Read(T* to, int64_t count) {
    bytes_.Read(reinterpret_cast<uint8_t*>(to), count * static_cast<int64_t>(sizeof(T)));
    return bytes_.status();
  }
  Status Seek(OrcPositions* positions) {
    bytes_.Seek(positions);
    return bytes_.status();
  }

 private:
  OrcStream bytes_;
};

/// Seconds from the epoch on, and nanoseconds as digits and how many zeros follow them.
class InstantValues {
 public:
  using Value = int64_t;
  explicit InstantValues(const OrcColumnSource& source)
      : seconds_(OrcIntegersOf(source, OrcStreamKind::kData, /*is_signed=*/true)),
        nanos_(OrcIntegersOf(source, OrcStreamKind::kSecondary, /*is_signed=*/false)),
        epoch_(source.epoch),
        rebase_(source.instants) {}

  Status Read(int64_t* to, int64_t count) {
    if (std::ssize(stored_nanos_) < count) stored_nanos_.resize(count);
    seconds_.Read(to, count);
    nanos_.Read(stored_nanos_.data(), count);
    RETURN_NOT_OK(seconds_.status());
    RETURN_NOT_OK(nanos_.status());
    for (int64_t i = 0; i < count; ++i) {
      if (!Micros(to[i], NanosOf(stored_nanos_[i]), &to[i])) {
        return Status::Invalid("a timestamp is beyond what microseconds have room for");
      }
    }
    return RebaseInstants(std::nullopt, rebase_, std::span(to, static_cast<size_t>(count)));
  }
  Status Seek(OrcPositions* positions) {
    seconds_.Seek(positions);
    nanos_.Seek(positions);
    RETURN_NOT_OK(seconds_.status());
    return nanos_.status();
  }

 private:
  static int32_t NanosOf(int64_t stored) {
    auto nanos = static_cast<uint32_t>(static_cast<uint64_t>(stored) >> 3);
    const int zeros = static_cast<int>(stored & 7);
    for (int i = 0; zeros != 0 && i <= zeros; ++i) nanos *= 10;
    return static_cast<int32_t>(nanos);
  }

  // As ORC's TimestampTreeReader and Spark's DateTimeUtils.fromJavaTimestamp together have it:
  // seconds before 1970 are stored as truncated, unless there is no more than a millisecond.
  bool Micros(int64_t stored, int32_t nanos, int64_t* micros) const {
    constexpr int64_t kMicrosPerSecond = 1'000'000;
    int64_t seconds = 0;
    if (__builtin_add_overflow(stored, epoch_, &seconds)) return false;
    if (seconds < 0 && nanos > 999'999) --seconds;
    return !__builtin_mul_overflow(seconds, kMicrosPerSecond, micros) &&
           !__builtin_add_overflow(*micros, int64_t{nanos / 1000}, micros);
  }

  OrcIntegers seconds_;
  OrcIntegers nanos_;
  int64_t epoch_;
  InstantRebase rebase_;
  std::vector<int64_t> stored_nanos_;
};

/// Each value with a scale of its own, as which it has no zeros at its end.
template <class T>
class DecimalValues {
 public:
  using Value = T;
  explicit DecimalValues(const OrcColumnSource& source)
      : digits_(source.open(OrcStreamKind::kData)),
        scales_(OrcIntegersOf(source, OrcStreamKind::kSecondary, /*is_signed=*/true)),
        scale_(source.type.scale) {
    for (int i = 0; i < source.type.precision; ++i) bound_ *= 10;
  }

  Status Read(T* to, int64_t count) {
    if (std::ssize(stored_scales_) < count) stored_scales_.resize(count);
    scales_.Read(stored_scales_.data(), count);
    RETURN_NOT_OK(scales_.status());
    for (int64_t i = 0; i < count; ++i) {
      T value = 0;
      const bool is_read = ReadDigits(&value) && Rescale(stored_scales_[i], &value) &&
                           value < bound_ && value > -bound_;
      if (!is_read) {
        RETURN_NOT_OK(digits_.status());
        return Status::Invalid("a decimal has more digits than its type");
      }
      to[i] = value;
    }
    return digits_.status();
  }
  Status Seek(OrcPositions* positions) {
    digits_.Seek(positions);
    scales_.Seek(positions);
    RETURN_NOT_OK(digits_.status());
    return scales_.status();
  }

 private:
  static constexpr int kScaleMax = 38;

  bool ReadDigits(int64_t* value) {
    *value = digits_.SignedVarint();
    return true;
  }
  bool ReadDigits(Int128* value) {
    UInt128 bits = 0;
    int shift = 0;
    uint8_t byte = 0;
    do {
      byte = digits_.Byte();
      if (shift > 126) return false;
      bits |= static_cast<UInt128>(byte & 0x7F) << shift;
      shift += 7;
    } while ((byte & 0x80) != 0);
    *value = static_cast<Int128>(bits >> 1) ^ -static_cast<Int128>(bits & 1);
    return true;
  }

  bool Rescale(int64_t stored, T* value) const {
    if (stored == scale_) return true;
    if (stored < 0 || stored > kScaleMax) return false;
    for (; stored < scale_; ++stored) {
      if (__builtin_mul_overflow(*value, T{10}, value)) return false;
    }
    if (stored == scale_) return true;
    // As BigDecimal.setScale(scale, HALF_UP).
    Int128 unit = 1;
    for (; stored > scale_; --stored) unit *= 10;
    const Int128 rest = *value % unit;
    *value = static_cast<T>(*value / unit);
    if (rest >= unit - rest) ++*value;
    if (-rest >= unit + rest) --*value;
    return true;
  }

  OrcStream digits_;
  OrcIntegers scales_;
  int scale_;
  T bound_ = 1;
  std::vector<int64_t> stored_scales_;
};

class BooleanColumn final : public NullableOrcColumn {
 public:
  explicit BooleanColumn(const OrcColumnSource& source)
      : NullableOrcColumn(source), bits_(source.open(OrcStreamKind::kData)) {}

 private:
  Result<std::shared_ptr<arrow::Array>> ReadValues(int64_t rows, int64_t, const int16_t* levels,
                                                   const BatchValidity& validity) override {
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> buffer,
                          arrow::AllocateEmptyBitmap(rows, pool()));
    uint8_t* data = buffer->mutable_data();
    for (int64_t row = 0; row < rows; ++row) {
      if (levels != nullptr && levels[row] == 0) continue;
      if (bits_.Next()) arrow::bit_util::SetBit(data, row);
    }
    RETURN_NOT_OK(bits_.status());
    return arrow::MakeArray(arrow::ArrayData::Make(
        arrow::boolean(), rows, {validity.bitmap(), std::move(buffer)}, validity.null_count()));
  }
  Status SeekValues(OrcPositions* positions) override {
    bits_.Seek(positions);
    return bits_.status();
  }

  OrcBits bits_;
};

/// A utf8 or binary array of the next bytes of a stream: `lengths` are those of the values that are
/// not null. All are where `levels` is null, else those whose level is not 0.
Result<std::shared_ptr<arrow::ArrayData>> BytesOf(
    OrcStream* stream, std::span<const int64_t> lengths, int64_t rows, const int16_t* levels,
    const BatchValidity& validity, std::shared_ptr<arrow::DataType> type, arrow::MemoryPool* pool) {
  constexpr OrcLengthWords kWords = {"a value", "bytes", "2 GiB of strings"};
  ARROW_ASSIGN_OR_RAISE(auto offsets, OrcOffsets(lengths, rows, levels, kWords, pool));
  const int64_t size = reinterpret_cast<const int32_t*>(offsets->data())[rows];
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> data, arrow::AllocateBuffer(size, pool));
  stream->Read(data->mutable_data(), size);
  RETURN_NOT_OK(stream->status());
  return arrow::ArrayData::Make(std::move(type), rows,
                                {validity.bitmap(), std::move(offsets), std::move(data)},
                                validity.null_count());
}

/// Bytes one after the other, and the length of each value.
class DirectBytesColumn final : public NullableOrcColumn {
 public:
  DirectBytesColumn(const OrcColumnSource& source, std::shared_ptr<arrow::DataType> type)
      : NullableOrcColumn(source),
        type_(std::move(type)),
        bytes_(source.open(OrcStreamKind::kData)),
        lengths_(OrcIntegersOf(source, OrcStreamKind::kLength, /*is_signed=*/false)) {}

 private:
  Result<std::shared_ptr<arrow::Array>> ReadValues(int64_t rows, int64_t values,
                                                   const int16_t* levels,
                                                   const BatchValidity& validity) override {
    if (std::ssize(stored_) < values) stored_.resize(values);
    lengths_.Read(stored_.data(), values);
    RETURN_NOT_OK(lengths_.status());
    const std::span lengths(stored_.data(), static_cast<size_t>(values));
    ARROW_ASSIGN_OR_RAISE(auto data,
                          BytesOf(&bytes_, lengths, rows, levels, validity, type_, pool()));
    return arrow::MakeArray(std::move(data));
  }
  Status SeekValues(OrcPositions* positions) override {
    bytes_.Seek(positions);
    lengths_.Seek(positions);
    RETURN_NOT_OK(bytes_.status());
    return lengths_.status();
  }

  std::shared_ptr<arrow::DataType> type_;
  OrcStream bytes_;
  OrcIntegers lengths_;
  std::vector<int64_t> stored_;
};

/// Indices over a dictionary of strings.
class DictionaryColumn final : public NullableOrcColumn {
 public:
  explicit DictionaryColumn(const OrcColumnSource& source)
      : NullableOrcColumn(source),
        indices_(OrcIntegersOf(source, OrcStreamKind::kData, /*is_signed=*/false)) {}

  /// Call once, before all else.
  Status ReadDictionary(const OrcColumnSource& source) {
    size_ = source.encoding.dictionary_size;
    if (size_ > source.rows) return Status::Invalid("a dictionary is larger than its column");
    OrcIntegers lengths = OrcIntegersOf(source, OrcStreamKind::kLength, /*is_signed=*/false);
    OrcStream bytes = source.open(OrcStreamKind::kDictionary);
    // Never empty, so that the indices of null rows too lie in it.
    std::vector<int64_t> stored;
    // Step by step, so that a size that is a lie takes no more memory than there are lengths.
    for (int64_t read = 0; read < size_; read = std::ssize(stored)) {
      stored.resize(std::min(size_, read + kLengthsAtOnce));
      lengths.Read(stored.data() + read, std::ssize(stored) - read);
      RETURN_NOT_OK(lengths.status());
    }
    if (size_ == 0) stored.push_back(0);
    ARROW_ASSIGN_OR_RAISE(dictionary_, BytesOf(&bytes, stored, std::ssize(stored), nullptr,
                                               BatchValidity(0, pool()), arrow::utf8(), pool()));
    return Status::OK();
  }

 private:
  Result<std::shared_ptr<arrow::Array>> ReadValues(int64_t rows, int64_t values,
                                                   const int16_t* levels,
                                                   const BatchValidity& validity) override {
    rows_max_ = std::max(rows_max_, rows);
    if (std::ssize(wide_) < values) wide_.resize(values);
    indices_.Read(wide_.data(), values);
    RETURN_NOT_OK(indices_.status());
    for (int64_t i = 0; i < values; ++i) {
      if (wide_[i] < 0 || wide_[i] >= size_) {
        return Status::Invalid("an index is beyond its dictionary");
      }
    }
    return StaysEncoded(size_, rows_max_) ? Encoded(rows, values, levels, validity)
                                          : Decoded(rows, values, levels, validity);
  }

  Result<std::shared_ptr<arrow::Array>> Encoded(int64_t rows, int64_t values, const int16_t* levels,
                                                const BatchValidity& validity) {
    static const auto kType = arrow::dictionary(arrow::int32(), arrow::utf8());
    ARROW_ASSIGN_OR_RAISE(auto buffer, AllocateValues(rows, sizeof(int32_t), pool()));
    auto* to = reinterpret_cast<int32_t*>(buffer->mutable_data());
    for (int64_t i = 0; i < values; ++i) to[i] = static_cast<int32_t>(wide_[i]);
    if (levels != nullptr) SpreadValues(to, values, levels, rows);
    auto data = arrow::ArrayData::Make(kType, rows, {validity.bitmap(), std::move(buffer)},
                                       validity.null_count());
    data->dictionary = dictionary_;
    return arrow::MakeArray(std::move(data));
  }

  Result<std::shared_ptr<arrow::Array>> Decoded(int64_t rows, int64_t values, const int16_t* levels,
                                                const BatchValidity& validity) {
    const auto* offsets = dictionary_->GetValues<int32_t>(1);
    const uint8_t* bytes = dictionary_->buffers[2]->data();
    const auto value_at = [&](int64_t i) {
      const int64_t index = wide_[i];
      return Bytes{bytes + offsets[index], offsets[index + 1] - offsets[index]};
    };
    int64_t size = 0;
    for (int64_t i = 0; i < values; ++i) size += value_at(i).length;
    BytesBuilder builder(rows, std::max<int64_t>(size, 1), pool());
    RETURN_NOT_OK(builder.Init());
    RETURN_NOT_OK(builder.Reserve(size));
    AppendSpread(rows, values, levels, &builder, value_at);
    ARROW_ASSIGN_OR_RAISE(auto data, builder.Finish(arrow::utf8(), validity));
    return arrow::MakeArray(std::move(data));
  }

  Status SeekValues(OrcPositions* positions) override {
    indices_.Seek(positions);
    return indices_.status();
  }

  OrcIntegers indices_;
  int64_t size_ = 0;
  int64_t rows_max_ = 0;  // of a batch, so far
  std::vector<int64_t> wide_;
  std::shared_ptr<arrow::ArrayData> dictionary_;
};

Result<std::unique_ptr<OrcColumn>> MakeDictionaryColumn(const OrcColumnSource& source) {
  auto column = std::make_unique<DictionaryColumn>(source);
  RETURN_NOT_OK(column->ReadDictionary(source));
  return column;
}

}  // namespace

bool IsOrcType(const DataType& type) {
  return type.kind >= TypeKind::kBoolean && type.kind <= TypeKind::kTimestampNtz;
}

Result<std::unique_ptr<OrcColumn>> MakeOrcColumn(OrcColumnSource source) {
  ARROW_ASSIGN_OR_RAISE(auto type, ToArrow(source.type));
  const auto fixed = [&]<class Values>() -> std::unique_ptr<OrcColumn> {
    return std::make_unique<FixedColumn<Values>>(source, type);
  };
  if (HasDictionary(source.encoding)) {
    if (source.type.is(TypeKind::kString)) return MakeDictionaryColumn(source);
    return Status::Invalid("a column that is no string has a dictionary");
  }
  switch (source.type.kind) {
    case TypeKind::kBoolean:
      return std::make_unique<BooleanColumn>(source);
    case TypeKind::kByte:
      return fixed.operator()<ByteValues>();
    case TypeKind::kShort:
      return fixed.operator()<IntegerValues<int16_t>>();
    case TypeKind::kInteger:
      return fixed.operator()<IntegerValues<int32_t>>();
    case TypeKind::kLong:
    case TypeKind::kTimestampNtz:
      return fixed.operator()<IntegerValues<int64_t>>();
    case TypeKind::kFloat:
      return fixed.operator()<PlainValues<float>>();
    case TypeKind::kDouble:
      return fixed.operator()<PlainValues<double>>();
    case TypeKind::kDecimal:
      if (source.type.is_short_decimal()) return fixed.operator()<DecimalValues<int64_t>>();
      return fixed.operator()<DecimalValues<Int128>>();
    case TypeKind::kDate:
      return fixed.operator()<DateValues>();
    case TypeKind::kTimestamp:
      return fixed.operator()<InstantValues>();
    case TypeKind::kString:
    case TypeKind::kBinary:
      return std::make_unique<DirectBytesColumn>(source, type);
    default:
      return Status::NotImplemented("type ", source.type.ToString(), " is not read of ORC files");
  }
}

}  // namespace reprise
