// Figures as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace reprise {

/// "1,234,567"
std::string Thousands(int64_t value);
/// "873 B", "1.2 kB", "34.5 MB" (powers of 1000)
std::string ByteText(int64_t bytes);
/// "0.042 ms", "12.3 ms", "4.56 s"
std::string DurationText(int64_t nanoseconds);
/// "195 ms", "1.57 s": times of a log are whole milliseconds.
std::string MillisecondText(int64_t ms);
/// "1 batch", "3 batches": a count with its noun.
std::string Counted(int64_t count, std::string_view singular, std::string_view plural);

}  // namespace reprise
