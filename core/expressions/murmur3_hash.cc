// murmur3_hash: Spark's Murmur3Hash (HashExpression.scala, Murmur3_x86_32.java).
//
// Arguments: any, chained: each one's hash is the seed of the next. Attribute "seed": the first
// seed. Result: int, never null. Example: murmur3_hash(1) with seed 42 is -559580957.
#include "expressions/murmur3_hash.h"

#include <arrow/array/array_dict.h>
#include <arrow/util/bit_util.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "expressions/functions.h"
#include "expressions/values.h"

namespace reprise {

namespace {

uint32_t RotateLeft(uint32_t value, int bits) { return (value << bits) | (value >> (32 - bits)); }

uint32_t MixKey(uint32_t key) { return RotateLeft(key * 0xcc9e2d51u, 15) * 0x1b873593u; }

uint32_t MixHash(uint32_t hash, uint32_t key) {
  return RotateLeft(hash ^ key, 13) * 5 + 0xe6546b64u;
}

uint32_t Finish(uint32_t hash, uint32_t length) {
  hash ^= length;
  hash = (hash ^ (hash >> 16)) * 0x85ebca6bu;
  hash = (hash ^ (hash >> 13)) * 0xc2b2ae35u;
  return hash ^ (hash >> 16);
}

uint32_t HashInt(uint32_t value, uint32_t seed) { return Finish(MixHash(seed, MixKey(value)), 4); }

uint32_t HashLong(uint64_t value, uint32_t seed) {
  const uint32_t low = MixHash(seed, MixKey(static_cast<uint32_t>(value)));
  return Finish(MixHash(low, MixKey(static_cast<uint32_t>(value >> 32))), 8);
}

// Spark's own: the bytes that fill no word are mixed in one by one, each as a signed int.
uint32_t HashBytes(std::string_view bytes, uint32_t seed) {
  uint32_t hash = seed;
  size_t i = 0;
  for (; i + 4 <= bytes.size(); i += 4) {
    uint32_t word;
    std::memcpy(&word, bytes.data() + i, sizeof(word));
    hash = MixHash(hash, MixKey(word));
  }
  for (; i < bytes.size(); ++i) {
    hash = MixHash(hash, MixKey(static_cast<uint32_t>(static_cast<int8_t>(bytes[i]))));
  }
  return Finish(hash, static_cast<uint32_t>(bytes.size()));
}

// Float.floatToIntBits and Double.doubleToLongBits, which know one NaN; -0.0 hashes as 0.0.
uint32_t HashFloat(float value, uint32_t seed) {
  if (std::isnan(value)) return HashInt(0x7fc00000u, seed);
  uint32_t bits = 0;
  if (value != 0) std::memcpy(&bits, &value, sizeof(bits));
  return HashInt(bits, seed);
}

uint32_t HashDouble(double value, uint32_t seed) {
  if (std::isnan(value)) return HashLong(0x7ff8000000000000ull, seed);
  uint64_t bits = 0;
  if (value != 0) std::memcpy(&bits, &value, sizeof(bits));
  return HashLong(bits, seed);
}

// BigInteger.toByteArray: big-endian two's complement, as few bytes as hold it and its sign.
uint32_t HashBigInteger(Int128 value, uint32_t seed) {
  char bytes[16];
  for (int i = 0; i < 16; ++i) bytes[15 - i] = static_cast<char>(value >> (8 * i));
  // A first byte that only repeats the sign of the next one is left out.
  size_t first = 0;
  while (first < 15 && (bytes[first] == '\0' || bytes[first] == '\xff') &&
         ((bytes[first] ^ bytes[first + 1]) & 0x80) == 0) {
    ++first;
  }
  return HashBytes({bytes + first, 16 - first}, seed);
}

/// Calls `hash(row, seed)` for every row that is not null.
template <typename F>
void HashRows(const arrow::Array& column, std::span<int32_t> hashes, F&& hash) {
  const auto count = static_cast<int64_t>(hashes.size());
  if (column.null_count() == 0) {
    for (int64_t row = 0; row < count; ++row) {
      hashes[row] = static_cast<int32_t>(hash(row, static_cast<uint32_t>(hashes[row])));
    }
    return;
  }
  const uint8_t* valid = column.null_bitmap_data();
  for (int64_t row = 0; row < count; ++row) {
    if (!arrow::bit_util::GetBit(valid, column.offset() + row)) continue;
    hashes[row] = static_cast<int32_t>(hash(row, static_cast<uint32_t>(hashes[row])));
  }
}

template <typename T, typename F>
void HashValues(const arrow::Array& column, std::span<int32_t> hashes, F&& hash) {
  const Rows<T> values = RowsOf<T>(column);
  HashRows(column, hashes, [&](int64_t row, uint32_t seed) { return hash(values[row], seed); });
}

template <typename T>
void HashInts(const arrow::Array& column, std::span<int32_t> hashes) {
  HashValues<T>(column, hashes, [](T value, uint32_t seed) {
    return HashInt(static_cast<uint32_t>(static_cast<int32_t>(value)), seed);
  });
}

void HashDictionary(const arrow::Array& column, std::span<int32_t> hashes) {
  const auto& encoded = static_cast<const arrow::DictionaryArray&>(column);
  const StringRows text = StringsOf(*encoded.dictionary());
  const int32_t* indices = column.data()->GetValues<int32_t>(1);
  HashRows(column, hashes,
           [&](int64_t row, uint32_t seed) { return HashBytes(text[indices[row]], seed); });
}

class Murmur3 final : public Expression {
 public:
  Murmur3(DataType type, std::vector<std::unique_ptr<Expression>> arguments, int32_t seed,
          bool can_fail)
      : Expression(std::move(type), can_fail), arguments_(std::move(arguments)), seed_(seed) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    const int64_t rows = input.row_count();
    ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateBuffer(4 * rows, input.pool()));
    const std::span<int32_t> hashes(reinterpret_cast<int32_t*>(buffer->mutable_data()),
                                    static_cast<size_t>(rows));
    std::ranges::fill(hashes, seed_);
    for (const auto& argument : arguments_) {
      ARROW_ASSIGN_OR_RAISE(const auto values, EvaluateToArray(*argument, input));
      RETURN_NOT_OK(AddMurmur3(*values, hashes));
    }
    return Column{std::make_shared<arrow::Int32Array>(rows, std::move(buffer)), nullptr};
  }

