#include "profile/jfr_cursor.h"

#include <fmt/format.h>

#include <algorithm>

namespace reprise {

namespace {

enum StringForm : uint8_t {
  kNull = 0,
  kEmpty = 1,
  kConstant = 2,
  kUtf8 = 3,
  kCharArray = 4,
  kLatin1 = 5,
};

void AppendUtf8(uint32_t code, std::string* out) {
  const auto put = [out](uint32_t byte) { out->push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else {
    put(0xE0 | (code >> 12 & 0x0F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

}  // namespace

uint64_t JfrCursor::LongVarint() {
  if (left() >= 2 && bytes_[at_ + 1] < 0x80) {  // most of these
    const uint64_t value = (bytes_[at_] & 0x7F) | static_cast<uint64_t>(bytes_[at_ + 1]) << 7;
    at_ += 2;
    return value;
  }
  uint64_t value = 0;
  for (int shift = 0; shift < 56; shift += 7) {
    const uint8_t byte = Byte();
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if ((byte & 0x80) == 0) return value;
  }
  return value | static_cast<uint64_t>(Byte()) << 56;
}

uint64_t JfrCursor::BigEndian(int bytes) {
  uint64_t value = 0;
  for (int i = 0; i < bytes; ++i) value = value << 8 | Byte();
  return value;
}

void JfrCursor::Skip(uint64_t bytes) {
  if (bytes > left()) {
    failed_ = true;
    at_ = bytes_.size();
  } else {
    at_ += bytes;
  }
}

std::string JfrCursor::String(uint64_t* constant) {
  std::string text;
  switch (Byte()) {
    case kNull:
    case kEmpty:
      break;
    case kConstant: {
      const uint64_t number = Varint();
      if (constant != nullptr) *constant = number;
      break;
    }
    case kUtf8: {
      const uint64_t size = Varint();
      const size_t begin = at_;
      Skip(size);
      if (!failed_) text.assign(reinterpret_cast<const char*>(bytes_.data()) + begin, size);
      break;
    }
    case kCharArray: {
      const uint64_t size = Varint();
      for (uint64_t i = 0; i < size && !failed_; ++i) {
        AppendUtf8(static_cast<uint32_t>(Varint() & 0xFFFF), &text);
      }
      break;
    }
    case kLatin1: {
      const uint64_t size = Varint();
      for (uint64_t i = 0; i < size && !failed_; ++i) AppendUtf8(Byte(), &text);
      break;
    }
    default:
      failed_ = true;
  }
  return text;
}

Status JfrCursor::status(std::string_view file, std::string_view what) const {
  if (!failed_) return Status::OK();
  return Status::Invalid(file, ": offset ", offset(), ": ", what, " is cut off or malformed");
}

std::optional<uint64_t> JfrCursor::SkipString() {
  switch (Byte()) {
    case kNull:
    case kEmpty:
      break;
    case kConstant:
      return Varint();
    case kUtf8:
    case kLatin1:
      Skip(Varint());
      break;
    case kCharArray: {
      const uint64_t size = Varint();
      for (uint64_t i = 0; i < size && !failed_; ++i) Varint();
      break;
    }
    default:
      failed_ = true;
  }
  return std::nullopt;
}

void PutVarint(uint64_t value, std::string* out) {
  for (int i = 0; i < 8; ++i) {
    if (value < 0x80) {
      out->push_back(static_cast<char>(value));
      return;
    }
    out->push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out->push_back(static_cast<char>(value));
}

void PutBigEndian(uint64_t value, int bytes, std::string* out) {
  for (int i = bytes - 1; i >= 0; --i) out->push_back(static_cast<char>(value >> (8 * i)));
}

void PutString(std::string_view utf8, std::string* out) {
  out->push_back(kUtf8);
  PutVarint(utf8.size(), out);
  out->append(utf8);
}

void PutEvent(std::string_view body, std::string* out) {
  // Five bytes whatever the size, as writers of JFR do that learn the size last.
  uint64_t size = body.size() + 5;
  for (int i = 0; i < 4; ++i, size >>= 7) out->push_back(static_cast<char>(size | 0x80));
  out->push_back(static_cast<char>(size & 0x7F));
  out->append(body);
}

}  // namespace reprise
