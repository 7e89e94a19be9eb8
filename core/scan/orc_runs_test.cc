// Run-length encodings by the examples of the ORC specification.
#include "scan/orc_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reprise {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

OrcStream StreamOf(std::vector<uint8_t> bytes) {
  return {arrow::Buffer::FromString(std::string(bytes.begin(), bytes.end())),
          {},
          arrow::default_memory_pool()};
}

std::vector<int64_t> Integers(std::vector<uint8_t> bytes, OrcIntegers::Version version,
                              bool is_signed, int64_t count) {
  OrcIntegers integers(StreamOf(std::move(bytes)), version, is_signed);
  std::vector<int64_t> values(count);
  integers.Read(values.data(), count);
  EXPECT_TRUE(integers.status().ok()) << integers.status();
  return values;
}

std::vector<int64_t> Second(std::vector<uint8_t> bytes, int64_t count, bool is_signed = false) {
  return Integers(std::move(bytes), OrcIntegers::Version::k2, is_signed, count);
}

TEST(OrcRunsTest, BytesAreRepeatedOrListed) {
  OrcBytes repeated(StreamOf({0x61, 0x00}));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(repeated.Next(), 0);
  EXPECT_TRUE(repeated.status().ok());
  OrcBytes listed(StreamOf({0xfe, 0x44, 0x45}));
  EXPECT_EQ(listed.Next(), 0x44);
  EXPECT_EQ(listed.Next(), 0x45);
}

TEST(OrcRunsTest, BitsComeTheMostSignificantFirst) {
  OrcBits bits(StreamOf({0xff, 0x80}));
  EXPECT_TRUE(bits.Next());
  for (int i = 1; i < 8; ++i) EXPECT_FALSE(bits.Next());
}

TEST(OrcRunsTest, TheFirstVersionHasDeltasAndLists) {
  const auto version = OrcIntegers::Version::k1;
  EXPECT_THAT(Integers({0x61, 0x00, 0x07}, version, false, 100), Each(7));
  const auto falling = Integers({0x61, 0xff, 0x64}, version, false, 100);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(falling[i], 100 - i);
  EXPECT_THAT(Integers({0xfb, 0x02, 0x03, 0x06, 0x07, 0x0b}, version, false, 5),
              ElementsAre(2, 3, 6, 7, 11));
}

TEST(OrcRunsTest, TheSecondVersionRepeatsListsPatchesAndAdds) {
  EXPECT_THAT(Second({0x0a, 0x27, 0x10}, 5), Each(10000));
  EXPECT_THAT(Second({0x5e, 0x03, 0x5c, 0xa1, 0xab, 0x1e, 0xde, 0xad, 0xbe, 0xef}, 4),
              ElementsAre(23713, 43806, 57005, 48879));
  EXPECT_THAT(
      Second({0x8e, 0x13, 0x2b, 0x21, 0x07, 0xd0, 0x1e, 0x00, 0x14, 0x70, 0x28, 0x32, 0x3c, 0x46,
              0x50, 0x5a, 0x64, 0x6e, 0x78, 0x82, 0x8c, 0x96, 0xa0, 0xaa, 0xb4, 0xbe, 0xfc, 0xe8},
             20),
      ElementsAre(2030, 2000, 2020, 1000000, 2040, 2050, 2060, 2070, 2080, 2090, 2100, 2110, 2120,
                  2130, 2140, 2150, 2160, 2170, 2180, 2190));
  EXPECT_THAT(Second({0xc6, 0x09, 0x02, 0x02, 0x22, 0x42, 0x42, 0x46}, 10),
              ElementsAre(2, 3, 5, 7, 11, 13, 17, 19, 23, 29));
}

TEST(OrcRunsTest, WhatEndsTooEarlyIsAnErrorAndNoValue) {
  OrcIntegers integers(StreamOf({0x5e, 0x03, 0x5c}), OrcIntegers::Version::k2, false);
  std::vector<int64_t> values(1000, 5);
  integers.Read(values.data(), 1000);
  EXPECT_TRUE(integers.status().IsInvalid());
  EXPECT_THAT(std::span(values).subspan(512), Each(0));
}

TEST(OrcRunsTest, APositionIsWithinARun) {
  // Two runs of five; the sixth byte on is the second's.
  OrcIntegers integers(StreamOf({0x0a, 0x00, 0x01, 0x0a, 0x00, 0x02}), OrcIntegers::Version::k2,
                       false);
  const std::vector<uint64_t> numbers = {0, 7};
  OrcPositions positions(numbers);
  integers.Seek(&positions);
  EXPECT_FALSE(positions.is_exhausted());
  int64_t rest[3] = {};
  integers.Read(rest, 3);
  EXPECT_THAT(rest, Each(2));
  EXPECT_TRUE(integers.status().ok());
}

}  // namespace
}  // namespace reprise
