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

#include <cstring>
#include <optional>
#include <span>

#include "plan/unsafe_row.h"
#include "transitions/cache_reader.h"
#include "transitions/cached_numbers.h"

namespace reprise {

namespace {

/// A value, or none for a null.
struct CachedValue {
  const uint8_t* bytes = nullptr;
  int32_t size = -1;
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
      : name_(field.name), form_(FormOf(field.type)) {
    if (form_.is_fixed) numbers_.emplace(form_.width, pool);
  }

  /// Where values are numbers: these; else nothing.
  const std::optional<CachedNumbers>& numbers() const { return numbers_; }
  bool is_decoded() const { return bytes_ != nullptr; }
  const CachedValue& operator[](int64_t row) const { return values_[static_cast<size_t>(row)]; }

  void Clear() { bytes_.reset(); }

  Status Decode(std::shared_ptr<arrow::Buffer> bytes, int64_t rows) {
    bytes_ = std::move(bytes);
    const Status decoded = DecodeRows({bytes_->data(), static_cast<size_t>(bytes_->size())}, rows);
    return decoded.ok()
               ? decoded
               : decoded.WithMessage("column ", name_, " of a cached table: ", decoded.message());
  }

 private:
  Status DecodeRows(std::span<const uint8_t> bytes, int64_t rows) {
    if (numbers_) return numbers_->Decode(bytes, rows);
    values_.assign(static_cast<size_t>(rows), {});
    CacheReader reader(bytes);
    return DecodeValues(&reader);
  }

  Status DecodeValues(CacheReader* reader) {
    RETURN_NOT_OK(PlaceNulls(reader));
    auto scheme = CacheScheme::kPlain;
    if (form_.has_scheme) {
      ARROW_ASSIGN_OR_RAISE(const auto number, reader->Take<int32_t>());
      scheme = static_cast<CacheScheme>(number);
    }
    switch (scheme) {
      case CacheScheme::kPlain:
        return EachValue([&] { return TakeValue(reader); });
      case CacheScheme::kRuns:
        return Runs(reader);
      case CacheScheme::kDictionary:
        return Dictionary(reader);
      default:
        break;
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

  const std::string name_;
  const CachedForm form_;
  std::optional<CachedNumbers> numbers_;
  std::shared_ptr<arrow::Buffer> bytes_;
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
    const auto& numbers = from->numbers();
    const int width_there = numbers ? numbers->width() : 0;
    if (width_there != width) {
      return Status::Invalid("values of ", width_there, " bytes are asked for as of ", width);
    }
    return numbers->Copy(first, count, values, nulls);
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
