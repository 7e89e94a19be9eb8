// Column chunks of BOOLEAN, INT32, INT64, INT96, FLOAT and DOUBLE.
//
// Input:  a chunk's typed column reader.   Output: arrays of fixed-width values.
// Where the physical value has the layout of the value that leaves, libparquet decodes straight
// into the array's buffer. Example: INT64 DECIMAL(15,2) leaves as decimal64 without a copy.
#include <limits>

#include "plan/date_text.h"
#include "plan/julian_day.h"
#include "scan/parquet_chunk_reader.h"
#include "scan/parquet_column_decoder.h"

namespace reprise {

namespace {

using Int128 = __int128;

constexpr int64_t kMicrosPerMilli = 1000;
constexpr int64_t kNanosPerMicro = 1000;

/// For conversions that leave the value as it is.
struct Same {};

template <typename PhysicalType, typename Out, typename Convert>
class NumberDecoder : public ColumnDecoder {
 public:
  using Physical = typename PhysicalType::c_type;
  static constexpr bool kSame = std::is_same_v<Convert, Same>;

  NumberDecoder(ColumnChunkSource source, std::shared_ptr<arrow::DataType> type, Convert convert)
      : source_(std::move(source)),
        type_(std::move(type)),
        convert_(std::move(convert)),
        reader_(&source_) {}

  Result<std::shared_ptr<arrow::Array>> Read(int64_t rows) override {
    ARROW_ASSIGN_OR_RAISE(auto buffer, AllocateValues(rows, sizeof(Out), source_.pool));
    Out* values = reinterpret_cast<Out*>(buffer->mutable_data());
    BatchValidity validity(rows, source_.pool);
    RETURN_NOT_OK(ReadPieces(
        rows, &reader_, &levels_, &validity,
        [&](int64_t left, int64_t row, int16_t* levels, int64_t* values_read) {
          return ReadPiece(left, levels, values + row, values_read);
        },
        [&](int64_t row, int64_t dense, int64_t count, const int16_t* levels) {
          SpreadValues(values + row, dense, levels, count);
        }));
    return arrow::MakeArray(
        arrow::ArrayData::Make(type_, rows, {validity.bitmap(), buffer}, validity.null_count()));
  }

 private:
  Result<int64_t> ReadPiece(int64_t left, int16_t* levels, Out* out, int64_t* values_read) {
    if constexpr (kSame) {
      return reader_.Read(left, levels, reinterpret_cast<Physical*>(out), values_read);
    } else {
      if (static_cast<int64_t>(scratch_.size()) < left) scratch_.resize(left);
      const int64_t count = reader_.Read(left, levels, scratch_.data(), values_read);
      Status converted;
      for (int64_t i = 0; i < *values_read; ++i) out[i] = convert_(scratch_[i], &converted);
      RETURN_NOT_OK(converted);
      if constexpr (requires { convert_.Rebase(out, *values_read); }) {
        RETURN_NOT_OK(convert_.Rebase(out, *values_read));
      }
      return count;
    }
  }

  ColumnChunkSource source_;
  std::shared_ptr<arrow::DataType> type_;
  Convert convert_;
  ChunkReader<PhysicalType> reader_;
  std::vector<int16_t> levels_;
  std::vector<Physical> scratch_;
};

class BooleanDecoder : public ColumnDecoder {
 public:
  explicit BooleanDecoder(ColumnChunkSource source)
      : source_(std::move(source)), reader_(&source_) {}

  Result<std::shared_ptr<arrow::Array>> Read(int64_t rows) override {
    if (capacity_ < rows) {
      values_ = std::make_unique<bool[]>(rows);
      capacity_ = rows;
    }
    BatchValidity validity(rows, source_.pool);
    RETURN_NOT_OK(ReadPieces(
        rows, &reader_, &levels_, &validity,
        [&](int64_t left, int64_t row, int16_t* levels, int64_t* values_read) -> Result<int64_t> {
          return reader_.Read(left, levels, values_.get() + row, values_read);
        },
        [&](int64_t row, int64_t dense, int64_t count, const int16_t* levels) {
          SpreadValues(values_.get() + row, dense, levels, count);
        }));
    ARROW_ASSIGN_OR_RAISE(auto bits, arrow::AllocateEmptyBitmap(rows, source_.pool));
    for (int64_t row = 0; row < rows; ++row) {
      if (values_[row]) arrow::bit_util::SetBit(bits->mutable_data(), row);
    }
    return arrow::MakeArray(arrow::ArrayData::Make(
        arrow::boolean(), rows, {validity.bitmap(), std::move(bits)}, validity.null_count()));
  }

