// The format of a column of Spark's cache (org.apache.spark.sql.execution.columnar: ColumnBuilder,
// NullableColumnBuilder, CompressibleColumnBuilder and the compression schemes), in the byte order
// of the machine where nothing else is said:
//
//   nulls     an int32, and as many int32: the places of the nulls among the rows
//   scheme    an int32: how the values are compressed; not for values of the types below
//   values    of the rows that are not null
//     0       one after the other: numbers in their width, a boolean as a byte, decimals of up to
//             18 digits as int64, strings as an int32 of their length and their bytes
//     1       runs: a value and an int32, how often it comes
//     2       an int32, as many values, and an int16 for each row: which of them
//     3       booleans: an int32, how many, and their bits in words of 64, the lowest first
//     4, 5    int32s and int64s: a byte for each, what it has more than the one before, or -128 and
//             the value
//
// Binary values, decimals of more than 18 digits, arrays, maps and structs have no scheme: each is
// an int32 of its length and its bytes as in Spark's rows. An interval is the 16 bytes of those.

#include "transitions/cached_columns.h"

#include <arrow/type.h>
#include <arrow/type_traits.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>

#include "plan/unsafe_row.h"

namespace reprise {

namespace {

enum class Scheme : int32_t {
  kPlain = 0,
  kRuns = 1,
  kDictionary = 2,
  kBits = 3,
  kIntDeltas = 4,
  kLongDeltas = 5
};

/// A value, or none for a null.
struct CachedValue {
  const uint8_t* bytes = nullptr;
  int32_t size = -1;
};

/// Takes one piece after the other of a column's bytes.
class CacheReader {
 public:
  explicit CacheReader(std::span<const uint8_t> bytes) : rest_(bytes) {}

  template <typename T>
  Result<T> Take() {
    ARROW_ASSIGN_OR_RAISE(const auto bytes, Take(sizeof(T)));
    return LoadAs<T>(bytes.data());
  }

  Result<std::span<const uint8_t>> Take(int64_t size) {
    if (size < 0 || size > std::ssize(rest_)) {
      return Status::Invalid(size, " bytes are wanted where ", rest_.size(), " are left");
    }
    const auto taken = rest_.first(static_cast<size_t>(size));
    rest_ = rest_.subspan(static_cast<size_t>(size));
    return taken;
  }

 private:
  std::span<const uint8_t> rest_;
};

/// How values of a type stand in a cache.
struct CachedForm {
  int width = 0;            ///< 0: of various lengths, which stand before them
  bool has_scheme = false;  ///< may be compressed
  bool is_fixed = false;    ///< numbers, which are asked for in their width
};

CachedForm FormOf(const DataType& type) {
  const DataType stored = StoredType(type);
  if (IsCalendarInterval(type)) return {static_cast<int>(kIntervalBytes), false, false};
  switch (stored.kind) {
    case TypeKind::kBoolean:
    case TypeKind::kByte:
      return {1, true, true};
    case TypeKind::kShort:
      return {2, true, true};
    case TypeKind::kInteger:
    case TypeKind::kDate:
    case TypeKind::kFloat:
      return {4, true, true};
    case TypeKind::kDecimal:
      if (!stored.is_short_decimal()) return {0, false, false};
      return {8, true, true};
    case TypeKind::kLong:
    case TypeKind::kDouble:
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampNtz:
      return {8, true, true};
    case TypeKind::kString:
      return {0, true, false};
    default:
      // A string of another collation is one to the cache.
      return {0, type.text.starts_with("string"), false};
  }
}

/// One column of a batch, decoded.
class CachedColumn {
 public:
  CachedColumn(const Field& field, arrow::MemoryPool* pool)
      : name_(field.name), form_(FormOf(field.type)), pool_(pool) {}

  bool is_fixed() const { return form_.is_fixed; }
  int width() const { return form_.width; }
  bool is_decoded() const { return bytes_ != nullptr; }
  const CachedValue& operator[](int64_t row) const { return values_[static_cast<size_t>(row)]; }

  void Clear() { bytes_.reset(); }

  Status Decode(std::shared_ptr<arrow::Buffer> bytes, int64_t rows) {
    bytes_ = std::move(bytes);
    values_.assign(static_cast<size_t>(rows), {});
    CacheReader reader({bytes_->data(), static_cast<size_t>(bytes_->size())});
    const Status decoded = DecodeValues(&reader);
    return decoded.ok()
               ? decoded
               : decoded.WithMessage("column ", name_, " of a cached table: ", decoded.message());
  }

