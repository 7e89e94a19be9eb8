// Bloom filters, byte by byte those that Spark 4.1.3 makes of the same numbers: 64 bits, two
// hashes.
#include <arrow/util/base64.h>

#include "expressions/expression_testing.h"
#include "operators/aggregate/accumulator.h"

namespace reprise {
namespace {

constexpr const char* kVersion1 = "AAAAAQAAAAIAAAABSABZAhACBBI=";
constexpr const char* kVersion2 = "AAAAAgAAAAIAAABNAAAAAUAVCAIAUBgQ";  // seed 77

/// As the filters above: 0, 1, -1, 42, the least and the largest long, 1234567890123.
const std::vector<std::optional<int64_t>> kNumbers = {0,
                                                      1,
                                                      -1,
                                                      42,
                                                      std::nullopt,
                                                      std::numeric_limits<int64_t>::min(),
                                                      std::numeric_limits<int64_t>::max(),
                                                      1234567890123};

std::unique_ptr<Accumulator> FilterOf(int32_t version, int32_t seed) {
  AggregateSpec spec;
  spec.function = AggregateFunction::kBloomFilter;
  spec.bloom_filter = BloomFilterShape::For(version, /*items=*/22, /*bits=*/60);
  spec.bloom_filter->seed = seed;
  auto filter = MakeAccumulator(spec, arrow::default_memory_pool());
  EXPECT_TRUE(filter->Grow(1).ok());
  return filter;
}

void Add(const std::vector<std::optional<int64_t>>& numbers, Accumulator* filter) {
  const Column column{Longs(numbers), nullptr};
  GroupRows rows;
  rows.row_count = std::ssize(numbers);
  EXPECT_TRUE(filter->Update(rows, {&column, 1}).ok());
}

std::string BytesIn(const std::shared_ptr<arrow::Array>& column) {
  EXPECT_TRUE(column->ValidateFull().ok());
  return static_cast<const arrow::BinaryArray&>(*column).GetString(0);
}

std::shared_ptr<arrow::Array> BufferOf(const Accumulator& filter) {
  return (*filter.Buffers(0, 1, arrow::default_memory_pool()))[0];
}

std::shared_ptr<arrow::Array> ResultOf(const Accumulator& filter) {
  return *filter.Results(0, 1, arrow::default_memory_pool());
}

TEST(BloomFilterTest, BytesAreSparks) {
  const auto first = FilterOf(1, 0);
  Add(kNumbers, first.get());
  EXPECT_EQ(BytesIn(ResultOf(*first)), arrow::util::base64_decode(kVersion1).ValueOrDie());
  const auto second = FilterOf(2, 77);
  Add(kNumbers, second.get());
  EXPECT_EQ(BytesIn(ResultOf(*second)), arrow::util::base64_decode(kVersion2).ValueOrDie());
}

TEST(BloomFilterTest, PartsAreMerged) {
  const auto merged = FilterOf(2, 77);
  for (const auto& number : kNumbers) {
    const auto part = FilterOf(2, 77);
    Add({number}, part.get());
    GroupRows rows;
    rows.row_count = 1;
    EXPECT_TRUE(merged->Merge(rows, {BufferOf(*part)}).ok());
  }
  EXPECT_EQ(BytesIn(ResultOf(*merged)), arrow::util::base64_decode(kVersion2).ValueOrDie());
}

TEST(BloomFilterTest, OfNothingIsNull) {
  const auto filter = FilterOf(2, 0);
  Add({std::nullopt}, filter.get());
  EXPECT_TRUE(ResultOf(*filter)->IsNull(0));
  EXPECT_FALSE(BufferOf(*filter)->IsNull(0));
}

TEST(BloomFilterTest, OthersAreNotMerged) {
  const auto filter = FilterOf(2, 0);
  GroupRows rows;
  rows.row_count = 1;
  EXPECT_EQ(filter->Merge(rows, {BufferOf(*FilterOf(1, 0))}).message(),
            "a Bloom filter of version 1, 1 words, 2 hashes and the seed 0 cannot be merged into a "
            "Bloom filter of version 2, 1 words, 2 hashes and the seed 0");
}

TEST(BloomFilterTest, HasAsManyHashesAsSparks) {
  EXPECT_EQ(BloomFilterShape::For(2, 1000000, 8388608).hash_count, 6);
  EXPECT_EQ(BloomFilterShape::For(2, 4000000, 64).hash_count, 1);
}

}  // namespace
}  // namespace reprise
