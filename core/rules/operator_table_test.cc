#include "rules/operator_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/sample_plans.h"
#include "rules/planner.h"

namespace reprise {
namespace {

using sample::Json;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

const Json kGroup = sample::Column("k", 1, "string");
const Json kValue = sample::Column("v", 2, "decimal(15,2)");

/// The answer for the document's first node.
Json FirstAnswer(const Json& root, const Json& conf = Json::object(), const char* spark = "4.1.3") {
  Json document = sample::Document(root);
  document["spark"] = spark;
  const auto answer = Plan(document.dump(), Json{{"pass", "replace"}, {"conf", conf}}.dump());
  EXPECT_TRUE(answer.ok()) << answer.status();
  return answer.ok() ? Json::parse(*answer)["nodes"][0] : Json::object();
}

/// The same of a plan of Spark 3.5.
Json FirstAnswerBefore4(const Json& root) { return FirstAnswer(root, Json::object(), "3.5.9"); }

std::vector<std::string> Reasons(const Json& root, const Json& conf = Json::object()) {
  return FirstAnswer(root, conf)["reasons"];
}

Json Function(const std::string& name, const std::string& type, std::vector<Json> inputs,
              const std::string& mode = "ANSI") {
  return sample::Expression("aggregate." + name, type, std::move(inputs),
                            sample::EvalContext(mode));
}

Json Aggregate(Json function, const std::string& mode) {
  const std::string type = function["type"];
  return sample::Expression("aggregate.AggregateExpression", type, {std::move(function)},
                            {{"mode", {{"enum", mode}}},
                             {"isDistinct", false},
                             {"filter", nullptr},
                             {"resultId", sample::ExprId(50)}});
}

Json HashAggregate(std::vector<Json> functions, std::vector<Json> names, std::vector<Json> results,
                   std::vector<Json> output, Json child) {
  return sample::Node("aggregate.HashAggregateExec", std::move(output),
                      {{"isStreaming", false},
                       {"groupingExpressions", {kGroup}},
                       {"aggregateExpressions", std::move(functions)},
                       {"aggregateAttributes", std::move(names)},
                       {"resultExpressions", std::move(results)}},
                      {std::move(child)});
}

const Json kSumBuffer = sample::Column("sum", 10, "decimal(25,2)");
const Json kIsEmpty = sample::Column("isEmpty", 11, "boolean");

Json PartialSum(const std::string& mode = "ANSI") {
  return HashAggregate({Aggregate(Function("Sum", "decimal(25,2)", {kValue}, mode), "Partial")},
                       {kSumBuffer, kIsEmpty}, {kGroup, kSumBuffer, kIsEmpty},
                       {kGroup, kSumBuffer, kIsEmpty}, sample::Rows({kGroup, kValue}));
}

Json FinalSum(Json child) {
  const Json name = sample::Column("sum(v)", 51, "decimal(25,2)");
  return HashAggregate({Aggregate(Function("Sum", "decimal(25,2)", {kValue}), "Final")}, {name},
                       {kGroup, sample::Alias(name, "total", 60)},
                       {kGroup, sample::Column("total", 60, "decimal(25,2)")}, std::move(child));
}

TEST(AggregateRuleTest, PartialWritesSparksBuffers) {
  const Json arguments = FirstAnswer(PartialSum())["native"]["operator"]["arguments"];
  EXPECT_FALSE(arguments.contains("results"));
  EXPECT_EQ(arguments["keys"][0]["function"], "column");
  const Json& sum = arguments["aggregates"][0];
  EXPECT_EQ(sum["function"], "sum");
  EXPECT_EQ(sum["mode"], "partial");
  EXPECT_EQ(sum["ansi"], true);
  EXPECT_EQ(sum["inputType"], "decimal(15,2)");
  EXPECT_EQ(sum["result"], "decimal(25,2)");
  EXPECT_EQ(sum["inputs"][0]["attributes"]["index"], 1);
  EXPECT_EQ(sum["filter"], nullptr);
  EXPECT_EQ(sum["buffer"], (Json{{{"name", "sum"}, {"type", "decimal(25,2)"}, {"nullable", true}},
                                 {{"name", "isEmpty"}, {"type", "boolean"}, {"nullable", false}}}));
}

TEST(AggregateRuleTest, FinalFindsTheBuffersInTheLastColumns) {
  const Json arguments = FirstAnswer(
      FinalSum(sample::Rows({kGroup, kSumBuffer, kIsEmpty})))["native"]["operator"]["arguments"];
  const Json& sum = arguments["aggregates"][0];
  EXPECT_EQ(sum["mode"], "final");
  EXPECT_EQ(sum["bufferIndex"], 1);
  EXPECT_FALSE(sum.contains("inputs"));
  EXPECT_EQ(arguments["results"][1]["attributes"]["index"], 1);
}

TEST(AggregateRuleTest, ResultsThatSparkEvaluatesAreAProjectionAbove) {
  const Json name = sample::Column("sum(v)", 51, "decimal(25,2)");
  Json sound = sample::Expression("Overlay", "string", {kGroup});
  sound["id"] = 1000;
  const Json verdict = FirstAnswer(HashAggregate(
      {Aggregate(Function("Sum", "decimal(25,2)", {kValue}), "Final")}, {name},
      {sample::Alias(sound, "s", 60), name}, {sample::Column("s", 60, "string"), name},
      sample::Rows({kGroup, kSumBuffer, kIsEmpty})));
  EXPECT_THAT(verdict["reasons"], ElementsAre("expression Overlay: it is not supported natively"));
  const Json& aggregate = verdict["native"]["operator"];
  EXPECT_EQ(aggregate["output"][0]["name"], "k");
  EXPECT_EQ(aggregate["output"][1]["name"], "sum(v)");
  EXPECT_EQ(aggregate["arguments"]["results"][0]["attributes"]["index"], 0);
  const Json& above = verdict["native"]["results"];
  EXPECT_EQ(above["guests"][0]["reads"], Json({0}));
  EXPECT_EQ(above["guests"][0]["expressions"], Json({{1000}}));
  EXPECT_EQ(above["operator"]["kind"], "project");
  EXPECT_EQ(above["operator"]["inputs"][0].size(), 3u);
  EXPECT_EQ(above["operator"]["output"][0]["name"], "s");
  EXPECT_EQ(above["operator"]["arguments"]["expressions"][0]["attributes"]["index"], 2);
}

TEST(AggregateRuleTest, RefusalsSayWhy) {
  EXPECT_THAT(
      Reasons(FinalSum(sample::Rows({kGroup, kIsEmpty, kSumBuffer}))),
      ElementsAre("expression Sum: input column 1 of type boolean is not the buffer's sum of "
                  "type decimal(25,2)",
                  "expression Sum: input column 2 of type decimal(25,2) is not the buffer's "
                  "isEmpty of type boolean"));
  EXPECT_THAT(Reasons(PartialSum("TRY")),
              ElementsAre("expression Sum: TRY mode is not supported natively"));
  EXPECT_THAT(Reasons(HashAggregate({Aggregate(Function("Mode", "string", {kGroup}), "Partial")},
                                    {}, {}, {kGroup}, sample::Rows({kGroup}))),
              ElementsAre("expression Mode: the aggregate function is not supported natively"));
  EXPECT_THAT(Reasons(HashAggregate({Aggregate(Function("Sum", "long", {kValue}), "Final"),
                                     Aggregate(Function("Sum", "long", {kValue}), "Partial")},
                                    {}, {}, {kGroup}, sample::Rows({kGroup, kValue}))),
              ElementsAre("some of its functions are partial and others final"));
}

TEST(ExpressionRulesTest, RefusalsSayWhy) {
  const auto reasons = [](Json expression) {
    const std::string type = expression["type"];
    return Reasons(sample::Project({sample::Alias(std::move(expression), "x", 9)},
                                   {sample::Column("x", 9, type)}, sample::Rows({kGroup, kValue})));
  };
  const auto cast = [](Json child, const std::string& type) {
    return sample::Expression("Cast", type, {std::move(child)}, {{"evalMode", {{"enum", "ANSI"}}}});
  };
  EXPECT_THAT(reasons(cast(kGroup, "double")),
              ElementsAre("expression Cast: string to double is not supported natively"));
  EXPECT_THAT(reasons(sample::Arithmetic("Add", "decimal(16,2)", kValue, kValue, "TRY")),
              ElementsAre("expression Add: TRY mode is not supported natively"));
  EXPECT_THAT(reasons(sample::Expression("Upper", "string", {kGroup})),
              ElementsAre("expression Upper: it is not supported natively"));
  EXPECT_THAT(reasons(sample::Expression("Rand", "double", {})),
              ElementsAre("expression Rand: nondeterministic expressions are not run natively"));
  EXPECT_THAT(
      reasons(sample::Expression("EqualTo", "boolean", {kGroup, kValue})),
      ElementsAre("expression EqualTo: operands of string and decimal(15,2) are not supported "
                  "natively"));
  EXPECT_THAT(reasons(sample::Expression("Not", "boolean", {kGroup})),
              ElementsAre("expression Not: string operands are not supported natively"));
  EXPECT_THAT(reasons(sample::Column("other", 77, "long")),
              ElementsAre("expression AttributeReference: it is not a column of the input"));
  EXPECT_THAT(
      reasons(sample::Expression("In", "boolean", {kGroup, kGroup})),
      ElementsAre("expression In: a list with more than literals is not supported natively"));
  EXPECT_THAT(reasons(sample::Expression("GetStructField", "string", {kGroup}, {{"ordinal", 0}})),
              ElementsAre("expression GetStructField: string operands are not supported natively"));
}

// What Spark 4 made null, 3.5 wraps.
TEST(ExpressionRulesTest, SecondsThatMayNotFitAreSparksBefore4) {
  const Json time = sample::Column("t", 3, "timestamp");
  const auto project = [&](const std::string& type, const std::string& mode) {
    const Json cast = sample::Expression("Cast", type, {time}, {{"evalMode", {{"enum", mode}}}});
    return sample::Project({sample::Alias(cast, "x", 9)}, {sample::Column("x", 9, type)},
                           sample::Rows({time}));
  };
  const auto reasons = [&](const Json& plan) -> std::vector<std::string> {
    return FirstAnswerBefore4(plan)["reasons"];
  };
  const std::string wraps =
      "expression Cast: before Spark 4 seconds that do not fit are wrapped, which is not done "
      "natively";
  for (const char* type : {"integer", "short", "byte"}) {
    EXPECT_THAT(reasons(project(type, "LEGACY")), ElementsAre(wraps));
    EXPECT_THAT(reasons(project(type, "ANSI")), Not(testing::Contains(wraps)));
    EXPECT_THAT(Reasons(project(type, "LEGACY")), Not(testing::Contains(wraps)));
  }
  EXPECT_THAT(reasons(project("long", "LEGACY")), Not(testing::Contains(wraps)));
}

// What overflows is ARITHMETIC_OVERFLOW since Spark 4.
TEST(ExpressionRulesTest, SignsOfShortIntegersAreSparksBefore4) {
  const auto project = [](const char* function, const std::string& type, const char* mode) {
    const Json column = sample::Column("i", 3, type);
    const Json sign = sample::Expression(function, type, {column},
                                         {{"failOnError", std::string_view(mode) == "ANSI"}});
    return sample::Project({sample::Alias(sign, "x", 9)}, {sample::Column("x", 9, type)},
                           sample::Rows({column}));
  };
  const auto reasons = [&](const Json& plan) -> std::vector<std::string> {
    return FirstAnswerBefore4(plan)["reasons"];
  };
  const std::string minus = "expression UnaryMinus: before Spark 4 its overflow is another error";
  const std::string abs = "expression Abs: before Spark 4 its overflow is another error";
  EXPECT_THAT(reasons(project("UnaryMinus", "byte", "ANSI")), ElementsAre(minus));
  EXPECT_THAT(reasons(project("Abs", "short", "ANSI")), ElementsAre(abs));
  EXPECT_THAT(reasons(project("Abs", "short", "LEGACY")), Not(testing::Contains(abs)));
  EXPECT_THAT(reasons(project("UnaryMinus", "integer", "ANSI")), Not(testing::Contains(minus)));
  EXPECT_THAT(Reasons(project("UnaryMinus", "byte", "ANSI")), Not(testing::Contains(minus)));
}

TEST(ExpressionRulesTest, ShownTextIsPlainAndNeverNull) {
  const Json shown = sample::Expression("ToPrettyString", "string", {kValue});
  const Json native = FirstAnswer(
      sample::Project({sample::Alias(shown, "x", 9)}, {sample::Column("x", 9, "string")},
                      sample::ParquetScan("file:/t", {{"v", 2, "decimal(15,2)"}})))["native"];
  const Json text = native["operator"]["arguments"]["expressions"][0];
  EXPECT_EQ(text["function"], "coalesce");
  EXPECT_EQ(text["arguments"][0]["function"], "cast");
  EXPECT_EQ(text["arguments"][0]["attributes"], (Json{{"ansi", true}}));
  EXPECT_EQ(text["arguments"][1]["attributes"], (Json{{"value", "NULL"}}));
  EXPECT_THAT(
      Reasons(sample::Project(
          {sample::Alias(
              sample::Expression("ToPrettyString", "string", {sample::Column("d", 3, "double")}),
              "x", 9)},
          {sample::Column("x", 9, "string")}, sample::Rows({sample::Column("d", 3, "double")}))),
      ElementsAre("expression ToPrettyString: text of double is not supported natively"));
}

TEST(ExpressionRulesTest, ColumnsThatAreNoBytesAreRefused) {
  const Json object = sample::Column("c", 3, "object");
  EXPECT_THAT(Reasons(sample::Filter(sample::Literal(true, "boolean"), sample::Rows({object}))),
              ElementsAre("input column c has type object, which has no native form",
                          "output column c has type object, which has no native form"));
}

TEST(AggregateRuleTest, WhatIsCollectedSinceSpark42) {
  const auto collect = [](const std::string& name, const std::string& type, const Json& ignores) {
    const std::string result = "binary";  // instead of an array of them, which is not asked here
    const Json value = sample::Column("v", 2, type);
    const Json function = sample::Expression("aggregate." + name, result, {value}, ignores);
    return HashAggregate({Aggregate(function, "Partial")}, {sample::Column("c", 8, result)},
                         {kGroup, sample::Column("buf", 7, "binary")},
                         {kGroup, sample::Column("buf", 7, "binary")},
                         sample::Rows({kGroup, value}));
  };
  const auto found = [](const Json& plan, const char* spark) -> Json {
    const Json answer = FirstAnswer(plan, Json::object(), spark);
    return answer["reasons"].empty()
               ? answer["native"]["operator"]["arguments"]["aggregates"][0]["function"]
               : answer["reasons"];
  };
  const Json passes = {{"ignoreNulls", true}};
  EXPECT_EQ(found(collect("CollectList", "integer", passes), "4.2.0"), "collect_list");
  EXPECT_EQ(found(collect("CollectSet", "integer", passes), "4.2.0"), "collect_set");
  EXPECT_EQ(found(collect("CollectList", "double", passes), "4.2.0"), "collect_list");
  EXPECT_EQ(found(collect("CollectList", "integer", {{"ignoreNulls", false}}), "4.2.0"),
            Json({"expression CollectList: RESPECT NULLS is not supported natively"}));
  EXPECT_EQ(found(collect("CollectSet", "double", passes), "4.2.0"),
            Json({"expression CollectSet: since Spark 4.2 sets of double go by the bits of their "
                  "numbers"}));
  EXPECT_EQ(found(collect("CollectSet", "float", Json::object()), "4.1.3"), "collect_set");
  EXPECT_EQ(found(collect("CollectSet", "float", Json::object()), "4.0.4"), "collect_set");
}

TEST(ExpressionRulesTest, WholeNumbersThatMayFailAreSparks) {
  const Json value = sample::Column("d", 3, "double");
  const Json count = sample::Column("i", 4, "integer");
  const auto ceil_of = [&](const Json& operand, const Json& arguments) {
    return sample::Project(
        {sample::Alias(sample::Expression("Ceil", "long", {operand}, arguments), "x", 9)},
        {sample::Column("x", 9, "long")}, sample::Rows({value, count}));
  };
  const auto ceil = [&](const Json& arguments) { return ceil_of(value, arguments); };
  const std::string fails =
      "expression Ceil: since Spark 4.3 it fails in ANSI mode beyond the range of bigint";
  EXPECT_THAT(Reasons(ceil(Json::object())), Not(testing::Contains(fails)));
  EXPECT_THAT(Reasons(ceil({{"failOnError", false}})), Not(testing::Contains(fails)));
  EXPECT_THAT(Reasons(ceil({{"failOnError", true}})), testing::Contains(fails));
  const Json cast = sample::Expression("Cast", "double", {count}, sample::EvalContext("ANSI"));
  EXPECT_THAT(Reasons(ceil_of(cast, {{"failOnError", true}})), Not(testing::Contains(fails)));
}

TEST(SampleRuleTest, ASeedThatIsDrawnAnewIsSparks) {
  const Json value = sample::Column("v", 2, "integer");
  const auto reasons = [&](const Json& seed) {
    return Reasons(sample::Node("SampleExec", {value},
                                {{"lowerBound", {{"double", "0.0"}}},
                                 {"upperBound", {{"double", "0.5"}}},
                                 {"withReplacement", false},
                                 {"seed", seed}},
                                {sample::Rows({value})}));
  };
  EXPECT_THAT(reasons(42), IsEmpty());
  EXPECT_THAT(reasons(nullptr), ElementsAre("its seed is not part of the plan"));
}

TEST(WindowRuleTest, FiltersAndSegmentTreesAreSparks) {
  const Json value = sample::Column("v", 2, "integer");
  const auto window = [&](const std::string& name, const std::string& type, bool is_filtered) {
    Json aggregate = Aggregate(Function(name, type, {value}), "Complete");
    if (is_filtered) aggregate["children"].push_back(sample::Column("b", 3, "boolean"));
    const Json bound = sample::Literal(-2, "integer");
    const Json frame =
        sample::Expression("SpecifiedWindowFrame", "null", {bound, sample::Literal(2, "integer")},
                           {{"frameType", {{"enum", "RowFrame"}}}});
    const Json over = sample::Expression(
        "WindowExpression", type,
        {aggregate, sample::Expression("WindowSpecDefinition", "null", {frame})});
    return sample::Node("window.WindowExec", {value, sample::Column("x", 9, type)},
                        {{"windowExpression", {sample::Alias(over, "x", 9)}},
                         {"partitionSpec", Json::array()},
                         {"orderSpec", Json::array()}},
                        {sample::Rows({value, sample::Column("b", 3, "boolean")})});
  };
  EXPECT_THAT(Reasons(window("Sum", "long", false)), IsEmpty());
  EXPECT_THAT(Reasons(window("Sum", "long", true)),
              ElementsAre("expression Sum: FILTER is not supported natively in windows"));
  const Json trees = {{"spark.sql.window.segmentTree.enabled", "true"}};
  EXPECT_THAT(
      Reasons(window("Sum", "long", false), trees),
      ElementsAre(
          "expression Sum: spark.sql.window.segmentTree.enabled is not supported natively"));
  EXPECT_THAT(Reasons(window("Max", "integer", false), trees), IsEmpty());
}

TEST(WindowRuleTest, DefaultsThatAreColumnsAreSparksBefore4WhereNullsAreIgnored) {
  const Json value = sample::Column("v", 2, "integer");
  const auto window = [&](const Json& fallback, bool ignores_nulls) {
    const Json lag =
        sample::Expression("Lag", "integer", {value, sample::Literal(3, "integer"), fallback},
                           {{"ignoreNulls", ignores_nulls}});
    const Json frame = sample::Expression("SpecifiedWindowFrame", "null", {});
    const Json over =
        sample::Expression("WindowExpression", "integer",
                           {lag, sample::Expression("WindowSpecDefinition", "null", {frame})});
    return sample::Node("window.WindowExec", {value, sample::Column("x", 9, "integer")},
                        {{"windowExpression", {sample::Alias(over, "x", 9)}},
                         {"partitionSpec", Json::array()},
                         {"orderSpec", Json::array()}},
                        {sample::Rows({value})});
  };
  const auto reasons = [&](const Json& plan) -> std::vector<std::string> {
    return FirstAnswerBefore4(plan)["reasons"];
  };
  EXPECT_THAT(reasons(window(value, true)),
              ElementsAre("expression Lag: before Spark 4 it fails where it ignores nulls, its "
                          "default is a column and a partition has fewer rows than it goes on by"));
  EXPECT_THAT(reasons(window(value, false)), IsEmpty());
  EXPECT_THAT(reasons(window(sample::Literal(0, "integer"), true)), IsEmpty());
  EXPECT_THAT(Reasons(window(value, true)), IsEmpty());
}

TEST(ScanRuleTest, RefusalsSayWhy) {
  const auto scan = [](const std::string& path, const std::string& type) {
    return sample::ParquetScan(path, {{"a", 1, type}});
  };
  EXPECT_THAT(Reasons(scan("hdfs://host/t", "long")), IsEmpty());
  EXPECT_THAT(Reasons(scan("file:/t", "timestamp"),
                      {{"spark.sql.parquet.int96TimestampConversion", "true"}}),
              ElementsAre("column a is converted to another time zone "
                          "(spark.sql.parquet.int96TimestampConversion), which is not supported "
                          "natively"));
  EXPECT_THAT(Reasons(scan("file:/t", "timestamp"),
                      {{"spark.sql.parquet.int96RebaseModeInRead", "LEGACY"}}),
              IsEmpty());
  EXPECT_THAT(
      Reasons(scan("file:/t", "long"), {{"spark.sql.parquet.enableVectorizedReader", "false"}}),
      ElementsAre("Spark's row by row reader is asked for "
                  "(spark.sql.parquet.enableVectorizedReader=false), which has other rules for "
                  "types"));
  EXPECT_THAT(Reasons(scan("file:/t", "long"), {{"spark.sql.files.ignoreCorruptFiles", "true"}}),
              ElementsAre("ignoreCorruptFiles is not supported natively"));
  Json option = scan("file:/t", "long");
  option["args"]["relation"]["args"]["options"] = {
      {"map", Json::array({Json::array({"IgnoreMissingFiles", "TRUE"})})}};
  EXPECT_THAT(Reasons(option), ElementsAre("ignoreMissingFiles is not supported natively"));
  option["args"]["relation"]["args"]["options"] = {
      {"map", Json::array({Json::array({"datetimeRebaseMode", "LEGACY"}),
                           Json::array({"DateTimeRebaseMode", "legacy"})})}};
  EXPECT_THAT(Reasons(option),
              ElementsAre("datetimeRebaseMode is \"legacy\", which Spark does not know"));
  Json orc = scan("file:/t", "long");
  orc["args"]["relation"]["args"]["fileFormat"] = {{"opaque", "org.apache.spark.x.OrcFileFormat"}};
  EXPECT_THAT(Reasons(orc), ElementsAre("file format OrcFileFormat is not read natively"));
  Json buckets = scan("file:/t", "long");
  buckets["args"]["relation"]["args"]["bucketSpec"] = {{"opaque", "BucketSpec"}};
  EXPECT_THAT(Reasons(buckets), ElementsAre("bucketed tables are not read natively"));
  EXPECT_THAT(Reasons(buckets, {{"spark.sql.sources.bucketing.enabled", "false"}}), IsEmpty());
  Json metadata = scan("file:/t", "long");
  metadata["output"].push_back(sample::Column("file_path", 8, "string"));
  EXPECT_EQ(FirstAnswer(metadata)["native"]["operator"]["arguments"]["partitionColumns"],
            Json::parse(R"([{"name":"file_path","type":"string","nullable":true}])"));
}

TEST(ScanRuleTest, DefaultValuesAreThoseOfThePlan) {
  const auto scan = [](const std::string& type, const Json& value) {
    Json plan = sample::ParquetScan("file:/t", {{"k", 1, "long"}, {"a", 2, type}});
    plan["args"]["requiredSchema"]["type"]["fields"][1]["metadata"] = {{"EXISTS_DEFAULT", "7"}};
    plan["args"]["existenceDefaults"] = Json::array({nullptr, value});
    return plan;
  };
  const auto arguments = [](const Json& plan) {
    return FirstAnswer(plan)["native"]["operator"]["arguments"];
  };
  const Json native = arguments(scan("long", sample::Literal(7, "long")));
  ASSERT_EQ(native["defaults"].size(), 2u);
  EXPECT_TRUE(native["defaults"][0].is_null());
  EXPECT_EQ(native["defaults"][1]["attributes"], Json({{"value", 7}}));
  EXPECT_FALSE(arguments(scan("long", sample::Literal(nullptr, "long"))).contains("defaults"));
  EXPECT_THAT(Reasons(scan("long", {{"opaque", "unknown"}})),
              ElementsAre("column a has a default value that is not part of the plan"));
  EXPECT_THAT(Reasons(scan("long", sample::Literal(7, "integer"))),
              ElementsAre("column a has a default value that is not part of the plan"));
  EXPECT_THAT(
      Reasons(scan("binary", sample::Literal({{"bytes", "AA=="}}, "binary"))),
      ElementsAre("column a of type binary has a default value, which is not read natively"));
  const auto decimal = [&](const char* digits) {
    return scan("decimal(38,0)", sample::Literal({{"decimal", digits}}, "decimal(38,0)"));
  };
  EXPECT_THAT(Reasons(decimal("9223372036854775807")), IsEmpty());
  EXPECT_THAT(Reasons(decimal("9223372036854775808")),
              ElementsAre("column a has a default value of more digits than Spark's reader fills "
                          "in"));
  EXPECT_EQ(FirstAnswerBefore4(decimal("7"))["reasons"],
            Json::array({"column a has a default value of more digits than Spark's reader fills "
                         "in"}));
  Json without = scan("long", nullptr);
  without["args"].erase("existenceDefaults");
  EXPECT_THAT(Reasons(without),
              ElementsAre("column a has a default value that is not part of the plan"));
}

TEST(ScanRuleTest, ColumnsAreFoundByIdsWhereSparkFindsThemSo) {
  const auto scan = [](const Json& id) {
    Json plan = sample::ParquetScan("file:/t", {{"k", 1, "long"}, {"a", 2, "long"}});
    plan["args"]["requiredSchema"]["type"]["fields"][1]["metadata"] = {{"parquet.field.id", id}};
    return plan;
  };
  const Json by_id = {{"spark.sql.parquet.fieldId.read.enabled", "true"}};
  const Json forgiving = {{"spark.sql.parquet.fieldId.read.ignoreMissing", "true"}};
  const auto arguments = [&](const Json& settings) {
    return FirstAnswer(scan(3), settings)["native"]["operator"]["arguments"];
  };
  EXPECT_EQ(arguments(by_id)["fieldIds"], Json::array({-1, 3}));
  EXPECT_EQ(arguments(by_id)["needsFieldIds"], true);
  EXPECT_FALSE(arguments(Json::object()).contains("fieldIds"));
  EXPECT_EQ(arguments(Json::object())["needsFieldIds"], true);
  EXPECT_FALSE(arguments(forgiving).contains("needsFieldIds"));
  for (const Json& id : {Json(-1), Json("3"), Json(2147483648)}) {
    EXPECT_THAT(Reasons(scan(id)),
                ElementsAre("column a has a field id (parquet.field.id) that is no integer from 0 "
                            "to 2147483647"));
  }
  Json option = scan(3);
  option["args"]["relation"]["args"]["options"] = {
      {"map", Json::array({Json::array({"spark.sql.parquet.fieldid.read.enabled", "true"})})}};
  EXPECT_THAT(Reasons(option), ElementsAre("option spark.sql.parquet.fieldId.read.enabled is not "
                                           "supported natively"));
}

TEST(ScanRuleTest, NestedColumnsAreReadWhereTheirPartsAre) {
  const auto scan = [](const std::string& fields) {
    Json plan = sample::ParquetScan("file:/t", {{"a", 1, "long"}});
    const Json type = Json::parse(R"({"type":"struct","fields":[)" + fields + "]}");
    plan["output"][0]["type"] = type;
    plan["args"]["requiredSchema"]["type"]["fields"][0]["type"] = type;
    return plan;
  };
  const auto field = [](const std::string& type, const std::string& metadata = "{}") {
    return R"({"name":"f","nullable":true,"type":)" + type + R"(,"metadata":)" + metadata + "}";
  };
  const std::string sound =
      field(R"({"type":"array","containsNull":true,"elementType":{"type":"map","keyType":"string",)"
            R"("valueType":"interval day to second","valueContainsNull":true}})");
  EXPECT_THAT(Reasons(scan(sound)), IsEmpty());
  EXPECT_THAT(Reasons(scan(sound + "," + field("\"variant\""))),
              ElementsAre("column a of type struct is not read natively"));
  EXPECT_THAT(Reasons(scan(field("\"string\"", R"({"__VARIANT_METADATA_KEY":true})"))),
              ElementsAre("column a of type struct is not read natively"));
  const Json by_id = scan(field("\"string\"", R"({"parquet.field.id":3})"));
  EXPECT_THAT(Reasons(by_id), IsEmpty());
  EXPECT_EQ(FirstAnswer(by_id, {{"spark.sql.parquet.fieldId.read.enabled",
                                 "true"}})["native"]["operator"]["arguments"]["fieldIds"],
            Json::array({-1}));
  EXPECT_THAT(
      Reasons(scan(field("\"timestamp\"")),
              {{"spark.sql.parquet.int96TimestampConversion", "true"}}),
      ElementsAre("column a is converted to another time zone "
                  "(spark.sql.parquet.int96TimestampConversion), which is not supported natively"));
  EXPECT_THAT(
      Reasons(scan(sound), {{"spark.sql.parquet.enableNestedColumnVectorizedReader", "false"}}),
      ElementsAre("column a: Spark's row by row reader is asked for "
                  "(spark.sql.parquet.enableNestedColumnVectorizedReader=false), which has other "
                  "rules for types"));
  const auto arguments = [](const Json& answer) {
    return answer["native"]["operator"]["arguments"];
  };
  EXPECT_FALSE(arguments(FirstAnswer(scan(sound))).contains("nullStructs"));
  const Json unlike_legacy = {
      {"spark.sql.legacy.parquet.returnNullStructIfAllFieldsMissing", "false"}};
  const Json legacy = {{"spark.sql.legacy.parquet.returnNullStructIfAllFieldsMissing", "true"}};
  EXPECT_EQ(arguments(FirstAnswer(scan(sound), legacy))["nullStructs"], true);
  EXPECT_FALSE(arguments(FirstAnswer(scan(sound), unlike_legacy)).contains("nullStructs"));
  EXPECT_EQ(arguments(FirstAnswer(scan(sound), unlike_legacy, "4.0.1"))["nullStructs"], true);
  EXPECT_EQ(arguments(FirstAnswer(scan(sound), unlike_legacy, "3.5.9"))["nullStructs"], true);
}

TEST(ScanRuleTest, FiltersThatCannotBeTranslatedOnlyDoNotPrune) {
  const Json a = sample::Column("a", 1, "string");
  const Json like = sample::Expression("Like", "boolean", {a, sample::Literal("x%", "string")});
  const Json equal = sample::Expression("EqualTo", "boolean", {a, sample::Literal("x", "string")});
  const Json node =
      FirstAnswer(sample::ParquetScan("file:/t", {{"a", 1, "string"}}, {like, equal}));
  EXPECT_EQ(node["mark"], "*");
  const Json& pruning = node["native"]["operator"]["arguments"]["pruning"];
  ASSERT_EQ(pruning.size(), 1u);
  EXPECT_EQ(pruning[0]["function"], "equal");
}

TEST(ScanRuleTest, SettingsOfTheReaderArePassedOn) {
  const Json node = FirstAnswer(sample::ParquetScan("file:/t", {{"a", 1, "date"}}),
                                {{"spark.sql.caseSensitive", "true"},
                                 {"spark.sql.parquet.datetimeRebaseModeInRead", "LEGACY"}});
  const Json& arguments = node["native"]["operator"]["arguments"];
  EXPECT_EQ(arguments["caseSensitive"], true);
  EXPECT_EQ(arguments["datetimeRebaseMode"], "LEGACY");
  EXPECT_EQ(arguments["int96RebaseMode"], "CORRECTED");
  EXPECT_FALSE(arguments.contains("widens"));
  const Json earlier = FirstAnswerBefore4(sample::ParquetScan("file:/t", {{"a", 1, "date"}}));
  EXPECT_EQ(earlier["native"]["operator"]["arguments"]["widens"], false);
}

}  // namespace
}  // namespace reprise
