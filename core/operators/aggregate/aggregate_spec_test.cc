#include "operators/aggregate/aggregate_spec.h"

#include "operators/aggregate/aggregate_testing.h"

namespace reprise {
namespace {

using testing::AggregateOperator;
using testing::ColumnOf;
using testing::Fields;
using testing::Function;
using testing::Literal;
using testing::RunAggregate;

const std::vector<Field> kKeyed = Fields({"k integer", "v long"});

TEST(AggregateSpec, RefusesMalformedSpecs) {
  const auto good = AggregateOperator(
      kKeyed, {0}, {Function{"sum", "long"}.Over("complete", {ColumnOf(kKeyed, 1)})}, true);
  const auto message = [](const OperatorSpec& spec) {
    const std::string text = RunAggregate(spec, {}).status().message();
    const std::string prefix = "RepriseHashAggregate (LORE id 7): ";
    EXPECT_TRUE(text.starts_with(prefix)) << text;
    return text.substr(std::min(text.size(), prefix.size()));
  };
  OperatorSpec spec = good;
  spec.arguments.erase("keys");
  EXPECT_EQ(message(spec), "there is no \"keys\"");
  spec = good;
  spec.arguments["aggregates"][0]["function"] = "median";
  EXPECT_EQ(message(spec), "aggregate 0 (median): \"function\" is \"median\", which is not known");
  spec = good;
  spec.arguments["aggregates"][0]["mode"] = 3;
  EXPECT_EQ(message(spec), "aggregate 0 (sum): \"mode\" must be a string, not number");
  spec = good;
  spec.arguments["aggregates"][0]["inputs"] = nlohmann::json::array();
  EXPECT_EQ(message(spec), "aggregate 0 (sum): \"inputs\" has 0 expressions, expected 1");
  spec = good;
  spec.arguments["aggregates"][0]["inputType"] = "string";
  EXPECT_EQ(message(spec),
            "aggregate 0 (sum): \"inputs\" holds a bigint, but \"inputType\" is string");
  spec = good;
  spec.arguments["aggregates"][0]["result"] = "double";
  EXPECT_EQ(message(spec), "aggregate 0 (sum): \"result\" is double, expected bigint");
  spec = good;
  spec.arguments["aggregates"][0]["buffer"] = nlohmann::json::array();
  EXPECT_EQ(message(spec), "aggregate 0 (sum): \"buffer\" has 0 fields, expected 1");
  spec = good;
  spec.arguments.erase("results");
  EXPECT_EQ(message(spec), "there is no \"results\", which final and complete aggregates need");
  spec = good;
  spec.arguments["aggregates"][0]["mode"] = "partial";
  EXPECT_EQ(message(spec), "there are \"results\", but the aggregates yield buffers");
  spec = good;
  spec.arguments["aggregates"].push_back(
      Function{"count", ""}.Over("partial", {Literal("integer", 1)}));
  EXPECT_EQ(message(spec),
            "\"aggregates\" mixes modes that yield buffers with modes that yield results");
  spec = good;
  spec.output.pop_back();
  EXPECT_EQ(message(spec), "the aggregate yields 2 columns, but its output has 1");
  spec = good;
  spec.output[1].type = ParseDataType("integer");
  EXPECT_EQ(message(spec), "output column 1 (result) is int, the aggregate yields bigint");
  spec = AggregateOperator(kKeyed, {0}, {Function{"sum", "long"}.OverBuffer("final", 2)}, true);
  EXPECT_EQ(message(spec),
            "aggregate 0 (sum): \"bufferIndex\" 2 is outside the input of 2 columns");
  spec = AggregateOperator(kKeyed, {0}, {Function{"sum", "long"}.OverBuffer("final", 0)}, true);
  EXPECT_EQ(message(spec),
            "aggregate 0 (sum): \"bufferIndex\" names input column 0 (k), which is int, expected "
            "bigint");
  spec = AggregateOperator(
      kKeyed, {0}, {Function{"sum", "string"}.Over("partial", {Literal("string", "x")})}, false);
  EXPECT_EQ(message(spec), "aggregate 0 (sum): is not made for arguments of type string");
}

}  // namespace
}  // namespace reprise
