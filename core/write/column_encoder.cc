// As Spark's ParquetWriteSupport makes values of its rows.
#include "write/column_encoder.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/check.h"
#include "plan/julian_day.h"

namespace reprise {

namespace {

constexpr int64_t kMicrosPerDay = int64_t{86400} * 1000 * 1000;

/// At which levels the values of a column stand.
struct ColumnLevels {
  int64_t count = 0;
  const int16_t* definition = nullptr;  // null: no value is null
  const int16_t* repetition = nullptr;  // null: none repeats
};

/// One column's values on their way to its writer.
template <typename Type>
class Values {
 public:
  using T = typename Type::c_type;

  Values(const arrow::Array& array, const ColumnLevels& levels, EncoderScratch* scratch,
         parquet::ColumnWriter* writer)
      : array_(array),
        levels_(levels),
        scratch_(*scratch),
        writer_(static_cast<parquet::TypedColumnWriter<Type>&>(*writer)) {}

  /// Values that are in memory as they are written.
  void WriteAsTheyAre(const T* values) {
    if (array_.null_count() > 0) return WriteEach([&](int64_t row) { return values[row]; });
    Write(values);
  }

  /// `at` gives the value of a row that has one.
  template <typename At>
  void WriteEach(At&& at) {
    const int64_t rows = array_.length();
    scratch_.values.resize(static_cast<size_t>(rows) * sizeof(T));
    T* const values = reinterpret_cast<T*>(scratch_.values.data());
    T* next = values;
    if (array_.null_count() == 0) {
      for (int64_t row = 0; row < rows; ++row) *next++ = at(row);
    } else {
      for (int64_t row = 0; row < rows; ++row) {
        if (array_.IsValid(row)) *next++ = at(row);
      }
    }
    Write(values);
  }

 private:
  /// `values`: those that are no nulls.
  void Write(const T* values) {
    writer_.WriteBatch(levels_.count, levels_.definition, levels_.repetition, values);
  }

