#include "base/config.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

namespace reprise {
namespace {

std::string ErrorOf(const ConfigMap& settings) {
  const auto config = ParseConfig(settings);
  return config.ok() ? "no error" : config.status().message();
}

TEST(ConfigTest, DefaultsAreTheTables) {
  const auto config = ParseConfig({});
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_TRUE(config->sql_enabled);
  EXPECT_FALSE(config->explain_only);
  EXPECT_EQ(config->explain, ExplainMode::kNone);
  EXPECT_EQ(config->batch_rows, 32768);
  EXPECT_TRUE(config->lore_tag_enabled);
  EXPECT_EQ(config->lore_ids_to_dump, "");
  EXPECT_EQ(config->lore_dump_path, "");
  EXPECT_TRUE(config->lore_output_enabled);
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
    EXPECT_FALSE(config->sql_enabled);
    EXPECT_TRUE(config->explain_only);
    EXPECT_EQ(config->explain, ExplainMode::kNotNative);
    EXPECT_EQ(config->lore_ids_to_dump, "1[*]");
  }
  EXPECT_FALSE(ParseConfig({{"spark.rapids.sql.mode", "executeOnGPU"}})->explain_only);
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
  EXPECT_EQ(keys[0], "spark.sql.caseSensitive");
}

TEST(ConfigTest, CheckConfNormalises) {
  const auto checked = CheckConf(R"({"spark.rapids.sql.explain":"not_on_gpu","spark.x":"1"})");
  ASSERT_TRUE(checked.ok()) << checked.status();
  const auto json = nlohmann::json::parse(*checked);
  EXPECT_EQ(json["spark.reprise.sql.explain"], "NOT_NATIVE");
  EXPECT_EQ(json["spark.reprise.sql.batchRows"], "32768");
  EXPECT_FALSE(json.contains("spark.x"));
  EXPECT_FALSE(json.contains("spark.reprise.lore.dumpPath"));
  EXPECT_EQ(CheckConf("[1]").status().message(),
            "the configuration must be a JSON object, found array");
  EXPECT_EQ(CheckConf("{").status().message(), "the configuration is not JSON");
  EXPECT_EQ(CheckConf(R"({"a":[]})").status().message(),
            "the configuration's a must be a string, found array");
}

TEST(ConfigTest, TheTracePathIsLocalAndIsMade) {
  EXPECT_EQ(ParseConfig({})->trace_path, "");
  EXPECT_EQ(ParseConfig({{"spark.reprise.trace.path", "file:///tmp/a/"}})->trace_path, "/tmp/a");
  EXPECT_EQ(ErrorOf({{"spark.reprise.trace.path", "traces"}}),
            "spark.reprise.trace.path \"traces\" must be absolute: file:/… or /…");
  EXPECT_EQ(ErrorOf({{"spark.reprise.trace.path", "hdfs://host/traces"}}),
            "spark.reprise.trace.path hdfs://host/traces: file system \"hdfs\" is not supported; "
            "expected file:/… or an absolute path");
  const std::string folder = testing::TempDir() + "config_test_traces";
  std::filesystem::remove_all(folder);
  EXPECT_TRUE(CheckConf(R"({"spark.reprise.trace.path":")" + folder + "\"}").ok());
  EXPECT_TRUE(std::filesystem::is_directory(folder));
  std::filesystem::remove_all(folder);
  const Status refused = CheckConf(R"({"spark.reprise.trace.path":"/dev/null"})").status();
  EXPECT_TRUE(refused.IsInvalid());
  EXPECT_EQ(refused.message(), "spark.reprise.trace.path: /dev/null is not a directory");
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
    EXPECT_EQ(entry.type == ConfigType::kChoice, !entry.choices.empty()) << entry.key;
  }
  EXPECT_EQ(nlohmann::json::parse(CatalogueJson()).size(), ConfigTable().size());
  EXPECT_NE(ConfigMarkdown().find("| `spark.reprise.sql.batchRows` | integer | `32768` |"),
            std::string::npos);
}

}  // namespace
}  // namespace reprise
