#include "plan/utf16.h"

#include "plan/replaced_text.h"

namespace reprise {

namespace {

constexpr char32_t kReplacementPoint = 0xFFFD;

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

// Decodes the code point at the start of `text`, UTF-8 and not empty, and returns its bytes.
size_t DecodeUtf8(std::string_view text, char32_t* point) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  *point = size == 1 ? lead : lead & (0xFF >> (size + 1));
  for (size_t i = 1; i < size; ++i) {
    *point = (*point << 6) | (static_cast<unsigned char>(text[i]) & 0x3F);
  }
  return size;
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
      point = kReplacementPoint;
    }
    AppendUtf8(point, &out);
  }
  return out;
}

std::u16string Utf8ToUtf16(std::string_view text) {
  if (!IsUtf8(text)) return Utf8ToUtf16(ReplacedText(text));
  std::u16string out;
  out.reserve(text.size());
  while (!text.empty()) {
    char32_t point = 0;
    text.remove_prefix(DecodeUtf8(text, &point));
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
