// date_format, and parse_timestamp and parse_seconds by a pattern that is a literal. Input: a
// timestamp or a string, and the pattern; attribute `zone`. Output: a string; a timestamp; a bigint
// of seconds since 1970. In doubt are years before 1 or after 9999, and strings that the pattern
// does not fit digit by digit.
//   date_format(2024-02-29T12:30:05Z, "dd/MM/yyyy HH:mm") in UTC = "29/02/2024 12:30"
//   parse_timestamp("20240229", "yyyyMMdd") in UTC = 2024-02-29T00:00:00Z
// Source: Spark's DateFormatClass, GetTimestamp and UnixTime, Iso8601TimestampFormatter.
#include "expressions/civil_date.h"
#include "expressions/tried_texts.h"
#include "expressions/zone_rules.h"
#include "plan/time_pattern.h"

namespace reprise {

namespace {

/// Digits of `number`, `width` of them at least.
void AddDigits(int64_t number, int width, std::string* out) {
  char digits[20];
  int count = 0;
  do {
    digits[count++] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number > 0);
  while (count < width) digits[count++] = '0';
  while (count > 0) out->push_back(digits[--count]);
}

class DateFormat final : public Expression {
 public:
  DateFormat(FunctionCall call, TimePattern pattern, ZoneRules zone)
      : Expression(call.spec.type, /*can_fail=*/true),
        timestamp_(std::move(call.arguments[0])),
        pattern_(std::move(pattern)),
        zone_(std::move(zone)) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    ARROW_ASSIGN_OR_RAISE(const auto timestamps, EvaluateToArray(*timestamp_, input));
    const auto micros = RowsOf<int64_t>(*timestamps);
    arrow::StringBuilder builder(input.pool());
    RETURN_NOT_OK(builder.Reserve(timestamps->length()));
    ZoneOffsets offsets(zone_);
    std::string text;
    for (int64_t row = 0; row < timestamps->length(); ++row) {
      text.clear();
      const bool is_valid = timestamps->IsValid(row);
      const bool is_known = is_valid && Format(micros[row], &offsets, &text);
      if (is_valid && !is_known) RETURN_NOT_OK(input.Doubt(row));
      RETURN_NOT_OK(is_known ? builder.Append(text) : builder.AppendNull());
    }
    ARROW_ASSIGN_OR_RAISE(auto array, builder.Finish());
    return Column{std::move(array), nullptr};
  }

 private:
  bool Format(int64_t micros, ZoneOffsets* offsets, std::string* out) const {
    const int64_t seconds = FloorDiv(micros, kMicrosPerSecond);
    const int64_t local = seconds + offsets->At(seconds);
    const CivilDate date = CivilOf(FloorDiv(local, kSecondsPerDay));
    if (date.year < 1 || date.year > 9999) return false;
    const int64_t second = FloorMod(local, kSecondsPerDay);
    for (const TimePattern::Part& part : pattern_.parts) {
      switch (part.field) {
        case 'y':
          AddDigits(date.year, part.width, out);
          break;
        case 'M':
          AddDigits(date.month, part.width, out);
          break;
        case 'd':
          AddDigits(date.day, part.width, out);
          break;
        case 'H':
          AddDigits(second / 3600, part.width, out);
          break;
        case 'm':
          AddDigits(second / 60 % 60, part.width, out);
          break;
        case 's':
          AddDigits(second % 60, part.width, out);
          break;
        case 'S': {
          AddDigits(FloorMod(micros, kMicrosPerSecond), 6, out);
          out->resize(out->size() - 6 + static_cast<size_t>(part.width));
          break;
        }
        default:
          out->append(part.literal);
      }
    }
    return true;
  }

  const std::unique_ptr<Expression> timestamp_;
  const TimePattern pattern_;
  const ZoneRules zone_;
};

/// A date and a time of day as read.
struct ReadTime {
  int year = 0;
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;

  int* Field(char field) {
    switch (field) {
      case 'y':
        return &year;
      case 'M':
        return &month;
      case 'd':
        return &day;
      case 'H':
        return &hour;
      case 'm':
        return &minute;
      default:
        return &second;
    }
  }

  /// Seconds since 1970 as if the zone were UTC; nothing where there is no such day or time.
  std::optional<int64_t> Local() const {
    if (year < 1 || month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59) {
      return std::nullopt;
    }
    const CivilDate date{year, month, day};
    const int64_t days = DaysOf(date);
    const CivilDate back = CivilOf(days);
    if (day < 1 || back.month != month || back.day != day) return std::nullopt;
    return days * kSecondsPerDay + hour * 3600 + minute * 60 + second;
  }
};

std::optional<int64_t> LocalSeconds(const TimePattern& pattern, std::string_view text) {
  ReadTime time;
  for (const TimePattern::Part& part : pattern.parts) {
    const size_t size = part.field == 0 ? part.literal.size() : static_cast<size_t>(part.width);
    const std::string_view piece = text.substr(0, size);
    if (piece.size() < size || (part.field == 0 && piece != part.literal)) return std::nullopt;
    text.remove_prefix(size);
    if (part.field == 0) continue;
    int* const number = time.Field(part.field);
    for (const char digit : piece) {
      if (digit < '0' || digit > '9') return std::nullopt;
      *number = 10 * *number + (digit - '0');
    }
  }
  return text.empty() ? time.Local() : std::nullopt;
}

std::optional<TimePattern> TimePatternOf(const FunctionCall& call) {
  const auto text = LiteralText(call, 1);
  return text ? TimePattern::Read(*text) : std::nullopt;
}

template <typename Builder, int64_t kPerSecond>
MadeExpression MakeParsed(FunctionCall call) {
  auto pattern = TimePatternOf(call);
  if (!pattern || !pattern->is_for_parsing()) {
    return Status::NotImplemented(call.spec.function, " does not take this pattern");
  }
  ARROW_ASSIGN_OR_RAISE(ZoneRules zone, ZoneRules::Of(call.spec));
  call.arguments.resize(1);
  return MakeTriedTexts<Builder>(
      std::move(call),
      [pattern = *std::move(pattern), zone = std::move(zone)](Texts texts, int64_t* value) {
        const auto local = LocalSeconds(pattern, texts[0]);
        if (local) *value = zone.InstantOf(*local) * kPerSecond;
        return local.has_value();
      });
}

}  // namespace

MadeExpression MakeDateFormat(FunctionCall call) {
  auto pattern = TimePatternOf(call);
  if (!pattern) return Status::NotImplemented("date_format does not take this pattern");
  ARROW_ASSIGN_OR_RAISE(ZoneRules zone, ZoneRules::Of(call.spec));
  return std::make_unique<DateFormat>(std::move(call), *std::move(pattern), std::move(zone));
}

MadeExpression MakeParsedTimestamp(FunctionCall call) {
  return MakeParsed<arrow::TimestampBuilder, kMicrosPerSecond>(std::move(call));
}
MadeExpression MakeParsedSeconds(FunctionCall call) {
  return MakeParsed<arrow::Int64Builder, 1>(std::move(call));
}

}  // namespace reprise
