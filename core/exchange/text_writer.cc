// Columns of strings and binary: lengths and bytes, or indices into a dictionary where that is
// smaller.
#include <arrow/util/bit_util.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>
#include <unordered_map>

#include "exchange/column_writer.h"
#include "expressions/values.h"

namespace reprise {

namespace {

using block::ColumnHead;
using block::Encoding;

StringRows TextOf(const arrow::ArrayData& data) {
  return {data.GetValues<int32_t>(1), reinterpret_cast<const char*>(data.GetValues<uint8_t>(2, 0))};
}

bool IsEncoded(const ColumnSlice& slice) {
  return slice.data->type->id() == arrow::Type::DICTIONARY;
}

/// Writes `values` with the narrowest width that holds `most`.
void WriteNarrow(std::span<const uint32_t> values, uint8_t width, uint8_t* out) {
  const auto write = [&]<typename T>(T*) {
    auto* next = reinterpret_cast<T*>(out);
    for (size_t i = 0; i < values.size(); ++i) next[i] = static_cast<T>(values[i]);
  };
  if (width == 1) return write(static_cast<uint8_t*>(nullptr));
  if (width == 2) return write(static_cast<uint16_t*>(nullptr));
  write(static_cast<uint32_t*>(nullptr));
}

class TextWriter final : public ColumnWriter {
 public:
  using ColumnWriter::ColumnWriter;

 private:
  Status WriteValues(std::span<const ColumnSlice> slices, int64_t rows, bool has_nulls,
                     ColumnHead* head, BufferSink* sink) override {
    numbers_.resize(static_cast<size_t>(rows));
    if (std::ranges::all_of(slices, IsEncoded) && MakeDictionary(slices)) {
      return WriteDictionary(head, sink);
    }
    return WriteText(slices, head, sink);
  }

  /// Collects the entries that the rows use, in the order of their first use, and the rows' indices
  /// into them. False where the rows' text alone is smaller.
  bool MakeDictionary(std::span<const ColumnSlice> slices) {
    entries_.clear();
    by_text_.clear();
    entry_bytes_ = 0;
    const bool is_one = std::ranges::all_of(slices, [&](const ColumnSlice& slice) {
      return slice.data->dictionary == slices[0].data->dictionary;
    });
    const arrow::ArrayData* known = nullptr;
    int64_t text_bytes = 0;
    uint32_t* out = numbers_.data();
    for (const ColumnSlice& slice : slices) {
      const arrow::ArrayData& dictionary = *slice.data->dictionary;
      if (known != &dictionary) BeginDictionary(dictionary.length);
      known = &dictionary;
      const StringRows text = TextOf(dictionary);
      const auto* indices = slice.data->GetValues<int32_t>(1, slice.offset());
      const bool has_nulls = slice.has_nulls();
      for (int64_t row = 0; row < slice.count; ++row) {
        if (has_nulls && !slice.is_valid(row)) {
          *out++ = 0;
          continue;
        }
        Used& used = used_[static_cast<size_t>(indices[row])];
        if (used.round != round_) {
          used = {round_, EntryOf(text[indices[row]], is_one)};
          if (entries_.size() > numbers_.size() / 2 + 16) return false;
        }
        text_bytes += static_cast<int64_t>(entries_[used.entry].size()) + 1;
        *out++ = used.entry;
      }
    }
    return entry_bytes_ + static_cast<int64_t>(4 * entries_.size()) +
               WidthOf(entries_.size()) * static_cast<int64_t>(numbers_.size()) <
           text_bytes;
  }

  // What has been written down of another dictionary, or of this one for another block, no longer
  // counts.
  void BeginDictionary(int64_t size) {
    ++round_;
    if (used_.size() < static_cast<size_t>(size)) used_.resize(static_cast<size_t>(size));
  }

  uint32_t EntryOf(std::string_view text, bool is_new) {
    const auto next = static_cast<uint32_t>(entries_.size());
    if (!is_new) {
      const auto [found, inserted] = by_text_.emplace(text, next);
      if (!inserted) return found->second;
    }
    entries_.push_back(text);
    entry_bytes_ += static_cast<int64_t>(text.size());
    return next;
  }

  Status WriteDictionary(ColumnHead* head, BufferSink* sink) {
    head->encoding = Encoding::kDictionary;
    head->width = WidthOf(entries_.size() - 1);
    RETURN_NOT_OK(AddNumbers(head->width, 1, sink));
    uint64_t longest = 0;
    numbers_.resize(entries_.size());
    for (size_t i = 0; i < entries_.size(); ++i) {
      numbers_[i] = static_cast<uint32_t>(entries_[i].size());
      longest = std::max<uint64_t>(longest, entries_[i].size());
    }
    head->dictionary_width = WidthOf(longest);
    RETURN_NOT_OK(AddNumbers(head->dictionary_width, 2, sink));
    ARROW_ASSIGN_OR_RAISE(uint8_t * out, Scratch(entry_bytes_));
    for (const std::string_view entry : entries_) {
      std::memcpy(out, entry.data(), entry.size());
      out += entry.size();
    }
    return sink->Add(Written(entry_bytes_), experience(3));
  }

