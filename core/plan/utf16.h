// Java's strings (UTF-16) and the core's (UTF-8).
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace reprise {

/// A surrogate without its partner becomes U+FFFD.
std::string Utf16ToUtf8(std::span<const char16_t> text);

/// What is no UTF-8 becomes U+FFFD as where Java reads it (plan/replaced_text.h).
std::u16string Utf8ToUtf16(std::string_view text);

}  // namespace reprise
