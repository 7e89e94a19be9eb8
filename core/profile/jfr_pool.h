// The constants of one type in a JFR chunk: where each entry's value stands.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace reprise {

/// Bytes of a chunk.
struct JfrRange {
  size_t begin = 0;
  size_t end = 0;
};

/// Entries by their numbers. Writers number them in a row, or leave out some of a row, so that one
/// is mostly found at the first look.
class JfrPool {
 public:
  struct Entry {
    uint64_t number;
    JfrRange range;
  };
  static constexpr size_t kNone = SIZE_MAX;

  void Reserve(size_t more) { entries_.reserve(entries_.size() + more); }
  void Add(uint64_t number, JfrRange range) { entries_.push_back({number, range}); }

  /// To be called between `Add` and all below. Of entries with one number the last is taken.
  void Sort() {
    const auto is_out = [](const Entry& a, const Entry& b) { return a.number >= b.number; };
    if (std::ranges::adjacent_find(entries_, is_out) != entries_.end()) {
      std::ranges::reverse(entries_);
      std::ranges::stable_sort(entries_, {}, &Entry::number);
      const auto same = std::ranges::unique(entries_, {}, &Entry::number);
      entries_.erase(same.begin(), same.end());
    }
    NotePlaces();
  }

  const std::vector<Entry>& entries() const { return entries_; }

  /// Where the entry stands in `entries()`, or kNone.
  size_t Find(uint64_t number) const {
    if (entries_.empty() || number < entries_.front().number) return kNone;
    const uint64_t in_row = number - entries_.front().number;
    if (in_row < entries_.size() && entries_[in_row].number == number) return in_row;
    if (!places_.empty()) {
      const size_t place = in_row < places_.size() ? places_[in_row] : 0;
      return place == 0 ? kNone : place - 1;
    }
    const auto found = std::ranges::lower_bound(entries_, number, {}, &Entry::number);
    if (found == entries_.end() || found->number != number) return kNone;
    return static_cast<size_t>(found - entries_.begin());
  }

 private:
  // Beyond so many numbers for each entry a search costs less than the places do.
  static constexpr size_t kNumbersMax = 32;

  void NotePlaces() {
    if (entries_.empty()) return;
    const uint64_t first = entries_.front().number;
    const uint64_t last = entries_.back().number - first;
    if (last < entries_.size() || last / kNumbersMax >= entries_.size()) return;
    places_.resize(last + 1);
    uint32_t place = 0;
    for (const Entry& entry : entries_) places_[entry.number - first] = ++place;
  }

  std::vector<Entry> entries_;
  // Where some numbers are left out: by number from the first on, counted from 1; 0: there is none.
  std::vector<uint32_t> places_;
};

}  // namespace reprise
