#include "checksums/digest.h"

#include <arrow/array/array_binary.h>
#include <arrow/array/array_decimal.h>
#include <arrow/array/array_dict.h>
#include <arrow/array/array_primitive.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/check.h"
#include "checksums/value_word.h"

namespace reprise {

namespace {

// Odd constants from the golden ratio and from xxHash's primes; any would do, but these are the
// format's.
constexpr uint64_t kDigestColumnStep = 0x9E3779B97F4A7C15;
constexpr uint64_t kNullMark = 0xC2B2AE3D27D4EB4F;
constexpr uint64_t kDigestChain = 0x9FB21C651E98DF25;

static_assert(std::endian::native == std::endian::little, "digests hash little-endian values");

uint64_t ColumnSeed(int column) { return (static_cast<uint64_t>(column) + 1) * kDigestColumnStep; }

// Makes every bit of a row's hash depend on every value, so that checksums over rows tell pairings
// apart.
uint64_t Avalanche(uint64_t hash) {
  hash ^= hash >> 37;
  hash *= 0x165667919E3779F9;
  return hash ^ (hash >> 32);
}

uint64_t HashBytes(std::string_view bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

uint64_t HashWord(uint64_t word, uint64_t seed) {
  return XXH3_64bits_withSeed(&word, sizeof(word), seed);
}

// The rows of a batch that are hashed: the first `count` of its selection, or of the batch.
struct Rows {
  const int32_t* selected;  // null: all
  int64_t count;
  int64_t at(int64_t i) const { return selected ? selected[i] : i; }
};

template <typename HashValue>
void HashRows(const arrow::Array& column, const Rows& rows, uint64_t seed, uint64_t* hashes,
              HashValue&& hash_value) {
  const uint64_t null_hash = HashBytes({}, seed ^ kNullMark);
  if (column.null_count() == 0) {
    for (int64_t i = 0; i < rows.count; ++i) hashes[i] = hash_value(rows.at(i));
    return;
  }
  for (int64_t i = 0; i < rows.count; ++i) {
    const int64_t row = rows.at(i);
    hashes[i] = column.IsNull(row) ? null_hash : hash_value(row);
  }
}

template <typename ArrowType>
void HashWords(const arrow::Array& column, const Rows& rows, uint64_t seed, uint64_t* hashes) {
  const auto* values = static_cast<const arrow::NumericArray<ArrowType>&>(column).raw_values();
  HashRows(column, rows, seed, hashes,
           [=](int64_t row) { return HashWord(ValueWord(values[row]), seed); });
}

void HashDecimals(const arrow::Array& column, const Rows& rows, uint64_t seed, uint64_t* hashes) {
  if (column.type_id() == arrow::Type::DECIMAL64) {
    const auto* values = reinterpret_cast<const int64_t*>(
        static_cast<const arrow::FixedSizeBinaryArray&>(column).raw_values());
    HashRows(column, rows, seed, hashes, [=](int64_t row) {
      const int64_t wide[2] = {values[row], values[row] >> 63};
      return XXH3_64bits_withSeed(wide, sizeof(wide), seed);
    });
    return;
  }
  const uint8_t* values = static_cast<const arrow::FixedSizeBinaryArray&>(column).raw_values();
  HashRows(column, rows, seed, hashes,
           [=](int64_t row) { return XXH3_64bits_withSeed(values + 16 * row, 16, seed); });
}

void HashStrings(const arrow::Array& column, const Rows& rows, uint64_t seed, uint64_t* hashes) {
  const auto& strings = static_cast<const arrow::BinaryArray&>(column);
  HashRows(column, rows, seed, hashes,
           [&](int64_t row) { return HashBytes(strings.GetView(row), seed); });
}

Status HashDictionary(const arrow::Array& column, const Rows& rows, uint64_t seed,
                      uint64_t* hashes) {
  const auto& encoded = static_cast<const arrow::DictionaryArray&>(column);
  if (encoded.indices()->type_id() != arrow::Type::INT32 ||
      !arrow::is_base_binary_like(encoded.dictionary()->type_id())) {
    return Status::TypeError("no digest for a dictionary of Arrow type ",
                             column.type()->ToString());
  }
  const auto& values = static_cast<const arrow::BinaryArray&>(*encoded.dictionary());
  const auto* indices = static_cast<const arrow::Int32Array&>(*encoded.indices()).raw_values();
  if (values.length() > rows.count) {
    HashRows(column, rows, seed, hashes,
             [&](int64_t row) { return HashBytes(values.GetView(indices[row]), seed); });
    return Status::OK();
  }
  std::vector<uint64_t> value_hashes(values.length());
  HashStrings(values, {nullptr, values.length()}, seed, value_hashes.data());
  HashRows(column, rows, seed, hashes, [&](int64_t row) { return value_hashes[indices[row]]; });
  return Status::OK();
}

Status HashColumn(const arrow::Array& column, const Rows& rows, uint64_t seed, uint64_t* hashes) {
  switch (column.type_id()) {
    case arrow::Type::NA:
      std::fill_n(hashes, rows.count, HashBytes({}, seed ^ kNullMark));
      return Status::OK();
    case arrow::Type::BOOL: {
      const auto& values = static_cast<const arrow::BooleanArray&>(column);
      HashRows(column, rows, seed, hashes,
               [&](int64_t row) { return HashWord(values.Value(row) ? 1 : 0, seed); });
      return Status::OK();
    }
    case arrow::Type::INT8:
      HashWords<arrow::Int8Type>(column, rows, seed, hashes);
      return Status::OK();
    case arrow::Type::INT16:
      HashWords<arrow::Int16Type>(column, rows, seed, hashes);
      return Status::OK();
    case arrow::Type::INT32:
      HashWords<arrow::Int32Type>(column, rows, seed, hashes);
      return Status::OK();
    case arrow::Type::DATE32:
      HashWords<arrow::Date32Type>(column, rows, seed, hashes);
      return Status::OK();
    case arrow::Type::INT64:
      HashWords<arrow::Int64Type>(column, rows, seed, hashes);
      return Status::OK();
    case arrow::Type::TIMESTAMP:
      HashWords<arrow::TimestampType>(column, rows, seed, hashes);
      return Status::OK();
    case arrow::Type::FLOAT:
      HashWords<arrow::FloatType>(column, rows, seed, hashes);
      return Status::OK();
    case arrow::Type::DOUBLE:
      HashWords<arrow::DoubleType>(column, rows, seed, hashes);
      return Status::OK();
    case arrow::Type::DECIMAL64:
    case arrow::Type::DECIMAL128:
      HashDecimals(column, rows, seed, hashes);
      return Status::OK();
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      HashStrings(column, rows, seed, hashes);
      return Status::OK();
    case arrow::Type::DICTIONARY:
      return HashDictionary(column, rows, seed, hashes);
    default:
      return Status::TypeError("no digest for a column of Arrow type ", column.type()->ToString());
  }
}

}  // namespace

StreamDigest Followed(const StreamDigest& first, const StreamDigest& second) {
  StreamDigest both = first;
  // Each row multiplies what came before it.
  uint64_t factor = 1;
  uint64_t power = kDigestChain;
  for (int64_t rows = second.rows; rows > 0; rows /= 2) {
    if (rows % 2 == 1) factor *= power;
    power *= power;
  }
  both.rows += second.rows;
  both.ordered = first.ordered * factor + second.ordered;
  both.unordered += second.unordered;
  // What was read of a damaged dump may have fewer.
  const size_t columns = std::min(both.columns.size(), second.columns.size());
  for (size_t i = 0; i < columns; ++i) both.columns[i] += second.columns[i];
  return both;
}

Digester::Digester(int column_count) { digest_.columns.assign(column_count, 0); }

Status Digester::Update(const Batch& batch, int64_t rows_max) {
  REPRISE_CHECK(batch.columns.size() == digest_.columns.size(), "{} columns, expected {}",
                batch.columns.size(), digest_.columns.size());
  const Rows rows{batch.has_selection() ? batch.selected().data() : nullptr,
                  std::min(batch.selected_count(), rows_max)};
  row_hashes_.assign(rows.count, 0);
  value_hashes_.resize(rows.count);
  for (int c = 0; c < static_cast<int>(batch.columns.size()); ++c) {
    RETURN_NOT_OK(HashColumn(*batch.columns[c], rows, ColumnSeed(c), value_hashes_.data()));
    uint64_t sum = 0;
    for (int64_t i = 0; i < rows.count; ++i) {
      sum += value_hashes_[i];
      row_hashes_[i] += value_hashes_[i];
    }
    digest_.columns[c] += sum;
  }
  for (const uint64_t row_hash : row_hashes_) {
    const uint64_t hash = Avalanche(row_hash + kDigestColumnStep);
    digest_.unordered += hash;
    digest_.ordered = digest_.ordered * kDigestChain + hash;
  }
  digest_.rows += rows.count;
  return Status::OK();
}

std::string Hex(uint64_t value) { return fmt::format("{:016x}", value); }

bool ParseHex(std::string_view text, uint64_t* value) {
  if (text.size() != 16) return false;
  uint64_t parsed = 0;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit && !(c >= 'a' && c <= 'f')) return false;
    parsed = parsed << 4 | static_cast<uint64_t>(digit ? c - '0' : c - 'a' + 10);
  }
  *value = parsed;
  return true;
}

uint64_t Checksum(std::string_view bytes, uint64_t seed) { return HashBytes(bytes, seed); }

}  // namespace reprise