  Status WriteText(std::span<const ColumnSlice> slices, ColumnHead* head, BufferSink* sink) {
    head->encoding = Encoding::kText;
    uint32_t* out = numbers_.data();
    int64_t bytes = 0;
    for (const ColumnSlice& slice : slices) {
      bytes += IsEncoded(slice) ? EncodedLengths(slice, out) : PlainLengths(slice, out);
      out += slice.count;
    }
    if (bytes > std::numeric_limits<int32_t>::max()) {
      return Status::CapacityError("the strings of a block take ", bytes, " bytes; at most 2 GB");
    }
    head->width = WidthOf(numbers_.empty() ? 0 : *std::ranges::max_element(numbers_));
    RETURN_NOT_OK(AddNumbers(head->width, 1, sink));
    if (slices.size() == 1 && !IsEncoded(slices[0])) {
      return sink->Add(BytesOf(slices[0]), experience(2));
    }
    ARROW_ASSIGN_OR_RAISE(uint8_t * next, Scratch(bytes));
    for (const ColumnSlice& slice : slices) {
      next = IsEncoded(slice) ? CopyEntries(slice, next) : CopyBytes(slice, next);
    }
    return sink->Add(Written(bytes), experience(2));
  }

  static std::span<const uint8_t> BytesOf(const ColumnSlice& slice) {
    const auto* offsets = slice.data->GetValues<int32_t>(1, slice.offset());
    return {slice.data->GetValues<uint8_t>(2, 0) + offsets[0],
            static_cast<size_t>(offsets[slice.count] - offsets[0])};
  }

  static uint8_t* CopyBytes(const ColumnSlice& slice, uint8_t* out) {
    const auto bytes = BytesOf(slice);
    if (!bytes.empty()) std::memcpy(out, bytes.data(), bytes.size());
    return out + bytes.size();
  }

  static uint8_t* CopyEntries(const ColumnSlice& slice, uint8_t* out) {
    const StringRows text = TextOf(*slice.data->dictionary);
    const auto* indices = slice.data->GetValues<int32_t>(1, slice.offset());
    const bool has_nulls = slice.has_nulls();
    for (int64_t row = 0; row < slice.count; ++row) {
      if (has_nulls && !slice.is_valid(row)) continue;
      const std::string_view value = text[indices[row]];
      std::memcpy(out, value.data(), value.size());
      out += value.size();
    }
    return out;
  }

  static int64_t PlainLengths(const ColumnSlice& slice, uint32_t* out) {
    const auto* offsets = slice.data->GetValues<int32_t>(1, slice.offset());
    for (int64_t row = 0; row < slice.count; ++row) {
      out[row] = static_cast<uint32_t>(offsets[row + 1] - offsets[row]);
    }
    return offsets[slice.count] - offsets[0];
  }

  static int64_t EncodedLengths(const ColumnSlice& slice, uint32_t* out) {
    const auto* offsets = slice.data->dictionary->GetValues<int32_t>(1);
    const auto* indices = slice.data->GetValues<int32_t>(1, slice.offset());
    const bool has_nulls = slice.has_nulls();
    int64_t bytes = 0;
    for (int64_t row = 0; row < slice.count; ++row) {
      const bool is_null = has_nulls && !slice.is_valid(row);
      out[row] =
          is_null ? 0 : static_cast<uint32_t>(offsets[indices[row] + 1] - offsets[indices[row]]);
      bytes += out[row];
    }
    return bytes;
  }

  Status AddNumbers(uint8_t width, int buffer, BufferSink* sink) {
    const auto bytes = static_cast<int64_t>(numbers_.size()) * width;
    ARROW_ASSIGN_OR_RAISE(uint8_t * out, Scratch(bytes));
    WriteNarrow(numbers_, width, out);
    return sink->Add(Written(bytes), experience(buffer));
  }

  // What is known of an entry of the dictionary being read, if it was written down in this round.
  struct Used {
    uint64_t round = 0;
    uint32_t entry = 0;
  };

  std::vector<uint32_t> numbers_;  // the rows' lengths or indices
  std::vector<std::string_view> entries_;
  std::unordered_map<std::string_view, uint32_t> by_text_;  // only over several dictionaries
  int64_t entry_bytes_ = 0;
  std::vector<Used> used_;
  uint64_t round_ = 0;
};

}  // namespace

std::unique_ptr<ColumnWriter> MakeTextWriter(arrow::MemoryPool* pool) {
  return std::make_unique<TextWriter>(pool);
}

}  // namespace reprise
