// JSON that is put together as text, where building a tree of it first would cost more than it
// says.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace reprise {

/// Appends `text` as a JSON string. Bytes that are not UTF-8 become U+FFFD.
void AppendJsonString(std::string_view text, std::string* json);

/// The same by itself.
std::string JsonString(std::string_view text);

/// How deep the objects and arrays of a JSON text nest, and so what goes through a tree of it calls
/// itself. Of other texts, any number.
int64_t NestingOf(std::string_view json);

}  // namespace reprise
