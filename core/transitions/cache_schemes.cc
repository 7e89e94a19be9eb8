#include "transitions/cache_schemes.h"

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "plan/unsafe_row.h"
#include "transitions/cache_reader.h"

namespace reprise {

namespace {

constexpr int64_t kSizeBytes = sizeof(int32_t);  // of a string, a run and a dictionary
constexpr int64_t kCodeBytes = sizeof(int16_t);  // of a value in a dictionary
constexpr double kWorthwhile = 0.8;              // of the bytes without a scheme
constexpr int64_t kDictionaryMax = std::numeric_limits<int16_t>::max();

template <typename T>
Status AppendNumber(T value, arrow::BufferBuilder* to) {
  return to->Append(&value, sizeof(value));
}

template <typename T>
struct Numbers {
  using Value = T;
  std::span<const T> values;

  int64_t count() const { return std::ssize(values); }
  int64_t bytes() const { return static_cast<int64_t>(values.size_bytes()); }
  static int64_t SizeOf(T) { return sizeof(T); }
  static uint64_t HashOf(T value) {
    return static_cast<uint64_t>(value) * uint64_t{0x9E3779B97F4A7C15};
  }
  static Status Append(T value, arrow::BufferBuilder* to) { return AppendNumber(value, to); }
  template <typename Take>
  Status Each(Take&& take) const {
    for (const T value : values) RETURN_NOT_OK(take(value));
    return Status::OK();
  }
};

struct Strings {
  using Value = std::string_view;
  std::span<const uint8_t> values;
  int64_t value_count;

  int64_t count() const { return value_count; }
  int64_t bytes() const { return std::ssize(values); }
  static int64_t SizeOf(std::string_view value) { return kSizeBytes + std::ssize(value); }
  static uint64_t HashOf(std::string_view value) { return XXH3_64bits(value.data(), value.size()); }
  static Status Append(std::string_view value, arrow::BufferBuilder* to) {
    RETURN_NOT_OK(AppendNumber(static_cast<int32_t>(value.size()), to));
    return to->Append(value.data(), std::ssize(value));
  }
  template <typename Take>
  Status Each(Take&& take) const {
    for (const uint8_t* at = values.data(); at != values.data() + values.size();) {
      const std::string_view value(reinterpret_cast<const char*>(at + kSizeBytes),
                                   static_cast<size_t>(LoadAs<int32_t>(at)));
      RETURN_NOT_OK(take(value));
      at += SizeOf(value);
    }
    return Status::OK();
  }
};

/// Calls `run(value, length)` for values that follow each other and are equal.
template <typename Values, typename Run>
Status EachRun(const Values& values, Run&& run) {
  typename Values::Value last{};
  int32_t length = 0;
  RETURN_NOT_OK(values.Each([&](auto value) -> Status {
    if (length > 0 && value == last) {
      ++length;
      return Status::OK();
    }
    if (length > 0) RETURN_NOT_OK(run(last, length));
    last = value;
    length = 1;
    return Status::OK();
  }));
  return length > 0 ? run(last, length) : Status::OK();
}

/// The different values, in the order in which they come, and for each value which it is.
template <typename Values>
class Dictionary {
 public:
  using Value = typename Values::Value;

  /// Nothing where it takes more than `bytes_max`, or Spark's limit of values.
  static std::optional<Dictionary> Of(const Values& values, int64_t bytes_max) {
    Dictionary made;
    made.bytes_ = kSizeBytes + kCodeBytes * values.count();
    if (made.bytes_ > bytes_max) return std::nullopt;
    const auto most = static_cast<uint64_t>(std::min(values.count(), kDictionaryMax));
    made.slots_.assign(std::bit_ceil(2 * most + 1), kFree);
    made.codes_.reserve(static_cast<size_t>(values.count()));
    const Status whole = values.Each([&](auto value) {
      return made.Add(value, bytes_max) ? Status::OK() : Status::Cancelled("too large");
    });
    if (!whole.ok()) return std::nullopt;
    return made;
  }

  int64_t bytes() const { return bytes_; }

