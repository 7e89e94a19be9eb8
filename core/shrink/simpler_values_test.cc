#include "shrink/simpler_values.h"

#include <arrow/util/decimal.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace reprise {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Simpler(const std::shared_ptr<arrow::Scalar>& value, Field field) {
  std::vector<std::string> texts;
  for (const auto& scalar : SimplerValues(*value, field)) {
    EXPECT_TRUE(scalar->type->Equals(value->type));
    texts.push_back(scalar->is_valid ? scalar->ToString() : "null");
  }
  return texts;
}

std::vector<std::string> Simpler(const std::shared_ptr<arrow::Scalar>& value, TypeKind kind) {
  return Simpler(value, Field{"c", {kind}, false});
}

TEST(SimplerValues, GoFromNoughtToTheValue) {
  EXPECT_THAT(Simpler(arrow::MakeScalar(int64_t{10}), TypeKind::kLong),
              ElementsAre("0", "5", "8", "9"));
  EXPECT_THAT(Simpler(arrow::MakeScalar(int8_t{-128}), TypeKind::kByte),
              ElementsAre("0", "-64", "-96", "-112", "-120", "-124", "-126", "-127"));
  EXPECT_THAT(Simpler(arrow::MakeScalar(int64_t{0}), TypeKind::kLong), IsEmpty());
  EXPECT_THAT(Simpler(arrow::MakeScalar(true), TypeKind::kBoolean), ElementsAre("false"));
  EXPECT_THAT(Simpler(arrow::MakeScalar(false), TypeKind::kBoolean), IsEmpty());
  EXPECT_THAT(Simpler(arrow::MakeScalar(arrow::date32(), 2).ValueOrDie(), TypeKind::kDate),
              ElementsAre("1970-01-01", "1970-01-02"));
  const auto decimal =
      std::make_shared<arrow::Decimal128Scalar>(arrow::Decimal128(310), arrow::decimal128(20, 2));
  EXPECT_THAT(Simpler(decimal, Field{"c", Decimal(20, 2), false}).front(), "0.00");
}

TEST(SimplerValues, OfFloatsAreWholeFirst) {
  EXPECT_THAT(Simpler(arrow::MakeScalar(2.75), TypeKind::kDouble), ElementsAre("0", "2"));
  EXPECT_THAT(Simpler(arrow::MakeScalar(4.0), TypeKind::kDouble), ElementsAre("0", "2", "3"));
  EXPECT_THAT(Simpler(arrow::MakeScalar(-0.0), TypeKind::kDouble), ElementsAre("0"));
  EXPECT_THAT(Simpler(arrow::MakeScalar(0.0), TypeKind::kDouble), IsEmpty());
  EXPECT_THAT(Simpler(arrow::MakeScalar(std::nan("")), TypeKind::kDouble), ElementsAre("0"));
  EXPECT_THAT(Simpler(arrow::MakeScalar(-INFINITY), TypeKind::kDouble), ElementsAre("0"));
}

TEST(SimplerValues, OfTextsArePartsOfWholeCharacters) {
  EXPECT_THAT(Simpler(arrow::MakeScalar("abcd"), TypeKind::kString),
              ElementsAre("", "ab", "cd", "abc", "bcd"));
  EXPECT_THAT(Simpler(arrow::MakeScalar("éa"), TypeKind::kString), ElementsAre("", "é", "a"));
  EXPECT_THAT(Simpler(arrow::MakeScalar(""), TypeKind::kString), IsEmpty());
}

TEST(SimplerValues, NullIsTheSimplestWhereItMayBe) {
  EXPECT_THAT(Simpler(arrow::MakeScalar(int64_t{1}), Field{"c", {TypeKind::kLong}, true}),
              ElementsAre("null", "0"));
  EXPECT_THAT(Simpler(arrow::MakeNullScalar(arrow::int64()), Field{"c", {TypeKind::kLong}, true}),
              IsEmpty());
  const Field array{
      "c", ParseDataType(R"({"type":"array","elementType":"long","containsNull":true})"), true};
  EXPECT_THAT(Simpler(std::make_shared<arrow::BinaryScalar>("bytes of a row"), array),
              ElementsAre("null"));
}

}  // namespace
}  // namespace reprise
