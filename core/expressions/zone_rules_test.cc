#include "expressions/zone_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expressions/civil_date.h"
#include "expressions/expression_testing.h"

namespace reprise {
namespace {

// Berlin's last listed change and its rules; before, the local mean time of 0:53:28.
const json kBerlin = {
    {"id", "Europe/Berlin"},
    {"offset", 3208},
    {"transitions", {-2422054408, 3600, 828234000, 7200, 846378000, 3600}},
    {"yearly", {{3, -1, 7, 3600, 0, 3600, 3600, 7200}, {10, -1, 7, 3600, 0, 3600, 7200, 3600}}}};

ZoneRules Rules(const json& zone) {
  ExpressionSpec spec;
  spec.attributes["zone"] = zone;
  auto rules = ZoneRules::Of(spec);
  EXPECT_TRUE(rules.ok()) << rules.status();
  return *rules;
}

int64_t SecondsAt(int64_t year, int32_t month, int32_t day, int64_t hour, int64_t minute = 0) {
  return DaysOf({year, month, day}) * kSecondsPerDay + hour * 3600 + minute * 60;
}

TEST(ZoneRulesTest, OffsetsOfInstants) {
  const ZoneRules berlin = Rules(kBerlin);
  EXPECT_EQ(berlin.OffsetAt(-2422054409), 3208);
  EXPECT_EQ(berlin.OffsetAt(-2422054408), 3600);
  EXPECT_EQ(berlin.OffsetAt(SecondsAt(2024, 3, 31, 0, 59)), 3600);
  EXPECT_EQ(berlin.OffsetAt(SecondsAt(2024, 3, 31, 1)), 7200);
  EXPECT_EQ(berlin.OffsetAt(SecondsAt(2024, 10, 27, 0, 59)), 7200);
  EXPECT_EQ(berlin.OffsetAt(SecondsAt(2024, 10, 27, 1)), 3600);
  // 400 and 290,000 years later the calendar is the same.
  EXPECT_EQ(berlin.OffsetAt(SecondsAt(2424, 3, 31, 0, 59)), 3600);
  EXPECT_EQ(berlin.OffsetAt(SecondsAt(2424, 3, 31, 1)), 7200);
  EXPECT_EQ(berlin.OffsetAt(SecondsAt(292024, 10, 27, 0, 59)), 7200);
  EXPECT_EQ(berlin.OffsetAt(SecondsAt(292024, 10, 27, 1)), 3600);
}

TEST(ZoneRulesTest, ManyInstantsInAnyOrder) {
  const ZoneRules berlin = Rules(kBerlin);
  ZoneOffsets offsets(berlin);
  for (int64_t step = 0; step < 20000; ++step) {
    const int64_t instant = (step * 7919 % 20000 - 10000) * 86400 * 11;
    ASSERT_EQ(offsets.At(instant), berlin.OffsetAt(instant)) << instant;
  }
}

TEST(ZoneRulesTest, LocalTimesInGapsMoveOnAndInOverlapsAreTheEarlier) {
  const ZoneRules berlin = Rules(kBerlin);
  EXPECT_EQ(berlin.InstantOf(SecondsAt(2024, 3, 31, 1, 59)), SecondsAt(2024, 3, 31, 0, 59));
  EXPECT_EQ(berlin.InstantOf(SecondsAt(2024, 3, 31, 2, 30)), SecondsAt(2024, 3, 31, 1, 30));
  EXPECT_EQ(berlin.InstantOf(SecondsAt(2024, 3, 31, 3)), SecondsAt(2024, 3, 31, 1));
  EXPECT_EQ(berlin.InstantOf(SecondsAt(2024, 10, 27, 2, 30)), SecondsAt(2024, 10, 27, 0, 30));
  EXPECT_EQ(berlin.InstantOf(SecondsAt(2024, 10, 27, 2, 30), 3600), SecondsAt(2024, 10, 27, 1, 30));
  EXPECT_EQ(berlin.InstantOf(SecondsAt(2024, 10, 27, 2, 30), 7200), SecondsAt(2024, 10, 27, 0, 30));
  EXPECT_EQ(berlin.InstantOf(SecondsAt(2024, 10, 27, 3)), SecondsAt(2024, 10, 27, 2));
  EXPECT_EQ(berlin.InstantOf(SecondsAt(1800, 1, 1, 0)), SecondsAt(1800, 1, 1, 0) - 3208);
}

TEST(ZoneRulesTest, DaysBeginAfterAGap) {
  // Gaps at midnight, and from 23:30 on the day before.
  const ZoneRules at_midnight = Rules({{"offset", 0}, {"transitions", {86400, 3600}}});
  EXPECT_EQ(at_midnight.StartOfDay(1), 86400);
  const ZoneRules before = Rules({{"offset", 0}, {"transitions", {84600, 3600}}});
  EXPECT_EQ(before.StartOfDay(1), 84600);
  EXPECT_EQ(before.InstantOf(86400), 86400);
  EXPECT_EQ(before.StartOfDay(2), 2 * 86400 - 3600);
  const ZoneRules overlap = Rules({{"offset", 3600}, {"transitions", {86400, 0}}});
  EXPECT_EQ(overlap.StartOfDay(1), 82800);
}

TEST(ZoneRulesTest, UtcAndFixedOffsets) {
  EXPECT_TRUE(ZoneRules::Of(ExpressionSpec())->is_utc());
  const ZoneRules fixed = Rules({{"offset", -12600}, {"transitions", json::array()}});
  EXPECT_EQ(fixed.OffsetAt(0), -12600);
  EXPECT_EQ(fixed.InstantOf(0), 12600);
  EXPECT_EQ(fixed.StartOfDay(0), 12600);
}

TEST(ZoneRulesTest, MalformedZonesAreErrors) {
  const auto error = [](const json& zone) {
    ExpressionSpec spec;
    spec.attributes["zone"] = zone;
    return ZoneRules::Of(spec).status().message();
  };
  EXPECT_EQ(error(json::array()), "the time zone of an expression has no valid offset");
  EXPECT_EQ(error({{"offset", 100000}}), "the time zone of an expression has no valid offset");
  EXPECT_EQ(error({{"offset", 0}, {"transitions", {5, 0, 5, 0}}}),
            "the time zone of an expression has no valid transitions");
  EXPECT_EQ(error({{"offset", 0}, {"yearly", {{13, 1, 0, 0, 0, 0, 0, 0}}}}),
            "the time zone of an expression has no valid yearly rule");
}

}  // namespace
}  // namespace reprise
