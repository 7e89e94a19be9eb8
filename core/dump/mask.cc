#include "dump/mask.h"

#include <arrow/array.h>
#include <arrow/array/builder_binary.h>
#include <arrow/compute/api_vector.h>
#include <arrow/compute/exec.h>
#include <arrow/util/bitmap_ops.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>

#include "plan/date_text.h"

namespace reprise {

namespace {

// Dates from 0001-01-01 to 9999-12-31, as every tool shows them.
constexpr int64_t kFirstDay = -719162;
constexpr int64_t kDays = 3'652'059;

constexpr int64_t kShuffledRowsMin = 3;

uint64_t HashOf(const void* bytes, size_t size, const HashKey& key) {
  return KeyedHash({static_cast<const char*>(bytes), size}, key);
}

// One buffer of new values; nulls stay.
Result<std::shared_ptr<arrow::Array>> WithValues(const arrow::Array& column,
                                                 std::shared_ptr<arrow::Buffer> values) {
  std::shared_ptr<arrow::Buffer> validity;
  if (column.null_count() > 0) {
    ARROW_ASSIGN_OR_RAISE(validity, arrow::internal::CopyBitmap(arrow::default_memory_pool(),
                                                                column.null_bitmap_data(),
                                                                column.offset(), column.length()));
  }
  return arrow::MakeArray(arrow::ArrayData::Make(column.type(), column.length(),
                                                 {std::move(validity), std::move(values)}));
}

template <typename T, typename Function>
Result<std::shared_ptr<arrow::Array>> MapValues(const arrow::Array& column, arrow::MemoryPool* pool,
                                                Function&& function) {
  const int64_t rows = column.length();
  ARROW_ASSIGN_OR_RAISE(auto values,
                        arrow::AllocateBuffer(rows * static_cast<int64_t>(sizeof(T)), pool));
  const T* in = column.data()->GetValues<T>(1);
  T* out = reinterpret_cast<T*>(values->mutable_data());
  for (int64_t i = 0; i < rows; ++i) out[i] = function(in[i]);
  return WithValues(column, std::move(values));
}

template <typename T>
Result<std::shared_ptr<arrow::Array>> Permuted(const arrow::Array& column, arrow::MemoryPool* pool,
                                               const HashKey& key) {
  return MapValues<T>(column, pool, [&](T value) {
    return static_cast<T>(KeyedPermutation(value, 8 * sizeof(T), key));
  });
}

// Values from `first` on, `count` of them, among themselves, and others among themselves.
template <typename T>
Result<std::shared_ptr<arrow::Array>> PermutedWithin(const arrow::Array& column,
                                                     arrow::MemoryPool* pool, const HashKey& key,
                                                     int64_t first, uint64_t count) {
  constexpr int kBits = 8 * sizeof(T);
  const auto place = [&](uint64_t bits) {
    const auto value = static_cast<T>(bits);
    return static_cast<uint64_t>(value) - static_cast<uint64_t>(first);
  };
  return MapValues<T>(column, pool, [&](T value) {
    const auto bits = static_cast<std::make_unsigned_t<T>>(value);
    if (place(bits) < count) {
      return static_cast<T>(static_cast<uint64_t>(first) +
                            KeyedPermutationBelow(place(bits), count, key));
    }
    return static_cast<T>(KeyedPermutationOf(
        bits, kBits, key, [&](uint64_t other) { return place(other) >= count; }));
  });
}

// 24 bits of a hash would soon be the same for different values.
Result<std::shared_ptr<arrow::Array>> PermutedFloats(const arrow::Array& column,
                                                     arrow::MemoryPool* pool, const HashKey& key) {
  const auto is_value = [](uint64_t bits) {
    const auto value = std::bit_cast<float>(static_cast<uint32_t>(bits));
    return !std::isnan(value) && (value != 0 || !std::signbit(value));
  };
  return MapValues<float>(column, pool, [&](float value) {
    if (std::isnan(value)) return value;
    const auto bits = std::bit_cast<uint32_t>(value == 0 ? 0.0F : value);
    return std::bit_cast<float>(static_cast<uint32_t>(KeyedPermutationOf(bits, 32, key, is_value)));
  });
}

Result<std::shared_ptr<arrow::Array>> HashedDoubles(const arrow::Array& column,
                                                    arrow::MemoryPool* pool, const HashKey& key) {
  return MapValues<double>(column, pool, [&](double value) {
    if (std::isnan(value)) return value;
    const double same = value == 0 ? 0.0 : value;
    return std::ldexp(static_cast<double>(HashOf(&same, 8, key) >> 11), -53);
  });
}

uint64_t PowerOfTen(int digits) {
  uint64_t power = 1;
  for (int i = 0; i < digits; ++i) power *= 10;
  return power;
}

// As many digits as the type has, 18 at most: of more, a hash is as good as a permutation.
Result<std::shared_ptr<arrow::Array>> HashedDecimals(const arrow::Array& column,
                                                     const DataType& type, arrow::MemoryPool* pool,
                                                     const HashKey& key) {
  const uint64_t bound = PowerOfTen(std::min(type.precision, 18));
  if (type.is_short_decimal()) {
    return PermutedWithin<int64_t>(column, pool, key, 1 - static_cast<int64_t>(bound),
                                   2 * bound - 1);
  }
  return MapValues<__int128>(column, pool, [&](__int128 value) {
    return static_cast<__int128>(HashOf(&value, sizeof(value), key) % bound);
  });
}

Result<std::shared_ptr<arrow::Array>> HashedStrings(const arrow::Array& column,
                                                    arrow::MemoryPool* pool, const HashKey& key) {
  const auto& values = static_cast<const arrow::BinaryArray&>(column);
  std::unique_ptr<arrow::ArrayBuilder> builder;
  RETURN_NOT_OK(arrow::MakeBuilder(pool, column.type(), &builder));
  auto& out = static_cast<arrow::BinaryBuilder&>(*builder);
  for (int64_t i = 0; i < values.length(); ++i) {
    if (values.IsNull(i)) {
      RETURN_NOT_OK(out.AppendNull());
    } else {
      RETURN_NOT_OK(out.Append(fmt::format("{:016x}", KeyedHash(values.GetView(i), key))));
    }
  }
  return out.Finish();
}

Result<std::shared_ptr<arrow::Array>> Hashed(const arrow::Array& column, const DataType& type,
                                             arrow::MemoryPool* pool, const HashKey& key) {
  switch (StoredType(type).kind) {
    case TypeKind::kByte:
      return Permuted<uint8_t>(column, pool, key);
    case TypeKind::kShort:
      return Permuted<uint16_t>(column, pool, key);
    case TypeKind::kInteger:
      return Permuted<uint32_t>(column, pool, key);
    case TypeKind::kLong:
      return Permuted<uint64_t>(column, pool, key);
    case TypeKind::kFloat:
      return PermutedFloats(column, pool, key);
    case TypeKind::kDouble:
      return HashedDoubles(column, pool, key);
    case TypeKind::kDecimal:
      return HashedDecimals(column, type, pool, key);
    case TypeKind::kDate:
      return PermutedWithin<int32_t>(column, pool, key, kFirstDay, kDays);
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampNtz:
      return PermutedWithin<int64_t>(column, pool, key, kFirstDay * kMicrosPerDay,
                                     kDays * kMicrosPerDay);
    default:
      return HashedStrings(column, pool, key);
  }
}

Result<std::shared_ptr<arrow::Array>> Nulled(const arrow::Array& column, const Field& field,
                                             arrow::MemoryPool* pool) {
  if (field.nullable) return arrow::MakeArrayOfNull(column.type(), column.length(), pool);
  std::unique_ptr<arrow::ArrayBuilder> builder;
  RETURN_NOT_OK(arrow::MakeBuilder(pool, column.type(), &builder));
  RETURN_NOT_OK(builder->AppendEmptyValues(column.length()));
  return builder->Finish();
}

Result<std::shared_ptr<arrow::Array>> Shuffled(const std::shared_ptr<arrow::Array>& column,
                                               uint64_t seed, arrow::MemoryPool* pool) {
  std::vector<int64_t> order(column->length());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
  const auto rows = static_cast<int64_t>(order.size());
  const arrow::Int64Array indices(rows, arrow::Buffer::Wrap(order));
  arrow::compute::ExecContext context(pool);
  ARROW_ASSIGN_OR_RAISE(
      const arrow::Datum taken,
      arrow::compute::Take(column, indices, arrow::compute::TakeOptions::NoBoundsCheck(),
                           &context));
  return taken.make_array();
}

}  // namespace

Result<Mask> Mask::Make(const nlohmann::json& columns, std::string_view secret,
                        const std::vector<Field>& schema) {
  Mask mask;
  mask.schema_ = schema;
  mask.key_ = KeyOf(secret);
  if (!columns.is_object()) return mask;
  for (const auto& [name, kind_json] : columns.items()) {
    const auto kind = MaskKindOf(kind_json.is_string() ? kind_json.get<std::string>() : "");
    if (!kind) return Status::Invalid("mask of column ", name, ": expected hash, null or shuffle");
    for (int i = 0; i < static_cast<int>(schema.size()); ++i) {
      if (!SameColumnName(schema[i].name, name)) continue;
      if (*kind == MaskKind::kHash && !CanHash(schema[i].type)) {
        return Status::Invalid("mask of column ", name, ": values of type ",
                               schema[i].type.ToString(), " cannot be hashed; use null or shuffle");
      }
      mask.columns_.push_back({i, *kind});
    }
  }
  return mask;
}

Result<Batch> Mask::Apply(const Batch& batch, arrow::MemoryPool* pool) {
  const uint64_t number = batches_++;
  if (empty()) return batch;
  ARROW_ASSIGN_OR_RAISE(const auto rows, ToRecordBatch(batch, pool));
  Batch masked = ToBatch(rows);
  for (const Column& column : columns_) {
    auto& values = masked.columns[column.index];
    ARROW_ASSIGN_OR_RAISE(values, DecodeDictionary(values, pool));
    switch (column.kind) {
      case MaskKind::kHash: {
        ARROW_ASSIGN_OR_RAISE(values, Hashed(*values, schema_[column.index].type, pool, key_));
        break;
      }
      case MaskKind::kNull: {
        ARROW_ASSIGN_OR_RAISE(values, Nulled(*values, schema_[column.index], pool));
        break;
      }
      case MaskKind::kShuffle: {
        // Among so few, whose value it is would still be known, or guessed.
        if (rows->num_rows() < kShuffledRowsMin) {
          ARROW_ASSIGN_OR_RAISE(values, Nulled(*values, schema_[column.index], pool));
          break;
        }
        const uint64_t seed[] = {number, static_cast<uint64_t>(column.index)};
        ARROW_ASSIGN_OR_RAISE(values, Shuffled(values, HashOf(seed, sizeof(seed), key_), pool));
        break;
      }
    }
  }
  return masked;
}

}  // namespace reprise
