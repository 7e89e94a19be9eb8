#include "rules/guest_expressions.h"

#include "rules/sample_answers.h"
#include "rules/sample_joins.h"

namespace reprise {
namespace {

using sample::Expression;
using sample::Json;
using sample::kA;
using sample::Literal;
using sample::PlanOf;

constexpr int kGuestId = 1000;

/// A function that only Spark knows.
Json Unknown(const Json& of, const std::string& type = "integer", int id = kGuestId) {
  Json expression = Expression("BitwiseCount", type, {of});
  expression["id"] = id;
  return expression;
}

Json IsSmall(const Json& value) {
  return Expression("LessThan", "boolean", {value, Literal(5, "integer")});
}

/// A projection between a native scan and a native filter.
Json Projected(const Json& expression) {
  const Json alias = sample::Alias(expression, "c", 7);
  const Json column = sample::Column("c", 7, expression["type"]);
  const Json condition = Expression("IsNotNull", "boolean", {column});
  return sample::Document(
      sample::Filter(condition, sample::Project({alias}, {column}, sample::ScanOfAB())));
}

Json VerdictOf(const Json& document, size_t node, const Json& conf = Json::object()) {
  return PlanOf(document, sample::Request("replace", conf))["nodes"][node];
}

TEST(GuestExpressions, AnUnknownFunctionIsAColumnMoreOfTheInput) {
  const Json verdict = VerdictOf(Projected(Unknown(kA)), 1);
  EXPECT_EQ(verdict["mark"], "*");
  EXPECT_EQ(verdict["reasons"], Json({"expression BitwiseCount: it is not supported natively"}));
  const Json& guests = verdict["native"]["guests"][0];
  EXPECT_EQ(guests["name"], "RepriseGuestProject");
  EXPECT_EQ(guests["reads"], Json({0}));
  EXPECT_EQ(guests["expressions"], Json({{kGuestId}}));
  EXPECT_EQ(guests["operator"]["kind"], "guest_project");
  EXPECT_EQ(guests["operator"]["inputs"][0].size(), 2u);
  EXPECT_EQ(guests["operator"]["output"][2]["name"], "guest1");
  const auto spec = OperatorSpecFromJson(verdict["native"]["operator"]);
  ASSERT_TRUE(spec.ok()) << spec.status();
  const auto made = ExpressionSpecFromJson(spec->arguments["expressions"][0]);
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(ToString(*made, spec->inputs[0]), "guest1");
}

TEST(GuestExpressions, WhatIsNativeAboveAGuestStaysNative) {
  const Json sum = sample::Arithmetic("Add", "integer", Unknown(kA), Literal(1, "integer"), "ANSI");
  const Json verdict = VerdictOf(Projected(sum), 1);
  EXPECT_EQ(verdict["native"]["guests"][0]["expressions"], Json({{kGuestId}}));
  EXPECT_EQ(verdict["native"]["operator"]["arguments"]["expressions"][0]["function"], "add");
}

TEST(GuestExpressions, WhatIsEvaluatedForSomeRowsIsNoGuestAlone) {
  Json branch = Expression("If", "integer", {IsSmall(kA), Literal(0, "integer"), Unknown(kA)});
  branch["id"] = kGuestId + 1;
  EXPECT_EQ(VerdictOf(Projected(branch), 1)["native"]["guests"][0]["expressions"],
            Json({{kGuestId + 1}}));
  Json behind_null =
      sample::Arithmetic("Add", "integer", kA, Unknown(Literal(1, "integer")), "ANSI");
  behind_null["id"] = kGuestId + 2;
  EXPECT_EQ(VerdictOf(Projected(behind_null), 1)["native"]["guests"][0]["expressions"],
            Json({{kGuestId + 2}}));
}

/// Joined by keys of which Spark evaluates the right one.
Json JoinedByGuest(const Json& condition = nullptr) {
  using namespace sample_joins;
  const Json key = Unknown(kRightKey, "long");
  return Join(
      "ShuffledHashJoinExec", Type("Inner"), Left(), Right(),
      {{"rightKeys", {key}}, {"buildSide", {{"enum", "BuildRight"}}}, {"condition", condition}});
}

TEST(GuestExpressions, AKeyOfAJoinIsAColumnMoreOfItsSide) {
  const Json native = sample_joins::First(JoinedByGuest(sample_joins::Less()))["native"];
  ASSERT_EQ(native["guests"].size(), 1);
  EXPECT_EQ(native["guests"][0]["input"], 1);
  EXPECT_EQ(native["guests"][0]["reads"], Json({0}));
  EXPECT_EQ(native["inputs"], Json({nullptr, nullptr}));
  const Json& join = native["operator"];
  EXPECT_EQ(join["inputs"][0].size(), 2u);
  EXPECT_EQ(join["inputs"][1].size(), 3u);
  EXPECT_EQ(join["output"].size(), 4u);
  EXPECT_EQ(join["arguments"]["dropped"], Json({0, 1}));
  EXPECT_EQ(join["arguments"]["rightKeys"][0]["attributes"]["index"], 2);
  EXPECT_EQ(join["arguments"]["condition"]["arguments"][1]["attributes"]["index"], 3);
}

TEST(GuestExpressions, AConditionIsAskedOfThePairsThatItsNativePartLeaves) {
  using namespace sample_joins;
  Json asked = Unknown(kRightValue, "boolean", kGuestId + 1);
  Json both = Expression("And", "boolean", {Less(), asked});
  both["id"] = kGuestId + 2;
  const Json native = First(JoinedByGuest(both))["native"];
  EXPECT_EQ(native["guestCondition"], Json({1, 3}));
  const Json& arguments = native["operator"]["arguments"];
  EXPECT_EQ(arguments["guestReads"], Json({1, 3}));
  const auto first = ExpressionSpecFromJson(arguments["condition"]);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(first->function, "coalesce");  // behind a null Spark goes on
  EXPECT_EQ(first->arguments[0].function, "less");
  Json product =
      Join("CartesianProductExec", Type("Inner"), Left(), Right(), {{"condition", both}});
  EXPECT_EQ(First(product)["mark"], "!") << "of all pairs it would be asked";
}

TEST(GuestExpressions, AKeyOfASortGoesNoFurther) {
  using namespace sample_joins;
  const Json native = First(Sort(Unknown(kLeftKey, "long"), Left()))["native"];
  EXPECT_EQ(native["guests"][0]["input"], 0);
  EXPECT_EQ(native["operator"]["inputs"][0].size(), 3u);
  EXPECT_EQ(native["operator"]["output"].size(), 2u);
  EXPECT_EQ(native["operator"]["arguments"]["ordering"][0]["expression"]["attributes"]["index"], 2);
}

TEST(GuestExpressions, ADivisorIsEvaluatedFirst) {
  const PlanValue operands[2] = {};
  PlanObject division;
  division.class_name = "org.apache.spark.sql.catalyst.expressions.IntegralDivide";
  division.children = operands;
  EXPECT_TRUE(IsAlwaysEvaluated(division, 1));
  EXPECT_FALSE(IsAlwaysEvaluated(division, 0));
  division.class_name = "org.apache.spark.sql.catalyst.expressions.Add";
  EXPECT_TRUE(IsAlwaysEvaluated(division, 0));
  EXPECT_FALSE(IsAlwaysEvaluated(division, 1));
}

TEST(GuestExpressions, ConditionsBeforeAGuestChooseItsRows) {
  const Json condition = Expression("And", "boolean", {IsSmall(kA), IsSmall(Unknown(kA))});
  const Json verdict = VerdictOf(
      sample::Document(sample::Filter(IsSmall(kA), sample::Filter(condition, sample::ScanOfAB()))),
      1);
  EXPECT_EQ(verdict["native"]["guests"][0]["before"]["arguments"]["condition"]["function"], "less");
  EXPECT_EQ(verdict["native"]["operator"]["arguments"]["condition"]["function"], "less");
  EXPECT_EQ(verdict["native"]["operator"]["output"].size(), 2u);
}

TEST(GuestExpressions, TestsForNullOfAGuestsColumnsComeFirst) {
  const Json is_not_null = Expression("IsNotNull", "boolean", {kA});
  Json first = IsSmall(Unknown(kA));
  first["id"] = kGuestId + 1;
  const Json condition = Expression("And", "boolean", {first, is_not_null});
  const Json verdict = VerdictOf(
      sample::Document(sample::Filter(IsSmall(kA), sample::Filter(condition, sample::ScanOfAB()))),
      1);
  EXPECT_EQ(verdict["native"]["guests"][0]["before"]["arguments"]["condition"]["function"],
            "is_not_null");
}

TEST(GuestExpressions, SeveralConditionsAreOneGuest) {
  Json first = IsSmall(Unknown(kA));
  first["id"] = kGuestId + 1;
  Json second = IsSmall(Unknown(kA, "integer", kGuestId + 2));
  second["id"] = kGuestId + 3;
  const Json both = Expression("And", "boolean", {IsSmall(kA), first});
  const Json condition = Expression("And", "boolean", {both, second});
  const Json verdict = VerdictOf(
      sample::Document(sample::Filter(IsSmall(kA), sample::Filter(condition, sample::ScanOfAB()))),
      1);
  EXPECT_EQ(verdict["native"]["guests"][0]["expressions"], Json({{kGuestId + 1, kGuestId + 3}}));
  EXPECT_EQ(verdict["native"]["operator"]["arguments"]["condition"]["function"], "column");
}

const Json kText = Literal("x", "string");

Json Upper(int id) {
  Json upper = Expression("Upper", "string", {kText});
  upper["id"] = id;
  return upper;
}

TEST(GuestExpressions, AreTriedWhereTheCoreKnowsMostValues) {
  const Json verdict = VerdictOf(Projected(Upper(kGuestId)), 1);
  EXPECT_EQ(verdict["reasons"], Json({"expression Upper: it is not supported natively"}));
  const Json& trials = verdict["native"]["guests"][0]["operator"]["arguments"]["trials"];
  ASSERT_EQ(trials.size(), 1u);
  EXPECT_EQ(trials[0]["function"], "upper");
  Json branch = Expression("If", "string", {IsSmall(kA), kText, Upper(kGuestId)});
  branch["id"] = kGuestId + 1;
  EXPECT_EQ(VerdictOf(Projected(branch),
                      1)["native"]["guests"][0]["operator"]["arguments"]["trials"][0]["function"],
            "if");
}

TEST(GuestExpressions, OfWhichSomeAreTriedStandAboveOneAnother) {
  std::vector<Json> aliases;
  std::vector<Json> columns;
  for (const Json& guest : {Upper(kGuestId), Unknown(kA, "integer", kGuestId + 1),
                            Unknown(kA, "integer", kGuestId + 2), Upper(kGuestId + 3)}) {
    const int id = 20 + static_cast<int>(columns.size());
    aliases.push_back(sample::Alias(guest, "c", id));
    columns.push_back(sample::Column("c", id, guest["type"]));
  }
  const Json document = sample::Document(
      sample::Filter(IsSmall(columns[1]), sample::Project(aliases, columns, sample::ScanOfAB())));
  const Json guests = VerdictOf(document, 1)["native"]["guests"];
  ASSERT_EQ(guests.size(), 3u);
  EXPECT_EQ(guests[0]["expressions"], Json({{kGuestId}}));
  EXPECT_EQ(guests[1]["expressions"], Json({{kGuestId + 1}, {kGuestId + 2}}));
  EXPECT_EQ(guests[2]["expressions"], Json({{kGuestId + 3}}));
  EXPECT_TRUE(guests[0]["operator"]["arguments"].contains("trials"));
  EXPECT_FALSE(guests[1]["operator"]["arguments"].contains("trials"));
  EXPECT_EQ(guests[1]["operator"]["inputs"][0].size(), 3u) << "behind the input the first guest";
  EXPECT_EQ(guests[2]["operator"]["output"].size(), 6u);
}

TEST(GuestExpressions, AreNotTriedByAPatternThatJavaMayReadOtherwise) {
  const auto has_trial = [](const char* pattern) {
    Json matches = Expression("RLike", "boolean", {kText, Literal(pattern, "string")});
    matches["id"] = kGuestId;
    const Json guests = VerdictOf(Projected(matches), 1)["native"]["guests"];
    return guests[0]["operator"]["arguments"].contains("trials");
  };
  EXPECT_TRUE(has_trial("a+"));
  EXPECT_FALSE(has_trial("(?=a)"));
}

TEST(GuestExpressions, WhatSparkRunsElsewhereIsNone) {
  for (const std::string name : {"PythonUDF", "InputFileName", "WindowExpression"}) {
    Json expression = Expression(name, "integer", {kA});
    expression["id"] = kGuestId;
    const Json verdict = VerdictOf(Projected(expression), 1);
    EXPECT_EQ(verdict["mark"], "!") << name;
  }
}

TEST(GuestExpressions, AreNotWantedBesideRows) {
  const Json alone = sample::Document(sample::Filter(IsSmall(Unknown(kA)), sample::ScanOfAB()));
  EXPECT_EQ(VerdictOf(alone, 0)["reasons"],
            Json({"Spark evaluates some of its expressions, and its consumer is row-based",
                  "expression BitwiseCount: it is not supported natively"}));
  EXPECT_EQ(
      VerdictOf(Projected(Unknown(kA)), 1, {{"spark.reprise.sql.guests.enabled", "false"}})["mark"],
      "!");
}

TEST(GuestExpressions, AreInNoDumpWithMasks) {
  Json conf = {{"spark.reprise.lore.idsToDump", "2[*]"}, {"spark.reprise.lore.dumpPath", "/tmp/d"}};
  EXPECT_TRUE(VerdictOf(Projected(Unknown(kA)), 1, conf)["native"].contains("guests"));
  conf["spark.reprise.lore.mask"] = "a:hash";
  const Json verdict = VerdictOf(Projected(Unknown(kA)), 1, conf);
  EXPECT_EQ(verdict["mark"], "@");
  EXPECT_TRUE(verdict.contains("record"));
}

}  // namespace
}  // namespace reprise
