#include "dump/keyed_hash.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace reprise {

namespace {

struct SipState {
  uint64_t v0, v1, v2, v3;

  void Round() {
    v0 += v1;
    v1 = std::rotl(v1, 13) ^ v0;
    v0 = std::rotl(v0, 32);
    v2 += v3;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 += v3;
    v3 = std::rotl(v3, 21) ^ v0;
    v2 += v1;
    v1 = std::rotl(v1, 17) ^ v2;
    v2 = std::rotl(v2, 32);
  }

  void Compress(uint64_t word) {
    v3 ^= word;
    Round();
    Round();
    v0 ^= word;
  }
};

constexpr int kRounds = 8;

}  // namespace

uint64_t KeyedHash(std::string_view bytes, const HashKey& key) {
  SipState state{key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d,
                 key[0] ^ 0x6c7967656e657261, key[1] ^ 0x7465646279746573};
  size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + at, 8);
    state.Compress(word);
  }
  uint64_t last = 0;
  std::memcpy(&last, bytes.data() + at, bytes.size() % 8);
  last |= static_cast<uint64_t>(bytes.size()) << 56;
  state.Compress(last);
  state.v2 ^= 0xff;
  for (int i = 0; i < 4; ++i) state.Round();
  return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

HashKey KeyOf(std::string_view secret) {
  return {KeyedHash(secret, {0, 0}), KeyedHash(secret, {1, 1})};
}

uint64_t KeyedPermutation(uint64_t value, int bits, const HashKey& key) {
  const int half = bits / 2;
  const uint64_t mask = (uint64_t{1} << half) - 1;
  uint64_t left = value >> half & mask;
  uint64_t right = value & mask;
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t block[] = {right, static_cast<uint64_t>(round), static_cast<uint64_t>(bits)};
    const std::string_view bytes(reinterpret_cast<const char*>(block), sizeof(block));
    left ^= KeyedHash(bytes, key) & mask;
    std::swap(left, right);
  }
  return left << half | right;
}

uint64_t KeyedPermutationBelow(uint64_t value, uint64_t bound, const HashKey& key) {
  const int bits = std::max(2, static_cast<int>(std::bit_width(bound - 1)));
  return KeyedPermutationOf(value, bits + bits % 2, key,
                            [&](uint64_t other) { return other < bound; });
}

}  // namespace reprise
