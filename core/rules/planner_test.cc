#include "rules/planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/spec.h"
#include "rules/sample_answers.h"

namespace reprise {
namespace {

using sample::Json;
using sample::kA;
using sample::kB;
using sample::LessThanFive;
using sample::PlanOf;
using sample::Request;
using sample::ScanOfAB;
using testing::ElementsAre;
using testing::HasSubstr;

std::string ErrorOf(const Json& document, const Json& request) {
  const auto answer = Plan(document.dump(), request.dump());
  return answer.ok() ? "no error" : answer.status().message();
}

Json FilteredScan() { return sample::Document(sample::Filter(LessThanFive(), ScanOfAB())); }

TEST(PlannerTest, FilterOverScanRunsNatively) {
  const Json answer = PlanOf(FilteredScan(), Request("replace"));
  ASSERT_EQ(answer["nodes"].size(), 2u);
  const Json& filter = answer["nodes"][0];
  EXPECT_EQ(filter["id"], 1);
  EXPECT_EQ(filter["mark"], "*");
  EXPECT_EQ(filter["loreId"], 1);
  EXPECT_EQ(filter["occurrence"], "Filter#0");
  EXPECT_EQ(filter["fingerprint"].get<std::string>().size(), 16u);
  EXPECT_EQ(filter["reasons"], Json::array());
  const Json& native = filter["native"];
  EXPECT_EQ(native["name"], "RepriseFilter");
  EXPECT_EQ(native["arguments"], "(a#1 < 5) [loreId=1]");
  EXPECT_EQ(native["input"], "children");
  EXPECT_EQ(native["inputs"], Json::array({nullptr}));
  EXPECT_EQ(native["metrics"].size(), 4u);
  EXPECT_FALSE(native.contains("capture"));
  const auto spec = OperatorSpecFromJson(native["operator"]);
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->kind, "filter");
  EXPECT_EQ(spec->lore_id, 1);
  EXPECT_EQ(spec->output[1].type, Decimal(15, 2));
  const auto condition = ExpressionSpecFromJson(spec->arguments["condition"]);
  ASSERT_TRUE(condition.ok()) << condition.status();
  EXPECT_EQ(ToString(*condition, spec->inputs[0]), "(a < 5)");

