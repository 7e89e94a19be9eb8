#include "expressions/xor_shift_random.h"

#include <cstring>
#include <string_view>

#include "expressions/murmur3_hash.h"

namespace reprise {

namespace {

constexpr int32_t kArraySeed = 0x3c074a61;  // scala.util.hashing.MurmurHash3.arraySeed

/// Seeds differ in few bits, states must not: both halves are hashes of the seed's bytes.
uint64_t StateOf(int64_t seed) {
  char bytes[sizeof(seed)];
  const uint64_t big_endian = __builtin_bswap64(static_cast<uint64_t>(seed));
  std::memcpy(bytes, &big_endian, sizeof(bytes));
  const int32_t low = Murmur3OfBytes({bytes, sizeof(bytes)}, kArraySeed);
  const int32_t high = Murmur3OfBytes({bytes, sizeof(bytes)}, low);
  return uint64_t{static_cast<uint32_t>(high)} << 32 | static_cast<uint32_t>(low);
}

}  // namespace

XorShiftRandom::XorShiftRandom(int64_t seed) : state_(StateOf(seed)) {}

}  // namespace reprise
