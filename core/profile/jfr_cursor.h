// Reading values of a JFR recording from bytes, never past their end.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"

namespace reprise {

/// Goes through bytes of a recording. A read past the end gives 0 and marks the cursor as failed;
/// callers ask `status` once an event, not after each value.
class JfrCursor {
 public:
  /// @param base  where `bytes` begin in the file, for messages
  JfrCursor(std::span<const uint8_t> bytes, int64_t base) : bytes_(bytes), base_(base) {}

  size_t position() const { return at_; }
  size_t left() const { return bytes_.size() - at_; }
  bool failed() const { return failed_; }
  std::span<const uint8_t> rest() const { return bytes_.subspan(at_); }
  /// The place in the file.
  int64_t offset() const { return base_ + static_cast<int64_t>(at_); }

  uint8_t Byte() {
    if (at_ >= bytes_.size()) {
      failed_ = true;
      return 0;
    }
    return bytes_[at_++];
  }
  /// LEB128 of up to 64 bits, whose ninth byte holds eight bits.
  uint64_t Varint() {
    if (at_ < bytes_.size() && bytes_[at_] < 0x80) return bytes_[at_++];  // nearly all
    return LongVarint();
  }
  uint64_t BigEndian(int bytes);
  void Skip(uint64_t bytes);
  /// A string's characters in UTF-8; of one that is a constant's number only `constant` is set.
  /// Null and empty strings are empty.
  std::string String(uint64_t* constant = nullptr);
  /// Goes past a string. The number of one that is a constant's.
  std::optional<uint64_t> SkipString();

  void Fail() { failed_ = true; }

  /// Status::Invalid "FILE: offset N: WHAT is cut off or malformed" where a read failed.
  Status status(std::string_view file, std::string_view what) const;

 private:
  uint64_t LongVarint();

  std::span<const uint8_t> bytes_;
  int64_t base_;
  size_t at_ = 0;
  bool failed_ = false;
};

/// Appends values in JFR's form.
void PutVarint(uint64_t value, std::string* out);
void PutBigEndian(uint64_t value, int bytes, std::string* out);
void PutString(std::string_view utf8, std::string* out);
/// An event: its size, which counts its own five bytes, and its body.
void PutEvent(std::string_view body, std::string* out);

}  // namespace reprise