 private:
  ColumnChunkSource source_;
  ChunkReader<parquet::BooleanType> reader_;
  std::vector<int16_t> levels_;
  std::unique_ptr<bool[]> values_;
  int64_t capacity_ = 0;
};

/// A chunk whose rows are all null by its type: nothing is decoded.
class NullDecoder : public ColumnDecoder {
 public:
  Result<std::shared_ptr<arrow::Array>> Read(int64_t rows) override {
    return std::make_shared<arrow::NullArray>(rows);
  }
};

template <typename Out>
struct CastTo {
  template <typename In>
  Out operator()(In value, Status*) const {
    return static_cast<Out>(value);
  }
};

/// Integers to the unscaled value of a decimal. Values beyond the decimal's precision wrap, as in
/// Spark.
template <typename Out>
struct ScaledUp {
  using Unsigned = std::conditional_t<sizeof(Out) == 8, uint64_t, unsigned __int128>;
  Unsigned factor;

  template <typename In>
  Out operator()(In value, Status*) const {
    return static_cast<Out>(static_cast<Unsigned>(static_cast<Out>(value)) * factor);
  }
};

struct RebaseDays {
  RebaseMode mode;

  int32_t operator()(int32_t days, Status* status) const {
    if (days >= kLastSwitchDay || mode == RebaseMode::kCorrected) return days;
    if (mode == RebaseMode::kLegacy) return RebaseJulianToGregorianDays(days);
    *status = AncientDatetimeError(/*int96=*/false);
    return days;
  }
};

struct DaysToMicros {
  RebaseDays rebase;

  int64_t operator()(int32_t days, Status* status) const {
    return rebase(days, status) * kMicrosPerDay;
  }
};

/// Passes microseconds on; those before 1900 are an error where their calendar is not known, and
/// are moved piece by piece where it is the hybrid one.
struct CheckMicros {
  RebaseMode mode;
  bool int96;
  std::optional<std::string> zone;
  const InstantRebase* instants;