 private:
  Status DecodeValues(CacheReader* reader) {
    RETURN_NOT_OK(PlaceNulls(reader));
    Scheme scheme = Scheme::kPlain;
    if (form_.has_scheme) {
      ARROW_ASSIGN_OR_RAISE(const auto number, reader->Take<int32_t>());
      scheme = static_cast<Scheme>(number);
    }
    switch (scheme) {
      case Scheme::kPlain:
        return EachValue([&] { return TakeValue(reader); });
      case Scheme::kRuns:
        return Runs(reader);
      case Scheme::kDictionary:
        return Dictionary(reader);
      case Scheme::kBits:
        return Bits(reader);
      case Scheme::kIntDeltas:
        return Deltas<uint32_t>(reader);
      case Scheme::kLongDeltas:
        return Deltas<uint64_t>(reader);
    }
    return Status::Invalid("there is no compression scheme ", static_cast<int32_t>(scheme));
  }

  /// Marks the rows that have values: until those are there their size is 0.
  Status PlaceNulls(CacheReader* reader) {
    for (CachedValue& value : values_) value.size = 0;
    ARROW_ASSIGN_OR_RAISE(const auto count, reader->Take<int32_t>());
    ARROW_ASSIGN_OR_RAISE(const auto places, reader->Take(int64_t{4} * count));
    for (int64_t i = 0; i < count; ++i) {
      const auto row = LoadAs<int32_t>(places.data() + 4 * i);
      if (row < 0 || row >= std::ssize(values_)) {
        return Status::Invalid("row ", row, " is null, of ", values_.size());
      }
      values_[static_cast<size_t>(row)].size = -1;
    }
    return Status::OK();
  }

  template <typename Next>
  Status EachValue(Next&& next) {
    for (CachedValue& value : values_) {
      if (value.size < 0) continue;
      ARROW_ASSIGN_OR_RAISE(value, next());
    }
    return Status::OK();
  }

  Result<CachedValue> TakeValue(CacheReader* reader) const {
    int32_t size = form_.width;
    if (size == 0) {
      ARROW_ASSIGN_OR_RAISE(size, reader->Take<int32_t>());
    }
    ARROW_ASSIGN_OR_RAISE(const auto bytes, reader->Take(size));
    return CachedValue{bytes.data(), size};
  }

  Status Runs(CacheReader* reader) {
    CachedValue value;
    int32_t left = 0;
    return EachValue([&]() -> Result<CachedValue> {
      while (left <= 0) {
        ARROW_ASSIGN_OR_RAISE(value, TakeValue(reader));
        ARROW_ASSIGN_OR_RAISE(left, reader->Take<int32_t>());
      }
      --left;
      return value;
    });
  }

  Status Dictionary(CacheReader* reader) {
    ARROW_ASSIGN_OR_RAISE(const auto count, reader->Take<int32_t>());
    std::vector<CachedValue> entries;
    for (int32_t i = 0; i < count; ++i) {
      ARROW_ASSIGN_OR_RAISE(entries.emplace_back(), TakeValue(reader));
    }
    return EachValue([&]() -> Result<CachedValue> {
      ARROW_ASSIGN_OR_RAISE(const auto entry, reader->Take<int16_t>());
      if (entry < 0 || entry >= count) {
        return Status::Invalid("entry ", entry, " of a dictionary of ", count);
      }
      return entries[static_cast<size_t>(entry)];
    });
  }

  Status Bits(CacheReader* reader) {
    static constexpr uint8_t kValues[] = {0, 1};
    RETURN_NOT_OK(reader->Take<int32_t>());
    uint64_t word = 0;
    int64_t taken = 0;
    return EachValue([&]() -> Result<CachedValue> {
      if (taken % 64 == 0) {
        ARROW_ASSIGN_OR_RAISE(word, reader->Take<uint64_t>());
      }
      const bool value = (word >> (taken++ % 64) & 1) != 0;
      return CachedValue{&kValues[value ? 1 : 0], 1};
    });
  }

