#include "transitions/cache_column_writer.h"

#include <arrow/array/array_binary.h>
#include <arrow/array/array_dict.h>
#include <arrow/util/bit_util.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "base/check.h"
#include "plan/unsafe_row.h"
#include "transitions/cache_schemes.h"
#include "transitions/statistics_row.h"

namespace reprise {

namespace {

constexpr int64_t kNullSize = 4;  // of the place of a null, as Spark counts it

/// The nulls, which columns of all types write alike.
class WriterOfNulls : public CacheColumnWriter {
 public:
  explicit WriterOfNulls(arrow::MemoryPool* pool) : nulls_(pool) {}

  void Begin(const arrow::Array& column) override {
    column_ = &column;
    has_nulls_ = column.null_count() > 0;
  }

 protected:
  bool IsNull(int64_t row) const { return has_nulls_ && column_->IsNull(row); }

  /// Adds the size of each value, `size_of(row)`, or of a null.
  template <typename SizeOf>
  void AddEach(std::span<int64_t> sizes, SizeOf&& size_of) const {
    for (size_t i = 0; i < sizes.size(); ++i) {
      const auto row = static_cast<int64_t>(i);
      sizes[i] += IsNull(row) ? kNullSize : size_of(row);
    }
  }

  /// Gives each value to `take(row)`, and notes the nulls.
  template <typename Take>
  Status AppendEach(int64_t first, int64_t count, Take&& take) {
    for (int64_t row = first; row < first + count; ++row) {
      if (IsNull(row)) {
        RETURN_NOT_OK(nulls_.Append(static_cast<int32_t>(rows_ + row - first)));
      } else {
        RETURN_NOT_OK(take(row));
      }
    }
    rows_ += count;
    return Status::OK();
  }

  void CountRows(int64_t count) { rows_ += count; }
  int64_t value_count() const { return rows_ - nulls_.length(); }

  Status WriteNulls(arrow::BufferBuilder* bytes) const {
    const auto count = static_cast<int32_t>(nulls_.length());
    RETURN_NOT_OK(bytes->Append(&count, sizeof(count)));
    return bytes->Append(nulls_.data(), nulls_.length() * int64_t{sizeof(int32_t)});
  }

  /// What follows the bounds. `size`: of the values, as Spark counts it.
  void WriteCounts(int64_t size, StatisticsRow* statistics) {
    statistics->AddWord(static_cast<uint64_t>(nulls_.length()));
    statistics->AddWord(static_cast<uint64_t>(rows_));
    statistics->AddWord(static_cast<uint64_t>(size + nulls_.length() * kNullSize));
    nulls_.Reset();
    rows_ = 0;
  }

  const arrow::Array* column_ = nullptr;
  bool has_nulls_ = false;

 private:
  arrow::TypedBufferBuilder<int32_t> nulls_;  // their places
  int64_t rows_ = 0;
};

/// Columns of type void.
class VoidCacheWriter final : public WriterOfNulls {
 public:
  using WriterOfNulls::WriterOfNulls;
  void AddSizes(std::span<int64_t> sizes) const override {
    AddEach(sizes, [](int64_t) { return int64_t{0}; });
  }
  Status Append(int64_t first, int64_t count) override {
    return AppendEach(first, count, [](int64_t) { return Status::OK(); });
  }
  Status Finish(arrow::BufferBuilder* bytes, StatisticsRow* statistics) override {
    RETURN_NOT_OK(WriteNulls(bytes));
    statistics->AddNull();
    statistics->AddNull();
    WriteCounts(0, statistics);
    return Status::OK();
  }
};

/// The least and the greatest of values. Of none they are what Spark begins with; NaNs are none.
template <typename T>
struct Bounds {
  T least = std::numeric_limits<T>::max();
  T greatest = std::numeric_limits<T>::lowest();

  void Add(T value) {
    if (value > greatest) greatest = value;
    if (value < least) least = value;
  }
};

template <typename T>
void WriteBound(const std::optional<T>& bound, StatisticsRow* statistics) {
  bound ? statistics->Add(*bound) : statistics->AddNull();
}

template <typename T>
uint64_t WordOf(T value) {
  uint64_t word = 0;
  std::memcpy(&word, &value, sizeof(value));
  return word;
}

/// Numbers, times and decimals of up to 18 digits; booleans as bytes of 0 and 1.
template <typename T>
class FixedCacheWriter final : public WriterOfNulls {
 public:
  FixedCacheWriter(SchemeChoice schemes, TypeKind kind, arrow::MemoryPool* pool)
      : WriterOfNulls(pool),
        schemes_(schemes),
        is_boolean_(kind == TypeKind::kBoolean),
        is_decimal_(kind == TypeKind::kDecimal),
        values_(pool) {
    Reset();
  }