  const Json& scan = answer["nodes"][1]["native"];
  EXPECT_EQ(scan["name"], "RepriseParquetScan");
  EXPECT_EQ(scan["input"], "files");
  EXPECT_EQ(scan["metrics"].size(), 7u);
  EXPECT_EQ(scan["arguments"], " [loreId=2]");
  EXPECT_EQ(scan["values"][1],
            (Json{{"before", ", columns=2, pruning="}, {"value", "[(a#1 < 5)]"}}));
  const Json& arguments = scan["operator"]["arguments"];
  EXPECT_EQ(arguments["columns"][0]["name"], "a");
  EXPECT_EQ(arguments["partitionColumns"], Json::array());
  EXPECT_EQ(arguments["pruning"][0]["function"], "less");
  EXPECT_EQ(arguments["caseSensitive"], false);
  EXPECT_EQ(arguments["datetimeRebaseMode"], "CORRECTED");
  EXPECT_EQ(answer["rowToNative"]["name"], "RepriseRowToNative");
  EXPECT_EQ(answer["nativeToRow"]["metrics"].size(), 4u);
}

TEST(PlannerTest, EveryNodeHasAReasonOrIsNative) {
  const Json plan = sample::Document(
      sample::Filter(sample::Expression("RLike", "boolean", {kA, sample::Literal("x", "string")}),
                     sample::Rows({kA, kB})));
  const Json answer = PlanOf(plan, Request("replace"));
  EXPECT_THAT(answer["nodes"][0]["reasons"],
              ElementsAre("expression RLike: it is not supported natively"));
  EXPECT_EQ(answer["nodes"][0]["mark"], "!");
  EXPECT_THAT(answer["nodes"][1]["reasons"],
              ElementsAre("operator org.apache.spark.sql.execution.RDDScanExec has no native "
                          "implementation"));
}

TEST(PlannerTest, ForetellsWhatItNumbers) {
  const Json document = sample::Document(sample::Filter(LessThanFive(), ScanOfAB()));
  EXPECT_FALSE(PlanOf(document, Request("tag"))["nodes"][0].contains("mark"));
  Json request = Request("tag");
  request["foretell"] = true;
  const Json node = PlanOf(document, request)["nodes"][0];
  EXPECT_EQ(node["loreId"], 1);
  EXPECT_EQ(node["mark"], "*");
  EXPECT_FALSE(node.contains("native"));
  request["foretell"] = 1;
  EXPECT_THAT(ErrorOf(document, request), HasSubstr("\"foretell\" must be a boolean"));
}

TEST(PlannerTest, AFilterBetweenRowsDoesNotPay) {
  const Json plan = sample::Document(sample::Filter(LessThanFive(), sample::Rows({kA, kB})));
  const Json answer = PlanOf(plan, Request("replace"));
  EXPECT_EQ(answer["nodes"][0]["mark"], "@");
  EXPECT_FALSE(answer["nodes"][0].contains("native"));
  EXPECT_THAT(answer["nodes"][0]["reasons"],
              ElementsAre("both its neighbours are row-based and two transitions would cost more "
                          "than it gains"));
}

Json ExchangeBy(Json partitioning, Json child) {
  Json output = child["output"];
  return sample::Node("exchange.ShuffleExchangeExec", output,
                      {{"outputPartitioning", std::move(partitioning)},
                       {"shuffleOrigin", {{"enum", "ENSURE_REQUIREMENTS"}}},
                       {"advisoryPartitionSize", nullptr}},
                      {std::move(child)});
}

Json Partitioning(const std::string& name, std::vector<Json> children, int partitions) {
  return {{"class", "org.apache.spark.sql.catalyst.plans.physical." + name},
          {"type", "integer"},
          {"args", {{"numPartitions", partitions}}},
          {"children", std::move(children)}};
}

TEST(PlannerTest, AShuffleOfNativeRowsIsWrittenNatively) {
  const Json plan =
      sample::Document(ExchangeBy(Partitioning("HashPartitioning", {kA}, 200), ScanOfAB()));
  const Json answer = PlanOf(plan, Request("replace"));
  EXPECT_EQ(answer["nodes"][0]["mark"], "*");
  const Json& native = answer["nodes"][0]["native"];
  EXPECT_EQ(native["name"], "RepriseShuffleExchange");
  EXPECT_EQ(native["operator"]["kind"], "shuffle_write");
  const Json& arguments = native["operator"]["arguments"];
  EXPECT_EQ(arguments["numPartitions"], 200);
  EXPECT_EQ(arguments["codec"], "lz4");
  EXPECT_EQ(arguments["partitioning"]["type"], "hash");
  EXPECT_EQ(arguments["partitioning"]["expressions"][0]["attributes"]["index"], 0);
  EXPECT_EQ(native["inputs"], Json::array({nullptr}));
  EXPECT_EQ(native["read"]["kind"], "shuffle_read");
  EXPECT_EQ(native["read"]["name"], "RepriseShuffleRead");
  // A dump of it tells where each row goes; who reads the blocks does not see that.
  Json told = native["read"]["output"];
  told.push_back(ToJson(PartitionColumn()));
  EXPECT_EQ(native["operator"]["output"], told);
  EXPECT_EQ(arguments["tellsPartitions"], true);
  EXPECT_EQ(native["metrics"].back()["name"], "bytesWritten");
  EXPECT_EQ(answer["metricsOf"]["shuffle_read"].size(), 6u);
  EXPECT_FALSE(native.contains("sample"));
}

TEST(PlannerTest, APipelinedShuffleStaysWithSpark) {
  Json exchange = ExchangeBy(Partitioning("HashPartitioning", {kA}, 200), ScanOfAB());
  exchange["args"]["pipelined"] = false;
  Json answer = PlanOf(sample::Document(exchange), Request("replace"));
  EXPECT_EQ(answer["nodes"][0]["mark"], "*");
  exchange["args"]["pipelined"] = true;
  answer = PlanOf(sample::Document(exchange), Request("replace"));
  EXPECT_EQ(answer["nodes"][0]["mark"], "!");
  EXPECT_THAT(answer["nodes"][0]["reasons"],
              ElementsAre("exchanges of streams in real time are not run natively"));
}

TEST(PlannerTest, AShuffleByRangesSaysWhatToSample) {
  const Json order = sample::Expression(
      "SortOrder", "decimal(15,2)", {kB},
      {{"direction", {{"enum", "Descending"}}}, {"nullOrdering", {{"enum", "NullsLast"}}}});
  const Json answer = PlanOf(
      sample::Document(ExchangeBy(Partitioning("RangePartitioning", {order}, 7), ScanOfAB())),
      Request("replace"));
  const Json& native = answer["nodes"][0]["native"];
  const Json& partitioning = native["operator"]["arguments"]["partitioning"];
  EXPECT_EQ(partitioning["type"], "range");
  EXPECT_EQ(partitioning["bounds"], (Json{{"runtime", 0}}));
  EXPECT_EQ(partitioning["ordering"][0]["ascending"], false);
  EXPECT_EQ(partitioning["ordering"][0]["nullsFirst"], false);
  EXPECT_EQ(native["sample"]["kind"], "project");
  EXPECT_EQ(native["sample"]["output"][0]["type"], "decimal(15,2)");
  EXPECT_EQ(native["sample"]["arguments"]["expressions"][0]["attributes"]["index"], 1);
}

TEST(PlannerTest, OtherPartitionings) {
  const auto native_of = [](Json partitioning) {
    const Json answer = PlanOf(sample::Document(ExchangeBy(std::move(partitioning), ScanOfAB())),
                               Request("replace"));
    return answer["nodes"][0];
  };
  const Json single = native_of({{"enum", "SinglePartition"}})["native"]["operator"]["arguments"];
  EXPECT_EQ(single["partitioning"], (Json{{"type", "single"}}));
  EXPECT_EQ(single["numPartitions"], 1);
  const Json round = native_of(Partitioning("RoundRobinPartitioning", {}, 9));
  EXPECT_EQ(round["native"]["operator"]["arguments"]["partitioning"],
            (Json{{"type", "round_robin"}, {"sorted", true}}));
  EXPECT_FALSE(round["native"].contains("orderSensitive"));
  const Json unsorted = PlanOf(
      sample::Document(ExchangeBy(Partitioning("RoundRobinPartitioning", {}, 9), ScanOfAB())),
      Request("replace",
              {{"spark.sql.execution.sortBeforeRepartition", "false"}}))["nodes"][0]["native"];
  EXPECT_EQ(unsorted["operator"]["arguments"]["partitioning"]["sorted"], false);
  EXPECT_EQ(unsorted["orderSensitive"], true);
  EXPECT_EQ(round["native"]["operator"]["arguments"]["numPartitions"], 9);
  EXPECT_THAT(native_of(Partitioning("ShufflePartitionIdPassThrough", {kA}, 9))["reasons"],
              ElementsAre("partitioning ShufflePartitionIdPassThrough is not written natively"));
  const Json bad = sample::Expression("RLike", "boolean", {kA, sample::Literal("x", "string")});
  EXPECT_THAT(native_of(Partitioning("HashPartitioning", {bad}, 9))["reasons"],
              ElementsAre("expression RLike: it is not supported natively"));
}

TEST(PlannerTest, AnExchangeOfRowsStaysWithSpark) {
  const Json plan = sample::Document(ExchangeBy(
      Partitioning("HashPartitioning", {kA}, 200),
      sample::Filter(LessThanFive(),
                     ExchangeBy({{"enum", "SinglePartition"}}, sample::Rows({kA, kB})))));
  const Json answer = PlanOf(plan, Request("replace"));
  EXPECT_EQ(answer["nodes"][0]["mark"], "@");
  EXPECT_THAT(answer["nodes"][0]["reasons"], ElementsAre("its input is row-based"));
  EXPECT_EQ(answer["nodes"][1]["mark"], "@");
  EXPECT_EQ(answer["nodes"][2]["mark"], "@");
  EXPECT_THAT(answer["nodes"][2]["reasons"], ElementsAre("its input is row-based"));
}

TEST(PlannerTest, AFilterBetweenExchangesIsNative) {
  Json stage = sample::Node("adaptive.ShuffleQueryStageExec", {kA, kB}, Json::object(), {});
  Json broadcast = sample::Node("exchange.BroadcastExchangeExec", {kA, kB}, Json::object(),
                                {sample::Filter(LessThanFive(), stage)});
  EXPECT_EQ(PlanOf(sample::Document(broadcast), Request("replace"))["nodes"][1]["mark"], "@");
  broadcast["children"][0]["children"][0]["blocks"] = true;
  const Json answer = PlanOf(sample::Document(broadcast), Request("replace"));
  const Json& written = answer["nodes"][0]["native"];
  EXPECT_EQ(written["operator"]["arguments"]["partitioning"], (Json{{"type", "single"}}));
  EXPECT_EQ(written["read"]["kind"], "broadcast_read");
  const Json& filter = answer["nodes"][1];
  EXPECT_EQ(filter["mark"], "*");
  EXPECT_EQ(filter["native"]["inputs"][0]["kind"], "shuffle_read");
  EXPECT_EQ(filter["native"]["inputs"][0]["output"][1]["type"], "decimal(15,2)");
}

TEST(PlannerTest, ConsumersReadExchangesByTheirLeaves) {
  const Json plan = sample::Document(sample::Filter(
      LessThanFive(), ExchangeBy(Partitioning("HashPartitioning", {kA}, 2), ScanOfAB())));
  const Json answer = PlanOf(plan, Request("replace"));
  EXPECT_EQ(answer["nodes"][0]["native"]["inputs"][0]["kind"], "shuffle_read");
  EXPECT_EQ(answer["nodes"][1]["mark"], "*");
  Json stage = sample::Node("adaptive.BroadcastQueryStageExec", {kA, kB}, Json::object(), {});
  stage["blocks"] = true;
  const Json over =
      PlanOf(sample::Document(sample::Filter(LessThanFive(), stage)), Request("replace"));
  EXPECT_EQ(over["nodes"][0]["native"]["inputs"][0]["kind"], "broadcast_read");
  EXPECT_EQ(over["nodes"][0]["native"]["inputs"][0]["name"], "RepriseBroadcastRead");
}

TEST(PlannerTest, AChosenFilterRunsNativelyBetweenRows) {
  const Json plan = sample::Document(sample::Filter(LessThanFive(), sample::Rows({kA, kB})));
  const Json answer = PlanOf(plan, Request("replace", {{"spark.reprise.lore.idsToDump", "1[3 5-7]"},
                                                       {"spark.reprise.lore.dumpPath", "/d"}}));
  const Json& native = answer["nodes"][0]["native"];
  EXPECT_EQ(native["capture"], (Json{{"path", "/d/query-q1"},
                                     {"loreId", 1},
                                     {"children", {2}},
                                     {"partitions", {3, 5, 6}},
                                     {"output", true},
                                     {"query", "q1"},
                                     {"shared", Json::array()}}));
  EXPECT_EQ(native["inputs"][0]["kind"], "row_input");
  EXPECT_EQ(native["inputs"][0]["name"], "RepriseRowToNative");
  EXPECT_EQ(native["inputs"][0]["output"][1]["type"], "decimal(15,2)");
}

TEST(PlannerTest, ColumnsOfSparksLeavesAreReadAsTheyAre) {
  const auto input_over = [](Json child, bool columnar) {
    child["columnar"] = columnar;
    const Json answer = PlanOf(sample::Document(sample::Filter(LessThanFive(), std::move(child))),
                               Request("replace", {{"spark.reprise.lore.idsToDump", "1[*]"},
                                                   {"spark.reprise.lore.dumpPath", "/d"}}));
    return answer["nodes"][0]["native"]["inputs"][0];
  };
  const Json columns = input_over(sample::Rows({kA, kB}), true);
  EXPECT_EQ(columns["kind"], "column_input");
  EXPECT_EQ(columns["name"], "RepriseColumnsToNative");
  EXPECT_EQ(columns["output"][1]["type"], "decimal(15,2)");
  EXPECT_EQ(input_over(sample::Rows({kA, kB}), false)["kind"], "row_input");
  // What is not a leaf is not Spark's.
  const Json over = sample::Node("x.OtherExec", {kA, kB}, Json::object(), {sample::Rows({kA, kB})});
  EXPECT_EQ(input_over(over, true)["kind"], "row_input");
}

TEST(PlannerTest, CachedTablesAreReadAsTheCacheKeepsThem) {
  const auto kind_over = [](const Json& column, bool is_sparks) {
    Json scan =
        sample::Node("columnar.InMemoryTableScanExec", {kA, kB, column}, Json::object(), {});
    if (is_sparks) scan["cache"] = true;
    const Json answer = PlanOf(sample::Document(sample::Filter(LessThanFive(), std::move(scan))),
                               Request("replace", {{"spark.reprise.lore.idsToDump", "1[*]"},
                                                   {"spark.reprise.lore.dumpPath", "/d"}}));
    return answer["nodes"][0]["native"]["inputs"][0]["kind"];
  };
  EXPECT_EQ(kind_over(sample::Column("c", 9, "string"), true), "column_input");
  EXPECT_EQ(kind_over(sample::Column("c", 9, "string"), false), "row_input");
  EXPECT_EQ(kind_over(sample::Column("c", 9, "variant"), true), "row_input");
}

TEST(PlannerTest, AStageIsDumpedAsItsFragments) {
  const Json plan =
      sample::Document(sample::Filter(LessThanFive(), sample::Filter(LessThanFive(), ScanOfAB())));
  const Json answer = PlanOf(plan, Request("replace", {{"spark.reprise.lore.idsToDump", "query"},
                                                       {"spark.reprise.lore.dumpPath", "/d"}}));
  const Json& root = answer["nodes"][0]["native"];
  const Json& capture = root["capture"];
  EXPECT_EQ(capture["fragment"]["kind"], "fragment");
  EXPECT_EQ(capture["fragment"]["lore_id"], 1);
  EXPECT_EQ(capture["fragment"]["inputs"].size(), 1u);
  EXPECT_EQ(capture["children"], Json({3}));
  EXPECT_EQ(capture["shared"], Json::array());
  EXPECT_EQ(capture["streams"]["0"], capture["fragment"]["inputs"][0]);
  EXPECT_EQ(root["operator"]["streams"], Json({-1}));
  const Json& below = answer["nodes"][1]["native"];
  EXPECT_FALSE(below.contains("capture"));
  EXPECT_EQ(below["operator"]["streams"], Json({0}));
  EXPECT_FALSE(answer["nodes"][2]["native"]["capture"].contains("fragment")) << "the scan, alone";
}

TEST(PlannerTest, WhatIsKeptBackSaysOfWhichTasks) {
  const Json plan = sample::Document(sample::Filter(LessThanFive(), sample::Rows({kA, kB})));
  const auto answer = [&](const char* when) {
    return PlanOf(plan, Request("replace", {{"spark.reprise.lore.idsToDump", "1[*]"},
                                            {"spark.reprise.lore.dumpPath", "/d"},
                                            {"spark.reprise.lore.ringBytes", "1000"},
                                            {"spark.reprise.lore.when", when}}));
  };
  const Json slow = answer("slow:3x");
  EXPECT_EQ(slow["nodes"][0]["native"]["capture"]["when"], "slow:3x");
  EXPECT_EQ(slow["nodes"][0]["native"]["capture"]["ringBytes"], 1000);
  EXPECT_EQ(slow["taskTimes"], true);
  EXPECT_EQ(answer("failure")["nodes"][0]["native"]["capture"]["when"], "failure");
  EXPECT_FALSE(answer("failure").contains("taskTimes"));
  EXPECT_FALSE(answer("always")["nodes"][0]["native"]["capture"].contains("ringBytes"));
}

/// A filter over what cannot be dumped.
Json FilteredCommand() {
  return sample::Document(sample::Filter(
      LessThanFive(), sample::Node("command.ExecutedCommandExec", {kA, kB}, Json::object(), {})));
}

TEST(PlannerTest, ChoicesThatCannotBeDumpedAreWarnedOf) {
  const Json conf = {{"spark.reprise.lore.idsToDump", "1[*], 2[*]"},
                     {"spark.reprise.lore.dumpPath", "/d"}};
  const Json answer = PlanOf(FilteredCommand(), Request("replace", conf));
  EXPECT_TRUE(answer["nodes"][0]["native"].contains("capture"));
  const Json expected = {
      {"choice", "2"},
      {"warning",
       "spark.reprise.lore.idsToDump: operator 2 (ExecutedCommand#0) was not dumped, because it "
       "runs on the driver and reads no rows; operators of this query that can be dumped: 1 "
       "(Filter)"},
      {"refused", true}};
  ASSERT_EQ(answer["missing"].size(), 2u);
  EXPECT_EQ(answer["missing"][0]["unless"], (Json{1}));
  EXPECT_EQ(answer["missing"][1], expected);
}

TEST(PlannerTest, StrictChoicesThatCannotBeDumpedAreErrorsOfTheFirstLook) {
  Json conf = {{"spark.reprise.lore.idsToDump", "2[*]"},
               {"spark.reprise.lore.dumpPath", "/d"},
               {"spark.reprise.lore.strict", "true"}};
  const char expected[] =
      "spark.reprise.lore.idsToDump: operator 2 (ExecutedCommand) cannot be dumped because it runs "
      "on the driver and reads no rows; operators of this query that can be dumped: 1 (Filter)";
  EXPECT_EQ(ErrorOf(FilteredCommand(), Request("replace", conf)), expected);
  EXPECT_EQ(ErrorOf(FilteredCommand(), Request("tag", conf)), expected);
  conf["spark.reprise.lore.idsToDump"] = "1[*]";
  EXPECT_TRUE(PlanOf(FilteredCommand(), Request("tag", conf)).contains("ids"));
}

TEST(PlannerTest, ChoicesWithoutWhatTheyNeedAreErrors) {
  const auto error = [&](Json conf) {
    return ErrorOf(FilteredCommand(), Request("replace", std::move(conf)));
  };
  EXPECT_EQ(error({{"spark.reprise.lore.idsToDump", "1[*]"}}),
            "spark.reprise.lore.idsToDump is set but spark.reprise.lore.dumpPath is not");
  EXPECT_EQ(error({{"spark.reprise.lore.idsToDump", "1[*]"},
                   {"spark.reprise.lore.dumpPath", "/d"},
                   {"spark.reprise.lore.tag.enabled", "false"}}),
            "spark.reprise.lore.idsToDump needs spark.reprise.lore.tag.enabled=true");
}

TEST(PlannerTest, AStageTellsOfWhatCannotBeDumpedElsewhere) {
  const Json conf = {{"spark.reprise.lore.idsToDump", "1[*]"},
                     {"spark.reprise.lore.dumpPath", "/d"}};
  const Json whole = sample::Document(sample::Node("UnionLoopExec", {kA, kB}, Json::object(),
                                                   {sample::Filter(LessThanFive(), ScanOfAB())}));
  const Json tagged = PlanOf(whole, Request("tag", conf));
  Json stage = whole["root"]["children"][0];
  stage["loreId"] = 2;
  Json request = Request("replace", conf);
  request["known"] = tagged["ids"];
  const Json document = {{"version", 1}, {"spark", "4.1.3"}, {"root", stage}};
  const Json missing = PlanOf(document, request)["missing"];
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_THAT(std::string(missing[0]["warning"]),
              HasSubstr("operator 1 (UnionLoop#0) was not dumped, because it runs its branches"));
}

TEST(PlannerTest, ExplainOnlyReplacesNothing) {
  const Json answer =
      PlanOf(FilteredScan(), Request("replace", {{"spark.reprise.sql.mode", "explainOnly"},
                                                 {"spark.reprise.sql.explain", "ALL"}}));
  EXPECT_EQ(answer["nodes"][0]["mark"], "*");
  EXPECT_FALSE(answer["nodes"][0].contains("native"));
  EXPECT_EQ(answer["explain"],
            "*Exec <FilterExec> [loreId=1 Filter#0 a288125a5da0c124] will run natively\n"
            "    *Expression <LessThan> (a#1 < 5) will run natively\n"
            "  *Exec <FileSourceScanExec> [loreId=2 FileSourceScan#0 01081c8fd07810cf] will run "
            "natively\n");
}

TEST(PlannerTest, DisabledAnswersNothing) {
  EXPECT_EQ(*Plan("not looked at", R"({"pass":"tag","conf":{"spark.rapids.sql.enabled":"false"}})"),
            R"({"ids":"","explain":"","nodes":[]})");
}

TEST(PlannerTest, TaggingCanBeOff) {
  const Json answer =
      PlanOf(FilteredScan(), Request("replace", {{"spark.reprise.lore.tag.enabled", "false"}}));
  EXPECT_EQ(answer["ids"], "");
  EXPECT_FALSE(answer["nodes"][0].contains("loreId"));
  EXPECT_EQ(answer["nodes"][0]["native"]["arguments"], "(a#1 < 5)");
}

TEST(PlannerTest, CarriedIdsAreKept) {
  Json plan = FilteredScan();
  plan["root"]["loreId"] = 12;
  plan["root"]["fingerprint"] = "00000000000000aa";
  plan["root"]["occurrence"] = "Filter#3";
  const Json answer = PlanOf(plan, Request("replace"));
  EXPECT_EQ(answer["nodes"][0]["native"]["operator"]["lore_id"], 12);
  EXPECT_EQ(answer["nodes"][0]["native"]["operator"]["fingerprint"], "00000000000000aa");
  EXPECT_EQ(answer["nodes"][0]["occurrence"], "Filter#3");
  EXPECT_FALSE(answer["nodes"][1].contains("loreId"));
}

TEST(PlannerTest, InputFileNameAboveKeepsAllBelowWithSpark) {
  const Json name = sample::Expression("InputFileName", "string", {});
  const Json plan = sample::Document(sample::Project({sample::Alias(name, "f", 9)},
                                                     {sample::Column("f", 9, "string")},
                                                     sample::Filter(LessThanFive(), ScanOfAB())));
  const std::string past =
      "an operator above asks for the name or place of the file being read, which native operators "
      "would have read past";
  const Json answer = PlanOf(plan, Request("replace"));
  EXPECT_THAT(answer["nodes"][0]["reasons"],
              ElementsAre("expression InputFileName: the name and place of the file being read are "
                          "not known natively"));
  EXPECT_THAT(answer["nodes"][1]["reasons"], ElementsAre(past));
  EXPECT_THAT(answer["nodes"][2]["reasons"], ElementsAre(past));
}

TEST(PlannerTest, BadRequestsAreRefused) {
  const Json plan = FilteredScan();
  EXPECT_EQ(Plan(plan.dump(), "[").status().message(), "plan request: not a JSON object");
  EXPECT_EQ(ErrorOf(plan, {{"pass", "x"}}),
            "plan request: member \"pass\" must be \"tag\" or \"replace\", found \"x\"");
  EXPECT_EQ(ErrorOf(plan, {{"pass", "tag"}, {"known", "{}"}}),
            "the ids of the query's first plan (\"known\") are malformed: no list \"operators\"");
  EXPECT_THAT(ErrorOf(plan, Request("tag", {{"spark.reprise.lore.idsToDump", "1"}})),
              HasSubstr("expected '['"));
  EXPECT_THAT(ErrorOf(plan, Request("tag", {{"spark.reprise.x", "1"}})),
              HasSubstr("unknown configuration key"));
}

TEST(PlannerTest, DeepExpressionsStayWithSpark) {
  const std::string leaf = LessThanFive().dump();
  std::string deep = leaf;
  for (int i = 0; i < 900; ++i) {
    deep = R"({"class":"org.apache.spark.sql.catalyst.expressions.And","type":"boolean","args":{},)"
           R"("children":[)" +
           deep + "," + leaf + "]}";
  }
  std::string document = sample::Document(sample::Filter(LessThanFive(), ScanOfAB())).dump();
  document.replace(document.find(leaf), leaf.size(), deep);
  const auto answer = Plan(document, Request("replace").dump());
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_THAT(Json::parse(*answer)["nodes"][0]["reasons"],
              ElementsAre("expression And: it is nested deeper than 200 levels"));
}

TEST(PlannerTest, ExplainIsAskedOnceAQuery) {
  const Json conf = {{"spark.reprise.sql.explain", "NOT_NATIVE"}};
  const Json plan = sample::Document(sample::Filter(LessThanFive(), sample::Rows({kA, kB})));
  const Json first = PlanOf(plan, Request("tag", conf));
  EXPECT_EQ(
      first["explain"],
      "@Exec <FilterExec> [loreId=1 Filter#0 6df9db7d4ba25609] could run natively but stays with "
      "Spark because both its neighbours are row-based and two transitions would cost more than it "
      "gains\n"
      "  !Exec <RDDScanExec> [loreId=2 RDDScan#0 e431cd2ddfd044c1] cannot run natively because "
      "operator "
      "org.apache.spark.sql.execution.RDDScanExec has no native implementation\n");
  Json again = Request("tag", conf);
  again["known"] = first["ids"];
  EXPECT_EQ(PlanOf(plan, again)["explain"], "");
  Json tagged = plan;
  tagged["root"]["loreId"] = 1;
  tagged["root"]["children"][0]["loreId"] = 2;
  EXPECT_EQ(PlanOf(tagged, again)["explain"], first["explain"]);
  Json replace = Request("replace", conf);
  replace["known"] = first["ids"];
  EXPECT_EQ(PlanOf(tagged, replace)["explain"], "");
}

}  // namespace
}  // namespace reprise
