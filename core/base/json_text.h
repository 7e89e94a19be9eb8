// JSON that is put together as text, where building a tree of it first would cost more than it
// says.
#pragma once

#include <string>
#include <string_view>

namespace reprise {

/// Appends `text` as a JSON string. Bytes that are not UTF-8 become U+FFFD.
void AppendJsonString(std::string_view text, std::string* json);

/// The same by itself.
std::string JsonString(std::string_view text);

}  // namespace reprise
