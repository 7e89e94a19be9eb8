// Loops over words of 64 bits, compiled for each width of vectors: what sums of rows are made of.
#pragma once

#include <cstdint>
#include <span>

namespace reprise {

/// What the upper half of a word is multiplied by.
inline constexpr uint64_t kUpperFactor = 0x9E3779B1;

/// A word for each word, 0 for 0, whose lower bits depend on all upper ones: short mantissas leave
/// most lower bits of a word alone, so that rows of them, weighted by column, would have the same
/// sum. Small numbers are scattered by their weights.
inline uint64_t Scattered(uint64_t word) {
  word += (word >> 32) * kUpperFactor;
  return word ^ (word >> 32);
}

/// Add each word, scattered and then multiplied by `factor`, to the sum of its row; return the sum
/// of the scattered words. All is modulo 2^64. `row_sums` has room for as many.
uint64_t AddWords(std::span<const uint64_t> words, uint64_t factor, uint64_t* row_sums);
/// Of numbers that are widened with their sign.
uint64_t AddWords(std::span<const int32_t> numbers, uint64_t factor, uint64_t* row_sums);
/// Of the words at these places, modulo its size, of a table, which have been scattered and
/// multiplied before, as has their sum. The table's size is a power of two: with AVX-512, 16, 32
/// and 64 words are fast.
uint64_t AddFromTable(std::span<const uint64_t> table, std::span<const int32_t> places,
                      uint64_t* row_sums);

/// Makes all of them `word`.
void FillWords(uint64_t word, std::span<uint64_t> words);

/// Hashes of sums of rows, so that rows with close values have others. `hashes` is other memory.
void MixWords(std::span<const uint64_t> row_sums, uint64_t* hashes);

/// Hashes are chained at most so many at a time.
constexpr int64_t kChainedMax = 1024;

/// Adds hashes that follow, at most kChainedMax, to what depends on their order and to their sum.
void ChainHashes(std::span<const uint64_t> hashes, uint64_t* ordered, uint64_t* unordered);
/// Both at once.
void MixAndChain(std::span<const uint64_t> row_sums, uint64_t* hashes, uint64_t* ordered,
                 uint64_t* unordered);

}  // namespace reprise
