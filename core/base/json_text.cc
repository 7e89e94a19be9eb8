#include "base/json_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace reprise {

namespace {

bool IsAscii(char c) { return static_cast<unsigned char>(c) < 0x80; }

bool IsPlain(char c) { return c >= ' ' && c != '"' && c != '\\'; }

// Of an ASCII character that is not plain.
void AppendEscaped(char c, std::string* json) {
  constexpr char kDigits[] = "0123456789abcdef";
  *json += '\\';
  if (c == '"' || c == '\\') {
    *json += c;
  } else if (c == '\n') {
    *json += 'n';
  } else {
    *json += "u00";
    *json += kDigits[c >> 4];
    *json += kDigits[c & 15];
  }
}

// The place of the quote that ends the string which begins at `begin`, or the end of the text.
size_t EndOfString(std::string_view json, size_t begin) {
  size_t end = begin;
  size_t backslashes = 0;
  do {
    end = json.find('"', end + 1);
    if (end == std::string_view::npos) return json.size();
    backslashes = 0;
    while (json[end - 1 - backslashes] == '\\') ++backslashes;
  } while (backslashes % 2 == 1);
  return end;
}

}  // namespace

void AppendJsonString(std::string_view text, std::string* json) {
  if (!std::ranges::all_of(text, IsAscii)) {
    *json += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return;
  }
  *json += '"';
  auto here = text.begin();
  while (here != text.end()) {
    const auto end = std::find_if_not(here, text.end(), IsPlain);
    json->append(here, end);
    here = end;
    if (here != text.end()) AppendEscaped(*here++, json);
  }
  *json += '"';
}

std::string JsonString(std::string_view text) {
  std::string json;
  json.reserve(text.size() + 2);
  AppendJsonString(text, &json);
  return json;
}

int64_t NestingOf(std::string_view json) {
  int64_t depth = 0;
  int64_t deepest = 0;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') {
      i = EndOfString(json, i);
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return deepest;
}

}  // namespace reprise