  template <typename T>
  Status Deltas(CacheReader* reader) {
    constexpr int kWidth = sizeof(T);
    if (form_.width != kWidth) {
      return Status::Invalid("deltas of ", kWidth, " bytes make no values of ", form_.width);
    }
    ARROW_ASSIGN_OR_RAISE(made_, arrow::AllocateBuffer(std::ssize(values_) * kWidth, pool_));
    uint8_t* to = made_->mutable_data();
    T value = 0;
    return EachValue([&]() -> Result<CachedValue> {
      ARROW_ASSIGN_OR_RAISE(const auto delta, reader->Take<int8_t>());
      if (delta == std::numeric_limits<int8_t>::min()) {
        ARROW_ASSIGN_OR_RAISE(value, reader->Take<T>());
      } else {
        value += static_cast<T>(int64_t{delta});
      }
      StoreAs(to, value);
      to += kWidth;
      return CachedValue{to - kWidth, kWidth};
    });
  }

  const std::string name_;
  const CachedForm form_;
  arrow::MemoryPool* const pool_;
  std::shared_ptr<arrow::Buffer> bytes_;
  std::shared_ptr<arrow::Buffer> made_;  // values that are in no bytes of the cache
  std::vector<CachedValue> values_;
};

class CachedColumns final : public ColumnSource {
 public:
  CachedColumns(std::unique_ptr<CacheSource> source, const std::vector<Field>& fields,
                arrow::MemoryPool* pool)
      : source_(std::move(source)), pool_(pool) {
    for (const Field& field : fields) columns_.emplace_back(field, pool);
  }

  Result<int64_t> Next() override {
    for (CachedColumn& column : columns_) column.Clear();
    ARROW_ASSIGN_OR_RAISE(rows_, source_->Next());
    return rows_;
  }

  Result<int64_t> CopyFixed(int column, int64_t first, int64_t count, int width, uint8_t* values,
                            uint8_t* nulls) override {
    ARROW_ASSIGN_OR_RAISE(const CachedColumn* from, Decoded(column));
    if (!from->is_fixed() || from->width() != width) {
      return Status::Invalid("values of ", from->width(), " bytes are asked for as of ", width);
    }
    switch (width) {
      case 1:
        return Copy<uint8_t>(*from, first, count, values, nulls);
      case 2:
        return Copy<uint16_t>(*from, first, count, values, nulls);
      case 4:
        return Copy<uint32_t>(*from, first, count, values, nulls);
      default:
        return Copy<uint64_t>(*from, first, count, values, nulls);
    }
  }

  Result<int64_t> CopyBytes(int column, int64_t first, int64_t count, uint8_t* values,
                            int64_t capacity, int32_t* lengths) override {
    ARROW_ASSIGN_OR_RAISE(const CachedColumn* from, Decoded(column));
    int64_t used = 0;
    for (int64_t i = 0; i < count; ++i) {
      const CachedValue& value = (*from)[first + i];
      lengths[i] = value.size;
      if (value.size <= 0) continue;
      if (value.size > capacity - used) return i > 0 ? i : -int64_t{value.size};
      std::memcpy(values + used, value.bytes, static_cast<size_t>(value.size));
      used += value.size;
    }
    return count;
  }

  Status Raise() override { return source_->Raise(); }

 private:
  template <typename T>
  static int64_t Copy(const CachedColumn& from, int64_t first, int64_t count, uint8_t* values,
                      uint8_t* nulls) {
    int64_t null_count = 0;
    for (int64_t i = 0; i < count; ++i) {
      const CachedValue& value = from[first + i];
      const bool is_null = value.size < 0;
      nulls[i] = is_null;
      null_count += is_null;
      StoreAs(values + i * int64_t{sizeof(T)}, is_null ? T{0} : LoadAs<T>(value.bytes));
    }
    return null_count;
  }

  Result<const CachedColumn*> Decoded(int number) {
    CachedColumn& column = columns_[static_cast<size_t>(number)];
    if (!column.is_decoded()) {
      ARROW_ASSIGN_OR_RAISE(auto bytes, source_->Column(number, pool_));
      RETURN_NOT_OK(column.Decode(std::move(bytes), rows_));
    }
    return &column;
  }

  const std::unique_ptr<CacheSource> source_;
  arrow::MemoryPool* const pool_;
  std::vector<CachedColumn> columns_;
  int64_t rows_ = 0;
};

}  // namespace

std::unique_ptr<ColumnSource> MakeCachedColumns(std::unique_ptr<CacheSource> source,
                                                const std::vector<Field>& fields,
                                                arrow::MemoryPool* pool) {
  return std::make_unique<CachedColumns>(std::move(source), fields, pool);
}

}  // namespace reprise
