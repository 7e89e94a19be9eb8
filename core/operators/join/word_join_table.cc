// A join's table for keys of one or two 64-bit words. The key stands in the slot, so that a probe
// costs one cache miss. A single integer key whose values lie close together needs no hashing: its
// slots are addressed by the value itself.
#include <algorithm>
#include <bit>
#include <limits>

#include "operators/join/join_keys.h"
#include "operators/join/join_table.h"

namespace reprise {

namespace {

constexpr int32_t kPrefetchRows = 16;
// Up to so many slots of 4 bytes a row a direct table takes no more memory than a hashed one.
constexpr uint64_t kDirectSlotsPerRow = 8;
constexpr uint64_t kDirectSlotsMin = 1024;

template <int kWords>
struct Slot {
  uint64_t words[kWords];
  int32_t head;
};

template <int kWords>
class WordJoinTable final : public JoinTable {
 public:
  WordJoinTable(bool one_integer, ChainOrder order, arrow::MemoryPool* pool)
      : JoinTable(order, pool),
        one_integer_(one_integer),
        keys_(pool),
        slots_(pool),
        direct_(pool) {}

  Status Finish() override {
    RETURN_NOT_OK(StartChains());
    RETURN_NOT_OK(ChooseDirect() ? FinishDirect() : FinishHashed());
    EndChains();
    keys_.Release();
    return Status::OK();
  }

  int64_t bytes() const override {
    return JoinTable::bytes() + keys_.bytes() + slots_.bytes() + direct_.bytes();
  }

  int64_t GrowthBytes(int64_t rows, int64_t row_bytes) const override {
    return JoinTable::GrowthBytes(rows, row_bytes) + keys_.GrowthBytes(rows * kWords);
  }

  int64_t FinishBytes() const override {
    const uint64_t direct =
        std::max(kDirectSlotsMin, kDirectSlotsPerRow * static_cast<uint64_t>(row_count()));
    return JoinTable::FinishBytes() +
           static_cast<int64_t>(
               std::max(SlotCount() * sizeof(Slot<kWords>), direct * sizeof(int32_t)));
  }

  Result<bool> Regroup(PoolVector<int32_t>* old_rows) override {
    const auto each_head = [this](auto&& visit) {
      for (int64_t i = 0; i < direct_.size(); ++i) {
        if (direct_[i] != kNone) visit(direct_[i]);
      }
      for (int64_t i = 0; i < slots_.size(); ++i) {
        if (slots_[i].head != kNone) visit(slots_[i].head);
      }
    };
    return RegroupChains(each_head, old_rows);
  }

  Status Find(const JoinKeys& keys, int32_t* heads) const override {
    if (is_direct_) {
      FindDirect(keys, heads);
    } else {
      FindHashed(keys, heads);
    }
    if (keys.has_nulls()) {
      for (int64_t row = 0; row < keys.row_count(); ++row) {
        if (keys.is_null(row)) heads[row] = kNone;
      }
    }
    return Status::OK();
  }

 private:
  Status AddKeys(const JoinKeys& keys) override {
    const int64_t count = keys.row_count() * kWords;
    const int64_t at = keys_.size();
    RETURN_NOT_OK(keys_.ResizeUninitialised(at + count));
    std::copy_n(keys.words(), count, keys_.data() + at);
    return Status::OK();
  }

  // Finds the range of the keys; true where a slot for each of its values is not too much.
  bool ChooseDirect() {
    if (!one_integer_) return false;
    int64_t min = std::numeric_limits<int64_t>::max();
    int64_t max = std::numeric_limits<int64_t>::min();
    for (int32_t row = 0; row < row_count(); ++row) {
      if (IsNull(row)) continue;
      const int64_t value = static_cast<int64_t>(keys_[row]);
      min = std::min(min, value);
      max = std::max(max, value);
    }
    if (min > max) return false;
    direct_min_ = static_cast<uint64_t>(min);
    const uint64_t last = static_cast<uint64_t>(max) - direct_min_;
    is_direct_ =
        last < std::max(kDirectSlotsMin, kDirectSlotsPerRow * static_cast<uint64_t>(row_count()));
    direct_size_ = is_direct_ ? last + 1 : 0;
    return is_direct_;
  }

