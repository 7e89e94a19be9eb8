// Strings and binary out of blocks: offsets and bytes, or a dictionary where every block has one.
#include <arrow/array/array_dict.h>
#include <arrow/array/util.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "exchange/column_reader.h"

namespace reprise {

namespace {

using block::Encoding;

/// Unsigned numbers of 1, 2 or 4 bytes.
Status WidenLengths(const uint8_t* from, uint8_t width, int64_t count, int32_t* out) {
  const auto widen = [&]<typename T>(T) {
    for (int64_t i = 0; i < count; ++i) {
      T value;
      std::memcpy(&value, from + i * sizeof(T), sizeof(T));
      out[i] = static_cast<int32_t>(value);
    }
  };
  switch (width) {
    case 1:
      widen(uint8_t{});
      return Status::OK();
    case 2:
      widen(uint16_t{});
      return Status::OK();
    case 4:
      widen(uint32_t{});
      return Status::OK();
    default:
      return Status::IOError("the block is damaged: lengths of ", static_cast<int>(width),
                             " bytes");
  }
}

/// Reads `count` numbers of a buffer.
Status ReadNumbers(const BlockColumn& block, int buffer, uint8_t width, int64_t count,
                   BufferOpener* opener, int32_t* out) {
  const int64_t raw_bytes = block.column->buffers[buffer].raw_bytes;
  if (raw_bytes != count * width) {
    return Status::IOError("the block is damaged: lengths of ", raw_bytes, " bytes, expected ",
                           count * width);
  }
  ARROW_ASSIGN_OR_RAISE(const uint8_t* raw, opener->Open(block, buffer));
  return WidenLengths(raw, width, count, out);
}

/// The dictionary of one block.
struct Dictionary {
  std::vector<int32_t> lengths;
  std::vector<uint8_t> bytes;
  std::vector<std::string_view> entries;
};

Result<Dictionary> ReadDictionary(const BlockColumn& block, BufferOpener* opener) {
  const CheckedBlock::Column& column = *block.column;
  const uint8_t width = column.head.dictionary_width;
  if (width != 1 && width != 2 && width != 4) {
    return Status::IOError("the block is damaged: a dictionary with lengths of ",
                           static_cast<int>(width), " bytes");
  }
  Dictionary dictionary;
  const int64_t count = column.buffers[2].raw_bytes / width;
  dictionary.lengths.resize(static_cast<size_t>(count));
  RETURN_NOT_OK(ReadNumbers(block, 2, width, count, opener, dictionary.lengths.data()));
  dictionary.bytes.resize(static_cast<size_t>(column.buffers[3].raw_bytes));
  RETURN_NOT_OK(BufferOpener::OpenInto(block, 3, dictionary.bytes.data()));
  size_t offset = 0;
  for (const int32_t length : dictionary.lengths) {
    if (length < 0 || static_cast<size_t>(length) > dictionary.bytes.size() - offset) {
      return Status::IOError("the block is damaged: a dictionary entry ends past its bytes");
    }
    dictionary.entries.emplace_back(reinterpret_cast<const char*>(dictionary.bytes.data()) + offset,
                                    static_cast<size_t>(length));
    offset += static_cast<size_t>(length);
  }
  return dictionary;
}

Status CheckIndices(std::span<const int32_t> indices, size_t entries) {
  const auto out_of_range = [&](int32_t index) { return static_cast<uint32_t>(index) >= entries; };
  if (std::ranges::none_of(indices, out_of_range)) return Status::OK();
  return Status::IOError("the block is damaged: an index past the ", entries,
                         " entries of its dictionary");
}

class TextReader {
 public:
  TextReader(std::shared_ptr<arrow::DataType> type, std::span<const BlockColumn> blocks,
             int64_t rows, int64_t nulls, std::shared_ptr<arrow::Buffer> validity,
             arrow::MemoryPool* pool)
      : type_(std::move(type)),
        blocks_(blocks),
        rows_(rows),
        nulls_(nulls),
        validity_(std::move(validity)),
        opener_(pool),
        pool_(pool) {}

