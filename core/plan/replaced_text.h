// What Java reads in bytes that are not UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace reprise {

/// The text as Java's String has it (UTF8String.toString): UTF-8 stays as it is, and of what is
/// not, each piece that could begin no character becomes U+FFFD (java.lang.String's decoder: as
/// many bytes as would still fit a character, and a surrogate's three).
///   ReplacedText("a\xC3z") = "a\uFFFDz"
std::string ReplacedText(std::string_view bytes);

/// Whether ReplacedText would change something.
bool IsUtf8(std::string_view bytes);

}  // namespace reprise
