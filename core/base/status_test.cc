#include "base/status.h"

#include <gtest/gtest.h>

#include "base/check.h"

namespace reprise {
namespace {

TEST(Status, CarriesSparksCondition) {
  const Status status =
      SparkError("DIVIDE_BY_ZERO", {{"config", "\"spark.sql.ansi.enabled\""}}, "Division by zero.");
  ASSERT_FALSE(status.ok());
  const SparkErrorDetail* detail = SparkErrorOf(status);
  ASSERT_NE(detail, nullptr);
  EXPECT_EQ(detail->condition(), "DIVIDE_BY_ZERO");
  ASSERT_EQ(detail->parameters().size(), 1u);
  EXPECT_EQ(detail->parameters()[0].first, "config");
  EXPECT_EQ(SparkErrorOf(Status::Invalid("plain")), nullptr);
  EXPECT_EQ(SparkErrorOf(Status::OK()), nullptr);
}

TEST(Status, PrefixKeepsCodeAndCondition) {
  const Status status = SparkError("ARITHMETIC_OVERFLOW", {}, "long overflow");
  const Status prefixed = WithPrefix(status, "RepriseFilter (LORE id 5): ");
  EXPECT_EQ(prefixed.message(), "RepriseFilter (LORE id 5): long overflow");
  EXPECT_EQ(prefixed.code(), status.code());
  ASSERT_NE(SparkErrorOf(prefixed), nullptr);
  EXPECT_EQ(SparkErrorOf(prefixed)->condition(), "ARITHMETIC_OVERFLOW");
  EXPECT_TRUE(WithPrefix(Status::OK(), "x").ok());
}

TEST(Check, SaysWhereAndWhat) {
  try {
    REPRISE_CHECK(1 + 1 == 3, "rows {}", 7);
    FAIL() << "the check did not fail";
  } catch (const CheckFailure& failure) {
    const std::string text = failure.what();
    EXPECT_NE(text.find("core/base/status_test.cc:"), std::string::npos) << text;
    EXPECT_NE(text.find("1 + 1 == 3: rows 7"), std::string::npos) << text;
  }
  REPRISE_CHECK(true, "not evaluated");
}

}  // namespace
}  // namespace reprise