  Status Write(arrow::BufferBuilder* to) const {
    RETURN_NOT_OK(AppendNumber(static_cast<int32_t>(entries_.size()), to));
    for (const Value& entry : entries_) RETURN_NOT_OK(Values::Append(entry, to));
    return to->Append(codes_.data(), std::ssize(codes_) * kCodeBytes);
  }

 private:
  static constexpr int16_t kFree = -1;

  bool Add(Value value, int64_t bytes_max) {
    const uint64_t mask = slots_.size() - 1;
    uint64_t slot = Values::HashOf(value) >> 32 & mask;
    while (slots_[slot] != kFree && entries_[static_cast<size_t>(slots_[slot])] != value) {
      slot = (slot + 1) & mask;
    }
    if (slots_[slot] == kFree) {
      bytes_ += Values::SizeOf(value);
      if (bytes_ > bytes_max || std::ssize(entries_) == kDictionaryMax) return false;
      slots_[slot] = static_cast<int16_t>(entries_.size());
      entries_.push_back(value);
    }
    codes_.push_back(slots_[slot]);
    return true;
  }

  std::vector<int16_t> slots_;  // which entry
  std::vector<Value> entries_;
  std::vector<int16_t> codes_;
  int64_t bytes_ = 0;
};

/// What the value has more than the one before, where that stands in a byte.
template <typename T>
std::optional<int8_t> DeltaOf(T value, T before) {
  using Unsigned = std::make_unsigned_t<T>;
  const auto delta = static_cast<T>(static_cast<Unsigned>(value) - static_cast<Unsigned>(before));
  if (delta <= std::numeric_limits<int8_t>::min() || delta > std::numeric_limits<int8_t>::max()) {
    return std::nullopt;
  }
  return static_cast<int8_t>(delta);
}

template <typename T>
constexpr bool kHasDeltas = std::is_same_v<T, int32_t> || std::is_same_v<T, int64_t>;

template <typename T>
int64_t DeltaBytes(std::span<const T> values) {
  int64_t whole = 1;
  for (size_t i = 1; i < values.size(); ++i) whole += DeltaOf(values[i], values[i - 1]) ? 0 : 1;
  return std::ssize(values) + whole * int64_t{sizeof(T)};
}

template <typename T>
Status WriteDeltas(std::span<const T> values, arrow::BufferBuilder* to) {
  for (size_t i = 0; i < values.size(); ++i) {
    const auto delta = i == 0 ? std::nullopt : DeltaOf(values[i], values[i - 1]);
    RETURN_NOT_OK(AppendNumber(delta.value_or(std::numeric_limits<int8_t>::min()), to));
    if (!delta) RETURN_NOT_OK(AppendNumber(values[i], to));
  }
  return Status::OK();
}

int64_t BitBytes(int64_t count) { return kSizeBytes + (count + 63) / 64 * 8; }

Status WriteBits(std::span<const uint8_t> values, arrow::BufferBuilder* to) {
  RETURN_NOT_OK(AppendNumber(static_cast<int32_t>(values.size()), to));
  for (size_t first = 0; first < values.size(); first += 64) {
    uint64_t word = 0;
    const size_t count = std::min<size_t>(64, values.size() - first);
    for (size_t i = 0; i < count; ++i) word |= uint64_t{values[first + i]} << i;
    RETURN_NOT_OK(AppendNumber(word, to));
  }
  return Status::OK();
}

/// Of schemes that take as few bytes the one that is looked at first.
struct Best {
  CacheScheme scheme = CacheScheme::kPlain;
  int64_t bytes;

