#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rules/sample_answers.h"

namespace reprise {
namespace {

using namespace sample;
using ::testing::ElementsAre;

const std::string kParquet = sample::kExecution + "datasources.parquet.ParquetFileFormat";

Json WriteOf(const std::string& type, std::vector<std::pair<std::string, std::string>> hadoop = {},
             const std::string& codec = "SNAPPY", const std::string& format = kParquet) {
  Json settings = Json::array();
  for (const auto& [key, value] : hadoop) settings.push_back({key, value});
  return sample::Node("datasources.WriteFilesExec", {},
                      {{"fileFormat", {{"opaque", format}}},
                       {"partitionColumns", Json::array()},
                       {"bucketSpec", nullptr},
                       {"codec", codec},
                       {"hadoop", {{"map", settings}}}},
                      {sample::ParquetScan("file:/data", {{"a", 1, type}})});
}

Json RootOf(Json plan) {
  return PlanOf(sample::Document(std::move(plan)), Request("replace"))["nodes"][0];
}

TEST(WriteRuleTest, SettingsOfParquetAreFollowed) {
  const Json node =
      RootOf(WriteOf("long", {{"block.size", "4096"}, {"enable.dictionary", "false"}}, "ZSTD"));
  EXPECT_EQ(node["mark"], "*");
  const Json& spec = node["native"]["operator"];
  EXPECT_EQ(spec["kind"], "parquet_write");
  EXPECT_EQ(spec["output"], spec["inputs"][0]);
  const Json& arguments = spec["arguments"];
  EXPECT_EQ(arguments["codec"], "ZSTD");
  EXPECT_EQ(arguments["rowGroupBytes"], 4096);
  EXPECT_EQ(arguments["pageBytes"], 1 << 20);
  EXPECT_EQ(arguments["dictionary"], false);
  EXPECT_EQ(arguments["timestamps"], "INT96");
  EXPECT_EQ(arguments["write"], (Json{{"runtime", 0}}));
}

TEST(WriteRuleTest, BeforeSpark4WritesStaySparks) {
  Json document = sample::Document(WriteOf("long"));
  document["spark"] = "3.5.9";
  EXPECT_THAT(PlanOf(document, Request("replace"))["nodes"][0]["reasons"],
              ElementsAre("Spark before 4.0 lets no other operator write files"));
}

TEST(WriteRuleTest, BloomFiltersAreOfTheColumnsThatAreNamed) {
  const Json node = RootOf(WriteOf("long", {{"bloom.filter.enabled#a", "true"},
                                            {"bloom.filter.expected.ndv#a", "300"},
                                            {"bloom.filter.max.bytes", "4096"}}));
  const Json& filters = node["native"]["operator"]["arguments"]["bloomFilters"];
  EXPECT_EQ(filters["otherwise"]["enabled"], false);
  EXPECT_EQ(filters["columns"]["a"],
            (Json{{"enabled", true}, {"distinctValues", 300}, {"falsePositives", 0.01}}));
  EXPECT_EQ(filters["bytesMax"], 4096);
  EXPECT_THAT(RootOf(WriteOf("long", {{"bloom.filter.fpp#a", "2"}}))["reasons"],
              ElementsAre("parquet.bloom.filter.fpp or parquet.bloom.filter.expected.ndv is no "
                          "such number"));
}

TEST(WriteRuleTest, IdsThatLibrariesOfParquetDoNotKnowAreLeftToSpark) {
  const auto reasons = [](const std::string& id) {
    Json plan = WriteOf("long");
    Json& column = plan["children"][0]["output"][0];
    column["type"] =
        Json::parse(R"({"type":"struct","fields":[{"name":"x","type":"long","nullable":true,)"
                    R"("metadata":{"parquet.field.id":)" +
                    id + "}}]}");
    column["args"]["dataType"]["type"] = column["type"];
    return RootOf(plan)["reasons"];
  };
  EXPECT_THAT(reasons("7"), ::testing::IsEmpty());
  for (const char* id : {"-7", "\"7\"", "3000000000", "1.5"}) {
    EXPECT_THAT(reasons(id), ElementsAre("column a has a field id within that is no integer from "
                                         "0 to 2147483647"))
        << id;
  }
}

TEST(WriteRuleTest, WhatIsNotFollowedIsLeftToSpark) {
  EXPECT_THAT(RootOf(WriteOf("long", {{"enable.dictionary#a", "false"}}))["reasons"],
              ElementsAre("parquet.enable.dictionary#a is not supported natively"));
  EXPECT_THAT(RootOf(WriteOf("long", {{"writer.version", "PARQUET_2_0"}}))["reasons"],
              ElementsAre("parquet.writer.version=PARQUET_2_0 is not supported natively"));
  EXPECT_THAT(RootOf(WriteOf("long", {{"page.size", "1k"}}))["reasons"],
              ElementsAre("parquet.page.size=1k is not a number that is followed natively"));
  EXPECT_THAT(RootOf(WriteOf("long", {}, "LZO"))["reasons"],
              ElementsAre("codec LZO is not written natively"));
  EXPECT_THAT(RootOf(WriteOf("long", {}, "SNAPPY", "a.b.OrcFileFormat"))["reasons"],
              ElementsAre("file format OrcFileFormat is not written natively"));
}

}  // namespace
}  // namespace reprise
