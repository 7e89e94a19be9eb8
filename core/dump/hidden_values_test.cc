#include "dump/hidden_values.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

using Json = nlohmann::json;

HiddenValues Hidden(Json hidden) {
  auto made = HiddenValues::Of(
      {{"mask", {{"country", "hash"}}}, {"secret", "a secret"}, {"hidden", std::move(hidden)}});
  EXPECT_TRUE(made.ok()) << made.status();
  return *std::move(made);
}

TEST(HiddenValuesTest, RuntimeValuesThatAreNotKnownToBeClearAreNull) {
  const Json clear = {{"value", "a"}};
  Json values = {{"17", clear},
                 {"18", {{"value", "SECRET"}}},
                 {"19", {{"fields", {"SECRET", 1}}}},
                 {"20", {{"values", {"SECRET", "SECRET"}}, {"emptyIsFalse", true}}},
                 {"0", {{"rows", Json::array({Json::array({"SECRET", 3})})}}}};
  Hidden({{"clearValues", {17}}}).HideIn(&values);
  EXPECT_EQ(values, (Json{{"17", clear},
                          {"18", {{"value", nullptr}}},
                          {"19", {{"fields", {nullptr, nullptr}}}},
                          {"20", {{"values", {nullptr}}, {"emptyIsFalse", true}}},
                          {"0", {{"rows", Json::array({Json::array({nullptr, nullptr})})}}}}));
}

TEST(HiddenValuesTest, LiteralsAreHashedWhereTheyAreValues) {
  PlanMeta plan;
  plan.spec.arguments = {{"function", "like"},
                         {"attributes", {{"value", "like"}}},
                         {"arguments", {{{"attributes", {{"value", 4711}}}}}}};
  plan.spark = {{"root",
                 {{"args",
                   {{"hset", {{"set", {{{"utf8", "like"}}, {{"utf8", "other"}}, 4711}}}},
                    {"value", {{"decimal", "47.11"}}},
                    {"name", "like"}}}}}};
  Hidden({{"literals", {"like", "4711", "47.11"}}}).HideIn(&plan);
  const Json arguments = plan.spec.arguments;
  EXPECT_EQ(arguments["function"], "like");
  const std::string hashed = arguments["attributes"]["value"];
  EXPECT_EQ(hashed.size(), 16u);
  EXPECT_EQ(arguments["arguments"][0]["attributes"]["value"], 0);
  const Json args = plan.spark["root"]["args"];
  EXPECT_EQ(args["hset"]["set"], (Json{{{"utf8", hashed}}, {{"utf8", "other"}}, 0}));
  EXPECT_EQ(args["value"]["decimal"], "0");
  EXPECT_EQ(args["name"], "like");
}

TEST(HiddenValuesTest, NamesTellNoLiterals) {
  PlanMeta plan;
  plan.spec.inputs = {{{"name", {TypeKind::kString}}, {"a text", {TypeKind::kString}}}};
  plan.spec.output = {{"(name = SECRET)", {TypeKind::kBoolean}},
                      {"sum((id + 5))", {TypeKind::kLong}},
                      {"SECRETLY (SECRETS)", {TypeKind::kLong}}};
  plan.spec.arguments = {{"columns", {{{"name", "(name = SECRET)"}}}}};
  plan.masked = {{"upper(concat(name, SECRET))", "null"}, {"name", "hash"}};
  const HiddenValues hidden = Hidden({{"literals", {"SECRET", "5"}}});
  std::vector<Field> output = plan.spec.output;
  hidden.HideIn(&plan);
  const std::string name = plan.spec.output[0].name;
  EXPECT_TRUE(name.starts_with("(name = ") && name.size() == 8 + 16 + 1) << name;
  EXPECT_EQ(plan.spec.output[2].name, "SECRETLY (SECRETS)");
  EXPECT_EQ(plan.spec.arguments["columns"][0]["name"], name);
  EXPECT_EQ(plan.spec.inputs[0][1].name, "a text");
  EXPECT_EQ(plan.masked.size(), 2u);
  EXPECT_FALSE(plan.masked.contains("upper(concat(name, SECRET))"));
  hidden.HideInNames(&output);  // of a task
  EXPECT_EQ(output, plan.spec.output);
}

TEST(HiddenValuesTest, FoldersTellNoValue) {
  const Json file = {{"path", "file:/t/Country=C1/year=2001/a=b.parquet"}, {"partitionValues", ""}};
  Json leaf = {{"files", {file}}};
  Hidden({{"leafFolders", true}}).HideInLeaf(&leaf);
  const std::string path = leaf["files"][0]["path"];
  EXPECT_EQ(path.size(), file["path"].get_ref<const std::string&>().size() - 2 + 16);
  EXPECT_TRUE(path.starts_with("file:/t/Country=")) << path;
  EXPECT_TRUE(path.ends_with("/year=2001/a=b.parquet")) << path;
  EXPECT_FALSE(leaf["files"][0].contains("partitionValues"));
}

TEST(HiddenValuesTest, SparksFormIsLeftOutWhereItHoldsValuesItself) {
  for (const char* reason : {"rows", "folders"}) {
    PlanMeta plan;
    plan.spark = {{"version", 1}, {"inputs", Json::array()}, {"root", Json::object()}};
    Hidden({{reason, true}}).HideIn(&plan);
    EXPECT_FALSE(plan.spark.contains("root"));
    EXPECT_TRUE(plan.spark.contains("unportable"));
  }
}

TEST(HiddenValuesTest, WithoutMasksNothingChanges) {
  const auto hidden = HiddenValues::Of({{"path", "file:/d"}});
  ASSERT_TRUE(hidden.ok());
  Json leaf = {{"files", {{{"path", "/country=C1/a"}, {"partitionValues", "x"}}}}};
  const Json before = leaf;
  hidden->HideInLeaf(&leaf);
  EXPECT_EQ(leaf, before);
}

}  // namespace
}  // namespace reprise
