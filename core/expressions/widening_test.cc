#include "expressions/widening.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

ExpressionSpec Widening(std::string function, std::vector<ExpressionSpec> arguments) {
  return {std::move(function), ParseDataType("string"), true, nlohmann::json::object(),
          std::move(arguments)};
}

ExpressionSpec Text(const std::string& value) {
  return {"literal", ParseDataType("string"), false, {{"value", value}}, {}};
}

TEST(MayWiden, KnowsWhatMakesStringsLonger) {
  const ExpressionSpec column{"column", ParseDataType("string"), true, {{"index", 0}}, {}};
  EXPECT_FALSE(MayWiden(column));
  EXPECT_FALSE(MayWiden(Widening("trim", {column})));
  EXPECT_FALSE(MayWiden(Text("short")));
  EXPECT_TRUE(MayWiden(Text(std::string(100, 'x'))));
  EXPECT_TRUE(MayWiden(Widening("length", {Widening("repeat", {column, Text("9")})})));
  EXPECT_TRUE(MayWiden(Widening("coalesce", {column, Widening("pad_right", {column})})));
}

}  // namespace
}  // namespace reprise
