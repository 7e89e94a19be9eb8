#include "operators/fragment_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reprise {
namespace {

using Json = nlohmann::json;

const std::vector<Field> kColumns = {{"a", DataType{TypeKind::kInteger}}};

Json FilterSpec(int64_t lore_id, const Json& streams) {
  OperatorSpec spec;
  spec.kind = "filter";
  spec.name = "RepriseFilter";
  spec.lore_id = lore_id;
  spec.output = kColumns;
  spec.inputs = {kColumns};
  spec.arguments = {
      {"condition",
       {{"function", "is_not_null"},
        {"type", "boolean"},
        {"nullable", false},
        {"arguments",
         {{{"function", "column"}, {"type", "int"}, {"attributes", {{"index", 0}}}}}}}}};
  Json json = ToJson(spec);
  json["streams"] = streams;
  return json;
}

Json TwoFilters() {
  const Json leaf = {{"leaf", 4}, {"operator", {{"kind", "shuffle_read"}}}};
  const Json below = {{"operator", FilterSpec(2, {0})}, {"inputs", {leaf}}};
  return {{"operator", FilterSpec(1, {-1})},
          {"inputs", {below}},
          {"capture", {{"loreId", 1}}},
          {"checksummedAs", 1}};
}

TEST(FragmentSpec, KeepsTheOperatorsAndTheirStreamsAlone) {
  const auto arguments = FragmentArguments(TwoFilters(), {kColumns});
  ASSERT_TRUE(arguments.ok()) << arguments.status();
  const Json& root = (*arguments)["operators"];
  EXPECT_FALSE(root.contains("capture"));
  EXPECT_FALSE(root.contains("checksummedAs"));
  EXPECT_FALSE(root["operator"].contains("streams"));
  EXPECT_EQ(root["inputs"][0]["inputs"][0]["leaf"], 0);
  OperatorSpec spec;
  spec.arguments = *arguments;
  const auto operators = OperatorsOfFragment(spec);
  ASSERT_TRUE(operators.ok()) << operators.status();
  ASSERT_EQ(operators->size(), 2u);
  EXPECT_EQ((*operators)[1].spec.lore_id, 2);
  EXPECT_EQ((*operators)[1].depth, 1);
}

TEST(FragmentSpec, WhatIsMissingIsNamed) {
  EXPECT_THAT(FragmentArguments(TwoFilters(), {}).status().message(),
              ::testing::HasSubstr("there is no stream 0"));
  Json wrong = TwoFilters();
  wrong["operator"]["streams"] = {0, 1};
  EXPECT_THAT(FragmentArguments(wrong, {kColumns}).status().message(),
              ::testing::HasSubstr("has 1 inputs, but 2 streams"));
  wrong["operator"].erase("streams");
  EXPECT_FALSE(FragmentArguments(wrong, {kColumns}).ok());
  const TaskContext context;
  OperatorSpec spec;
  EXPECT_THAT(MakeFragment(spec, {}, context).status().message(),
              ::testing::HasSubstr("member \"operators\" is missing"));
  spec.arguments = *FragmentArguments(TwoFilters(), {kColumns});
  EXPECT_THAT(MakeFragment(spec, {}, context).status().message(),
              ::testing::HasSubstr("stream 0 is missing"));
}

}  // namespace
}  // namespace reprise
