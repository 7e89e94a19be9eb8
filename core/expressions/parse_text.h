// Strings read as Spark reads them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace reprise {

/// UTF8String.toLong: white space and control characters around are dropped, a sign may lead; where
/// `allow_fraction`, a point and digits may follow, which are dropped. Nothing for other text or
/// out of range.
std::optional<int64_t> ParseLong(std::string_view text, bool allow_fraction);

/// SparkDateTimeUtils.stringToDate, as days since 1970-01-01: "[+-]yyyy[y…][-m[m][-d[d]]]", after a
/// full date anything from a blank or 'T' on. Nothing for other text, no such day, or beyond 32
/// bits.
std::optional<int32_t> ParseDate(std::string_view text);

}  // namespace reprise
