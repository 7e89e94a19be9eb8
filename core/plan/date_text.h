// Dates as text.
#pragma once

#include <cstdint>
#include <string>

namespace reprise {

inline constexpr int64_t kMicrosPerDay = 86'400'000'000;

/// The day that is `days` after 1970-01-01 as "1993-07-01"; "N days" beyond the years that a
/// calendar type holds.
std::string DateText(int64_t days);

}  // namespace reprise
