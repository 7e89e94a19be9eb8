#include "vocabulary/signature.h"

#include <gtest/gtest.h>

#include "vocabulary/casts.h"
#include "vocabulary/functions.h"

namespace reprise {
namespace {

const DataType kInt{TypeKind::kInteger};
const DataType kLong{TypeKind::kLong};
const DataType kText{TypeKind::kString};
const DataType kFlag{TypeKind::kBoolean};
const DataType kDay{TypeKind::kDate};

TEST(SignatureTest, TakesEachOperandByItsPlace) {
  const auto signature = Signature::Parse("date, int|smallint -> date");
  EXPECT_TRUE(signature.Takes({kDay, kInt}, kDay));
  EXPECT_TRUE(signature.Takes({kDay, {TypeKind::kShort}}, kDay));
  EXPECT_FALSE(signature.Takes({kDay, kLong}, kDay));
  EXPECT_FALSE(signature.Takes({kInt, kDay}, kDay));
  EXPECT_FALSE(signature.Takes({kDay, kInt}, kInt));
  EXPECT_FALSE(signature.Takes({kDay}, kDay));
  EXPECT_FALSE(signature.Takes({kDay, kInt, kInt}, kDay));
  EXPECT_TRUE(signature.TypesAt(1).has(kInt));
  EXPECT_FALSE(signature.TypesAt(1).has(kDay));
  EXPECT_EQ(signature.TypesAt(2), TypeSet());
}

TEST(SignatureTest, OneTypeWhereverItStands) {
  const auto signature = Signature::Parse("T:numeric, T -> T; string, string -> string");
  EXPECT_TRUE(signature.Takes({kLong, kLong}, kLong));
  EXPECT_FALSE(signature.Takes({kLong, kInt}, kLong));
  EXPECT_FALSE(signature.Takes({kLong, kLong}, kInt));
  EXPECT_FALSE(signature.Takes({Decimal(4, 2), Decimal(5, 2)}, Decimal(5, 2)));
  EXPECT_TRUE(signature.Takes({kText, kText}, kText));
  EXPECT_FALSE(signature.Takes({kDay, kDay}, kDay));
}

TEST(SignatureTest, OperandsThatMayBeLeftOutOrStandOften) {
  const auto optional = Signature::Parse("string, string? -> string");
  EXPECT_TRUE(optional.Takes({kText}, kText));
  EXPECT_TRUE(optional.Takes({kText, kText}, kText));
  EXPECT_FALSE(optional.Takes({kText, kText, kText}, kText));
  EXPECT_EQ(optional.least(), 1u);
  EXPECT_EQ(optional.most(), 2u);
  const auto often = Signature::Parse("T, T... -> boolean");
  EXPECT_TRUE(often.Takes({kInt}, kFlag));
  EXPECT_TRUE(often.Takes({kInt, kInt, kInt}, kFlag));
  EXPECT_FALSE(often.Takes({kInt, kInt, kText}, kFlag));
  EXPECT_FALSE(often.Takes({}, kFlag));
  EXPECT_EQ(often.most(), Signature::kAnyNumber);
  EXPECT_TRUE(often.TypesAt(7).has(kText));
}

TEST(SignatureTest, Pairs) {
  const auto signature = Signature::Parse("boolean, T, [boolean, T]..., T? -> T");
  EXPECT_TRUE(signature.Takes({kFlag, kText}, kText));
  EXPECT_TRUE(signature.Takes({kFlag, kText, kText}, kText));
  EXPECT_TRUE(signature.Takes({kFlag, kText, kFlag, kText}, kText));
  EXPECT_TRUE(signature.Takes({kFlag, kText, kFlag, kText, kText}, kText));
  EXPECT_TRUE(signature.Takes({kFlag, kFlag, kFlag}, kFlag));
  EXPECT_FALSE(signature.Takes({kFlag, kText, kText, kText}, kText));
  EXPECT_FALSE(signature.Takes({kFlag, kText, kFlag, kInt}, kText));
  EXPECT_TRUE(signature.TypesAt(2).has(kFlag));
  EXPECT_FALSE(signature.TypesAt(0).has(kText));
  // The last may stand behind any number of pairs.
  for (size_t place = 1; place < 10; ++place) EXPECT_TRUE(signature.TypesAt(place).has(kText));
}

TEST(SignatureTest, WhatIsNoArgument) {
  const auto last = Signature::Parse("string, literal start -> int");
  EXPECT_TRUE(last.Takes({kText}, kInt));
  EXPECT_FALSE(last.IsAside(0));
  EXPECT_TRUE(last.IsAside(1));
  EXPECT_EQ(last.literal(), std::pair(size_t{1}, std::string_view("start")));
  EXPECT_EQ(last.most(), 1u);
  const auto first = Signature::Parse("literal unit, timestamp -> timestamp");
  EXPECT_TRUE(first.IsAside(0));
  EXPECT_TRUE(first.TypesAt(1).has(DataType{TypeKind::kTimestamp}));
  const auto subquery = Signature::Parse("subquery -> any");
  EXPECT_TRUE(subquery.IsAside(0));
  EXPECT_EQ(subquery.literal(), std::nullopt);
  EXPECT_TRUE(Signature::Parse("-> any").Takes({}, kText));
}

TEST(FunctionsTest, SayWhatTheyTake) {
  ExpressionSpec spec;
  spec.type = kText;
  spec.function = "substring";
  EXPECT_TRUE(CheckSignature(spec, {kText, kInt, kInt}).ok());
  EXPECT_EQ(CheckSignature(spec, {kText}).message(), "substring has 1 arguments; it takes 3");
  spec.function = "trim";
  EXPECT_EQ(CheckSignature(spec, {}).message(), "trim has 0 arguments; it takes 1 to 2");
  spec.function = "concat";
  EXPECT_EQ(CheckSignature(spec, {}).message(), "concat has 0 arguments; it takes at least 1");
  EXPECT_EQ(CheckSignature(spec, {kText, kInt}).message(),
            "concat(string, int) of type string is not supported");
  spec.function = "no";
  EXPECT_EQ(CheckSignature(spec, {}).message(), "there is no function \"no\"");
}

TEST(FunctionsTest, CastsByTheirTable) {
  ExpressionSpec spec;
  spec.function = "cast";
  spec.type = kText;
  EXPECT_TRUE(CheckSignature(spec, {kLong}).ok());
  EXPECT_FALSE(CheckSignature(spec, {{TypeKind::kDouble}}).ok());
  EXPECT_TRUE(CanCast({TypeKind::kDouble}, kLong));
  EXPECT_TRUE(CanCast({TypeKind::kDouble}, Decimal(14, 2)));
  EXPECT_FALSE(CanCast({TypeKind::kDouble}, Decimal(15, 2)));
  EXPECT_FALSE(CanCast(kDay, kLong));
}

TEST(FunctionsTest, EachNameOnce) {
  auto names = FunctionNames();
  const size_t count = names.size();
  EXPECT_GT(count, 90u);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  EXPECT_EQ(names.size(), count);
}

}  // namespace
}  // namespace reprise
