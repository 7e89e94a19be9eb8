#include "scan/orc_statistics.h"

#include <algorithm>
#include <cmath>
#include <protozero/pbf_message.hpp>

#include "scan/parquet_calendar.h"

namespace reprise {

namespace {

using Int128 = __int128;
using Tag = protozero::pbf_tag_type;

// Fields by their numbers.
enum class Statistics : Tag {
  kValues = 1,
  kIntegers = 2,
  kDoubles = 3,
  kStrings = 4,
  kDecimals = 6,
  kDates = 7,
  kInstants = 9,
  kHasNull = 10
};
enum class Bounds : Tag { kMin = 1, kMax = 2, kSum = 3, kLower = 4, kUpper = 5 };
enum class Instants : Tag { kMin = 3, kMax = 4 };

template <class Message>
using Reader = protozero::pbf_message<Message>;

/// The bounds of `kind`, as stored; empty where the statistics have none.
std::string_view BoundsOf(std::string_view statistics, Statistics kind) {
  Reader<Statistics> message(statistics.data(), statistics.size());
  while (message.next()) {
    if (message.tag() != kind) {
      message.skip();
      continue;
    }
    const auto bounds = message.get_view();
    return {bounds.data(), bounds.size()};
  }
  return {};
}

void SetIntegers(std::string_view bounds, ColumnRange* range) {
  Reader<Bounds> message(bounds.data(), bounds.size());
  while (message.next()) {
    if (message.tag() == Bounds::kMin) {
      range->min = Int128{message.get_sint64()};
    } else if (message.tag() == Bounds::kMax) {
      range->max = Int128{message.get_sint64()};
    } else {
      message.skip();
    }
  }
}

// Where a NaN was the first value, it is both bounds; else only the sum tells of it.
void SetDoubles(std::string_view bounds, ColumnRange* range) {
  Reader<Bounds> message(bounds.data(), bounds.size());
  double sum = std::nan("");
  double min = sum;
  double max = sum;
  while (message.next()) {
    switch (message.tag()) {
      case Bounds::kMin:
        min = message.get_double();
        break;
      case Bounds::kMax:
        max = message.get_double();
        break;
      case Bounds::kSum:
        sum = message.get_double();
        break;
      default:
        message.skip();
    }
  }
  if (std::isnan(sum) || std::isnan(min) || std::isnan(max)) return;
  range->may_have_nan = false;
  range->min = min;
  range->max = max;
}

// Long ones are cut: then what is not more than the least, and not less than the greatest.
void SetStrings(std::string_view bounds, ColumnRange* range) {
  Reader<Bounds> message(bounds.data(), bounds.size());
  while (message.next()) {
    switch (message.tag()) {
      case Bounds::kMin:
      case Bounds::kLower:
        range->min = message.get_string();
        break;
      case Bounds::kMax:
      case Bounds::kUpper:
        range->max = message.get_string();
        break;
      default:
        message.skip();
    }
  }
}

/// Digits with a point among them, without it: what has no more than `scale` behind it.
std::optional<RangeValue> Unscaled(std::string_view text, int scale) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  Int128 value = 0;
  int behind = -1;  // digits after the point; below 0: before it
  for (const char c : text) {
    if (c == '.' && behind < 0) {
      behind = 0;
      continue;
    }
    if (c < '0' || c > '9' || __builtin_mul_overflow(value, Int128{10}, &value) ||
        __builtin_add_overflow(value, Int128{c - '0'}, &value)) {
      return std::nullopt;
    }
    if (behind >= 0) ++behind;
  }
  if (text.empty() || behind > scale) return std::nullopt;
  for (int i = std::max(behind, 0); i < scale; ++i) {
    if (__builtin_mul_overflow(value, Int128{10}, &value)) return std::nullopt;
  }
  return is_negative ? -value : value;
}

void SetDecimals(std::string_view bounds, int scale, ColumnRange* range) {
  Reader<Bounds> message(bounds.data(), bounds.size());
  while (message.next()) {
    if (message.tag() == Bounds::kMin) {
      range->min = Unscaled(message.get_string(), scale);
    } else if (message.tag() == Bounds::kMax) {
      range->max = Unscaled(message.get_string(), scale);
    } else {
      message.skip();
    }
  }
}

// Milliseconds of the writer's clock on the wall, as if that were UTC's: no zone is a day away from
// UTC. Those that are older than zones are of another calendar, too.
void SetInstants(std::string_view bounds, ColumnRange* range) {
  constexpr int64_t kMicrosPerMilli = 1000;
  constexpr int64_t kDayMillis = 86'400'000;
  constexpr int64_t kOldMillis = -2'208'988'800'000;  // 1900-01-01
  Reader<Instants> message(bounds.data(), bounds.size());
  while (message.next()) {
    if (message.tag() == Instants::kMin) {
      const int64_t millis = message.get_sint64();
      if (millis > kOldMillis) range->min = (Int128{millis} - kDayMillis) * kMicrosPerMilli;
    } else if (message.tag() == Instants::kMax) {
      range->max = (Int128{message.get_sint64()} + kDayMillis) * kMicrosPerMilli;
    } else {
      message.skip();
    }
  }
}

}  // namespace

