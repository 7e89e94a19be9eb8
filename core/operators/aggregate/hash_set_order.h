// The order in which Scala's mutable.HashSet gives its elements: what collect_set's arrays are in.
//
// Its table has a power of two of buckets; a bucket's elements stand in the order of their hashes,
// equal ones as they came. So the order follows from the elements and the number of buckets, which
// grows with the set and never shrinks.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "base/status.h"
#include "expressions/murmur3_hash.h"
#include "expressions/saturated.h"
#include "operators/fixed_values.h"
#include "operators/pool_vector.h"

namespace reprise {

/// Whether the hash of values of this form is known here: not of decimals with more than 18 digits.
template <typename Value>
constexpr bool HasSetOrder() {
  return !std::is_same_v<Value, Int128>;
}

namespace scala {

inline int32_t Folded(uint64_t bits) { return static_cast<int32_t>(bits ^ (bits >> 32)); }

inline int32_t HashOfLong(int64_t value) {
  if (static_cast<int32_t>(value) == value) return static_cast<int32_t>(value);
  return Folded(static_cast<uint64_t>(value));
}

/// scala.runtime.Statics.doubleHash and floatHash.
inline int32_t HashOfDouble(double value) {
  const auto as_int = Saturated<int32_t>(value);
  if (as_int == value) return as_int;
  const auto as_long = Saturated<int64_t>(value);
  if (static_cast<double>(as_long) == value) return Folded(static_cast<uint64_t>(as_long));
  const auto as_float = static_cast<float>(value);
  if (as_float == value) return static_cast<int32_t>(BitsOf(as_float));
  return value != value ? Folded(0x7ff8000000000000ull) : Folded(BitsOf(value));
}

inline int32_t HashOfFloat(float value) {
  const auto as_int = Saturated<int32_t>(value);
  if (static_cast<float>(as_int) == value) return as_int;
  const auto as_long = Saturated<int64_t>(value);
  if (static_cast<float>(as_long) == value) return Folded(static_cast<uint64_t>(as_long));
  return value != value ? 0x7fc00000 : static_cast<int32_t>(BitsOf(value));
}

}  // namespace scala

/// The hash of a value in Spark's internal form, boxed: Scala's `##`.
inline int32_t ScalaHash(std::string_view value) { return Murmur3OfBytes(value, kMurmur3Seed); }
inline int32_t ScalaHash(double value) { return scala::HashOfDouble(value); }
inline int32_t ScalaHash(float value) { return scala::HashOfFloat(value); }
inline int32_t ScalaHash(bool value) { return value ? 1231 : 1237; }
inline int32_t ScalaHash(int64_t value) { return scala::HashOfLong(value); }
inline int32_t ScalaHash(int32_t value) { return value; }
inline int32_t ScalaHash(int16_t value) { return value; }
inline int32_t ScalaHash(int8_t value) { return value; }

/// A set a group. The elements are with the caller, numbered in the order in which they were added.
class HashSetOrder {
 public:
  explicit HashSetOrder(arrow::MemoryPool* pool)
      : pool_(pool), sets_(pool), hashes_(pool), slots_(pool) {}

  Status Grow(int32_t group_count) { return sets_.Resize(group_count); }

  /// Before HashSet.add.
  void MakeRoom(int32_t group) {
    Set& set = sets_[group];
    const int32_t buckets = BucketsOf(set);
    // Its load factor is 0.75.
    if (set.size + 1 >= buckets / 4 * 3) set.buckets = buckets * 2;
  }

  /// Before HashSet.addAll of a set of `count` elements.
  void MakeRoomFor(int32_t group, int64_t count) {
    Set& set = sets_[group];
    const auto wanted = static_cast<uint64_t>(static_cast<double>(count + 1) / 0.75);
    set.buckets = std::max(BucketsOf(set),
                           static_cast<int32_t>(std::bit_ceil(std::max<uint64_t>(4, wanted))));
  }

  /// Adds the next element, unless `is_equal` holds for one of the group's before; whether it was
  /// added. `is_equal(element)` compares with an element of any group.
  template <typename IsEqual>
  Result<bool> Add(int32_t group, int32_t scala_hash, IsEqual&& is_equal) {
    const auto raw = static_cast<uint32_t>(scala_hash);
    const auto hash = static_cast<int32_t>(raw ^ (raw >> 16));  // HashSet.improveHash
    if (2 * (hashes_.size() + 1) > slots_.size()) RETURN_NOT_OK(Rehash());
    const auto mask = static_cast<uint64_t>(slots_.size() - 1);
    uint64_t at = SlotOf(group, hash) & mask;
    for (; slots_[static_cast<int64_t>(at)].end != 0; at = (at + 1) & mask) {
      const Slot& slot = slots_[static_cast<int64_t>(at)];
      if (hashes_[slot.end - 1] == hash && is_equal(slot.end - 1)) return false;
    }
    RETURN_NOT_OK(hashes_.ResizeUninitialised(hashes_.size() + 1));
    hashes_[hashes_.size() - 1] = hash;
    slots_[static_cast<int64_t>(at)] = {static_cast<int32_t>(hashes_.size()), group};
    ++sets_[group].size;
    return true;
  }

  /// Puts a group's elements, which stand as they were added, in the set's order.
  void Sort(int32_t group, std::span<int32_t> elements) const {
    const auto mask = static_cast<uint32_t>(BucketsOf(sets_[group]) - 1);
    std::ranges::stable_sort(elements, [&](int32_t left, int32_t right) {
      const uint32_t left_bucket = static_cast<uint32_t>(hashes_[left]) & mask;
      const uint32_t right_bucket = static_cast<uint32_t>(hashes_[right]) & mask;
      if (left_bucket != right_bucket) return left_bucket < right_bucket;
      return hashes_[left] < hashes_[right];
    });
  }

 private:
  struct Set {
    int32_t size;
    int32_t buckets;  // 0: as many as a new one has
  };
  struct Slot {
    int32_t end;  // the element's number + 1; 0: free
    int32_t group;
  };
  static constexpr int32_t kBucketsMin = 16;
  static constexpr int64_t kSlotsMin = 64;

  static int32_t BucketsOf(const Set& set) { return std::max(set.buckets, kBucketsMin); }

  static uint64_t SlotOf(int32_t group, int32_t hash) {
    const uint64_t both =
        static_cast<uint64_t>(static_cast<uint32_t>(group)) << 32 | static_cast<uint32_t>(hash);
    const uint64_t mixed = both * 0x9e3779b97f4a7c15ull;
    return mixed ^ (mixed >> 32);
  }

  Status Rehash() {
    PoolVector<Slot> wider(pool_);
    RETURN_NOT_OK(wider.Resize(std::max(kSlotsMin, 2 * slots_.size())));
    const auto mask = static_cast<uint64_t>(wider.size() - 1);
    for (int64_t i = 0; i < slots_.size(); ++i) {
      const Slot& slot = slots_[i];
      if (slot.end == 0) continue;
      uint64_t at = SlotOf(slot.group, hashes_[slot.end - 1]) & mask;
      while (wider[static_cast<int64_t>(at)].end != 0) at = (at + 1) & mask;
      wider[static_cast<int64_t>(at)] = slot;
    }
    slots_ = std::move(wider);
    return Status::OK();
  }

  arrow::MemoryPool* pool_;
  PoolVector<Set> sets_;
  PoolVector<int32_t> hashes_;  // of each element
  PoolVector<Slot> slots_;      // of elements, by group and hash; at most half full
};

}  // namespace reprise
