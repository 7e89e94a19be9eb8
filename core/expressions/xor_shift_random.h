// The random numbers of rand() and of samples.
#pragma once

#include <cstdint>

namespace reprise {

/// Spark's XORShiftRandom (org.apache.spark.util.random): the same numbers from the same seed.
class XorShiftRandom {
 public:
  explicit XorShiftRandom(int64_t seed);

  /// The next number, at least 0 and below 1, as java.util.Random.nextDouble makes it of two draws.
  double NextDouble() {
    const int64_t high = Next(26) << 27;
    return static_cast<double>(high + Next(27)) * 0x1.0p-53;
  }

 private:
  int64_t Next(int bits) {
    state_ ^= state_ << 21;
    state_ ^= state_ >> 35;
    state_ ^= state_ << 4;
    return static_cast<int64_t>(state_ & ((uint64_t{1} << bits) - 1));
  }

  uint64_t state_;
};

}  // namespace reprise
