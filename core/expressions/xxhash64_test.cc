// What xxhash64() of Spark 4.1.3 gives; tests/sql/strings_and_hashes.sql has every type.
#include <gtest/gtest.h>

#include "expressions/expression_testing.h"

namespace reprise {
namespace {

const json kSeed = {{"seed", 42}};

TEST(XxHash64Test, ValuesOfSparksOwnTests) {
  // HashExpressionsSuite and the documentation of xxhash64.
  ExpectValues(Call("xxhash64", "long", {Col(0, "string")}, kSeed), {Strings({"", std::nullopt})},
               Longs({-7444071767201028348, 42}));
  ExpectValues(Call("xxhash64", "long", {Lit("Spark", "string"), Lit(nullptr, "integer")}, kSeed),
               {Ints({1})}, Longs({-4294468057691064905}));
}

TEST(XxHash64Test, ArgumentsAreChainedAndNullsLeftOut) {
  const auto columns = std::vector<std::shared_ptr<arrow::Array>>{Longs({1, std::nullopt}),
                                                                  DictionaryOf({"a", "b"}, {0, 1})};
  const auto first = *Evaluate(Call("xxhash64", "long", {Col(0, "long")}, kSeed), columns);
  const int64_t seed = static_cast<const arrow::Int64Array&>(*first).Value(0);
  const auto both =
      *Evaluate(Call("xxhash64", "long", {Col(0, "long"), Col(1, "string")}, kSeed), columns);
  const auto chained =
      *Evaluate(Call("xxhash64", "long", {Col(1, "string")}, {{"seed", seed}}), columns);
  const auto unchained = *Evaluate(Call("xxhash64", "long", {Col(1, "string")}, kSeed), columns);
  const auto at = [](const auto& array, int64_t row) {
    return static_cast<const arrow::Int64Array&>(*array).Value(row);
  };
  EXPECT_EQ(at(both, 0), at(chained, 0));
  EXPECT_EQ(at(both, 1), at(unchained, 1));
}

}  // namespace
}  // namespace reprise