  void AddSizes(std::span<int64_t> sizes) const override {
    AddEach(sizes, [](int64_t) { return int64_t{sizeof(T)}; });
  }

  Status Append(int64_t first, int64_t count) override {
    if (is_boolean_) return AppendBooleans(first, count);
    const T* const from = column_->data()->template GetValues<T>(1);
    if (has_nulls_) {
      return AppendEach(first, count, [&](int64_t row) { return Take(from[row]); });
    }
    for (int64_t i = first; i < first + count; ++i) bounds_.Add(from[i]);
    CountRows(count);
    return values_.Append(from + first, count);
  }

  Status Finish(arrow::BufferBuilder* bytes, StatisticsRow* statistics) override {
    const std::span<const T> values(values_.data(), static_cast<size_t>(values_.length()));
    RETURN_NOT_OK(WriteNulls(bytes));
    RETURN_NOT_OK(WriteNumbers(values, schemes_, bytes));
    if (is_decimal_ && values.empty()) {
      statistics->AddNull();
      statistics->AddNull();
    } else {
      statistics->AddWord(WordOf(bounds_.least));
      statistics->AddWord(WordOf(bounds_.greatest));
    }
    WriteCounts(values_.length() * int64_t{sizeof(T)}, statistics);
    Reset();
    return Status::OK();
  }

 private:
  Status AppendBooleans(int64_t first, int64_t count) {
    const uint8_t* const bits = column_->data()->template GetValues<uint8_t>(1, 0);
    return AppendEach(first, count, [&](int64_t row) {
      return Take(static_cast<T>(arrow::bit_util::GetBit(bits, column_->offset() + row)));
    });
  }

  Status Take(T value) {
    bounds_.Add(value);
    return values_.Append(value);
  }

  void Reset() {
    values_.Reset();
    bounds_ = is_boolean_ ? Bounds<T>{T{1}, T{0}} : Bounds<T>();
  }

  const SchemeChoice schemes_;
  const bool is_boolean_;
  const bool is_decimal_;
  arrow::TypedBufferBuilder<T> values_;
  Bounds<T> bounds_;
};

/// Decimals of more than 18 digits: the bytes of BigInteger.toByteArray.
class LongDecimalCacheWriter final : public WriterOfNulls {
 public:
  explicit LongDecimalCacheWriter(arrow::MemoryPool* pool) : WriterOfNulls(pool), values_(pool) {}

  // Spark counts them as if they were short.
  void AddSizes(std::span<int64_t> sizes) const override {
    AddEach(sizes, [](int64_t) { return kRowWordBytes; });
  }

  Status Append(int64_t first, int64_t count) override {
    const auto* const from =
        column_->data()->GetValues<uint8_t>(1, 0) + column_->offset() * int64_t{sizeof(__int128)};
    return AppendEach(first, count, [&](int64_t row) {
      const auto value = LoadAs<__int128>(from + row * int64_t{sizeof(__int128)});
      if (!greatest_ || value > *greatest_) greatest_ = value;
      if (!least_ || value < *least_) least_ = value;
      uint8_t sized[sizeof(int32_t) + kLongDecimalBytes];
      const uint64_t size = StoreBigEndian(value, sized + sizeof(int32_t));
      StoreAs(sized, static_cast<int32_t>(size));
      return values_.Append(sized, static_cast<int64_t>(sizeof(int32_t) + size));
    });
  }

  Status Finish(arrow::BufferBuilder* bytes, StatisticsRow* statistics) override {
    RETURN_NOT_OK(WriteNulls(bytes));
    RETURN_NOT_OK(bytes->Append(values_.data(), values_.length()));
    WriteBound(least_, statistics);
    WriteBound(greatest_, statistics);
    WriteCounts(value_count() * kRowWordBytes, statistics);
    values_.Reset();
    least_.reset();
    greatest_.reset();
    return Status::OK();
  }

 private:
  arrow::BufferBuilder values_;
  std::optional<__int128> least_;
  std::optional<__int128> greatest_;
};

/// Strings, binary values, and what Spark keeps as bytes of its own.
class BytesCacheWriter final : public WriterOfNulls {
 public:
  BytesCacheWriter(std::optional<SchemeChoice> schemes, bool has_sizes, arrow::MemoryPool* pool)
      : WriterOfNulls(pool),
        schemes_(schemes),
        size_bytes_(has_sizes ? int64_t{sizeof(int32_t)} : 0),
        values_(pool) {}

