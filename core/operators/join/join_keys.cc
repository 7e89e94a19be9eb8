// Packs keys of fixed width into words, widest first; others into runs:
//   fixed-width values | uint32 length of each string | the strings' bytes
// A single string or binary key is its own run, without a copy.
#include "operators/join/join_keys.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "operators/bytes_values.h"
#include "operators/fixed_values.h"

namespace reprise {

namespace {

using Length = uint32_t;

int FixedBitWidth(const DataType& type) {
  return VisitFixedType(type, [](auto zero) {
    return std::is_same_v<decltype(zero), bool> ? 1 : static_cast<int>(8 * sizeof(zero));
  });
}

template <typename T>
T Normalised(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (value != value) return std::numeric_limits<T>::quiet_NaN();
    return value == 0 ? T{0} : value;
  } else {
    return value;
  }
}

template <typename T>
void PackOnly(const arrow::Array& column, int64_t rows, uint64_t* words) {
  const FixedValues<T> values(column);
  for (int64_t row = 0; row < rows; ++row) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      words[row] = static_cast<uint64_t>(static_cast<int64_t>(values[row]));
    } else {
      words[row] = BitsOf(Normalised(values[row]));
    }
  }
}

template <typename T>
void PackOneOfMany(const arrow::Array& column, const JoinKeyLayout::Key& key, int word_count,
                   int64_t rows, uint64_t* words) {
  const FixedValues<T> values(column);
  for (int64_t row = 0; row < rows; ++row) {
    uint64_t* word = words + row * word_count + key.word;
    if constexpr (std::is_same_v<T, Int128>) {
      const UInt128 bits = static_cast<UInt128>(values[row]);
      word[0] = static_cast<uint64_t>(bits);
      word[1] = static_cast<uint64_t>(bits >> 64);
    } else {
      *word |= BitsOf(Normalised(values[row])) << key.shift;
    }
  }
}

}  // namespace

JoinKeyLayout::JoinKeyLayout(const std::vector<DataType>& types) {
  for (const DataType& type : types) {
    const DataType stored = StoredType(type);
    keys_.push_back({stored, 0, 0, 0, !IsFixedType(stored)});
  }
  if (PackIntoWords()) return;
  word_count_ = 0;
  for (Key& key : keys_) {
    key.offset = header_size_;
    header_size_ += key.is_bytes ? static_cast<int64_t>(sizeof(Length))
                                 : VisitFixedType(key.type, [](auto zero) {
                                     return static_cast<int64_t>(sizeof(zero));
                                   });
  }
}

bool JoinKeyLayout::PackIntoWords() {
  if (keys_.empty() || std::ranges::any_of(keys_, &Key::is_bytes)) return false;
  std::vector<Key*> widest_first;
  for (Key& key : keys_) widest_first.push_back(&key);
  std::ranges::stable_sort(widest_first, std::greater<>(),
                           [](const Key* key) { return FixedBitWidth(key->type); });
  int used[2] = {0, 0};
  for (Key* key : widest_first) {
    const int bits = FixedBitWidth(key->type);
    if (bits == 128) {
      if (keys_.size() > 1) return false;
      used[0] = used[1] = 64;
      continue;
    }
    key->word = used[0] + bits <= 64 ? 0 : 1;
    key->shift = used[key->word];
    used[key->word] += bits;
    if (used[key->word] > 64) return false;
  }
  word_count_ = used[1] > 0 ? 2 : 1;
  const DataType& first = keys_[0].type;
  is_one_integer_ = keys_.size() == 1 && word_count_ == 1 && !first.is_floating();
  return true;
}

JoinKeys::JoinKeys(const JoinKeyLayout* layout, arrow::MemoryPool* pool)
    : layout_(layout), nulls_(pool), words_(pool), runs_(pool), bytes_(pool), cursors_(pool) {}

Status JoinKeys::Encode(const arrow::ArrayVector& keys, int64_t row_count) {
  row_count_ = row_count;
  RETURN_NOT_OK(NoteNulls(keys));
  return layout_->word_count() > 0 ? EncodeWords(keys) : EncodeRuns(keys);
}

Status JoinKeys::EncodeNulls(const arrow::ArrayVector& keys) {
  row_count_ = keys[0]->length();
  return NoteNulls(keys);
}