  Result<std::shared_ptr<arrow::Array>> Read() {
    int64_t begin = 0;
    for (const BlockColumn& block : blocks_) {
      begins_.push_back(begin);
      begin += block.rows;
      Dictionary& dictionary = dictionaries_.emplace_back();
      if (block.column->head.encoding != Encoding::kDictionary) continue;
      ARROW_ASSIGN_OR_RAISE(dictionary, ReadDictionary(block, &opener_));
    }
    size_t entries = 0;
    for (const Dictionary& dictionary : dictionaries_) entries += dictionary.entries.size();
    // Blocks without text fit with any dictionary.
    const bool is_encoded = type_->id() == arrow::Type::STRING && entries > 0 &&
                            entries <= static_cast<size_t>(rows_) &&
                            std::ranges::none_of(blocks_, [](const BlockColumn& block) {
                              return block.column->head.encoding == Encoding::kText;
                            });
    return is_encoded ? ReadEncoded() : ReadPlain();
  }

 private:
  /// Indices into one dictionary of all entries, each once.
  Result<std::shared_ptr<arrow::Array>> ReadEncoded() {
    ARROW_ASSIGN_OR_RAISE(auto indices, arrow::AllocateBuffer(4 * rows_, pool_));
    auto* out = reinterpret_cast<int32_t*>(indices->mutable_data());
    std::unordered_map<std::string_view, int32_t> by_text;
    std::vector<std::string_view> entries;
    std::vector<int32_t> renumbered;
    for (size_t i = 0; i < blocks_.size(); ++i) {
      const auto count = static_cast<size_t>(blocks_[i].rows);
      RETURN_NOT_OK(ReadIndices(i, out));
      // The first block's entries keep their numbers.
      renumbered.clear();
      for (const std::string_view text : dictionaries_[i].entries) {
        const auto next = static_cast<int32_t>(entries.size());
        if (blocks_.size() == 1) {
          entries.push_back(text);
          continue;
        }
        const auto [found, is_new] = by_text.emplace(text, next);
        if (is_new) entries.push_back(text);
        renumbered.push_back(found->second);
      }
      if (!renumbered.empty()) {
        for (size_t row = 0; row < count; ++row) out[row] = renumbered[out[row]];
      }
      out += count;
    }
    ARROW_ASSIGN_OR_RAISE(auto dictionary, TextOf(entries));
    auto data = arrow::ArrayData::Make(arrow::dictionary(arrow::int32(), type_), rows_,
                                       {validity_, std::move(indices)}, nulls_);
    data->dictionary = dictionary->data();
    return arrow::MakeArray(data);
  }

  Result<std::shared_ptr<arrow::Array>> TextOf(const std::vector<std::string_view>& entries) {
    const auto count = static_cast<int64_t>(entries.size());
    ARROW_ASSIGN_OR_RAISE(auto offsets, arrow::AllocateBuffer(4 * (count + 1), pool_));
    auto* out = reinterpret_cast<int32_t*>(offsets->mutable_data());
    out[0] = 0;
    for (int64_t i = 0; i < count; ++i) {
      out[i + 1] = out[i] + static_cast<int32_t>(entries[i].size());
    }
    ARROW_ASSIGN_OR_RAISE(auto bytes, arrow::AllocateBuffer(out[count], pool_));
    for (int64_t i = 0; i < count; ++i) {
      std::memcpy(bytes->mutable_data() + out[i], entries[i].data(), entries[i].size());
    }
    return arrow::MakeArray(
        arrow::ArrayData::Make(type_, count, {nullptr, std::move(offsets), std::move(bytes)}, 0));
  }

  /// The indices of block `number` into its own dictionary.
  Status ReadIndices(size_t number, int32_t* out) {
    const BlockColumn& block = blocks_[number];
    if (block.column->head.encoding == Encoding::kNulls) {
      std::fill_n(out, block.rows, 0);
      return Status::OK();
    }
    RETURN_NOT_OK(ReadNumbers(block, 1, block.column->head.width, block.rows, &opener_, out));
    return CheckIndices({out, static_cast<size_t>(block.rows)},
                        dictionaries_[number].entries.size());
  }

