// Times as SQL literals write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace reprise {

/// "yyyy-mm-dd[ hh:mm[:ss[.ffffff]]]", a T in place of the blank, as microseconds since 1970-01-01
/// 00:00. Nothing for other text: zones are not read.
std::optional<int64_t> ParseSqlTimestamp(std::string_view text);

}  // namespace reprise