  const arrow::Array& array_;
  const ColumnLevels levels_;
  EncoderScratch& scratch_;
  parquet::TypedColumnWriter<Type>& writer_;
};

template <typename ArrayType, typename Type>
void WriteRaw(const arrow::Array& array, Values<Type> values) {
  values.WriteAsTheyAre(static_cast<const ArrayType&>(array).raw_values());
}

template <typename ArrayType, typename Type>
void WriteConverted(const arrow::Array& array, Values<Type> values) {
  const auto* from = static_cast<const ArrayType&>(array).raw_values();
  values.WriteEach([&](int64_t row) { return static_cast<typename Values<Type>::T>(from[row]); });
}

parquet::ByteArray BytesOf(std::string_view text) {
  return {static_cast<uint32_t>(text.size()), reinterpret_cast<const uint8_t*>(text.data())};
}

void WriteBytes(const arrow::Array& array, Values<parquet::ByteArrayType> values) {
  if (array.type_id() != arrow::Type::DICTIONARY) {
    const auto& texts = static_cast<const arrow::BinaryArray&>(array);
    return values.WriteEach([&](int64_t row) { return BytesOf(texts.GetView(row)); });
  }
  const auto& encoded = static_cast<const arrow::DictionaryArray&>(array);
  const auto& texts = static_cast<const arrow::BinaryArray&>(*encoded.dictionary());
  const int32_t* indices = static_cast<const arrow::Int32Array&>(*encoded.indices()).raw_values();
  values.WriteEach([&](int64_t row) { return BytesOf(texts.GetView(indices[row])); });
}

/// Big-endian, the last `length` bytes of the number.
template <int kBytes>
void WriteFixedLength(const arrow::Array& array, int length, EncoderScratch* scratch,
                      Values<parquet::FLBAType> values) {
  const auto& numbers = static_cast<const arrow::FixedSizeBinaryArray&>(array);
  scratch->bytes.resize(static_cast<size_t>(array.length() * length));
  values.WriteEach([&](int64_t row) {
    const uint8_t* const number = numbers.GetValue(row);
    uint8_t* const to = scratch->bytes.data() + row * length;
    for (int i = 0; i < length; ++i) {
      const int from = length - 1 - i;
      // Of a number of fewer bytes the others are its sign.
      to[i] = from < kBytes ? number[from] : (number[kBytes - 1] & 0x80) != 0 ? 0xFF : 0;
    }
    return parquet::FixedLenByteArray(to);
  });
}

/// DateTimeUtils.toJulianDay.
parquet::Int96 ToInt96(int64_t micros) {
  const int64_t julian = micros + kJulianDayOfEpoch * kMicrosPerDay;
  const int64_t nanos = julian % kMicrosPerDay * 1000;
  parquet::Int96 value;
  std::memcpy(value.value.data(), &nanos, sizeof(nanos));
  value.value[2] = static_cast<uint32_t>(static_cast<int32_t>(julian / kMicrosPerDay));
  return value;
}

Status WriteInt96(const arrow::Array& array, Values<parquet::Int96Type> values) {
  const int64_t* const micros = static_cast<const arrow::TimestampArray&>(array).raw_values();
  constexpr int64_t kMost = INT64_MAX - kJulianDayOfEpoch * kMicrosPerDay;
  bool is_beyond = false;
  values.WriteEach([&](int64_t row) {
    is_beyond |= micros[row] > kMost;
    return ToInt96(std::min(micros[row], kMost));
  });
  return is_beyond ? Status::Invalid("long overflow: an instant is too late for INT96")
                   : Status::OK();
}

/// Math.floorDiv(micros, 1000).
int64_t ToMillis(int64_t micros) { return micros / 1000 - (micros % 1000 < 0 ? 1 : 0); }

Status WriteTimestamps(const arrow::Array& array, const ColumnLevels& levels,
                       EncoderScratch* scratch, parquet::ColumnWriter* writer) {
  if (writer->type() == parquet::Type::INT96) {
    return WriteInt96(array, {array, levels, scratch, writer});
  }
  const int64_t* const micros = static_cast<const arrow::TimestampArray&>(array).raw_values();
  Values<parquet::Int64Type> values(array, levels, scratch, writer);
  const auto& logical =
      static_cast<const parquet::TimestampLogicalType&>(*writer->descr()->logical_type());
  if (logical.time_unit() == parquet::LogicalType::TimeUnit::MILLIS) {
    values.WriteEach([&](int64_t row) { return ToMillis(micros[row]); });
  } else {
    values.WriteAsTheyAre(micros);
  }
  return Status::OK();
}

Status WriteDecimals(const arrow::Array& array, const ColumnLevels& levels, EncoderScratch* scratch,
                     parquet::ColumnWriter* writer) {
  const bool is_short = array.type_id() == arrow::Type::DECIMAL64;
  if (writer->type() == parquet::Type::FIXED_LEN_BYTE_ARRAY) {
    const int length = writer->descr()->type_length();
    Values<parquet::FLBAType> values(array, levels, scratch, writer);
    is_short ? WriteFixedLength<8>(array, length, scratch, values)
             : WriteFixedLength<16>(array, length, scratch, values);
    return Status::OK();
  }
  REPRISE_CHECK(is_short, "decimals of {} are no integers", array.type()->ToString());
  const auto& numbers = static_cast<const arrow::FixedSizeBinaryArray&>(array);
  const auto* const longs = reinterpret_cast<const int64_t*>(numbers.raw_values());
  if (writer->type() == parquet::Type::INT64) {
    Values<parquet::Int64Type>(array, levels, scratch, writer).WriteAsTheyAre(longs);
  } else {
    Values<parquet::Int32Type>(array, levels, scratch, writer).WriteEach([&](int64_t row) {
      return static_cast<int32_t>(longs[row]);
    });
  }
  return Status::OK();
}

Status WriteByType(const arrow::Array& array, const ColumnLevels& levels, EncoderScratch* scratch,
                   parquet::ColumnWriter* writer) {
  switch (array.type_id()) {
    case arrow::Type::BOOL: {
      const auto& booleans = static_cast<const arrow::BooleanArray&>(array);
      Values<parquet::BooleanType>(array, levels, scratch, writer).WriteEach([&](int64_t row) {
        return booleans.Value(row);
      });
      return Status::OK();
    }
    case arrow::Type::INT8:
      WriteConverted<arrow::Int8Array, parquet::Int32Type>(array, {array, levels, scratch, writer});
      return Status::OK();
    case arrow::Type::INT16:
      WriteConverted<arrow::Int16Array, parquet::Int32Type>(array,
                                                            {array, levels, scratch, writer});
      return Status::OK();
    case arrow::Type::INT32:
      WriteRaw<arrow::Int32Array, parquet::Int32Type>(array, {array, levels, scratch, writer});
      return Status::OK();
    case arrow::Type::DATE32:
      WriteRaw<arrow::Date32Array, parquet::Int32Type>(array, {array, levels, scratch, writer});
      return Status::OK();
    case arrow::Type::INT64:
      WriteRaw<arrow::Int64Array, parquet::Int64Type>(array, {array, levels, scratch, writer});
      return Status::OK();
    case arrow::Type::FLOAT:
      WriteRaw<arrow::FloatArray, parquet::FloatType>(array, {array, levels, scratch, writer});
      return Status::OK();
    case arrow::Type::DOUBLE:
      WriteRaw<arrow::DoubleArray, parquet::DoubleType>(array, {array, levels, scratch, writer});
      return Status::OK();
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
    case arrow::Type::DICTIONARY:
      WriteBytes(array, {array, levels, scratch, writer});
      return Status::OK();
    case arrow::Type::TIMESTAMP:
      return WriteTimestamps(array, levels, scratch, writer);
    case arrow::Type::DECIMAL64:
    case arrow::Type::DECIMAL128:
      return WriteDecimals(array, levels, scratch, writer);
    default:
      return Status::NotImplemented("values of Arrow type ", array.type()->ToString(),
                                    " are not written natively");
  }
}

template <typename ArrayType>
bool AnyNaN(const arrow::Array& array) {
  const auto& numbers = static_cast<const ArrayType&>(array);
  const auto* const values = numbers.raw_values();
  for (int64_t row = 0; row < array.length(); ++row) {
    if (std::isnan(values[row]) && numbers.IsValid(row)) return true;
  }
  return false;
}

}  // namespace

Status WriteValues(const arrow::Array& array, const WrittenColumn& column, EncoderScratch* scratch,
                   parquet::ColumnWriter* writer) {
  const int64_t rows = array.length();
  if (!column.nullable) {
    if (array.null_count() > 0) {
      return Status::Invalid("column ", column.name, " has a null, but was said to have none");
    }
    return WriteByType(array, {rows}, scratch, writer);
  }
  scratch->levels.assign(static_cast<size_t>(rows), 1);
  if (array.null_count() > 0) {
    for (int64_t row = 0; row < rows; ++row) scratch->levels[row] = array.IsValid(row) ? 1 : 0;
  }
  return WriteByType(array, {rows, scratch->levels.data()}, scratch, writer);
}

Status WriteLeaf(const LeafColumn& leaf, EncoderScratch* scratch, parquet::ColumnWriter* writer) {
  const ColumnLevels levels = {std::ssize(leaf.definition_levels), leaf.definition_levels.data(),
                               leaf.repetition_levels.data()};
  return WriteByType(*leaf.values, levels, scratch, writer);
}

bool HasNaN(const arrow::Array& array) {
  if (array.type_id() == arrow::Type::FLOAT) return AnyNaN<arrow::FloatArray>(array);
  return array.type_id() == arrow::Type::DOUBLE && AnyNaN<arrow::DoubleArray>(array);
}

}  // namespace reprise
