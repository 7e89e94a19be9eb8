// Java's strings (UTF-16) and the core's (UTF-8).
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace reprise {

/// A surrogate without its partner becomes U+FFFD.
std::string Utf16ToUtf8(std::span<const char16_t> text);

/// Every byte that belongs to no well-formed sequence becomes U+FFFD.
std::u16string Utf8ToUtf16(std::string_view text);

}  // namespace reprise