  int64_t operator()(int64_t micros, Status* status) const {
    if (micros >= kLastSwitchMicros || mode != RebaseMode::kException) return micros;
    *status = AncientDatetimeError(int96);
    return micros;
  }
  Status Rebase(int64_t* micros, int64_t count) const {
    if (mode != RebaseMode::kLegacy) return Status::OK();
    return RebaseInstants(zone, *instants, {micros, static_cast<size_t>(count)});
  }
};

/// For what is converted to microseconds first.
struct CheckedMicros {
  CheckMicros check;
  Status Rebase(int64_t* micros, int64_t count) const { return check.Rebase(micros, count); }
};

struct MillisToMicros : CheckedMicros {
  int64_t operator()(int64_t millis, Status* status) const {
    int64_t micros = 0;
    if (__builtin_mul_overflow(millis, kMicrosPerMilli, &micros)) {
      *status = Status::Invalid("timestamp of ", millis, " ms does not fit in microseconds");
      return 0;
    }
    return check(micros, status);
  }
};

struct Int96ToMicros : CheckedMicros {
  int64_t operator()(const parquet::Int96& value, Status* status) const {
    uint64_t nanos = 0;
    std::memcpy(&nanos, value.value.data(), sizeof(nanos));
    const int64_t days = static_cast<int32_t>(value.value[2]) - kJulianDayOfEpoch;
    // The multiplication wraps in Java too.
    const uint64_t day_micros = static_cast<uint64_t>(days) * static_cast<uint64_t>(kMicrosPerDay);
    const int64_t of_day = static_cast<int64_t>(nanos) / kNanosPerMicro;
    return check(static_cast<int64_t>(day_micros + static_cast<uint64_t>(of_day)), status);
  }
};

template <typename PhysicalType, typename Out, typename Convert>
Result<std::unique_ptr<ColumnDecoder>> MakeDecoder(ColumnChunkSource source, Convert convert) {
  ARROW_ASSIGN_OR_RAISE(auto type, ToArrow(source.type));
  return std::make_unique<NumberDecoder<PhysicalType, Out, Convert>>(
      std::move(source), std::move(type), std::move(convert));
}

template <typename PhysicalType>
Result<std::unique_ptr<ColumnDecoder>> MakeUnscaled(ColumnChunkSource source) {
  const int digits = ScaleIncrease(*source.column, source.type);
  unsigned __int128 factor = 1;
  for (int i = 0; i < digits; ++i) factor *= 10;
  if (!source.type.is_short_decimal()) {
    return MakeDecoder<PhysicalType, Int128>(std::move(source), ScaledUp<Int128>{factor});
  }
  if constexpr (std::is_same_v<PhysicalType, parquet::Int64Type>) {
    if (digits == 0) return MakeDecoder<PhysicalType, int64_t>(std::move(source), Same{});
  }
  return MakeDecoder<PhysicalType, int64_t>(std::move(source),
                                            ScaledUp<int64_t>{static_cast<uint64_t>(factor)});
}

CheckMicros Check(const ColumnChunkSource& source, RebaseMode mode, bool int96) {
  return {mode, int96, source.rebase.zone, source.instants};
}

Result<std::unique_ptr<ColumnDecoder>> MakeFromInt32(ColumnChunkSource source) {
  using Type = parquet::Int32Type;
  const RebaseDays rebase{source.rebase.datetime};
  switch (source.conversion) {
    case ParquetConversion::kInt32:
      return MakeDecoder<Type, int32_t>(std::move(source), Same{});
    case ParquetConversion::kInt32ToInt8:
      return MakeDecoder<Type, int8_t>(std::move(source), CastTo<int8_t>{});
    case ParquetConversion::kInt32ToInt16:
      return MakeDecoder<Type, int16_t>(std::move(source), CastTo<int16_t>{});
    case ParquetConversion::kInt32ToInt64:
      return MakeDecoder<Type, int64_t>(std::move(source), CastTo<int64_t>{});
    case ParquetConversion::kUInt32ToInt64:
      return MakeDecoder<Type, int64_t>(std::move(source), CastTo<uint32_t>{});
    case ParquetConversion::kInt32ToDouble:
      return MakeDecoder<Type, double>(std::move(source), CastTo<double>{});
    case ParquetConversion::kInt32ToDate:
      if (rebase.mode == RebaseMode::kCorrected) {
        return MakeDecoder<Type, int32_t>(std::move(source), Same{});
      }
      return MakeDecoder<Type, int32_t>(std::move(source), rebase);
    case ParquetConversion::kInt32ToTimestamp:
      return MakeDecoder<Type, int64_t>(std::move(source), DaysToMicros{rebase});
    default:
      return MakeUnscaled<Type>(std::move(source));
  }
}

Result<std::unique_ptr<ColumnDecoder>> MakeFromInt64(ColumnChunkSource source) {
  using Type = parquet::Int64Type;
  const CheckMicros check = Check(source, source.rebase.datetime, /*int96=*/false);
  switch (source.conversion) {
    case ParquetConversion::kInt64:
      return MakeDecoder<Type, int64_t>(std::move(source), Same{});
    case ParquetConversion::kInt64ToTimestamp:
      if (check.mode == RebaseMode::kCorrected) {
        return MakeDecoder<Type, int64_t>(std::move(source), Same{});
      }
      return MakeDecoder<Type, int64_t>(std::move(source), check);
    case ParquetConversion::kMillisToTimestamp:
      return MakeDecoder<Type, int64_t>(std::move(source), MillisToMicros{{check}});
    case ParquetConversion::kMillisToTimestampNtz: {
      const CheckMicros none = Check(source, RebaseMode::kCorrected, /*int96=*/false);
      return MakeDecoder<Type, int64_t>(std::move(source), MillisToMicros{{none}});
    }
    case ParquetConversion::kUInt64ToDecimal:
      return MakeDecoder<Type, Int128>(std::move(source), CastTo<uint64_t>{});
    default:
      return MakeUnscaled<Type>(std::move(source));
  }
}

}  // namespace

Result<std::unique_ptr<ColumnDecoder>> MakeNumberDecoder(ColumnChunkSource source) {
  if (source.conversion == ParquetConversion::kNull) return std::make_unique<NullDecoder>();
  switch (source.column->physical_type()) {
    case parquet::Type::BOOLEAN:
      return std::make_unique<BooleanDecoder>(std::move(source));
    case parquet::Type::INT32:
      return MakeFromInt32(std::move(source));
    case parquet::Type::INT64:
      return MakeFromInt64(std::move(source));
    case parquet::Type::FLOAT:
      if (source.conversion == ParquetConversion::kFloat) {
        return MakeDecoder<parquet::FloatType, float>(std::move(source), Same{});
      }
      return MakeDecoder<parquet::FloatType, double>(std::move(source), CastTo<double>{});
    case parquet::Type::DOUBLE:
      return MakeDecoder<parquet::DoubleType, double>(std::move(source), Same{});
    case parquet::Type::INT96: {
      const bool ntz = source.conversion == ParquetConversion::kInt96ToTimestampNtz;
      const RebaseMode mode = ntz ? RebaseMode::kCorrected : source.rebase.int96;
      const CheckMicros check = Check(source, mode, /*int96=*/true);
      return MakeDecoder<parquet::Int96Type, int64_t>(std::move(source), Int96ToMicros{{check}});
    }
    default:
      break;
  }
  return Status::Invalid("column ", source.column->path()->ToDotString(), " does not hold numbers");
}

Result<std::unique_ptr<ColumnDecoder>> MakeColumnDecoder(ColumnChunkSource source) {
  switch (source.conversion) {
    case ParquetConversion::kBytes:
      if (source.column->physical_type() == parquet::Type::FIXED_LEN_BYTE_ARRAY) {
        return MakeFixedBytesDecoder(std::move(source));
      }
      return MakeStringDecoder(std::move(source));
    case ParquetConversion::kBytesToDecimal:
      return MakeBytesDecimalDecoder(std::move(source));
    default:
      return MakeNumberDecoder(std::move(source));
  }
}

}  // namespace reprise
