#include "checksums/row_checksums.h"

#include <arrow/array/array_binary.h>
#include <arrow/array/array_decimal.h>
#include <arrow/array/array_dict.h>
#include <arrow/array/array_primitive.h>
#include <arrow/array/util.h>
#include <arrow/util/bit_util.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <type_traits>

#include "base/check.h"
#include "checksums/row_gaps.h"
#include "checksums/value_word.h"
#include "checksums/word_sums.h"

namespace reprise {

namespace {

// Rows of a block: what is added up of them stays in the first cache.
constexpr int64_t kBlockRows = kChainedMax;
// Gaps of a block are gone through up to this part of its rows.
constexpr int64_t kGapsShare = 4;
// The smallest table that registers hold.
constexpr size_t kTableMin = 16;
// What a filter has left is told from what it has dropped, where that is up to this part.
constexpr int64_t kDroppedShare = 8;
constexpr int64_t kSpanMax = kBlockRows + kBlockRows / kGapsShare;

// Odd constants without structure.
constexpr uint64_t kColumnStep = 0x9E3779B97F4A7C15;
constexpr uint64_t kNull = 0xC2B2AE3D27D4EB4F;
constexpr uint64_t kHighWord = 0xD6E8FEB86659FD93;
// Upper halves are scattered.
constexpr int kFloatShift = 32;

// What a column's words are multiplied by, so that rows with the same values in other columns
// differ. It is odd, so that nothing of a word is lost.
uint64_t ColumnFactor(int column) {
  const uint64_t step = (column + 1) * kColumnStep;
  uint64_t factor;
  MixWords({&step, 1}, &factor);
  return factor | 1;
}

// Of an odd number, modulo 2^64: each step doubles the bits that are right, of which a number as
// its own inverse has three.
uint64_t InverseOf(uint64_t number) {
  uint64_t inverse = number;
  for (int bits = 3; bits < 64; bits *= 2) inverse *= 2 - number * inverse;
  return inverse;
}

uint64_t BytesWord(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace

// Rows of a batch that count, at most kBlockRows. Where nearly all rows between the first and the
// last of them count, these are gone through as they lie in memory, the others (the gaps) too; else
// they are gathered.
struct RowChecksummer::Block {
  const int32_t* selected;  // null: all rows from `from` on
  int64_t count;            // that count
  int64_t from;             // the first one's number in the batch
  int64_t span;             // how many are gone through; `count` where they are gathered
  bool is_gathered;
  const std::vector<int32_t>& gaps;  // numbers in the batch
  uint64_t factor;                   // of the column
  uint64_t* checksums;               // of the rows
  uint64_t* words;                   // room for those of the column

  // Adds the column; gives the sum of its words.
  template <typename WordAt>
  uint64_t Add(const arrow::Array& column, WordAt&& word_at) const {
    if (column.null_count() > 0) {
      Fill([&](int64_t row) { return column.IsNull(row) ? kNull : word_at(row); });
    } else {
      Fill(word_at);
    }
    return AddWords(std::span<const uint64_t>(words, span), factor, checksums);
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
    using Word = std::conditional_t<sizeof(T) == sizeof(uint64_t), uint64_t, T>;
    const auto* const words_in_place = reinterpret_cast<const Word*>(values + from);
    uint64_t sum = AddWords(std::span(words_in_place, span), factor, checksums);
    for (const int32_t row : gaps) sum -= Scattered(ValueWord(values[row]));
    return sum;
  }

  template <typename ArrowType>
  uint64_t AddNumbers(const arrow::Array& column) const {
    const auto* values = static_cast<const arrow::NumericArray<ArrowType>&>(column).raw_values();
    using Value = std::decay_t<decltype(*values)>;
    if constexpr (std::is_same_v<Value, int64_t> || std::is_same_v<Value, int32_t>) {
      return AddIntegers(column, values);
    }
    if constexpr (std::is_same_v<Value, float>) {
      return Add(column, [=](int64_t row) { return ValueWord(values[row]) << kFloatShift; });
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
      return ValueWord(halves[2 * row]) + Scattered(ValueWord(halves[2 * row + 1])) * kHighWord;
    });
  }
};

RowChecksummer::RowChecksummer(int column_count)
    : dictionaries_(column_count), rows_(kSpanMax + kCopied), words_(kSpanMax + kCopied) {
  checksums_.columns.assign(column_count, 0);
}

Status RowChecksummer::Add(const Batch& batch) {
  REPRISE_CHECK(batch.columns.size() == checksums_.columns.size(), "{} columns, expected {}",
                batch.columns.size(), checksums_.columns.size());
  std::vector<uint64_t> columns(batch.columns.size());
  if (last_) last_->Begin(batch);
  RETURN_NOT_OK(AddBlocks(batch, &columns, [&](const Block& block) {
    const bool keeps = last_ && last_->is_wanted;
    const bool is_in_place = keeps && block.selected == nullptr;
    uint64_t* const room = is_in_place ? last_->hashes.data() + block.from : words_.data();
    const std::span<const uint64_t> hashes = AddRows(block, room);
    if (!keeps || is_in_place) return;
    for (int64_t i = 0; i < block.count; ++i) last_->hashes[block.selected[i]] = hashes[i];
  }));
  for (size_t i = 0; i < columns.size(); ++i) checksums_.columns[i] += columns[i];
  if (last_) last_->columns = std::move(columns);
  return Status::OK();
}

Status RowChecksummer::AddFiltered(const Batch& batch, RowChecksummer* below) {
  if (!below->last_) return Add(batch);
  Last& last = *below->last_;
  const int64_t count = batch.selected_count();
  const bool is_known = last.Has(batch);
  last.is_wanted = last.count - count <= last.count / kDroppedShare;
  if (!is_known || !last.is_wanted) return Add(batch);
  std::vector<int32_t> dropped_rows = last.RowsNotIn(batch);
  if (last.selection) {
    for (int64_t first = 0; first < count; first += kBlockRows) {
      const auto size = static_cast<size_t>(std::min(kBlockRows, count - first));
      const std::span<const int32_t> rows = batch.selected().subspan(first, size);
      for (size_t i = 0; i < size; ++i) words_[i] = last.hashes[rows[i]];
      AddHashes({words_.data(), size});
    }
  } else {
    AddHashesBut(last.hashes, last.count, dropped_rows);
  }
  Batch dropped = batch;
  dropped.selection = arrow::Buffer::FromVector(std::move(dropped_rows));
  std::vector<uint64_t> columns(batch.columns.size());
  RETURN_NOT_OK(AddBlocks(dropped, &columns, [](const Block&) {}));
  for (size_t i = 0; i < columns.size(); ++i) checksums_.columns[i] += last.columns[i] - columns[i];
  return Status::OK();
}

void RowChecksummer::Last::Begin(const Batch& batch) {
  arrays.clear();
  selection = batch.selection;
  count = batch.selected_count();
  if (!is_wanted) return;
  arrays.assign(batch.columns.begin(), batch.columns.end());
  if (batch.row_count > std::ssize(hashes) - kCopied) hashes.resize(batch.row_count + kCopied);
}

// Of the rows up to `count` but those dropped.
void RowChecksummer::AddHashesBut(const std::vector<uint64_t>& hashes, int64_t count,
                                  std::span<const int32_t> dropped) {
  for (int64_t first = 0; first < count; first += kBlockRows) {
    const int64_t size = std::min(kBlockRows, count - first);
    const auto end = std::ranges::lower_bound(dropped, first + size);
    const auto here = dropped.first(end - dropped.begin());
    dropped = dropped.subspan(here.size());
    if (here.empty()) {
      AddHashes(std::span(hashes).subspan(first, size));
      continue;
    }
    CopyOthers(hashes.data() + first, first, size, here, words_.data());
    AddHashes({words_.data(), size - here.size()});
  }
}

bool RowChecksummer::Last::Has(const Batch& batch) const {
  return !arrays.empty() && batch.selected_count() <= count &&
         std::ranges::equal(arrays, batch.columns, {},
                            [](const auto& array) { return array.lock(); });
}

std::vector<int32_t> RowChecksummer::Last::RowsNotIn(const Batch& batch) const {
  std::vector<int32_t> others;
  if (batch.selected_count() == count) return others;
  others.reserve(count - batch.selected_count());
  if (selection) {
    const auto* rows = reinterpret_cast<const int32_t*>(selection->data());
    AddOthers(
        batch.selected(), count, [=](int64_t i) { return rows[i]; }, &others);
  } else {
    AddOthers(
        batch.selected(), count, [](int64_t i) { return static_cast<int32_t>(i); }, &others);
  }
  return others;
}

// Calls `then` with each block whose rows' checksums stand in rows_, those of its gaps among them.
template <typename Then>
Status RowChecksummer::AddBlocks(const Batch& batch, std::vector<uint64_t>* columns, Then&& then) {
  const int64_t row_count = batch.selected_count();
  for (int64_t first = 0; first < row_count; first += kBlockRows) {
    Block block = BlockAt(batch, first, std::min(kBlockRows, row_count - first));
    FillWords(kColumnStep, {rows_.data(), static_cast<size_t>(block.span)});
    for (int column = 0; column < static_cast<int>(batch.columns.size()); ++column) {
      block.factor = ColumnFactor(column);
      ARROW_ASSIGN_OR_RAISE(const uint64_t sum, AddColumn(column, *batch.columns[column], block));
      (*columns)[column] += sum;
    }
    then(block);
  }
  return Status::OK();
}

RowChecksummer::Block RowChecksummer::BlockAt(const Batch& batch, int64_t first, int64_t count) {
  gaps_.clear();
  Block block{nullptr, count, first, count, false, gaps_, 0, rows_.data(), words_.data()};
  if (!batch.has_selection()) return block;
  block.selected = batch.selected().data() + first;
  block.from = block.selected[0];
  const int64_t span = block.selected[count - 1] - block.from + 1;
  block.is_gathered = span > count + count / kGapsShare;
  if (block.is_gathered) return block;
  block.span = span;
  AddOthers(
      {block.selected, static_cast<size_t>(count)}, span,
      [from = block.from](int64_t i) { return static_cast<int32_t>(from + i); }, &gaps_);
  return block;
}

// Gives the hashes of the rows that count; `room` is for those of the gaps, too.
std::span<const uint64_t> RowChecksummer::AddRows(const Block& block, uint64_t* room) {
  const auto count = static_cast<size_t>(block.count);
  if (block.span == block.count) {
    MixAndChain({rows_.data(), count}, room, &checksums_.ordered, &checksums_.unordered);
    checksums_.rows += block.count;
    return {room, count};
  }
  MixWords({rows_.data(), static_cast<size_t>(block.span)}, room);
  CopyOthers(room, block.from, block.span, block.gaps, rows_.data());
  AddHashes({rows_.data(), count});
  return {rows_.data(), count};
}

Result<uint64_t> RowChecksummer::AddColumn(int column, const arrow::Array& values,
                                           const Block& block) {
  switch (values.type_id()) {
    case arrow::Type::NA:
      return block.Add(values, [](int64_t) { return kNull; });
    case arrow::Type::BOOL: {
      const uint8_t* bits = values.data()->buffers[1]->data();
      const int64_t offset = values.offset();
      return block.Add(values, [=](int64_t row) {
        return static_cast<uint64_t>(arrow::bit_util::GetBit(bits, offset + row));
      });
    }
    case arrow::Type::INT8:
      return block.AddNumbers<arrow::Int8Type>(values);
    case arrow::Type::INT16:
      return block.AddNumbers<arrow::Int16Type>(values);
    case arrow::Type::INT32:
      return block.AddNumbers<arrow::Int32Type>(values);
    case arrow::Type::DATE32:
      return block.AddNumbers<arrow::Date32Type>(values);
    case arrow::Type::INT64:
      return block.AddNumbers<arrow::Int64Type>(values);
    case arrow::Type::TIMESTAMP:
      return block.AddNumbers<arrow::TimestampType>(values);
    case arrow::Type::FLOAT:
      return block.AddNumbers<arrow::FloatType>(values);
    case arrow::Type::DOUBLE:
      return block.AddNumbers<arrow::DoubleType>(values);
    case arrow::Type::DECIMAL64:
    case arrow::Type::DECIMAL128:
      return block.AddDecimals(values);
    case arrow::Type::STRING:
    case arrow::Type::BINARY: {
      const auto& strings = static_cast<const arrow::BinaryArray&>(values);
      return block.Add(values, [&](int64_t row) { return BytesWord(strings.GetView(row)); });
    }
    case arrow::Type::DICTIONARY:
      return AddDictionary(column, values, block);
    default:
      return Status::TypeError("no checksums of a column of Arrow type ",
                               values.type()->ToString());
  }
}

Result<uint64_t> RowChecksummer::AddDictionary(int column, const arrow::Array& values,
                                               const Block& block) {
  const auto& encoded = static_cast<const arrow::DictionaryArray&>(values);
  if (encoded.indices()->type_id() != arrow::Type::INT32 ||
      !arrow::is_base_binary_like(encoded.dict_type()->value_type()->id())) {
    return Status::TypeError("no checksums of a dictionary of Arrow type ",
                             values.type()->ToString());
  }
  Dictionary& known = dictionaries_[column];
  // Not dictionary(), of which the first call of each array asks the kernel to wake others up.
  if (known.values == nullptr || known.values->data() != encoded.data()->dictionary) {
    known.values = arrow::MakeArray(encoded.data()->dictionary);
    known.hashes.clear();
    known.weighted.clear();
  }
  const auto& strings = static_cast<const arrow::BinaryArray&>(*known.values);
  const auto* indices = static_cast<const arrow::Int32Array&>(*encoded.indices()).raw_values();
  // A dictionary that is larger than what is left of its batch need not be hashed whole.
  if (known.hashes.empty() && strings.length() <= std::max(kBlockRows, values.length())) {
    known.hashes.resize(strings.length());
    for (int64_t i = 0; i < strings.length(); ++i) known.hashes[i] = BytesWord(strings.GetView(i));
  }
  if (known.hashes.empty()) {
    return block.Add(values, [&](int64_t row) { return BytesWord(strings.GetView(indices[row])); });
  }
  const uint64_t* hashes = known.hashes.data();
  if (!block.is_gathered && values.null_count() == 0) {
    if (known.weighted.empty()) {
      known.weighted.assign(std::bit_ceil(std::max(known.hashes.size(), kTableMin)), 0);
      for (size_t i = 0; i < known.hashes.size(); ++i) {
        known.weighted[i] = Scattered(known.hashes[i]) * block.factor;
      }
    }
    const std::span places(indices + block.from, block.span);
    uint64_t sum = AddFromTable(known.weighted, places, block.checksums);
    // What stands in a gap may be no place.
    const size_t mask = known.weighted.size() - 1;
    for (const int32_t row : block.gaps) sum -= known.weighted[indices[row] & mask];
    return sum * InverseOf(block.factor);
  }
  return block.Add(values, [=](int64_t row) { return hashes[indices[row]]; });
}

void RowChecksummer::AddHashes(std::span<const uint64_t> hashes) {
  ChainHashes(hashes, &checksums_.ordered, &checksums_.unordered);
  checksums_.rows += std::ssize(hashes);
}

}  // namespace reprise