ColumnRange RangeOfOrc(std::string_view statistics, const DataType& type, int64_t rows) {
  ColumnRange range;
  range.may_have_nan = type.is_floating();
  try {
    std::optional<int64_t> values;
    bool has_null = true;  // as the specification has it where nothing is said
    Reader<Statistics> message(statistics.data(), statistics.size());
    while (message.next()) {
      if (message.tag() == Statistics::kValues) {
        values = static_cast<int64_t>(message.get_uint64());
      } else if (message.tag() == Statistics::kHasNull) {
        has_null = message.get_bool();
      } else {
        message.skip();
      }
    }
    range.all_null = has_null && values == 0 && rows > 0;
    range.no_nulls = !has_null && values == rows;
    if (type.is_integral() || type.is(TypeKind::kTimestampNtz)) {
      SetIntegers(BoundsOf(statistics, Statistics::kIntegers), &range);
    } else if (type.is(TypeKind::kDate)) {
      SetIntegers(BoundsOf(statistics, Statistics::kDates), &range);
      // Days of another calendar.
      if (range.min && *range.min < RangeValue(Int128{kLastSwitchDay})) range.min.reset();
    } else if (type.is_floating()) {
      SetDoubles(BoundsOf(statistics, Statistics::kDoubles), &range);
    } else if (type.is(TypeKind::kString)) {
      SetStrings(BoundsOf(statistics, Statistics::kStrings), &range);
    } else if (type.is(TypeKind::kDecimal)) {
      SetDecimals(BoundsOf(statistics, Statistics::kDecimals), type.scale, &range);
    } else if (type.is(TypeKind::kTimestamp)) {
      SetInstants(BoundsOf(statistics, Statistics::kInstants), &range);
    }
  } catch (const protozero::exception&) {
    range = ColumnRange{};
    range.may_have_nan = type.is_floating();
  }
  const bool has_both = range.min && range.max;
  if (!has_both || CompareRangeValues(*range.min, *range.max) > 0) {
    range.min.reset();
    range.max.reset();
  }
  return range;
}

int64_t ValuesOf(std::string_view statistics) {
  try {
    Reader<Statistics> message(statistics.data(), statistics.size());
    while (message.next(Statistics::kValues)) {
      return std::max<int64_t>(0, static_cast<int64_t>(message.get_uint64()));
    }
  } catch (const protozero::exception&) {
    return 0;
  }
  return 0;
}

int64_t StringBytesOf(std::string_view statistics) {
  try {
    const std::string_view bounds = BoundsOf(statistics, Statistics::kStrings);
    Reader<Bounds> message(bounds.data(), bounds.size());
    while (message.next(Bounds::kSum)) return std::max<int64_t>(0, message.get_sint64());
  } catch (const protozero::exception&) {
    return 0;
  }
  return 0;
}

}  // namespace reprise
