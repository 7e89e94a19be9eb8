// Run-length encodings of ORC.
//
// Example: of integers, version 2: 0a 27 10 is 10,000 five times; of bytes: 61 00 is 0 a hundred
//          times, fe 44 45 is 44 45.
// Errors are those of the streams, whose status() tells of them: values are zero then.
#pragma once

#include <array>
#include <cstdint>

#include "scan/orc_stream.h"

namespace reprise {

/// Runs of bytes.
class OrcBytes {
 public:
  explicit OrcBytes(OrcStream stream) : stream_(std::move(stream)) {}
  uint8_t Next() {
    if (left_ == 0) NextRun();
    --left_;
    return is_repeated_ ? repeated_ : stream_.Byte();
  }
  void Seek(OrcPositions* positions);
  const Status& status() const { return stream_.status(); }

 private:
  void NextRun();

  OrcStream stream_;
  int left_ = 0;  // of a run
  bool is_repeated_ = false;
  uint8_t repeated_ = 0;
};

/// Runs of bytes of eight bits each, the most significant first.
class OrcBits {
 public:
  explicit OrcBits(OrcStream stream) : bytes_(std::move(stream)) {}
  bool Next() {
    if (left_ == 0) {
      byte_ = bytes_.Next();
      left_ = 8;
    }
    --left_;
    return ((byte_ >> left_) & 1) != 0;
  }
  void Seek(OrcPositions* positions);
  const Status& status() const { return bytes_.status(); }

 private:
  OrcBytes bytes_;
  uint8_t byte_ = 0;
  int left_ = 0;  // bits of byte_
};

/// Runs of integers.
class OrcIntegers {
 public:
  enum class Version { k1, k2 };

  OrcIntegers(OrcStream stream, Version version, bool is_signed)
      : stream_(std::move(stream)), version_(version), is_signed_(is_signed) {}
  void Read(int64_t* to, int64_t count);
  void Seek(OrcPositions* positions);
  const Status& status() const { return stream_.status(); }

 private:
  static constexpr int kRunMax = 512;

  void NextRun();
  void ReadFirstVersion();
  void ReadShortRepeat(uint8_t header);
  void ReadDirect(uint8_t header);
  void ReadPatched(uint8_t header);
  void ReadDelta(uint8_t header);
  int64_t Number() { return is_signed_ ? stream_.SignedVarint() : stream_.Varint(); }
  uint64_t BigEndian(int bytes);
  /// Packed numbers of `bits` bits, the most significant first.
  void Unpack(int bits, int count, uint64_t* to);

  OrcStream stream_;
  Version version_;
  bool is_signed_;
  std::array<int64_t, kRunMax> run_;
  int used_ = 0;
  int size_ = 0;  // of run_
};

}  // namespace reprise