  Status FinishDirect() {
    RETURN_NOT_OK(direct_.ResizeUninitialised(static_cast<int64_t>(direct_size_)));
    std::fill_n(direct_.data(), direct_size_, kNone);
    for (int32_t i = 0; i < row_count(); ++i) {
      const int32_t row = RowToLink(i);
      if (IsNull(row)) continue;
      int32_t& head = direct_[static_cast<int64_t>(keys_[row] - direct_min_)];
      Link(row, head);
      head = row;
    }
    return Status::OK();
  }

  void FindDirect(const JoinKeys& keys, int32_t* heads) const {
    const uint64_t* words = keys.words();
    const int32_t* direct = direct_.data();
    for (int64_t row = 0; row < keys.row_count(); ++row) {
      const uint64_t at = words[row] - direct_min_;
      heads[row] = at < direct_size_ ? direct[at] : kNone;
    }
  }

  uint64_t SlotCount() const {
    const uint64_t rows = static_cast<uint64_t>(row_count());
    return std::bit_ceil(std::max<uint64_t>(16, rows + rows / 2));
  }

  Status FinishHashed() {
    const uint64_t slot_count = SlotCount();
    shift_ = 64 - std::bit_width(slot_count - 1);
    mask_ = slot_count - 1;
    RETURN_NOT_OK(slots_.ResizeUninitialised(static_cast<int64_t>(slot_count)));
    for (uint64_t i = 0; i < slot_count; ++i) slots_[static_cast<int64_t>(i)].head = kNone;
    for (int32_t i = 0; i < row_count(); ++i) {
      const int32_t row = RowToLink(i);
      if (i + kPrefetchRows < row_count()) Prefetch(KeyOf(RowToLink(i + kPrefetchRows)));
      if (IsNull(row)) continue;
      Slot<kWords>& slot = slots_[static_cast<int64_t>(Locate(KeyOf(row)))];
      Link(row, slot.head);
      std::copy_n(KeyOf(row), kWords, slot.words);
      slot.head = row;
    }
    return Status::OK();
  }

  void FindHashed(const JoinKeys& keys, int32_t* heads) const {
    const uint64_t* words = keys.words();
    const int64_t rows = keys.row_count();
    for (int64_t row = 0; row < rows; ++row) {
      if (row + kPrefetchRows < rows) Prefetch(words + (row + kPrefetchRows) * kWords);
      heads[row] = slots_[static_cast<int64_t>(Locate(words + row * kWords))].head;
    }
  }

  const uint64_t* KeyOf(int64_t row) const { return keys_.data() + row * kWords; }

  uint64_t Home(const uint64_t* words) const {
    uint64_t mixed = words[0];
    if constexpr (kWords == 2) {
      mixed = (mixed ^ (mixed >> 32)) * 0xD6E8FEB86659FD93u + words[1];
    }
    mixed ^= mixed >> 32;
    return (mixed * 0x9E3779B97F4A7C15u) >> shift_;
  }

  void Prefetch(const uint64_t* words) const { __builtin_prefetch(slots_.data() + Home(words)); }

  // The slot with the key, or the free one where it belongs.
  uint64_t Locate(const uint64_t* words) const {
    uint64_t at = Home(words);
    while (true) {
      const Slot<kWords>& slot = slots_[static_cast<int64_t>(at)];
      if (slot.head == kNone || Equal(slot.words, words)) return at;
      at = (at + 1) & mask_;
    }
  }

  static bool Equal(const uint64_t* left, const uint64_t* right) {
    if constexpr (kWords == 1) return left[0] == right[0];
    return ((left[0] ^ right[0]) | (left[kWords - 1] ^ right[kWords - 1])) == 0;
  }

  bool one_integer_;
  PoolVector<uint64_t> keys_;  // of all rows, until Finish
  PoolVector<Slot<kWords>> slots_;
  uint64_t mask_ = 0;
  int shift_ = 0;
  PoolVector<int32_t> direct_;  // first row of each value from direct_min_
  uint64_t direct_min_ = 0;
  uint64_t direct_size_ = 0;
  bool is_direct_ = false;
};

}  // namespace

std::unique_ptr<JoinTable> MakeWordJoinTable(const JoinKeyLayout& layout, ChainOrder order,
                                             arrow::MemoryPool* pool) {
  if (layout.word_count() == 1) {
    return std::make_unique<WordJoinTable<1>>(layout.is_one_integer(), order, pool);
  }
  return std::make_unique<WordJoinTable<2>>(false, order, pool);
}

}  // namespace reprise
