// Time zones as java.time resolves them, without any database of zones on the machine: the rules of
// a zone come with the expression, as the JVM that planned it knows them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/status.h"
#include "plan/spec.h"

namespace reprise {

/// What java.time.zone.ZoneRules says: the offset of every instant, and the instants of every local
/// date-time. Instants are seconds since 1970-01-01T00:00:00Z, local date-times the same as if the
/// zone were UTC, offsets seconds east of UTC.
///
/// JSON, the attribute "zone" of an expression:
///   {"id":"Europe/Berlin","offset":3208,"transitions":[SECOND,OFFSET,…],"yearly":[[…]…]}
/// `offset` holds before the first transition; `transitions` are ascending instants, each with the
/// offset from there on. `yearly` are the rules for what comes after the last of them
/// (ZoneOffsetTransitionRule): [month, day of month or, below 0, from its end, day of week or 0,
/// second of day (86400: end of the day), 0 UTC | 1 wall | 2 standard, standard offset, offset
/// before, offset after]. An expression without the attribute means UTC.
class ZoneRules {
 public:
  /// UTC.
  ZoneRules() = default;

  /// The zone of an expression. Status::Invalid where the attribute is not as above.
  static Result<ZoneRules> Of(const ExpressionSpec& spec);

  /// A local date-time's transition: a gap where `after` > `before`, else an overlap.
  struct Transition {
    int64_t at;  ///< instant
    int32_t before;
    int32_t after;
  };

  bool is_utc() const { return transitions_.empty() && first_offset_ == 0; }

  int32_t OffsetAt(int64_t instant) const;

  /// The instant of a local date-time, as ZonedDateTime.ofLocal: moved on by its length where it is
  /// in a gap; in an overlap the one of offset `preferred`, or else the earlier.
  int64_t InstantOf(int64_t local, std::optional<int32_t> preferred = std::nullopt) const;

  /// The first instant of a day, as LocalDate.atStartOfDay.
  int64_t StartOfDay(int64_t days) const;

 private:
  struct Span {
    int64_t begin;
    int64_t end;
    int32_t offset;
  };
  friend class ZoneOffsets;

  Status Read(const nlohmann::json& zone);
  Status AddYearly(const nlohmann::json& rules);
  /// Years repeat after 400, with the yearly rules: brings a time into the years that are listed.
  int64_t WithinCycle(int64_t seconds) const;
  /// The last transition whose local date-times begin at or before `local`; -1: none.
  int64_t LastBefore(int64_t local) const;
  Span SpanOf(int64_t instant) const;

  int32_t first_offset_ = 0;
  std::vector<Transition> transitions_;
  int64_t cycle_begin_ = INT64_MAX;  // yearly rules alone hold from here on
};

/// Offsets of many instants: remembers where the last one was found. One a thread.
class ZoneOffsets {
 public:
  explicit ZoneOffsets(const ZoneRules& rules) : rules_(rules), span_(rules.SpanOf(0)) {}

  int32_t At(int64_t instant) {
    if (instant < span_.begin || instant >= span_.end) span_ = rules_.SpanOf(instant);
    return span_.offset;
  }

 private:
  const ZoneRules& rules_;
  ZoneRules::Span span_;
};

inline constexpr int64_t kSecondsPerDay = 86400;
inline constexpr int64_t kOffsetMax = 18 * 3600;  ///< of Java's ZoneOffset, in seconds
inline constexpr int64_t kMicrosPerSecond = 1000000;

/// Java's Math.floorDiv for a positive divisor.
constexpr int64_t FloorDiv(int64_t value, int64_t divisor) {
  return value / divisor - (value % divisor < 0 ? 1 : 0);
}
constexpr int64_t FloorMod(int64_t value, int64_t divisor) {
  return value - FloorDiv(value, divisor) * divisor;
}

/// Microseconds of a second and a part of it; false where they do not fit, where Java raises "long
/// overflow".
inline bool MicrosOf(int64_t seconds, int64_t micros_of_second, int64_t* micros) {
  const __int128 wide = static_cast<__int128>(seconds) * kMicrosPerSecond + micros_of_second;
  *micros = static_cast<int64_t>(wide);
  return wide == *micros;
}

}  // namespace reprise