  void Consider(CacheScheme other, int64_t other_bytes) {
    if (other_bytes < bytes) *this = {other, other_bytes};
  }
};

template <typename Values>
Status WriteRuns(const Values& values, arrow::BufferBuilder* to) {
  return EachRun(values, [&](auto value, int32_t length) -> Status {
    RETURN_NOT_OK(Values::Append(value, to));
    return AppendNumber(length, to);
  });
}

template <typename Values>
Result<int64_t> RunBytes(const Values& values) {
  int64_t bytes = 0;
  RETURN_NOT_OK(EachRun(values, [&](auto value, int32_t) {
    bytes += Values::SizeOf(value) + kSizeBytes;
    return Status::OK();
  }));
  return bytes;
}

/// Writes what Spark chooses. `later`: the best of the schemes that come behind dictionaries, which
/// `write_later` writes.
template <typename Values, typename WriteLater>
Status WriteBest(const Values& values, SchemeChoice schemes, const Best& later,
                 WriteLater&& write_later, arrow::BufferBuilder* to) {
  const int64_t plain_bytes = values.bytes();
  Best best{.bytes = plain_bytes};
  if (schemes.runs) {
    ARROW_ASSIGN_OR_RAISE(const int64_t bytes, RunBytes(values));
    best.Consider(CacheScheme::kRuns, bytes);
  }
  std::optional<Dictionary<Values>> dictionary;
  if (schemes.dictionary) {
    // A larger one is not chosen; most columns have no smaller one, which is soon seen.
    const auto worthwhile = static_cast<int64_t>(kWorthwhile * static_cast<double>(plain_bytes));
    dictionary = Dictionary<Values>::Of(values, std::min({best.bytes, later.bytes, worthwhile}));
    if (dictionary) best.Consider(CacheScheme::kDictionary, dictionary->bytes());
  }
  best.Consider(later.scheme, later.bytes);
  const bool is_worthwhile =
      static_cast<double>(best.bytes) / static_cast<double>(plain_bytes) < kWorthwhile;
  const CacheScheme scheme = is_worthwhile ? best.scheme : CacheScheme::kPlain;
  RETURN_NOT_OK(AppendNumber(static_cast<int32_t>(scheme), to));
  switch (scheme) {
    case CacheScheme::kPlain:
      return to->Append(values.values.data(), plain_bytes);
    case CacheScheme::kRuns:
      return WriteRuns(values, to);
    case CacheScheme::kDictionary:
      return dictionary->Write(to);
    default:
      return write_later();
  }
}

}  // namespace

template <typename T>
Status WriteNumbers(std::span<const T> values, SchemeChoice schemes, arrow::BufferBuilder* to) {
  const Numbers<T> numbers{values};
  Best later{.bytes = std::numeric_limits<int64_t>::max()};
  if constexpr (std::is_same_v<T, uint8_t>) {
    if (schemes.bits) later = {CacheScheme::kBits, BitBytes(numbers.count())};
    return WriteBest(
        numbers, schemes, later, [&] { return WriteBits(values, to); }, to);
  } else if constexpr (kHasDeltas<T>) {
    constexpr auto kDeltas = sizeof(T) == 4 ? CacheScheme::kIntDeltas : CacheScheme::kLongDeltas;
    if (schemes.deltas && !values.empty()) later = {kDeltas, DeltaBytes(values)};
    return WriteBest(
        numbers, schemes, later, [&] { return WriteDeltas(values, to); }, to);
  } else {
    return WriteBest(
        numbers, schemes, later, [] { return Status::OK(); }, to);
  }
}

template Status WriteNumbers(std::span<const uint8_t>, SchemeChoice, arrow::BufferBuilder*);
template Status WriteNumbers(std::span<const int8_t>, SchemeChoice, arrow::BufferBuilder*);
template Status WriteNumbers(std::span<const int16_t>, SchemeChoice, arrow::BufferBuilder*);
template Status WriteNumbers(std::span<const int32_t>, SchemeChoice, arrow::BufferBuilder*);
template Status WriteNumbers(std::span<const int64_t>, SchemeChoice, arrow::BufferBuilder*);
template Status WriteNumbers(std::span<const float>, SchemeChoice, arrow::BufferBuilder*);
template Status WriteNumbers(std::span<const double>, SchemeChoice, arrow::BufferBuilder*);

Status WriteStrings(std::span<const uint8_t> values, int64_t count, SchemeChoice schemes,
                    arrow::BufferBuilder* to) {
  const Best none{.bytes = std::numeric_limits<int64_t>::max()};
  return WriteBest(
      Strings{values, count}, schemes, none, [] { return Status::OK(); }, to);
}

}  // namespace reprise
