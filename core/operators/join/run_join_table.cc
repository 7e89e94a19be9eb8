// A join's table for keys that are runs of bytes: strings, and keys too many or too wide for words.
// The hash stands in the slot; the bytes are compared only where all its 32 bits agree.
#include <xxhash.h>

#include <algorithm>
#include <bit>

#include "operators/join/join_keys.h"
#include "operators/join/join_table.h"

namespace reprise {

namespace {

constexpr int64_t kRowsAhead = 16;

class RunJoinTable final : public JoinTable {
 public:
  RunJoinTable(ChainOrder order, arrow::MemoryPool* pool)
      : JoinTable(order, pool), bytes_(pool), ends_(pool), slots_(pool) {}

  Status Finish() override {
    RETURN_NOT_OK(StartChains());
    const uint64_t slot_count = SlotCount();
    mask_ = slot_count - 1;
    RETURN_NOT_OK(slots_.ResizeUninitialised(static_cast<int64_t>(slot_count)));
    for (uint64_t i = 0; i < slot_count; ++i) slots_[static_cast<int64_t>(i)].head = kNone;
    for (int32_t i = 0; i < row_count(); ++i) {
      const int32_t row = RowToLink(i);
      if (IsNull(row)) continue;
      const std::string_view run = RunOf(row);
      const uint64_t hash = XXH3_64bits(run.data(), run.size());
      Slot& slot = slots_[static_cast<int64_t>(Locate(hash, run))];
      Link(row, slot.head);
      slot = {static_cast<uint32_t>(hash >> 32), row};
    }
    EndChains();
    return Status::OK();
  }

  int64_t bytes() const override {
    return JoinTable::bytes() + bytes_.bytes() + ends_.bytes() + slots_.bytes();
  }

  int64_t GrowthBytes(int64_t rows, int64_t row_bytes) const override {
    return JoinTable::GrowthBytes(rows, row_bytes) + ends_.GrowthBytes(rows) +
           bytes_.GrowthBytes(row_bytes);
  }

  int64_t FinishBytes() const override {
    return JoinTable::FinishBytes() + static_cast<int64_t>(SlotCount() * sizeof(Slot));
  }

  Status Find(const JoinKeys& keys, int32_t* heads) const override {
    const int64_t rows = keys.row_count();
    uint64_t hashes[kRowsAhead];  // of the rows ahead, in a ring
    const auto look_ahead = [&](int64_t row) {
      const std::string_view run = keys.run(row);
      const uint64_t hash = XXH3_64bits(run.data(), run.size());
      hashes[row % kRowsAhead] = hash;
      __builtin_prefetch(slots_.data() + (hash & mask_));
    };
    for (int64_t row = 0; row < std::min(rows, kRowsAhead); ++row) look_ahead(row);
    for (int64_t row = 0; row < rows; ++row) {
      const uint64_t hash = hashes[row % kRowsAhead];
      heads[row] = keys.is_null(row)
                       ? kNone
                       : slots_[static_cast<int64_t>(Locate(hash, keys.run(row)))].head;
      if (row + kRowsAhead < rows) look_ahead(row + kRowsAhead);
    }
    return Status::OK();
  }

 private:
  struct Slot {
    uint32_t hash;  // the upper half; the lower one chooses the slot
    int32_t head;
  };

  uint64_t SlotCount() const {
    const uint64_t rows = static_cast<uint64_t>(row_count());
    return std::bit_ceil(std::max<uint64_t>(16, rows + rows / 2));
  }

  Status AddKeys(const JoinKeys& keys) override {
    const int64_t first = ends_.size();
    int64_t end = bytes_.size();
    RETURN_NOT_OK(ends_.ResizeUninitialised(first + keys.row_count()));
    for (int64_t row = 0; row < keys.row_count(); ++row) {
      if (!keys.is_null(row)) end += static_cast<int64_t>(keys.run(row).size());
      ends_[first + row] = end;
    }
    RETURN_NOT_OK(bytes_.ResizeUninitialised(end));
    for (int64_t row = 0; row < keys.row_count(); ++row) {
      const std::string_view run = keys.run(row);
      if (keys.is_null(row) || run.empty()) continue;
      std::copy_n(run.data(), run.size(),
                  bytes_.data() + ends_[first + row] - static_cast<int64_t>(run.size()));
    }
    return Status::OK();
  }

  std::string_view RunOf(int32_t row) const {
    const int64_t begin = row == 0 ? 0 : ends_[row - 1];
    return {bytes_.data() + begin, static_cast<size_t>(ends_[row] - begin)};
  }

  // The slot with the run, or the free one where it belongs.
  uint64_t Locate(uint64_t hash, std::string_view run) const {
    const uint32_t upper = static_cast<uint32_t>(hash >> 32);
    uint64_t at = hash & mask_;
    while (true) {
      const Slot& slot = slots_[static_cast<int64_t>(at)];
      if (slot.head == kNone || (slot.hash == upper && RunOf(slot.head) == run)) return at;
      at = (at + 1) & mask_;
    }
  }

  PoolVector<char> bytes_;    // the runs of all rows, one after the other
  PoolVector<int64_t> ends_;  // where each ends
  PoolVector<Slot> slots_;
  uint64_t mask_ = 0;
};

}  // namespace

std::unique_ptr<JoinTable> MakeRunJoinTable(ChainOrder order, arrow::MemoryPool* pool) {
  return std::make_unique<RunJoinTable>(order, pool);
}

}  // namespace reprise
