// The days of Parquet's INT96 timestamps.
#pragma once

#include <cstdint>

namespace reprise {

/// The number that 1970-01-01 has among Julian days.
inline constexpr int64_t kJulianDayOfEpoch = 2440588;

}  // namespace reprise
