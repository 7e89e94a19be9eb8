// Groups by keys of fixed width. The keys of a row are packed side by side into 64-bit words, and
// one bit a key says null: int, date and boolean together are two words. Words are hashed and
// compared as a whole.
#include <algorithm>
#include <numeric>

#include "operators/aggregate/group_slots.h"
#include "operators/aggregate/group_table.h"
#include "operators/fixed_values.h"

namespace reprise {

namespace {

struct Place {
  int word = 0;
  int shift = 0;
};

struct PackedKey {
  DataType type;
  Place value;
  Place null_bit;
};

int BitWidth(const DataType& type) {
  if (type.is(TypeKind::kNull)) return 0;
  return VisitFixedType(type, [](auto zero) {
    return std::is_same_v<decltype(zero), bool> ? 1 : static_cast<int>(8 * sizeof(zero));
  });
}

// Where each key's bits lie: widest first, each into the first word that has room.
class Layout {
 public:
  explicit Layout(const std::vector<DataType>& types) {
    std::vector<size_t> widest_first(types.size());
    std::iota(widest_first.begin(), widest_first.end(), 0);
    std::ranges::stable_sort(widest_first, std::greater<>(),
                             [&](size_t key) { return BitWidth(types[key]); });
    keys_.resize(types.size());
    for (size_t key : widest_first) {
      keys_[key].type = types[key];
      keys_[key].value = Take(BitWidth(types[key]));
    }
    for (size_t key : widest_first) {
      // A key of type void is always null: nothing to tell apart.
      if (!types[key].is(TypeKind::kNull)) keys_[key].null_bit = Take(1);
    }
    if (used_bits_.empty()) used_bits_.push_back(0);
  }

  const std::vector<PackedKey>& keys() const { return keys_; }
  int word_count() const { return static_cast<int>(used_bits_.size()); }

 private:
  Place Take(int bits) {
    if (bits == 128) {  // two whole words of its own
      used_bits_.insert(used_bits_.end(), {64, 64});
      return {word_count() - 2, 0};
    }
    for (int word = 0; word < word_count(); ++word) {
      if (used_bits_[word] + bits <= 64) {
        const Place place{word, used_bits_[word]};
        used_bits_[word] += bits;
        return place;
      }
    }
    used_bits_.push_back(bits);
    return {word_count() - 1, 0};
  }

  std::vector<PackedKey> keys_;
  std::vector<int> used_bits_;
};

template <typename T>
T FromBits(uint64_t bits) {
  if constexpr (std::is_same_v<T, bool>) {
    return (bits & 1) != 0;
  } else {
    T value;
    std::memcpy(&value, &bits, sizeof(T));
    return value;
  }
}

template <typename T>
T ValueAt(const uint64_t* words, const PackedKey& key) {
  const uint64_t* word = words + key.value.word;
  if constexpr (std::is_same_v<T, Int128>) {
    return static_cast<Int128>((static_cast<UInt128>(word[1]) << 64) | word[0]);
  } else {
    return FromBits<T>(*word >> key.value.shift);
  }
}

// Adds one key's bits to the words of all rows.
template <typename T>
void PackColumn(const arrow::Array& column, const PackedKey& key, int word_count, uint64_t* words) {
  const FixedValues<T> values(column);
  const Validity valid(column);
  const int64_t rows = column.length();
  for (int64_t row = 0; row < rows; ++row) {
    uint64_t* row_words = words + row * word_count;
    if (!valid[row]) {
      row_words[key.null_bit.word] |= uint64_t{1} << key.null_bit.shift;
      continue;
    }
    uint64_t* word = row_words + key.value.word;
    if constexpr (std::is_same_v<T, Int128>) {
      const UInt128 bits = static_cast<UInt128>(values[row]);
      word[0] = static_cast<uint64_t>(bits);
      word[1] = static_cast<uint64_t>(bits >> 64);
    } else {
      *word |= BitsOf(values[row]) << key.value.shift;
    }
  }
}

// kWords > 0: that many words a key, known to the compiler; 0: as many as the layout has.
template <int kWords>
class PackedKeyTable final : public GroupTable {
 public:
  PackedKeyTable(Layout layout, arrow::MemoryPool* pool)
      : layout_(std::move(layout)), slots_(pool), keys_(pool), batch_words_(pool), hashes_(pool) {}

