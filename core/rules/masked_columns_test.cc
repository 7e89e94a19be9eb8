#include "rules/masked_columns.h"

#include <gtest/gtest.h>

#include "plan/sample_plans.h"

namespace reprise {
namespace {

using sample::Json;

const Json kName = sample::Column("c_name", 1, "string");
const Json kCustomer = sample::Column("c_custkey", 2, "long");
const Json kPhone = sample::Column("c_phone", 3, "string");
const std::string kAggregate = "aggregate.";

Json Scan() {
  return sample::Node("FileSourceScanExec", {kName, kCustomer, kPhone}, Json::object(), {});
}

Json Project(std::vector<Json> list, Json child) {
  std::vector<Json> output;
  for (const Json& item : list) {
    const Json& arguments = item["args"];
    output.push_back(
        sample::Column(arguments["name"], arguments["exprId"]["args"]["id"], item["type"]));
  }
  return sample::Node("ProjectExec", output, {{"projectList", list}}, {std::move(child)});
}

Json Function(const std::string& name, const std::string& type, std::vector<Json> children,
              int64_t result) {
  const Json function = sample::Expression(kAggregate + name, type, std::move(children));
  return sample::Expression(
      "aggregate.AggregateExpression", type, {function},
      {{"mode", {{"enum", "Partial"}}}, {"resultId", sample::ExprId(result)}});
}

/// The masks around the plan's root.
Json Masks(const Json& root, Json masks = {{"c_name", "hash"}}) {
  const auto document = PlanDocument::Decode(sample::Document(root).dump());
  EXPECT_TRUE(document.ok()) << document.status();
  if (!document.ok()) return {};
  return MaskedColumns::Follow(masks, **document, nullptr).Around((*document)->root());
}

TEST(MaskedColumnsTest, NamesAreFollowedThroughProjections) {
  const Json renamed = sample::Alias(kName, "n", 10);
  const Json plan = Project({sample::Alias(sample::Column("n", 10, "string"), "m", 11), kCustomer},
                            Project({renamed, kCustomer}, Scan()));
  EXPECT_EQ(Masks(plan), (Json{{"c_name", "hash"}, {"n", "hash"}, {"m", "hash"}}));
}

TEST(MaskedColumnsTest, WhatIsComputedOfMaskedValuesIsMasked) {
  const Json upper = sample::Alias(sample::Expression("Upper", "string", {kName}), "u", 10);
  const Json both = sample::Alias(sample::Expression("Concat", "string", {kName, kPhone}), "b", 11);
  const Json other = sample::Alias(sample::Expression("Upper", "string", {kPhone}), "o", 12);
  const Json bytes = sample::Alias(sample::Expression("Encode", "binary", {kName}), "e", 13);
  EXPECT_EQ(Masks(Project({upper, both, other, bytes}, Scan())),
            (Json{{"c_name", "hash"}, {"u", "hash"}, {"b", "hash"}, {"e", "null"}}));
  EXPECT_EQ(Masks(Project({both}, Scan()), {{"c_name", "shuffle"}, {"C_PHONE", "null"}}),
            (Json{{"c_name", "shuffle"}, {"C_PHONE", "null"}, {"b", "null"}}));
}

TEST(MaskedColumnsTest, PredicatesAndCountsHoldNoValues) {
  const Json is_known = sample::Alias(sample::Expression("IsNotNull", "boolean", {kName}), "k", 10);
  EXPECT_EQ(Masks(Project({is_known}, Scan())), (Json{{"c_name", "hash"}}));
  const Json flag = sample::Column("flag", 20, "boolean");
  const Json negated = sample::Alias(sample::Expression("Not", "boolean", {flag}), "no", 21);
  const Json scan = sample::Node("FileSourceScanExec", {flag}, Json::object(), {});
  EXPECT_EQ(Masks(Project({negated}, scan), {{"flag", "null"}}),
            (Json{{"flag", "null"}, {"no", "null"}}));
}

TEST(MaskedColumnsTest, BuffersOfAggregatesHoldWhatTheirFunctionsDo) {
  const Json max = sample::Column("max", 30, "string");
  const Json count = sample::Column("count", 31, "long");
  const Json sum = sample::Column("sum", 32, "long");
  const Json plan = sample::Node(
      "aggregate.HashAggregateExec", {kPhone, max, count, sum},
      {{"groupingExpressions", {kPhone}},
       {"aggregateExpressions",
        {Function("Max", "string", {kName}, 40), Function("Count", "long", {kName}, 41),
         Function("Sum", "long", {kCustomer}, 42)}},
       {"aggregateAttributes", {sample::Column("max", 50, "string"), count, sum}},
       {"resultExpressions", {kPhone, max, count, sum}}},
      {Scan()});
  EXPECT_EQ(Masks(plan), (Json{{"c_name", "hash"}, {"max", "hash"}}));
}

TEST(MaskedColumnsTest, AFunctionOfTheUserMayGiveAllThatGoesIn) {
  const Json made = sample::Column("made", 60, "string");
  const auto mapped = [&](Json child) {
    return sample::Node("MapElementsExec", {made}, {{"func", {{"opaque", "a.B"}}}},
                        {std::move(child)});
  };
  EXPECT_EQ(Masks(mapped(Scan())), (Json{{"c_name", "hash"}, {"made", "hash"}}));
  EXPECT_EQ(Masks(mapped(Project({kCustomer}, Scan()))), (Json{{"c_name", "hash"}}));
}

TEST(MaskedColumnsTest, UnionsHoldWhatAnySideHolds) {
  const Json first = sample::Column("first", 70, "string");
  const Json left = sample::Node("FileSourceScanExec", {first}, Json::object(), {});
  const Json plan =
      sample::Node("UnionExec", {first}, Json::object(), {left, Project({kName}, Scan())});
  EXPECT_EQ(Masks(plan), (Json{{"c_name", "hash"}, {"first", "hash"}}));
}

TEST(MaskedColumnsTest, WhatComesFromNowhereIsMaskedAsStronglyAsAnything) {
  const Json column = sample::Column("x", 80, "string");
  const Json masks = {{"c_name", "hash"}, {"c_phone", "null"}};
  for (const std::string leaf : {"RDDScanExec", "LocalTableScanExec", "SomeOtherExec"}) {
    EXPECT_EQ(Masks(sample::Node(leaf, {column}, Json::object(), {}), masks).value("x", ""), "null")
        << leaf;
  }
  EXPECT_FALSE(Masks(sample::Node("RangeExec", {column}, Json::object(), {}), masks).contains("x"));
  const Json pushed = sample::Column("max(c_name)", 81, "string");
  EXPECT_EQ(Masks(sample::Node("BatchScanExec", {pushed}, Json::object(), {})),
            (Json{{"c_name", "hash"}, {"max(c_name)", "hash"}}));
}

TEST(MaskedColumnsTest, CachesAreLookedThroughByPlace) {
  Json scan = sample::Node("columnar.InMemoryTableScanExec",
                           {sample::Column("n", 90, "string"), sample::Column("k", 91, "long")},
                           Json::object(), {});
  scan["cachedOutput"] = {sample::Column("k", 91, "long"), sample::Column("n", 90, "string")};
  scan["cached"] = Project({kCustomer, sample::Alias(kName, "n", 92)}, Scan());
  EXPECT_EQ(Masks(scan), (Json{{"c_name", "hash"}, {"n", "hash"}}));
}

TEST(MaskedColumnsTest, OnlyComparisonsCountAsPredicates) {
  const Json flag = sample::Column("flag", 20, "boolean");
  const Json scan = sample::Node("FileSourceScanExec", {flag, kName}, Json::object(), {});
  const auto mask_of = [&](Json expression) {
    return Masks(Project({sample::Alias(std::move(expression), "x", 21)}, scan),
                 {{"flag", "null"}, {"c_name", "null"}})
        .value("x", "none");
  };
  const Json text = sample::Literal("true", "string");
  EXPECT_EQ(mask_of(sample::Expression("EqualTo", "boolean", {kName, text})), "none");
  EXPECT_EQ(mask_of(sample::Expression("IsNull", "boolean", {flag})), "none");
  EXPECT_EQ(mask_of(sample::Expression("Cast", "boolean", {kName})), "null");
  EXPECT_EQ(mask_of(sample::Expression("PythonUDF", "boolean", {kName})), "null");
  const Json cast = sample::Expression("Cast", "string", {flag});
  EXPECT_EQ(mask_of(sample::Expression("EqualTo", "boolean", {cast, text})), "null");
}

// Made into text by one operator, and compared by another one.
TEST(MaskedColumnsTest, ABooleanIsFollowedThroughOtherTypes) {
  const Json flag = sample::Column("flag", 20, "boolean");
  const Json text = sample::Column("s", 21, "string");
  const Json scan = sample::Node("FileSourceScanExec", {flag, kName}, Json::object(), {});
  const Json made =
      Project({sample::Alias(sample::Expression("Cast", "string", {flag}), "s", 21),
               sample::Alias(sample::Expression("Upper", "string", {kName}), "n", 22)},
              scan);
  const auto mask_of = [&](const Json& column, Json child) {
    const Json literal = sample::Literal("true", "string");
    const Json is_true = sample::Expression("EqualTo", "boolean", {column, literal});
    return Masks(Project({sample::Alias(is_true, "x", 23)}, std::move(child)),
                 {{"flag", "null"}, {"c_name", "null"}})
        .value("x", "none");
  };
  EXPECT_EQ(mask_of(text, made), "null");
  EXPECT_EQ(mask_of(sample::Column("n", 22, "string"), made), "none");
  const Json upper = sample::Alias(sample::Expression("Upper", "string", {text}), "u", 24);
  EXPECT_EQ(mask_of(sample::Column("u", 24, "string"), Project({upper}, made)), "null");
  const Json of_union = sample::Column("v", 25, "string");
  EXPECT_EQ(mask_of(of_union, sample::Node("UnionExec", {of_union}, Json::object(),
                                           {Project({text}, made), Project({text}, made)})),
            "null");
  const Json max = sample::Column("max", 26, "string");
  EXPECT_EQ(
      mask_of(max, sample::Node("aggregate.HashAggregateExec", {max},
                                {{"groupingExpressions", Json::array()},
                                 {"aggregateExpressions", {Function("Max", "string", {text}, 26)}},
                                 {"aggregateAttributes", {max}},
                                 {"resultExpressions", {max}}},
                                {made})),
      "null");
  const Json mapped = sample::Column("made", 27, "string");
  EXPECT_EQ(mask_of(mapped, sample::Node("MapElementsExec", {mapped},
                                         {{"func", {{"opaque", "a.B"}}}}, {made})),
            "null");
}

TEST(MaskedColumnsTest, WhatMaskedColumnsAreComparedWithIsHidden) {
  const Json is_x =
      sample::Expression("EqualTo", "boolean", {kName, sample::Literal("x", "string")});
  const Json is_y =
      sample::Expression("EqualTo", "boolean", {kPhone, sample::Literal("y", "string")});
  const Json is_7 =
      sample::Expression("EqualTo", "boolean", {kCustomer, sample::Literal(7, "long")});
  const auto hidden = [](const Json& condition) {
    const auto document =
        *PlanDocument::Decode(sample::Document(sample::Filter(condition, Scan())).dump());
    return MaskedColumns::Follow({{"c_name", "hash"}}, *document, nullptr)
        .HiddenIn(document->root())["literals"];
  };
  EXPECT_EQ(hidden(is_y), Json::array());
  // The optimizer may have written what c_name equals in its place.
  EXPECT_EQ(hidden(sample::Expression("And", "boolean",
                                      {is_x, sample::Expression("And", "boolean", {is_y, is_7})})),
            (Json{"x", "y"}));
}

TEST(MaskedColumnsTest, WhatMaskedColumnsAreByDefaultIsHidden) {
  Json scan = sample::ParquetScan("file:/t", {{"k", 1, "long"}, {"s", 2, "string"}});
  scan["args"]["existenceDefaults"] = {sample::Literal(7, "long"), sample::Literal("x", "string")};
  const auto document = *PlanDocument::Decode(sample::Document(scan).dump());
  const auto hidden = [&](const Json& masks) {
    return MaskedColumns::Follow(masks, *document, nullptr).HiddenIn(document->root())["literals"];
  };
  EXPECT_EQ(hidden({{"k", "hash"}}), Json{"7"});
  EXPECT_EQ(hidden({{"k", "hash"}, {"s", "null"}}), (Json{"7", "x"}));
}

TEST(MaskedColumnsTest, LaterPlansKnowWhatTheFirstHasSaid) {
  const Json renamed = sample::Alias(kName, "n", 10);
  const Json masks = {{"c_name", "hash"}};
  const std::string first_text = sample::Document(Project({renamed}, Scan())).dump();
  const auto first_plan = *PlanDocument::Decode(first_text);
  const auto first =
      MaskedColumns::FromJson(MaskedColumns::Follow(masks, *first_plan, nullptr).ToJson());
  const auto around = [&](int64_t id) {
    const Json column = sample::Column("n", id, "string");
    const Json stage = sample::Node("adaptive.ShuffleQueryStageExec", {column}, {{"id", 1}}, {});
    const std::string text =
        sample::Document(sample::Node("FilterExec", {column}, Json::object(), {stage})).dump();
    const auto plan = *PlanDocument::Decode(text);
    return MaskedColumns::Follow(masks, *plan, &first).Around(plan->root());
  };
  EXPECT_EQ(around(10), (Json{{"c_name", "hash"}, {"n", "hash"}}));
  // A column that the first plan did not have: its name decides.
  EXPECT_EQ(around(99), (Json{{"c_name", "hash"}, {"n", "hash"}}));
}

}  // namespace
}  // namespace reprise