  void Begin(const arrow::Array& column) override {
    WriterOfNulls::Begin(column);
    const bool is_encoded = column.type_id() == arrow::Type::DICTIONARY;
    const auto* const encoded =
        is_encoded ? &static_cast<const arrow::DictionaryArray&>(column) : nullptr;
    indices_ = is_encoded ? encoded->data()->GetValues<int32_t>(1) : nullptr;
    bytes_ = &static_cast<const arrow::BinaryArray&>(is_encoded ? *encoded->dictionary() : column);
  }

  void AddSizes(std::span<int64_t> sizes) const override {
    AddEach(sizes, [&](int64_t row) { return size_bytes_ + std::ssize(Value(row)); });
  }

  Status Append(int64_t first, int64_t count) override {
    return AppendEach(first, count, [&](int64_t row) { return Take(Value(row)); });
  }

  Status Finish(arrow::BufferBuilder* bytes, StatisticsRow* statistics) override {
    const std::span<const uint8_t> values(values_.data(), static_cast<size_t>(values_.length()));
    RETURN_NOT_OK(WriteNulls(bytes));
    RETURN_NOT_OK(schemes_ ? WriteStrings(values, value_count(), *schemes_, bytes)
                           : bytes->Append(values.data(), std::ssize(values)));
    WriteBound(least_, statistics);
    WriteBound(greatest_, statistics);
    WriteCounts(values_.length(), statistics);
    values_.Reset();
    least_.reset();
    greatest_.reset();
    return Status::OK();
  }

 private:
  std::string_view Value(int64_t row) const {
    return bytes_->GetView(indices_ != nullptr ? indices_[row] : row);
  }

  Status Take(std::string_view value) {
    if (schemes_) {
      if (!greatest_ || value > *greatest_) greatest_ = value;
      if (!least_ || value < *least_) least_ = value;
    }
    if (size_bytes_ > 0) {
      const auto size = static_cast<int32_t>(value.size());
      RETURN_NOT_OK(values_.Append(&size, sizeof(size)));
    }
    return values_.Append(value.data(), std::ssize(value));
  }

  const std::optional<SchemeChoice> schemes_;  // of strings, which have bounds too
  const int64_t size_bytes_;                   // before each value
  arrow::BufferBuilder values_;
  std::optional<std::string> least_;
  std::optional<std::string> greatest_;
  const int32_t* indices_ = nullptr;  // null: the column is plain
  const arrow::BinaryArray* bytes_ = nullptr;
};

using WriterResult = Result<std::unique_ptr<CacheColumnWriter>>;

}  // namespace

WriterResult MakeCacheColumnWriter(const Field& field, bool compresses, arrow::MemoryPool* pool) {
  const DataType stored = StoredType(field.type);
  const auto fixed = [&]<typename T>(T, SchemeChoice schemes) -> WriterResult {
    return std::make_unique<FixedCacheWriter<T>>(compresses ? schemes : SchemeChoice{}, stored.kind,
                                                 pool);
  };
  if (IsCalendarInterval(field.type)) {
    return std::make_unique<BytesCacheWriter>(std::nullopt, /*has_sizes=*/false, pool);
  }
  constexpr SchemeChoice kRuns = {.runs = true};
  constexpr SchemeChoice kAll = {.runs = true, .dictionary = true, .deltas = true};
  switch (stored.kind) {
    case TypeKind::kNull:
      return std::make_unique<VoidCacheWriter>(pool);
    case TypeKind::kBoolean:
      return fixed(uint8_t{}, {.runs = true, .bits = true});
    case TypeKind::kByte:
      return fixed(int8_t{}, kRuns);
    case TypeKind::kShort:
      return fixed(int16_t{}, kRuns);
    case TypeKind::kInteger:
    case TypeKind::kDate:
      return fixed(int32_t{}, kAll);
    case TypeKind::kLong:
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampNtz:
      return fixed(int64_t{}, kAll);
    case TypeKind::kFloat:
      return fixed(float{}, {});
    case TypeKind::kDouble:
      return fixed(double{}, {});
    case TypeKind::kDecimal:
      if (stored.is_short_decimal()) return fixed(int64_t{}, {});
      return std::make_unique<LongDecimalCacheWriter>(pool);
    case TypeKind::kString:
      return std::make_unique<BytesCacheWriter>(
          compresses ? SchemeChoice{.runs = true, .dictionary = true} : SchemeChoice{},
          /*has_sizes=*/true, pool);
    case TypeKind::kBinary:
      return std::make_unique<BytesCacheWriter>(std::nullopt, /*has_sizes=*/true, pool);
    case TypeKind::kOther:
      break;
  }
  return Status::NotImplemented("column ", field.name, ": type ", field.type.ToString(),
                                " has no native form");
}

}  // namespace reprise
