// SipHash-2-4 (Aumasson and Bernstein, 2012): a keyed hash that nobody can turn back, or try values
// on, without the key.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace reprise {

using HashKey = std::array<uint64_t, 2>;

/// 64 bits of `bytes` under `key`.
uint64_t KeyedHash(std::string_view bytes, const HashKey& key);

/// The key that a text stands for.
HashKey KeyOf(std::string_view secret);

/// A permutation of the `bits`-bit integers under `key`, an even number of them: a Feistel network
/// of eight rounds, so that different values stay different.
uint64_t KeyedPermutation(uint64_t value, int bits, const HashKey& key);

/// The same of those for which `is_one` holds, which must hold for `value`: it walks on until it
/// meets one, and so stays a permutation.
template <typename Predicate>
uint64_t KeyedPermutationOf(uint64_t value, int bits, const HashKey& key, Predicate&& is_one) {
  do {
    value = KeyedPermutation(value, bits, key);
  } while (!is_one(value));
  return value;
}

/// The same of the integers below `bound`, which is at most 2^63.
uint64_t KeyedPermutationBelow(uint64_t value, uint64_t bound, const HashKey& key);

}  // namespace reprise
