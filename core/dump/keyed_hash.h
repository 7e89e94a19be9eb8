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

/// A permutation of the `bits`-bit integers under `key`, 8, 16, 32 or 64 of them: a Feistel network
/// of eight rounds, so that different values stay different.
uint64_t KeyedPermutation(uint64_t value, int bits, const HashKey& key);

}  // namespace reprise