  Result<std::shared_ptr<arrow::Array>> ReadPlain() {
    ARROW_ASSIGN_OR_RAISE(auto offsets, arrow::AllocateBuffer(4 * (rows_ + 1), pool_));
    auto* ends = reinterpret_cast<int32_t*>(offsets->mutable_data());
    *ends++ = 0;
    // First every row's length, then, with the bytes known, where each ends.
    int64_t bytes = 0;
    int32_t* out = ends;
    for (size_t i = 0; i < blocks_.size(); ++i) {
      ARROW_ASSIGN_OR_RAISE(const int64_t block_bytes, ReadLengths(i, out));
      bytes += block_bytes;
      out += blocks_[i].rows;
    }
    if (bytes > std::numeric_limits<int32_t>::max()) {
      return Status::CapacityError("the strings of a batch take ", bytes, " bytes; at most 2 GB");
    }
    ARROW_ASSIGN_OR_RAISE(auto text, arrow::AllocateBuffer(bytes, pool_));
    uint8_t* next = text->mutable_data();
    out = ends;
    for (size_t i = 0; i < blocks_.size(); ++i) {
      ARROW_ASSIGN_OR_RAISE(next, ReadBytes(i, out, next));
      out += blocks_[i].rows;
    }
    std::partial_sum(ends, ends + rows_, ends);
    return arrow::MakeArray(arrow::ArrayData::Make(
        type_, rows_, {validity_, std::move(offsets), std::move(text)}, nulls_));
  }

  /// The lengths of the block's rows, of an encoded block its indices; returns the bytes of its
  /// text.
  Result<int64_t> ReadLengths(size_t number, int32_t* out) {
    const BlockColumn& block = blocks_[number];
    const auto count = static_cast<size_t>(block.rows);
    if (block.column->head.encoding != Encoding::kText) {
      RETURN_NOT_OK(ReadIndices(number, out));
      const auto& lengths = dictionaries_[number].lengths;
      if (lengths.empty()) return 0;
      int64_t bytes = 0;
      for (size_t row = 0; row < count; ++row) {
        if (IsValid(number, row)) bytes += lengths[static_cast<size_t>(out[row])];
      }
      return bytes;
    }
    RETURN_NOT_OK(ReadNumbers(block, 1, block.column->head.width, block.rows, &opener_, out));
    int64_t bytes = 0;
    for (size_t row = 0; row < count; ++row) bytes += static_cast<uint32_t>(out[row]);
    if (bytes != block.column->buffers[2].raw_bytes) {
      return Status::IOError("the block is damaged: strings of ",
                             block.column->buffers[2].raw_bytes, " bytes, expected ", bytes);
    }
    return bytes;
  }

  /// Copies the block's text to `to` and turns indices into lengths; returns where the text ends.
  Result<uint8_t*> ReadBytes(size_t number, int32_t* out, uint8_t* to) {
    const BlockColumn& block = blocks_[number];
    if (block.column->head.encoding == Encoding::kText) {
      RETURN_NOT_OK(BufferOpener::OpenInto(block, 2, to));
      return to + block.column->buffers[2].raw_bytes;
    }
    const auto& entries = dictionaries_[number].entries;
    for (size_t row = 0; row < static_cast<size_t>(block.rows); ++row) {
      if (entries.empty() || !IsValid(number, row)) {
        out[row] = 0;
        continue;
      }
      const std::string_view text = entries[static_cast<size_t>(out[row])];
      std::memcpy(to, text.data(), text.size());
      to += text.size();
      out[row] = static_cast<int32_t>(text.size());
    }
    return to;
  }

  bool IsValid(size_t number, size_t row) const {
    if (!validity_) return true;
    return arrow::bit_util::GetBit(validity_->data(), begins_[number] + static_cast<int64_t>(row));
  }

  std::shared_ptr<arrow::DataType> type_;
  std::span<const BlockColumn> blocks_;
  int64_t rows_;
  int64_t nulls_;
  std::shared_ptr<arrow::Buffer> validity_;
  BufferOpener opener_;
  arrow::MemoryPool* pool_;
  std::vector<int64_t> begins_;           // each block's first row
  std::vector<Dictionary> dictionaries_;  // of each block; without entries where it has none
};

}  // namespace

Result<std::shared_ptr<arrow::Array>> ReadText(const std::shared_ptr<arrow::DataType>& type,
                                               std::span<const BlockColumn> blocks, int64_t rows,
                                               int64_t nulls,
                                               std::shared_ptr<arrow::Buffer> validity,
                                               arrow::MemoryPool* pool) {
  return TextReader(type, blocks, rows, nulls, std::move(validity), pool).Read();
}

}  // namespace reprise
