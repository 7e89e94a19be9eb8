// Dates as text.
#pragma once

#include <cstdint>
#include <string>

namespace reprise {

/// The day that is `days` after 1970-01-01 as "1993-07-01"; "N days" beyond the years that a
/// calendar type holds.
std::string DateText(int64_t days);

}  // namespace reprise
