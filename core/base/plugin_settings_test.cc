#include "base/plugin_settings.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/config_table.h"
#include "base/task_settings.h"

namespace reprise {
namespace {

using Json = nlohmann::json;

// What is asked is one of the functions of plugin_settings.h.
Json AnswerTo(Result<std::string> (*asked)(std::string_view), const Json& conf) {
  const auto answer = asked(conf.dump());
  return answer.ok() ? Json::parse(*answer) : Json(answer.status().message());
}

TEST(PluginSettings, ATasksSettingsGoAndCome) {
  const Json answer = AnswerTo(FragmentSettings, {{"spark.reprise.sql.batchRows", " 007 "},
                                                  {"spark.reprise.memory.debug", "TRUE"},
                                                  {"spark.reprise.memory.denyEvery", "0"},
                                                  {"spark.reprise.lore.when", "never"},
                                                  {"spark.reprise.nothing", "1"},
                                                  {"spark.sql.ansi.enabled", "true"}});
  EXPECT_EQ(answer, Json::parse(R"({"checksOrder":false,"settings":{
      "spark.reprise.memory.debug":"true","spark.reprise.sql.batchRows":"7"}})"));
  const auto settings = TaskSettings::FromJson(answer["settings"]);
  ASSERT_TRUE(settings.ok()) << settings.status();
  EXPECT_EQ(settings->integer("spark.reprise.sql.batchRows"), 7);
  EXPECT_TRUE(settings->boolean("spark.reprise.memory.debug"));
  EXPECT_EQ(settings->integer("spark.reprise.memory.denyEvery"), 0);
  EXPECT_EQ(settings->integer("spark.reprise.trace.maxEventsPerTask"), 100000);
  EXPECT_EQ(settings->text("spark.reprise.trace.path"), "");
}

TEST(PluginSettings, EachKeyOfATaskTravels) {
  int count = 0;
  for (const ConfigEntry& entry : ConfigTable()) {
    const bool is_number = entry.type == ConfigType::kInteger;
    const std::string folder = testing::TempDir() + "plugin_settings_test";
    const std::string value = is_number                            ? "77"
                              : entry.type == ConfigType::kBoolean ? "true"
                              : entry.type == ConfigType::kPath    ? folder
                                                                   : "x";
    const std::string key(entry.key);
    const Json answer = AnswerTo(FragmentSettings, {{key, value}});
    if (!entry.in_task) {
      EXPECT_EQ(answer.value("settings", Json("none")), Json::object()) << key;
      continue;
    }
    ++count;
    EXPECT_EQ(answer["settings"], (Json{{key, value}}));
    const auto settings = TaskSettings::FromJson(answer["settings"]);
    ASSERT_TRUE(settings.ok()) << settings.status();
    EXPECT_EQ(settings->ToJson(), answer["settings"]);
    std::filesystem::remove_all(folder);
  }
  EXPECT_GT(count, 0);
}

TEST(PluginSettings, WhatIsNoTasksIsRefusedThere) {
  EXPECT_EQ(TaskSettings::FromJson({{"spark.reprise.lore.when", "always"}}).status().message(),
            "spark.reprise.lore.when is no setting of tasks: does the driver run another version "
            "of Reprise?");
  EXPECT_EQ(AnswerTo(FragmentSettings, {{"spark.reprise.concurrentTasks", "many"}}),
            "spark.reprise.concurrentTasks must be an integer from 0 to 65536, found \"many\"");
}

TEST(PluginSettings, TheFolderOfTracesIsMade) {
  const std::string folder = testing::TempDir() + "plugin_settings_traces";
  for (const auto asked : {FragmentSettings, ApplicationSettings}) {
    std::filesystem::remove_all(folder);
    EXPECT_TRUE(AnswerTo(asked, {{"spark.reprise.trace.path", folder}}).is_object());
    EXPECT_TRUE(std::filesystem::is_directory(folder));
    EXPECT_EQ(AnswerTo(asked, {{"spark.reprise.trace.path", "/dev/null"}}),
              "spark.reprise.trace.path: /dev/null is not a directory");
  }
  std::filesystem::remove_all(folder);
}

TEST(PluginSettings, TracesOfOtherFileSystemsAreThePluginsToPrepare) {
  for (const auto asked : {FragmentSettings, ApplicationSettings}) {
    EXPECT_EQ(AnswerTo(asked, {{"spark.reprise.trace.path", "hdfs://host/t/"}})["traces"],
              "hdfs://host/t");
    EXPECT_FALSE(AnswerTo(asked, Json::object()).contains("traces"));
  }
}

TEST(PluginSettings, OrdersAreCheckedOnDemand) {
  const std::string key = "spark.reprise.order.debug";
  EXPECT_EQ(AnswerTo(FragmentSettings, Json::object())["checksOrder"], false);
  EXPECT_EQ(AnswerTo(FragmentSettings, {{key, "True"}})["checksOrder"], true);
  EXPECT_EQ(AnswerTo(FragmentSettings, {{key, "yes"}}),
            "spark.reprise.order.debug must be true or false, found \"yes\"");
}

TEST(PluginSettings, WhatIsChosenIsToldWithAllThatBelongsToIt) {
  const auto chosen = [](const Json& conf) {
    return std::string(AnswerTo(SwitchSettings, conf)["chosen"]);
  };
  EXPECT_EQ(chosen({{"spark.reprise.lore.dumpPath", "/d"}}), "");
  EXPECT_EQ(chosen({{"spark.rapids.sql.lore.idsToDump", "1[*]"},
                    {"spark.reprise.lore.when", "failure"},
                    {"spark.reprise.sql.batchRows", "7"}}),
            "spark.rapids.sql.lore.idsToDump=1[*]\nspark.reprise.lore.when=failure\n");
  EXPECT_EQ(chosen({{"spark.reprise.assert", "1: a > 0"}}), "spark.reprise.assert=1: a > 0\n");
}

TEST(PluginSettings, SwitchesAreOnWhereTheyAreWrong) {
  const auto switches = [](const Json& conf) {
    const Json answer = AnswerTo(SwitchSettings, conf);
    return std::string(answer["isEnabled"] == true ? "enabled " : "") +
           (answer["isTagging"] == true ? "tagging " : "") +
           (answer["isChecksummed"] == true ? "checksummed" : "") +
           (answer["isMasked"] == true ? " masked" : "");
  };
  EXPECT_EQ(switches(Json::object()), "enabled tagging checksummed");
  EXPECT_EQ(switches({{"spark.reprise.lore.mask", "a:null"}}),
            "enabled tagging checksummed masked");
  EXPECT_EQ(switches({{"spark.reprise.sql.enabled", "False"}}), "tagging checksummed");
  EXPECT_EQ(switches({{"spark.rapids.sql.enabled", "false"}}), "tagging checksummed");
  EXPECT_EQ(switches({{"spark.rapids.sql.enabled", "no"}, {"spark.reprise.other", "1"}}),
            "enabled tagging checksummed");
  EXPECT_EQ(
      switches({{"spark.rapids.sql.enabled", "true"}, {"spark.reprise.sql.enabled", "false"}}),
      "enabled tagging checksummed");
  EXPECT_EQ(switches({{"spark.rapids.sql.lore.tag.enabled", "false"},
                      {"spark.reprise.ledger.enabled", "false"}}),
            "enabled ");
}

TEST(PluginSettings, AnApplicationRecordsItsLineage) {
  const auto lineage = [](const Json& conf) {
    const Json answer = AnswerTo(ApplicationSettings, conf);
    if (answer.is_string()) return answer.get<std::string>();
    return answer.contains("lineage") ? answer["lineage"].dump() : "none";
  };
  EXPECT_EQ(lineage(Json::object()), "none");
  EXPECT_EQ(lineage({{"spark.reprise.lineage.path", "/a"}}),
            R"({"keepsResults":false,"key":"spark.reprise.lineage.path","overwritesFile":false,)"
            R"("path":"/a"})");
  EXPECT_THAT(
      lineage({{"spark.reprise.lineage.path", "/a"}, {"spark.reprise.lineage.results", "true"}}),
      testing::HasSubstr(R"("keepsResults":true)"));
  EXPECT_EQ(lineage({{"spark.reprise.lineage.path", ""}}), "none");
  EXPECT_EQ(
      lineage({{"spark.reprise.lineage.path", "/a"}, {"spark.reprise.lineage.enabled", "false"}}),
      "none");
  // The document's names come with its default.
  EXPECT_EQ(lineage({{"spark.eventLogging.eventLogPath", "/a"}}), "none");
  EXPECT_EQ(
      lineage({{"spark.eventLogging.eventLogPath", "/a"}, {"spark.eventLogging.enabled", "true"}}),
      R"({"keepsResults":false,"key":"spark.eventLogging.eventLogPath","overwritesFile":true,)"
      R"("path":"/a"})");
  EXPECT_EQ(lineage({{"spark.eventLogging.enabled", "true"}}),
            "spark.eventLogging.enabled is true, but spark.eventLogging.eventLogPath names no "
            "folder to record lineage to: set spark.eventLogging.eventLogPath, or "
            "spark.eventLogging.enabled=false");
  EXPECT_EQ(lineage({{"spark.reprise.lineage.enabled", "true"}}),
            "spark.reprise.lineage.enabled is true, but spark.reprise.lineage.path names no folder "
            "to record lineage to: set spark.reprise.lineage.path, or "
            "spark.reprise.lineage.enabled=false");
  EXPECT_EQ(lineage({{"spark.eventLogging.enabled", "false"}}), "none");
}

TEST(PluginSettings, AnApplicationKeepsALedger) {
  EXPECT_FALSE(AnswerTo(ApplicationSettings, Json::object()).contains("ledger"));
  EXPECT_EQ(AnswerTo(ApplicationSettings, {{"spark.reprise.ledger.path", "/a"}})["ledger"],
            (Json{{"path", "/a"}, {"operators", "native"}}));
  EXPECT_EQ(AnswerTo(ApplicationSettings, {{"spark.reprise.ledgr.path", "/a"}}),
            "unknown configuration key spark.reprise.ledgr.path, did you mean "
            "spark.reprise.ledger.path?");
}

TEST(PluginSettings, TheKeysThatNoSessionCanChange) {
  const Json names = AnswerTo(ApplicationSettings, Json::object())["readAtStart"];
  EXPECT_THAT(
      names.get<std::vector<std::string>>(),
      testing::IsSupersetOf({"spark.reprise.lineage.path", "spark.eventLogging.eventLogPath",
                             "spark.reprise.ledger.path", "spark.reprise.otlp.endpoint"}));
  EXPECT_THAT(names, testing::Not(testing::Contains("spark.reprise.sql.enabled")));
}

TEST(PluginSettings, TheProfilerIsAskedWhereAKeyOfItsIsSet) {
  const auto has = [](const Json& conf) {
    return AnswerTo(ApplicationSettings, conf)["hasProfileKeys"] == true;
  };
  EXPECT_FALSE(has({{"spark.rapids.sql.enabled", "true"}}));
  EXPECT_TRUE(has({{"spark.reprise.flameGraph.pathPrefix", "/a"}}));
  EXPECT_TRUE(has({{"spark.rapids.flameGraph.pathPrefix", "/a"}}));
  EXPECT_TRUE(has({{"spark.reprise.flameGraph.unknown", "1"}}));
}

}  // namespace
}  // namespace reprise