Status JoinKeys::NoteNulls(const arrow::ArrayVector& keys) {
  has_nulls_ = std::ranges::any_of(keys, [](const auto& key) { return key->null_count() > 0; });
  if (!has_nulls_) return Status::OK();
  RETURN_NOT_OK(nulls_.ResizeUninitialised(row_count_));
  std::fill_n(nulls_.data(), row_count_, 0);
  for (const auto& key : keys) NoteNulls(*key);
  return Status::OK();
}

void JoinKeys::NoteNulls(const arrow::Array& column) {
  const Validity valid(column);
  if (valid.all()) return;
  for (int64_t row = 0; row < row_count_; ++row) {
    nulls_[row] = static_cast<uint8_t>(nulls_[row] | !valid[row]);
  }
}

Status JoinKeys::EncodeWords(const arrow::ArrayVector& keys) {
  const int word_count = layout_->word_count();
  RETURN_NOT_OK(words_.ResizeUninitialised(row_count_ * word_count));
  if (keys.size() == 1 && word_count == 1) {
    VisitFixedType(layout_->keys()[0].type, [&](auto zero) {
      using T = decltype(zero);
      if constexpr (!std::is_same_v<T, Int128>) PackOnly<T>(*keys[0], row_count_, words_.data());
    });
    return Status::OK();
  }
  std::fill_n(words_.data(), words_.size(), 0);
  for (size_t i = 0; i < keys.size(); ++i) {
    const JoinKeyLayout::Key& key = layout_->keys()[i];
    VisitFixedType(key.type, [&](auto zero) {
      PackOneOfMany<decltype(zero)>(*keys[i], key, word_count, row_count_, words_.data());
    });
  }
  return Status::OK();
}

Status JoinKeys::EncodeRuns(const arrow::ArrayVector& keys) {
  RETURN_NOT_OK(runs_.ResizeUninitialised(row_count_));
  if (keys.size() == 1 && layout_->keys()[0].is_bytes) {
    const BytesValues values(*keys[0]);
    for (int64_t row = 0; row < row_count_; ++row) {
      runs_[row] = is_null(row) ? std::string_view() : values[row];
    }
    return Status::OK();
  }
  RETURN_NOT_OK(cursors_.ResizeUninitialised(row_count_));
  std::fill_n(cursors_.data(), row_count_, layout_->header_size());
  for (size_t i = 0; i < keys.size(); ++i) {
    if (!layout_->keys()[i].is_bytes) continue;
    const BytesValues values(*keys[i]);
    for (int64_t row = 0; row < row_count_; ++row) {
      if (!is_null(row)) cursors_[row] += static_cast<int64_t>(values[row].size());
    }
  }
  RETURN_NOT_OK(bytes_.ResizeUninitialised(
      std::accumulate(cursors_.data(), cursors_.data() + row_count_, int64_t{0})));
  WriteRuns(keys, bytes_.data());
  return Status::OK();
}

// Turns the lengths in cursors_ into runs and writes them.
void JoinKeys::WriteRuns(const arrow::ArrayVector& keys, char* bytes) {
  int64_t begin = 0;
  for (int64_t row = 0; row < row_count_; ++row) {
    const int64_t length = cursors_[row];
    runs_[row] = {bytes + begin, static_cast<size_t>(length)};
    cursors_[row] = begin + layout_->header_size();
    begin += length;
  }
  for (size_t i = 0; i < keys.size(); ++i) {
    const JoinKeyLayout::Key& key = layout_->keys()[i];
    const auto header = [&](int64_t row) { return const_cast<char*>(runs_[row].data()); };
    if (!key.is_bytes) {
      VisitFixedType(key.type, [&](auto zero) {
        using T = decltype(zero);
        const FixedValues<T> values(*keys[i]);
        for (int64_t row = 0; row < row_count_; ++row) {
          const T value = Normalised(values[row]);
          std::memcpy(header(row) + key.offset, &value, sizeof(T));
        }
      });
      continue;
    }
    const BytesValues values(*keys[i]);
    for (int64_t row = 0; row < row_count_; ++row) {
      if (is_null(row)) continue;
      const std::string_view value = values[row];
      const Length length = static_cast<Length>(value.size());
      std::memcpy(header(row) + key.offset, &length, sizeof(length));
      std::memcpy(bytes + cursors_[row], value.data(), value.size());
      cursors_[row] += length;
    }
  }
}

}  // namespace reprise
