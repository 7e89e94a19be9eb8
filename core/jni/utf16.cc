#include "jni/utf16.h"

namespace reprise {

namespace {

constexpr char32_t kReplacement = 0xFFFD;

bool IsHighSurrogate(char32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool IsLowSurrogate(char32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

void AppendUtf8(char32_t point, std::string* out) {
  const auto trail = [&](int shift) {
    out->push_back(static_cast<char>(0x80 | ((point >> shift) & 0x3F)));
  };
  if (point < 0x80) {
    out->push_back(static_cast<char>(point));
  } else if (point < 0x800) {
    out->push_back(static_cast<char>(0xC0 | (point >> 6)));
    trail(0);
  } else if (point < 0x10000) {
    out->push_back(static_cast<char>(0xE0 | (point >> 12)));
    trail(6);
    trail(0);
  } else {
    out->push_back(static_cast<char>(0xF0 | (point >> 18)));
    trail(12);
    trail(6);
    trail(0);
  }
}

// Decodes the code point at the start of `text` (not empty) and returns its bytes; 0 where it is
// malformed.
size_t DecodeUtf8(std::string_view text, char32_t* point) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const size_t size = lead < 0x80   ? 1
                      : lead < 0xC2 ? 0
                      : lead < 0xE0 ? 2
                      : lead < 0xF0 ? 3
                      : lead < 0xF5 ? 4
                                    : 0;
  if (size == 0 || size > text.size()) return 0;
  *point = size == 1 ? lead : lead & (0xFF >> (size + 1));
  for (size_t i = 1; i < size; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0) != 0x80) return 0;
    *point = (*point << 6) | (byte & 0x3F);
  }
  const bool overlong = (size == 3 && *point < 0x800) || (size == 4 && *point < 0x10000);
  const bool surrogate = IsHighSurrogate(*point) || IsLowSurrogate(*point);
  return overlong || surrogate || *point > 0x10FFFF ? 0 : size;
}

}  // namespace

std::string Utf16ToUtf8(std::span<const char16_t> text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    char32_t point = text[i];
    if (IsHighSurrogate(point) && i + 1 < text.size() && IsLowSurrogate(text[i + 1])) {
      point = 0x10000 + ((point - 0xD800) << 10) + (text[++i] - 0xDC00);
    } else if (IsHighSurrogate(point) || IsLowSurrogate(point)) {
      point = kReplacement;
    }
    AppendUtf8(point, &out);
  }
  return out;
}

std::u16string Utf8ToUtf16(std::string_view text) {
  std::u16string out;
  out.reserve(text.size());
  while (!text.empty()) {
    char32_t point = 0;
    size_t size = DecodeUtf8(text, &point);
    if (size == 0) {
      point = kReplacement;
      size = 1;
    }
    text.remove_prefix(size);
    if (point < 0x10000) {
      out.push_back(static_cast<char16_t>(point));
    } else {
      out.push_back(static_cast<char16_t>(0xD800 + ((point - 0x10000) >> 10)));
      out.push_back(static_cast<char16_t>(0xDC00 + ((point - 0x10000) & 0x3FF)));
    }
  }
  return out;
}

}  // namespace reprise
