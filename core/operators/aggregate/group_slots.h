// The open-addressing table that group tables share: slots of (hash, group number).
#pragma once

#include <limits>

#include "operators/pool_vector.h"

namespace reprise {

/// Finds the group of a hash. The keys themselves live with the caller, who compares them; the hash
/// stands in the slot, so that a key is compared only where all 32 bits of its hash agree. Linear
/// probing, at most half full.
class GroupSlots {
 public:
  explicit GroupSlots(arrow::MemoryPool* pool) : slots_(pool) {}

  int32_t group_count() const { return group_count_; }

  /// Sets groups[i] for each of `row_count` rows. `equal(group, row)` compares a row's key with a
  /// group's; `insert(row)` stores the row's key as that of the next group.
  template <typename Equal, typename Insert>
  Status Map(const uint32_t* hashes, int64_t row_count, int32_t* groups, Equal&& equal,
             Insert&& insert) {
    if (slots_.size() == 0) RETURN_NOT_OK(Rehash(kSlotsMin));
    for (int64_t row = 0; row < row_count; ++row) {
      if (row + kPrefetchRows < row_count) {
        __builtin_prefetch(&slots_[hashes[row + kPrefetchRows] & mask_]);
      }
      const uint32_t hash = hashes[row];
      uint64_t at = hash & mask_;
      while (true) {
        const Slot slot = slots_[at];
        if (slot.group_end == 0) {
          RETURN_NOT_OK(insert(row));
          groups[row] = group_count_;
          RETURN_NOT_OK(Occupy(at, hash));
          break;
        }
        if (slot.hash == hash && equal(slot.group_end - 1, row)) {
          groups[row] = slot.group_end - 1;
          break;
        }
        at = (at + 1) & mask_;
      }
    }
    return Status::OK();
  }

 private:
  struct Slot {
    uint32_t hash;
    int32_t group_end;  // group number + 1; 0: free
  };
  static constexpr int64_t kSlotsMin = 256;
  static constexpr int64_t kPrefetchRows = 16;

  Status Occupy(uint64_t at, uint32_t hash) {
    if (group_count_ == std::numeric_limits<int32_t>::max() - 1) {
      return Status::CapacityError("more than ", group_count_, " groups in one partition");
    }
    slots_[at] = {hash, ++group_count_};
    if (2 * static_cast<int64_t>(group_count_) > slots_.size()) return Rehash(2 * slots_.size());
    return Status::OK();
  }

  Status Rehash(int64_t slot_count) {
    PoolVector<Slot> old = std::move(slots_);
    RETURN_NOT_OK(slots_.Resize(slot_count));
    mask_ = static_cast<uint64_t>(slot_count) - 1;
    for (int64_t i = 0; i < old.size(); ++i) {
      if (old[i].group_end == 0) continue;
      uint64_t at = old[i].hash & mask_;
      while (slots_[at].group_end != 0) at = (at + 1) & mask_;
      slots_[at] = old[i];
    }
    return Status::OK();
  }

  PoolVector<Slot> slots_;
  uint64_t mask_ = 0;
  int32_t group_count_ = 0;
};

}  // namespace reprise
