// Texts of which there is no doubt what Spark reads: of each type the form in which nearly all
// values are written. Nothing for other texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "expressions/zone_rules.h"

namespace reprise {

/// "-12", but for the lowest of 64 bits.
std::optional<int64_t> ReadPlainInteger(std::string_view text);

/// "-12.50" as 1250 for scale 2, of at most `precision` digits then; no digits that would be
/// rounded away.
std::optional<__int128> ReadPlainDecimal(std::string_view text, int32_t precision, int32_t scale);

/// "-12.5e3", correctly rounded, as are "NaN", "Inf" and "-Inf" (Spark's options nanValue,
/// positiveInf and negativeInf, where they are not set).
std::optional<double> ReadPlainDouble(std::string_view text);
std::optional<float> ReadPlainFloat(std::string_view text);

/// "true" and "false", in any letter case.
std::optional<bool> ReadPlainBoolean(std::string_view text);

/// "2024-02-29", of the years 1 to 9999, as days since 1970-01-01.
std::optional<int32_t> ReadPlainDate(std::string_view text);

/// "2024-02-29 12:30:15.123456", with a blank or 'T', up to six digits of the second, or a date
/// alone, as microseconds since 1970-01-01. Where `zone` is given, "Z" or an offset as "+02:00" may
/// follow, and what has none is of that zone; else there is no zone.
std::optional<int64_t> ReadPlainTimestamp(std::string_view text, const ZoneRules* zone);

}  // namespace reprise