  Status Map(const arrow::ArrayVector& keys, int64_t row_count, int32_t* groups) override {
    RETURN_NOT_OK(batch_words_.Resize(0));  // so that all words are zeroed
    RETURN_NOT_OK(batch_words_.Resize(row_count * word_count()));
    RETURN_NOT_OK(hashes_.ResizeUninitialised(row_count));
    for (size_t i = 0; i < keys.size(); ++i) {
      const PackedKey& key = layout_.keys()[i];
      if (key.type.is(TypeKind::kNull)) continue;
      VisitFixedType(key.type, [&](auto zero) {
        PackColumn<decltype(zero)>(*keys[i], key, word_count(), batch_words_.data());
      });
    }
    const uint64_t* words = batch_words_.data();
    for (int64_t row = 0; row < row_count; ++row) {
      hashes_[row] = Hash(words + row * word_count());
    }
    return slots_.Map(
        hashes_.data(), row_count, groups,
        [&](int32_t group, int64_t row) {
          return Equal(keys_.data() + int64_t{group} * word_count(), words + row * word_count());
        },
        [&](int64_t row) { return Append(words + row * word_count()); });
  }

  int32_t group_count() const override { return slots_.group_count(); }

  Result<arrow::ArrayVector> Keys(int32_t begin, int32_t end,
                                  arrow::MemoryPool* pool) const override {
    arrow::ArrayVector columns;
    for (const PackedKey& key : layout_.keys()) {
      ARROW_ASSIGN_OR_RAISE(auto column, KeyColumn(key, begin, end, pool));
      columns.push_back(std::move(column));
    }
    return columns;
  }

  uint32_t HashOf(int32_t group) const override {
    return Hash(keys_.data() + int64_t{group} * word_count());
  }

 private:
  int word_count() const { return kWords > 0 ? kWords : layout_.word_count(); }

  uint32_t Hash(const uint64_t* words) const {
    uint64_t hash = 0;
    for (int word = 0; word < word_count(); ++word) {
      hash = (hash ^ words[word]) * 0x9E3779B97F4A7C15u;
      hash ^= hash >> 32;
    }
    hash *= 0xD6E8FEB86659FD93u;
    return static_cast<uint32_t>(hash >> 32);
  }

  bool Equal(const uint64_t* left, const uint64_t* right) const {
    for (int word = 0; word < word_count(); ++word) {
      if (left[word] != right[word]) return false;
    }
    return true;
  }

  Status Append(const uint64_t* words) {
    const int64_t at = keys_.size();
    RETURN_NOT_OK(keys_.ResizeUninitialised(at + word_count()));
    std::memcpy(keys_.data() + at, words, word_count() * sizeof(uint64_t));
    return Status::OK();
  }

  Result<std::shared_ptr<arrow::Array>> KeyColumn(const PackedKey& key, int32_t begin, int32_t end,
                                                  arrow::MemoryPool* pool) const {
    if (key.type.is(TypeKind::kNull))
      return arrow::MakeArrayOfNull(arrow::null(), end - begin, pool);
    const uint64_t* words = keys_.data() + int64_t{begin} * word_count();
    const auto valid = [&](int64_t i) {
      return ((words[i * word_count() + key.null_bit.word] >> key.null_bit.shift) & 1) == 0;
    };
    return VisitFixedType(key.type, [&](auto zero) {
      using T = decltype(zero);
      return MakeFixedColumn<T>(key.type, end - begin, pool, valid, [&](int64_t i) {
        return ValueAt<T>(words + i * word_count(), key);
      });
    });
  }

  Layout layout_;
  GroupSlots slots_;
  PoolVector<uint64_t> keys_;         // word_count() words a group
  PoolVector<uint64_t> batch_words_;  // the same for the rows of the batch at hand
  PoolVector<uint32_t> hashes_;
};

}  // namespace

std::unique_ptr<GroupTable> MakePackedKeyTable(const std::vector<DataType>& key_types,
                                               arrow::MemoryPool* pool) {
  Layout layout(key_types);
  switch (layout.word_count()) {
    case 1:
      return std::make_unique<PackedKeyTable<1>>(std::move(layout), pool);
    case 2:
      return std::make_unique<PackedKeyTable<2>>(std::move(layout), pool);
    default:
      return std::make_unique<PackedKeyTable<0>>(std::move(layout), pool);
  }
}

}  // namespace reprise
