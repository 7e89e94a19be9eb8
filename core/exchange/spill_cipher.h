// Encryption of spill files, as Spark encrypts its own.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace reprise {

/// AES in counter mode, as Spark uses it for what it spills (CryptoStreamUtils): any bytes can be
/// read alone, and whoever has no key learns their number. It does not tell whether bytes were
/// changed. Can be used by several threads at once.
class SpillCipher {
 public:
  using Counter = std::array<uint8_t, 16>;  ///< a big-endian number

  /// `first` is the counter of the file's first 16 bytes: each file has one of its own, so that no
  /// two are alike. `key` has 16, 24 or 32 bytes, else Status::Invalid.
  static Result<SpillCipher> Make(std::string_view key, const Counter& first);
  /// Random bytes of the system's, else Status::IOError.
  static Result<Counter> RandomCounter();

  /// Encrypts, or decrypts, `size` bytes that stand at byte `position` of the file, from `in` to
  /// `out`, which may be the same.
  Status Apply(int64_t position, const uint8_t* in, uint8_t* out, int64_t size) const;

 private:
  SpillCipher(std::string_view key, const Counter& first) : key_(key), first_(first) {}

  std::string key_;
  Counter first_;
};

}  // namespace reprise
