#include "scan/orc_statistics.h"

#include <gtest/gtest.h>

#include <protozero/pbf_writer.hpp>

namespace reprise {
namespace {

constexpr int64_t kDayMicros = 86'400'000'000;

/// Of ten values without a null, with bounds that `write` gives to field `kind`.
template <typename Write>
std::string Statistics(int kind, Write&& write) {
  std::string bounds;
  protozero::pbf_writer inner(bounds);
  write(inner);
  std::string statistics;
  protozero::pbf_writer outer(statistics);
  outer.add_uint64(1, 10);
  outer.add_message(static_cast<protozero::pbf_tag_type>(kind), bounds);
  outer.add_bool(10, false);
  return statistics;
}

ColumnRange Decimals(const std::string& min, const std::string& max, const char* type) {
  const std::string statistics = Statistics(6, [&](protozero::pbf_writer& bounds) {
    bounds.add_string(1, min);
    bounds.add_string(2, max);
  });
  return RangeOfOrc(statistics, ParseDataType(type), 10);
}

ColumnRange Instants(int64_t min_ms, int64_t max_ms) {
  const std::string statistics = Statistics(9, [&](protozero::pbf_writer& bounds) {
    bounds.add_sint64(3, min_ms);
    bounds.add_sint64(4, max_ms);
  });
  return RangeOfOrc(statistics, ParseDataType("timestamp"), 10);
}

TEST(OrcStatistics, DecimalsAreTheirDigits) {
  const ColumnRange range = Decimals("-1.5", "20.25", "decimal(12,3)");
  EXPECT_TRUE(range.no_nulls);
  EXPECT_EQ(range.min, RangeValue(__int128{-1500}));
  EXPECT_EQ(range.max, RangeValue(__int128{20250}));
  EXPECT_EQ(Decimals("0", "7", "decimal(5,0)").max, RangeValue(__int128{7}));
  EXPECT_EQ(Decimals("-0.004", ".5", "decimal(38,3)").min, RangeValue(__int128{-4}));
}

TEST(OrcStatistics, DecimalsThatAreNoneOfTheirTypeSayNothing) {
  for (const char* odd :
       {"", "1e5", "1.2345", "1.2.3", "12a", "-", "99999999999999999999999999999999999999999999"}) {
    EXPECT_FALSE(Decimals(odd, "20", "decimal(12,3)").min) << odd;
    EXPECT_FALSE(Decimals("-20", odd, "decimal(12,3)").max) << odd;
  }
}

TEST(OrcStatistics, TimestampsAreWithinADayOfTheWritersClock) {
  const ColumnRange range = Instants(1'000, 1'700'000'000'000);
  EXPECT_EQ(range.min, RangeValue(__int128{1'000'000 - kDayMicros}));
  EXPECT_EQ(range.max, RangeValue(__int128{1'700'000'000'000'000 + kDayMicros}));
  EXPECT_FALSE(Instants(-62'135'596'800'000, 0).min) << "of another calendar";
  EXPECT_FALSE(Instants(5'000'000'000'000, 0).min) << "the wrong way round";
}

}  // namespace
}  // namespace reprise
