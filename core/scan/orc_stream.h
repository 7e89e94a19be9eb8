// One stream of an ORC stripe, as the bytes that were written to it.
//
// Input:   the stream as it is stored: blocks, each compressed by itself, or plain bytes.
// Output:  its bytes, from the beginning or from a position that an index names.
// Example: a header of three bytes says that 5,000 compressed bytes follow, of which up to 262,144
//          are made, and so on.
#pragma once

#include <arrow/buffer.h>
#include <arrow/memory_pool.h>
#include <arrow/util/compression.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "base/status.h"

namespace reprise {

/// How the streams of a file are stored.
struct OrcCompression {
  std::shared_ptr<arrow::util::Codec> codec;  ///< null: as they are
  int64_t block_bytes = 0;                    ///< what a block has at most, once decompressed

  /// The bytes of a block, which go to `to`: how many they are.
  Result<int64_t> Decompress(std::span<const uint8_t> block, uint8_t* to) const;
};

/// Where in its streams the rows of an entry of an index begin: numbers that each reader takes as
/// many of as it needs.
class OrcPositions {
 public:
  explicit OrcPositions(std::span<const uint64_t> numbers) : numbers_(numbers) {}
  int64_t Next() {
    if (numbers_.empty()) {
      is_exhausted_ = true;
      return 0;
    }
    const auto number = static_cast<int64_t>(numbers_.front());
    numbers_ = numbers_.subspan(1);
    return number;
  }
  /// More were asked for than there are.
  bool is_exhausted() const { return is_exhausted_; }

 private:
  std::span<const uint64_t> numbers_;
  bool is_exhausted_ = false;
};

class OrcStream {
 public:
  /// Without bytes.
  OrcStream() = default;
  OrcStream(std::shared_ptr<arrow::Buffer> stored, OrcCompression compression,
            arrow::MemoryPool* pool)
      : stored_(std::move(stored)), compression_(std::move(compression)), pool_(pool) {}

  /// The next byte. Where there is none, zero, and status() says so from then on; so of all reads.
  uint8_t Byte() { return at_ != end_ || NextBlock() ? *at_++ : uint8_t{0}; }
  void Read(uint8_t* to, int64_t count);
  /// A number of seven bits a byte, the least significant first.
  uint64_t Varint() {
    if (end_ - at_ < kVarintBytesMax) return SlowVarint();
    uint64_t value = *at_ & 0x7F;
    for (int shift = 7; (*at_++ & 0x80) != 0; shift += 7) {
      if (shift > 63) return TooLong();
      value |= static_cast<uint64_t>(*at_ & 0x7F) << shift;
    }
    return value;
  }
  /// The same, whose least bit is the sign.
  int64_t SignedVarint() { return FromZigzag(Varint()); }

  /// What is left of the block at hand, or the next one; empty at the end.
  std::span<const uint8_t> Block();

  void Seek(OrcPositions* positions);

  /// Status::Invalid once it has ended too early, or was not as it must be.
  const Status& status() const { return status_; }
  void Fail(std::string_view why) {
    if (status_.ok()) status_ = Status::Invalid(why);
  }

  static int64_t FromZigzag(uint64_t value) {
    return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
  }

 private:
  static constexpr int kVarintBytesMax = 10;

  uint64_t SlowVarint();
  uint64_t TooLong() {
    Fail("a number is too long");
    return 0;
  }
  bool NextBlock();
  Status MakeBlock();

  std::shared_ptr<arrow::Buffer> stored_;
  OrcCompression compression_;
  arrow::MemoryPool* pool_ = nullptr;
  int64_t next_block_ = 0;                // its place in stored_
  std::shared_ptr<arrow::Buffer> block_;  // decompressed
  const uint8_t* at_ = nullptr;           // in block_ or in stored_
  const uint8_t* end_ = nullptr;
  Status status_;
};

/// All bytes of a stream that is stored so. Status::Invalid where it is not as it must be.
Result<std::shared_ptr<arrow::Buffer>> AllOf(OrcStream stream, arrow::MemoryPool* pool);

}  // namespace reprise
