#include "base/row_sums.h"

#include <arrow/array/array_binary.h>
#include <arrow/array/array_decimal.h>
#include <arrow/array/array_dict.h>
#include <arrow/array/array_primitive.h>
#include <arrow/util/bit_util.h>
#include <xxhash.h>

#include <algorithm>
#include <type_traits>

#include "base/check.h"
#include "base/value_word.h"

namespace reprise {

namespace {

// Rows of a block: what is added up of them stays in the first cache.
constexpr int64_t kBlockRows = 1024;
// Gaps of a block are gone through up to this part of its rows.
constexpr int64_t kGapsShare = 4;
constexpr int64_t kSpanMax = kBlockRows + kBlockRows / kGapsShare;

// Odd constants without structure.
constexpr uint64_t kColumnStep = 0x9E3779B97F4A7C15;
constexpr uint64_t kNull = 0xC2B2AE3D27D4EB4F;
constexpr uint64_t kChain = 0x9FB21C651E98DF25;
constexpr uint64_t kHighWord = 0xD6E8FEB86659FD93;
constexpr uint64_t kMix = 0xA0761D6478BD642F;

// Both halves of a product, so that every bit of a row's sum matters.
uint64_t Mixed(uint64_t sum) {
  const auto product = static_cast<unsigned __int128>(sum ^ kNull) * kMix;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// What a column's words are multiplied by, so that rows with the same values in other columns
// differ.
uint64_t ColumnFactor(int column) { return Mixed((column + 1) * kColumnStep) | 1; }

// Adds each word, multiplied, to its row's sum; gives the sum of the words.
__attribute__((target_clones("avx2", "default"))) uint64_t AddWords(const uint64_t* words,
                                                                    int64_t count, uint64_t factor,
                                                                    uint64_t* sums) {
  uint64_t sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    sums[i] += words[i] * factor;
    sum += words[i];
  }
  return sum;
}

__attribute__((target_clones("avx2", "default"))) void Widen(const int32_t* values, int64_t count,
                                                             uint64_t* words) {
  for (int64_t i = 0; i < count; ++i) words[i] = static_cast<uint64_t>(int64_t{values[i]});
}

uint64_t BytesWord(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace

// Rows of a batch that count, at most kBlockRows. Where nearly all rows between the first and the
// last of them count, these are gone through as they lie in memory, the others (the gaps) too; else
// they are gathered.
struct RowSummer::Block {
  const int32_t* selected;  // null: all rows from `from` on
  int64_t count;            // that count
  int64_t from;             // the first one's number in the batch
  int64_t span;             // how many are gone through; `count` where they are gathered
  bool is_gathered;
  const std::vector<int32_t>& gaps;  // numbers in the batch
  uint64_t factor;                   // of the column
  uint64_t* sums;                    // of the rows
  uint64_t* words;                   // room for those of the column

  // Adds the column; gives the sum of its words.
  template <typename WordAt>
  uint64_t Add(const arrow::Array& column, WordAt&& word_at) const {
    if (column.null_count() > 0) {
      Fill([&](int64_t row) { return column.IsNull(row) ? kNull : word_at(row); });
    } else {
      Fill(word_at);
    }
    return AddWords(words, span, factor, sums);
  }

  // What stands in a gap may be no value at all.
  template <typename WordAt>
  void Fill(WordAt&& word_at) const {
    if (selected == nullptr) {
      for (int64_t i = 0; i < count; ++i) words[i] = word_at(from + i);
    } else if (is_gathered) {
      for (int64_t i = 0; i < count; ++i) words[i] = word_at(selected[i]);
    } else {
      std::fill_n(words, span, 0);
      for (int64_t i = 0; i < count; ++i) words[selected[i] - from] = word_at(selected[i]);
    }
  }

  template <typename T>
  uint64_t AddIntegers(const arrow::Array& column, const T* values) const {
    if (is_gathered || column.null_count() > 0) {
      return Add(column, [=](int64_t row) { return ValueWord(values[row]); });
    }
    uint64_t sum;
    if constexpr (sizeof(T) == sizeof(uint64_t)) {
      sum = AddWords(reinterpret_cast<const uint64_t*>(values + from), span, factor, sums);
    } else {
      Widen(values + from, span, words);
      sum = AddWords(words, span, factor, sums);
    }
    for (const int32_t row : gaps) sum -= ValueWord(values[row]);
    return sum;
  }

  template <typename ArrowType>
  uint64_t AddNumbers(const arrow::Array& column) const {
    const auto* values = static_cast<const arrow::NumericArray<ArrowType>&>(column).raw_values();
    using Value = std::decay_t<decltype(*values)>;
    if constexpr (std::is_same_v<Value, int64_t> || std::is_same_v<Value, int32_t>) {
      return AddIntegers(column, values);
    }
    return Add(column, [=](int64_t row) { return ValueWord(values[row]); });
  }

  // Of few digits the low word says all, in whichever width they travel.
  uint64_t AddDecimals(const arrow::Array& column) const {
    const auto& type = static_cast<const arrow::DecimalType&>(*column.type());
    const auto* halves = reinterpret_cast<const int64_t*>(
        static_cast<const arrow::FixedSizeBinaryArray&>(column).raw_values());
    constexpr int kShortDigits = 18;
    if (type.id() == arrow::Type::DECIMAL64) return AddIntegers(column, halves);
    if (type.precision() <= kShortDigits) {
      return Add(column, [=](int64_t row) { return ValueWord(halves[2 * row]); });
    }
    return Add(column, [=](int64_t row) {
      return ValueWord(halves[2 * row]) + ValueWord(halves[2 * row + 1]) * kHighWord;
    });
  }
};

RowSummer::RowSummer(int column_count)
    : dictionaries_(column_count), rows_(kSpanMax), words_(kSpanMax) {
  sums_.columns.assign(column_count, 0);
}

Status RowSummer::Add(const Batch& batch) {
  REPRISE_CHECK(batch.columns.size() == sums_.columns.size(), "{} columns, expected {}",
                batch.columns.size(), sums_.columns.size());
  const int64_t row_count = batch.selected_count();
  for (int64_t first = 0; first < row_count; first += kBlockRows) {
    Block block = BlockAt(batch, first, std::min(kBlockRows, row_count - first));
    std::fill_n(rows_.data(), block.span, kColumnStep);
    for (int column = 0; column < static_cast<int>(batch.columns.size()); ++column) {
      block.factor = ColumnFactor(column);
      RETURN_NOT_OK(AddColumn(column, *batch.columns[column], block));
    }
    if (!gaps_.empty()) {
      for (int64_t i = 0; i < block.count; ++i) rows_[i] = rows_[block.selected[i] - block.from];
    }
    AddRows(block.count);
  }
  return Status::OK();
}

RowSummer::Block RowSummer::BlockAt(const Batch& batch, int64_t first, int64_t count) {
  gaps_.clear();
  Block block{nullptr, count, first, count, false, gaps_, 0, rows_.data(), words_.data()};
  if (!batch.has_selection()) return block;
  block.selected = batch.selected().data() + first;
  block.from = block.selected[0];
  const int64_t span = block.selected[count - 1] - block.from + 1;
  block.is_gathered = span > count + count / kGapsShare;
  if (block.is_gathered) return block;
  block.span = span;
  for (int64_t i = 1; i < count; ++i) {
    for (int32_t row = block.selected[i - 1] + 1; row < block.selected[i]; ++row) {
      gaps_.push_back(row);
    }
  }
  return block;
}

Status RowSummer::AddColumn(int column, const arrow::Array& values, const Block& block) {
  const auto add = [&](uint64_t sum) {
    sums_.columns[column] += sum;
    return Status::OK();
  };
  switch (values.type_id()) {
    case arrow::Type::NA:
      return add(block.Add(values, [](int64_t) { return kNull; }));
    case arrow::Type::BOOL: {
      const uint8_t* bits = values.data()->buffers[1]->data();
      const int64_t offset = values.offset();
      return add(block.Add(values, [=](int64_t row) {
        return static_cast<uint64_t>(arrow::bit_util::GetBit(bits, offset + row));
      }));
    }
    case arrow::Type::INT8:
      return add(block.AddNumbers<arrow::Int8Type>(values));
    case arrow::Type::INT16:
      return add(block.AddNumbers<arrow::Int16Type>(values));
    case arrow::Type::INT32:
      return add(block.AddNumbers<arrow::Int32Type>(values));
    case arrow::Type::DATE32:
      return add(block.AddNumbers<arrow::Date32Type>(values));
    case arrow::Type::INT64:
      return add(block.AddNumbers<arrow::Int64Type>(values));
    case arrow::Type::TIMESTAMP:
      return add(block.AddNumbers<arrow::TimestampType>(values));
    case arrow::Type::FLOAT:
      return add(block.AddNumbers<arrow::FloatType>(values));
    case arrow::Type::DOUBLE:
      return add(block.AddNumbers<arrow::DoubleType>(values));
    case arrow::Type::DECIMAL64:
    case arrow::Type::DECIMAL128:
      return add(block.AddDecimals(values));
    case arrow::Type::STRING:
    case arrow::Type::BINARY: {
      const auto& strings = static_cast<const arrow::BinaryArray&>(values);
      return add(block.Add(values, [&](int64_t row) { return BytesWord(strings.GetView(row)); }));
    }
    case arrow::Type::DICTIONARY:
      return AddDictionary(column, values, block);
    default:
      return Status::TypeError("no sums of a column of Arrow type ", values.type()->ToString());
  }
}

Status RowSummer::AddDictionary(int column, const arrow::Array& values, const Block& block) {
  const auto& encoded = static_cast<const arrow::DictionaryArray&>(values);
  if (encoded.indices()->type_id() != arrow::Type::INT32 ||
      !arrow::is_base_binary_like(encoded.dictionary()->type_id())) {
    return Status::TypeError("no sums of a dictionary of Arrow type ", values.type()->ToString());
  }
  Dictionary& known = dictionaries_[column];
  if (known.values == nullptr || known.values->data() != encoded.dictionary()->data()) {
    known.values = encoded.dictionary();
    known.hashes.clear();
  }
  const auto& strings = static_cast<const arrow::BinaryArray&>(*known.values);
  const auto* indices = static_cast<const arrow::Int32Array&>(*encoded.indices()).raw_values();
  // A dictionary that is larger than what is left of its batch need not be hashed whole.
  if (known.hashes.empty() && strings.length() <= std::max(kBlockRows, values.length())) {
    known.hashes.resize(strings.length());
    for (int64_t i = 0; i < strings.length(); ++i) known.hashes[i] = BytesWord(strings.GetView(i));
  }
  const uint64_t* hashes = known.hashes.empty() ? nullptr : known.hashes.data();
  sums_.columns[column] += block.Add(values, [&](int64_t row) {
    return hashes ? hashes[indices[row]] : BytesWord(strings.GetView(indices[row]));
  });
  return Status::OK();
}

// The chain is a polynomial in kChain; four rows a step, so that a step need not wait for four
// multiplications.
void RowSummer::AddRows(int64_t count) {
  constexpr uint64_t kChain2 = kChain * kChain;
  constexpr uint64_t kChain3 = kChain2 * kChain;
  constexpr uint64_t kChain4 = kChain3 * kChain;
  uint64_t ordered = sums_.ordered;
  uint64_t unordered = 0;
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const uint64_t a = Mixed(rows_[i]);
    const uint64_t b = Mixed(rows_[i + 1]);
    const uint64_t c = Mixed(rows_[i + 2]);
    const uint64_t d = Mixed(rows_[i + 3]);
    unordered += a + b + c + d;
    ordered = ordered * kChain4 + (a * kChain3 + b * kChain2 + c * kChain + d);
  }
  for (; i < count; ++i) {
    const uint64_t hash = Mixed(rows_[i]);
    unordered += hash;
    ordered = ordered * kChain + hash;
  }
  sums_.ordered = ordered;
  sums_.unordered += unordered;
  sums_.rows += count;
}

}  // namespace reprise