 private:
  std::vector<std::unique_ptr<Expression>> arguments_;
  int32_t seed_;
};

}  // namespace

Status AddMurmur3(const arrow::Array& column, std::span<int32_t> hashes) {
  switch (column.type_id()) {
    case arrow::Type::NA:
      return Status::OK();
    case arrow::Type::BOOL: {
      const BitRows bits{column.data()->buffers[1]->data(), column.offset()};
      HashRows(column, hashes,
               [&](int64_t row, uint32_t seed) { return HashInt(bits[row] ? 1 : 0, seed); });
      return Status::OK();
    }
    case arrow::Type::INT8:
      HashInts<int8_t>(column, hashes);
      return Status::OK();
    case arrow::Type::INT16:
      HashInts<int16_t>(column, hashes);
      return Status::OK();
    case arrow::Type::INT32:
    case arrow::Type::DATE32:
      HashInts<int32_t>(column, hashes);
      return Status::OK();
    case arrow::Type::INT64:
    case arrow::Type::TIMESTAMP:
    case arrow::Type::DECIMAL64:
      HashValues<int64_t>(column, hashes, [](int64_t value, uint32_t seed) {
        return HashLong(static_cast<uint64_t>(value), seed);
      });
      return Status::OK();
    case arrow::Type::FLOAT:
      HashValues<float>(column, hashes, HashFloat);
      return Status::OK();
    case arrow::Type::DOUBLE:
      HashValues<double>(column, hashes, HashDouble);
      return Status::OK();
    case arrow::Type::DECIMAL128:
      HashValues<Int128Cell>(column, hashes, [](const Int128Cell& value, uint32_t seed) {
        return HashBigInteger(value, seed);
      });
      return Status::OK();
    case arrow::Type::STRING:
    case arrow::Type::BINARY: {
      const StringRows text = StringsOf(column);
      HashRows(column, hashes,
               [&](int64_t row, uint32_t seed) { return HashBytes(text[row], seed); });
      return Status::OK();
    }
    case arrow::Type::DICTIONARY:
      HashDictionary(column, hashes);
      return Status::OK();
    default:
      return Status::NotImplemented("values of type ", column.type()->ToString(),
                                    " cannot be hashed");
  }
}

MadeExpression MakeMurmur3Hash(FunctionCall call) {
  const auto seed = call.spec.attributes.find("seed");
  if (seed == call.spec.attributes.end() || !seed->is_number_integer()) {
    return Status::Invalid("murmur3_hash has no integer attribute \"seed\"");
  }
  const bool can_fail = std::ranges::any_of(call.arguments, &Expression::can_fail);
  return std::make_unique<Murmur3>(call.spec.type, std::move(call.arguments), seed->get<int32_t>(),
                                   can_fail);
}

}  // namespace reprise
