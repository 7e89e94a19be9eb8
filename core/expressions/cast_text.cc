// cast_text: strings that are written plainly as numbers, booleans and timestamps; what else Spark
// reads, or makes an error or null of, is in doubt. Input: a string; attribute `zone` for a
// timestamp. Output: a double, float, boolean, timestamp or timestamp_ntz.
//   cast_text("-1.5e3" as double) = -1500;  cast_text(" 1" as double) is in doubt
//   cast_text("2024-02-29 12:30:00.5" as timestamp) in UTC = 2024-02-29T12:30:00.5Z
// Source: Spark's Cast, Java's parseDouble, SparkDateTimeUtils.parseTimestampString.
#include "expressions/plain_text.h"
#include "expressions/tried_texts.h"

namespace reprise {

namespace {

/// By a function of plain_text.h.
template <typename T, std::optional<T> (*kRead)(std::string_view)>
bool Plain(Texts texts, T* value) {
  const auto read = kRead(texts[0]);
  if (read) *value = *read;
  return read.has_value();
}

bool Boolean(Texts texts, bool* value) {
  const std::string_view text = texts[0];
  *value = text == "t" || text == "1";
  return *value || text == "f" || text == "0" || Plain<bool, ReadPlainBoolean>(texts, value);
}

}  // namespace

MadeExpression MakeTextCast(FunctionCall call) {
  switch (call.spec.type.kind) {
    case TypeKind::kDouble:
      return MakeTriedTexts<arrow::DoubleBuilder>(std::move(call), Plain<double, ReadPlainDouble>);
    case TypeKind::kFloat:
      return MakeTriedTexts<arrow::FloatBuilder>(std::move(call), Plain<float, ReadPlainFloat>);
    case TypeKind::kBoolean:
      return MakeTriedTexts<arrow::BooleanBuilder>(std::move(call), Boolean);
    default:
      break;
  }
  ARROW_ASSIGN_OR_RAISE(ZoneRules zone, ZoneRules::Of(call.spec));
  const bool is_local = call.spec.type.is(TypeKind::kTimestampNtz);
  return MakeTriedTexts<arrow::TimestampBuilder>(
      std::move(call), [zone = std::move(zone), is_local](Texts texts, int64_t* micros) {
        const auto read = ReadPlainTimestamp(texts[0], is_local ? nullptr : &zone);
        if (read) *micros = *read;
        return read.has_value();
      });
}

}  // namespace reprise
