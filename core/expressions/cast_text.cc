// cast_text: strings that are written plainly as numbers, booleans and timestamps; what else Spark
// reads, or makes an error or null of, is in doubt. Input: a string; attribute `zone` for a
// timestamp. Output: a double, float, boolean, timestamp or timestamp_ntz.
//   cast_text("-1.5e3" as double) = -1500;  cast_text(" 1" as double) is in doubt
//   cast_text("2024-02-29 12:30:00.5" as timestamp) in UTC = 2024-02-29T12:30:00.5Z
// Source: Spark's Cast, Java's parseDouble, SparkDateTimeUtils.parseTimestampString.
#include <charconv>

#include "expressions/civil_date.h"
#include "expressions/tried_texts.h"
#include "expressions/zone_rules.h"

namespace reprise {

namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// The number that `count` digits at `place` are; -1 where others stand there.
int Digits(std::string_view text, size_t place, size_t count) {
  int number = 0;
  for (size_t i = place; i < place + count; ++i) {
    if (i >= text.size() || !IsDigit(text[i])) return -1;
    number = 10 * number + (text[i] - '0');
  }
  return number;
}

/// Decimal digits, with a sign, a point and an exponent perhaps: both read these to the nearest
/// number.
template <typename T>
bool Floating(Texts texts, T* value) {
  const std::string_view text = texts[0];
  const size_t first = text.starts_with('-') ? 1 : 0;
  if (first >= text.size() || !IsDigit(text[first])) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size();
}

bool Boolean(Texts texts, bool* value) {
  const std::string_view text = texts[0];
  *value = text == "true" || text == "t" || text == "1";
  return *value || text == "false" || text == "f" || text == "0";
}

/// yyyy-MM-dd, and behind a blank or a T perhaps HH:mm:ss with up to six digits of a fraction.
struct LocalTime {
  int64_t seconds = 0;
  int64_t micros = 0;

  static std::optional<LocalTime> Read(std::string_view text) {
    const int year = Digits(text, 0, 4);
    const int month = Digits(text, 5, 2);
    const int day = Digits(text, 8, 2);
    if (year < 1 || month < 1 || day < 1 || text[4] != '-' || text[7] != '-') return std::nullopt;
    const CivilDate date{year, month, day};
    const int64_t days = DaysOf(date);
    // No such day.
    const CivilDate back = CivilOf(days);
    if (back.month != month || back.day != day) return std::nullopt;
    LocalTime read{days * kSecondsPerDay};
    if (text.size() == 10) return read;
    return text[10] == ' ' || text[10] == 'T' ? read.WithClock(text.substr(11)) : std::nullopt;
  }

 private:
  std::optional<LocalTime> WithClock(std::string_view clock) const {
    const int hour = Digits(clock, 0, 2);
    const int minute = Digits(clock, 3, 2);
    const int second = Digits(clock, 6, 2);
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) {
      return std::nullopt;
    }
    if (clock[2] != ':' || clock[5] != ':') return std::nullopt;
    LocalTime read{seconds + hour * 3600 + minute * 60 + second};
    if (clock.size() == 8) return read;
    const size_t places = clock.size() - 9;
    const int fraction = Digits(clock, 9, places);
    if (clock[8] != '.' || places < 1 || places > 6 || fraction < 0) return std::nullopt;
    read.micros = fraction;
    for (size_t i = places; i < 6; ++i) read.micros *= 10;
    return read;
  }
};

}  // namespace

MadeExpression MakeTextCast(FunctionCall call) {
  switch (call.spec.type.kind) {
    case TypeKind::kDouble:
      return MakeTriedTexts<arrow::DoubleBuilder>(std::move(call), Floating<double>);
    case TypeKind::kFloat:
      return MakeTriedTexts<arrow::FloatBuilder>(std::move(call), Floating<float>);
    case TypeKind::kBoolean:
      return MakeTriedTexts<arrow::BooleanBuilder>(std::move(call), Boolean);
    default:
      break;
  }
  ARROW_ASSIGN_OR_RAISE(ZoneRules zone, ZoneRules::Of(call.spec));
  return MakeTriedTexts<arrow::TimestampBuilder>(
      std::move(call), [zone = std::move(zone)](Texts texts, int64_t* micros) {
        const auto local = LocalTime::Read(texts[0]);
        return local && MicrosOf(zone.InstantOf(local->seconds), local->micros, micros);
      });
}

}  // namespace reprise
