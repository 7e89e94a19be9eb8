#include "base/config.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/captured_tasks.h"

namespace reprise {
namespace {

std::string ErrorOf(const ConfigMap& settings) {
  const auto config = ParseConfig(settings);
  return config.ok() ? "no error" : config.status().message();
}

TEST(ConfigTest, DefaultsAreTheTables) {
  const auto config = ParseConfig({});
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_TRUE(config->boolean("spark.reprise.sql.enabled"));
  EXPECT_FALSE(config->explain_only());
  EXPECT_EQ(config->explain(), ExplainMode::kNone);
  EXPECT_EQ(config->integer("spark.reprise.sql.batchRows"), 32768);
  EXPECT_EQ(config->text("spark.reprise.lore.idsToDump"), "");
  EXPECT_EQ(config->text("spark.reprise.exchange.codec"), "lz4");
  EXPECT_TRUE(Config().boolean("spark.reprise.lore.output.enabled"));
  static_assert(IntegerDefault("spark.reprise.sql.batchBytes") == 4 << 20);
}

TEST(ConfigTest, KeysAndAliasesMeanTheSame) {
  const auto by_key = ParseConfig({{"spark.reprise.sql.enabled", "FALSE"},
                                   {"spark.reprise.sql.mode", "explainonly"},
                                   {"spark.reprise.sql.explain", "not_native"},
                                   {"spark.reprise.lore.idsToDump", " 1[*] "}});
  const auto by_alias = ParseConfig({{"spark.rapids.sql.enabled", "false"},
                                     {"spark.rapids.sql.mode", "explainOnly"},
                                     {"spark.rapids.sql.explain", "NOT_ON_GPU"},
                                     {"spark.rapids.sql.lore.idsToDump", "1[*]"}});
  ASSERT_TRUE(by_key.ok()) << by_key.status();
  ASSERT_TRUE(by_alias.ok()) << by_alias.status();
  for (const auto* config : {&*by_key, &*by_alias}) {
    EXPECT_FALSE(config->boolean("spark.reprise.sql.enabled"));
    EXPECT_TRUE(config->explain_only());
    EXPECT_EQ(config->explain(), ExplainMode::kNotNative);
    EXPECT_EQ(config->text("spark.reprise.lore.idsToDump"), "1[*]");
  }
  EXPECT_FALSE(ParseConfig({{"spark.rapids.sql.mode", "executeOnGPU"}})->explain_only());
}

TEST(ConfigTest, LineageIsNamedAsInItsDocument) {
  const auto config = ParseConfig({{"spark.eventLogging.enabled", "TRUE"},
                                   {"spark.eventLogging.eventLogPath", "/tmp/replay.log"}});
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->values.at("spark.reprise.lineage.enabled"), "true");
  EXPECT_EQ(config->values.at("spark.reprise.lineage.path"), "/tmp/replay.log");
  EXPECT_EQ(ErrorOf({{"spark.eventLogging.enabled", "yes"}}),
            "spark.eventLogging.enabled must be true or false, found \"yes\"");
}

TEST(ConfigTest, UnknownKeysAreRefusedWithTheNearest) {
  EXPECT_EQ(ErrorOf({{"spark.reprise.lore.idToDump", "1[*]"}}),
            "unknown configuration key spark.reprise.lore.idToDump, did you mean "
            "spark.reprise.lore.idsToDump?");
  EXPECT_EQ(ErrorOf({{"spark.reprise.sql.explian", "ALL"}}),
            "unknown configuration key spark.reprise.sql.explian, did you mean "
            "spark.reprise.sql.explain?");
  EXPECT_EQ(ErrorOf({{"spark.rapids.other", "1"}, {"spark.sql.ansi.enabled", "true"}}), "no error");
}

TEST(ConfigTest, ValuesAreChecked) {
  EXPECT_EQ(ErrorOf({{"spark.reprise.sql.enabled", "yes"}}),
            "spark.reprise.sql.enabled must be true or false, found \"yes\"");
  EXPECT_EQ(ErrorOf({{"spark.rapids.sql.enabled", ""}}),
            "spark.rapids.sql.enabled must be true or false, found \"\"");
  EXPECT_EQ(ErrorOf({{"spark.reprise.sql.batchRows", "0"}}),
            "spark.reprise.sql.batchRows must be an integer from 1 to 16777216, found \"0\"");
  EXPECT_EQ(ErrorOf({{"spark.reprise.sql.batchRows", "10k"}}),
            "spark.reprise.sql.batchRows must be an integer from 1 to 16777216, found \"10k\"");
  EXPECT_EQ(ErrorOf({{"spark.reprise.sql.explain", "NOT_ON_GPU"}}),
            "spark.reprise.sql.explain must be one of NONE, NOT_NATIVE, ALL, found \"NOT_ON_GPU\"");
}

TEST(ConfigTest, AKeyAndItsAliasMustAgree) {
  EXPECT_EQ(ErrorOf({{"spark.reprise.sql.explain", "NOT_NATIVE"},
                     {"spark.rapids.sql.explain", "NOT_ON_GPU"}}),
            "no error");
  EXPECT_EQ(
      ErrorOf({{"spark.reprise.sql.explain", "ALL"}, {"spark.rapids.sql.explain", "NOT_ON_GPU"}}),
      "spark.reprise.sql.explain is \"ALL\" but its alias spark.rapids.sql.explain is "
      "\"NOT_NATIVE\": set one of them only");
}

TEST(ConfigTest, SparkKeysAreRead) {
  const auto config = ParseConfig({{"spark.sql.caseSensitive", "True"}});
  ASSERT_TRUE(config.ok());
  EXPECT_TRUE(config->spark_boolean("spark.sql.caseSensitive", false));
  EXPECT_TRUE(config->spark_boolean("spark.sql.sources.bucketing.enabled", true));
  EXPECT_EQ(config->spark("spark.sql.parquet.int96RebaseModeInRead", "x"), "x");
}

TEST(ConfigTest, ThePlugInIsToldOfTheSparkKeys) {
  const auto keys = nlohmann::json::parse(SparkSettingsJson());
  ASSERT_EQ(keys.size(), std::size(kSparkSettings));
  EXPECT_EQ(keys[0], "spark.sql.ansi.enabled");
}

TEST(ConfigTest, JsonIsFlat) {
  const auto settings = ConfigMapFromText(R"({"spark.x":"1","spark.y":2,"spark.z":null})");
  ASSERT_TRUE(settings.ok()) << settings.status();
  EXPECT_EQ(*settings, (ConfigMap{{"spark.x", "1"}, {"spark.y", "2"}}));
  EXPECT_EQ(ConfigMapFromText("[1]").status().message(),
            "the configuration must be a JSON object, found array");
  EXPECT_EQ(ConfigMapFromText("{").status().message(), "the configuration is not JSON");
  EXPECT_EQ(ConfigMapFromText(R"({"a":[]})").status().message(),
            "the configuration's a must be a string, found array");
}

TEST(ConfigTest, PathsAreAbsolute) {
  EXPECT_EQ(ParseConfig({})->text("spark.reprise.trace.path"), "");
  EXPECT_EQ(ParseConfig({{"spark.reprise.trace.path", " file:///tmp/a/"}})
                ->text("spark.reprise.trace.path"),
            "/tmp/a");
  EXPECT_EQ(ErrorOf({{"spark.reprise.trace.path", "traces"}}),
            "spark.reprise.trace.path \"traces\" must be absolute: file:/… or /…");
  EXPECT_EQ(ParseConfig({{"spark.reprise.trace.path", "hdfs://host/traces//"}})
                ->text("spark.reprise.trace.path"),
            "hdfs://host/traces");
  EXPECT_EQ(ErrorOf({{"spark.reprise.trace.path", "hdfs:traces"}}),
            "spark.reprise.trace.path \"hdfs:traces\" must be absolute: hdfs://HOST/…");
}

TEST(ConfigTest, WhatIsWrongWithProfilesFailsThemAlone) {
  const ConfigMap settings = {{"spark.reprise.flameGraph.maxBytes", "much"},
                              {"spark.reprise.sql.batchRows", "few"}};
  EXPECT_EQ(ErrorOf(settings),
            "spark.reprise.sql.batchRows must be an integer from 1 to 16777216, found \"few\"");
  EXPECT_EQ(ParseProfileConfig(settings).status().message(),
            "spark.reprise.flameGraph.maxBytes must be an integer from 1048576 to "
            "9223372036854775807, found \"much\"");
  EXPECT_EQ(ErrorOf({{"spark.reprise.flameGraph.max", "1"}}), "no error");
  EXPECT_FALSE(ParseProfileConfig({{"spark.reprise.flameGraph.max", "1"}}).ok());
}

TEST(ConfigTest, ThePathsNameSaysWhetherQueriesShareIt) {
  const auto per_query = [](const ConfigMap& settings) {
    return ParseConfig(settings)->boolean("spark.reprise.lore.perQuery");
  };
  EXPECT_TRUE(per_query({}));
  EXPECT_TRUE(per_query({{"spark.reprise.lore.dumpPath", "/d"}}));
  EXPECT_FALSE(per_query({{"spark.rapids.sql.lore.dumpPath", "/d"}}));
  EXPECT_TRUE(per_query(
      {{"spark.rapids.sql.lore.dumpPath", "/d"}, {"spark.reprise.lore.perQuery", "true"}}));
  EXPECT_FALSE(
      per_query({{"spark.reprise.lore.dumpPath", "/d"}, {"spark.reprise.lore.perQuery", "false"}}));
}

TEST(ConfigTest, WhichTasksAreCaptured) {
  EXPECT_EQ(ParseCapturedTasks("always")->kind, CapturedTasks::Kind::kAll);
  EXPECT_EQ(ParseCapturedTasks("failure")->kind, CapturedTasks::Kind::kFailed);
  const auto slow = ParseCapturedTasks("slow:2.5x");
  ASSERT_TRUE(slow.ok()) << slow.status();
  EXPECT_EQ(slow->kind, CapturedTasks::Kind::kSlow);
  EXPECT_EQ(slow->factor, 2.5);
  for (const char* wrong : {"slow", "slow:x", "slow:0.5x", "slow:3", "slow:3xx", "never"}) {
    EXPECT_EQ(ErrorOf({{"spark.reprise.lore.when", wrong}}),
              std::string("spark.reprise.lore.when: \"") + wrong +
                  "\" is none of always, failure, and slow:Nx with N at least 1, such as slow:3x");
  }
}

TEST(ConfigTest, TheTableIsSound) {
  std::set<std::string_view> names;
  for (const ConfigEntry& entry : ConfigTable()) {
    EXPECT_TRUE(entry.key.starts_with("spark.reprise.")) << entry.key;
    EXPECT_TRUE(names.insert(entry.key).second) << entry.key;
    if (!entry.alias.empty()) {
      EXPECT_TRUE(names.insert(entry.alias).second) << entry.alias;
    }
    EXPECT_FALSE(entry.doc.empty()) << entry.key;
    EXPECT_TRUE(CheckedValue(entry, {}).ok()) << entry.key;
    EXPECT_EQ(entry.type == ConfigType::kChoice, !entry.choices.empty()) << entry.key;
  }
  EXPECT_EQ(nlohmann::json::parse(CatalogueJson()).size(), ConfigTable().size());
  EXPECT_NE(ConfigMarkdown().find("| `spark.reprise.sql.batchRows` | integer | `32768` |"),
            std::string::npos);
}

}  // namespace
}  // namespace reprise
