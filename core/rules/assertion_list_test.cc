#include "rules/assertion_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rules/sample_answers.h"

namespace reprise {
namespace {

using sample::Json;
using sample::kA;
using sample::kB;
using sample::LessThanFive;
using ::testing::HasSubstr;

std::vector<WrittenAssertion> Read(std::string_view text) {
  auto assertions = ParseAssertions(text);
  EXPECT_TRUE(assertions.ok()) << assertions.status();
  return assertions.ok() ? *assertions : std::vector<WrittenAssertion>();
}

std::string ErrorOf(std::string_view text) {
  const auto assertions = ParseAssertions(text);
  return assertions.ok() ? "no error" : assertions.status().message();
}

std::string Message(std::string_view what, std::string_view text, int column) {
  return "spark.reprise.assert: " + std::string(what) + " at character " + std::to_string(column) +
         "\n  " + std::string(text) + "\n  " + std::string(static_cast<size_t>(column - 1), ' ') +
         "^";
}

TEST(AssertionListTest, ReadsEveryKind) {
  const auto all = Read(
      "5: l_quantity > 0 and l_tax is not null ; 7@output: unique(o_orderkey, `a;b`);"
      "HashAggregate#2: COUNT between 1 and 100; 0123456789abcdef: sorted(a, b desc, c nulls last)"
      "; 3: no_nulls(x);3:no_nulls( ); 4: exists(a = ')' or b in (1, 2)); 6: forall(count > 1);");
  ASSERT_EQ(all.size(), 8u);
  EXPECT_EQ(all[0].choice.lore_id, 5);
  EXPECT_EQ(all[0].kind, AssertionKind::kForall);
  EXPECT_EQ(all[0].predicate, "l_quantity > 0 and l_tax is not null");
  EXPECT_EQ(all[0].predicate_begin, 3u);
  EXPECT_EQ(all[1].choice.lore_id, 7);
  EXPECT_EQ(all[1].kind, AssertionKind::kUnique);
  EXPECT_EQ(all[1].text, "unique(o_orderkey, `a;b`)");
  ASSERT_EQ(all[1].columns.size(), 2u);
  EXPECT_EQ(all[1].columns[1].name, "a;b");
  EXPECT_EQ(all[2].choice.occurrence, "HashAggregate#2");
  EXPECT_EQ(all[2].kind, AssertionKind::kCount);
  EXPECT_EQ(all[2].count_min, 1);
  EXPECT_EQ(all[2].count_max, 100);
  EXPECT_EQ(all[3].choice.fingerprint, "0123456789abcdef");
  EXPECT_EQ(all[3].kind, AssertionKind::kSorted);
  const auto order = [&](size_t i) {
    return std::pair(all[3].columns[i].ascending, all[3].columns[i].nulls_first);
  };
  EXPECT_EQ(order(0), std::pair(true, true));
  EXPECT_EQ(order(1), std::pair(false, false));
  EXPECT_EQ(order(2), std::pair(true, false));
  EXPECT_EQ(all[4].columns[0].name, "x");
  EXPECT_EQ(all[5].kind, AssertionKind::kNoNulls);
  EXPECT_TRUE(all[5].columns.empty());
  EXPECT_EQ(all[6].kind, AssertionKind::kExists);
  EXPECT_EQ(all[6].predicate, "a = ')' or b in (1, 2)");
  EXPECT_EQ(all[7].kind, AssertionKind::kForall);
  EXPECT_EQ(all[7].predicate, "count > 1");
  EXPECT_TRUE(Read("").empty());
  EXPECT_TRUE(Read(" ; \n;").empty());
}

TEST(AssertionListTest, ErrorsPointAtTheCharacter) {
  const auto expect = [](std::string_view text, std::string_view what, int column) {
    EXPECT_EQ(ErrorOf(text), Message(what, text, column));
  };
  expect("5 a > 0", "expected ':' and what must hold", 3);
  expect("5:", "expected what must hold", 3);
  expect("1: a > 0; : b", "expected a LORE id, a name such as Filter#0, or a fingerprint", 11);
  expect("7@input: a > 0", "expected \"output\" after '@'", 3);
  expect("7: unique()", "expected a column", 11);
  expect("7: unique(a b)", "expected ',' or ')'", 13);
  expect("7: unique(a) and b", "expected ';' or the end", 14);
  expect("7: sorted(a nulls)", "expected \"first\" or \"last\"", 18);
  expect("7: exists(a > 0", "expected ')'", 16);
  expect("7: count between 5 and 1", "no count is between 5 and 1", 24);
  expect("7: count between -5 and 1", "expected a number of rows", 18);
  expect("7: count between 5 or 9", "expected \"and\"", 20);
}

const std::vector<Field> kColumns = {{"a", {TypeKind::kInteger}, true},
                                     {"B", {TypeKind::kString}, true},
                                     {"twice", {TypeKind::kLong}, true},
                                     {"TWICE", {TypeKind::kLong}, true},
                                     {"list", {TypeKind::kOther, 0, 0, "array<int>"}, true}};

Result<ExpressionSpec> NoPredicate(std::string_view /*sql*/,
                                   const std::vector<Field>& /*columns*/) {
  return Status::Invalid("character 3: no such thing");
}

Result<Json> Bound(std::string_view text) {
  return BindAssertion(Read(text)[0], text, kColumns, NoPredicate);
}

TEST(AssertionListTest, BindsColumnsByName) {
  EXPECT_EQ(*Bound("1: no_nulls(b, list)"),
            (Json{{"kind", "no-nulls"}, {"text", "no_nulls(b, list)"}, {"columns", {1, 4}}}));
  EXPECT_EQ((*Bound("1: no_nulls()"))["columns"], Json({0, 1, 2, 3, 4}));
  const Json sorted = *Bound("1: sorted(A desc)");
  EXPECT_EQ(sorted["ordering"][0]["expression"]["attributes"]["index"], 0);
  EXPECT_EQ(sorted["ordering"][0]["ascending"], false);
  EXPECT_EQ(sorted["ordering"][0]["nullsFirst"], false);
  const auto error = [](std::string_view text) { return Bound(text).status().message(); };
  EXPECT_EQ(error("1: unique(x)"),
            Message("the operator gives no column x; it gives a, B, twice, TWICE, list",
                    "1: unique(x)", 11));
  EXPECT_EQ(error("1: unique(twice)"),
            Message("several columns of the operator are called twice", "1: unique(twice)", 11));
  const std::string_view nothing = "1: unique(n)";
  EXPECT_EQ(BindAssertion(Read(nothing)[0], nothing, {{"n", {TypeKind::kNull}, true}}, NoPredicate)
                .status()
                .message(),
            Message("column n holds nothing but nulls", nothing, 11));
  EXPECT_EQ(error("1: unique(list)"),
            Message("column list has type array<int>, whose values cannot be compared here",
                    "1: unique(list)", 11));
  EXPECT_EQ(error("1: x; 2: exists(zz)").substr(0, 51),
            "spark.reprise.assert: no such thing at character 6\n");
}

Json PlannedWith(const std::string& assertions, Json conf = Json::object()) {
  const Json filter = sample::Filter(LessThanFive(), sample::ScanOfAB());
  const Json plan =
      sample::Document(sample::Node("WindowExec", {kA, kB}, Json::object(), {filter}));
  conf["spark.reprise.assert"] = assertions;
  return sample::PlanOf(plan, sample::Request("replace", conf));
}

TEST(AssertionPassTest, NativeOperatorsAndThoseOfSparkAreChecked) {
  const Json nodes = PlannedWith("2: unique(a); Window#0: no_nulls(b); 2: count between 0 and 5",
                                 {{"spark.reprise.lore.mask", "b:null"}})["nodes"];
  const Json filter = nodes.at(1).at("native").at("operator").at("assertions");
  EXPECT_EQ(filter.at("operator"), "Filter#0");
  EXPECT_EQ(filter.at("loreId"), 2);
  EXPECT_EQ(filter.at("masked"), Json::array({1}));
  ASSERT_EQ(filter.at("all").size(), 2u);
  EXPECT_EQ(filter.at("all").at(1),
            (Json{{"kind", "count"}, {"text", "count between 0 and 5"}, {"min", 0}, {"max", 5}}));
  const Json check = nodes.at(0).at("check");
  EXPECT_EQ(check.at("operator").at("kind"), "record");
  EXPECT_EQ(check.at("operator").at("assertions").at("all").at(0).at("columns"), Json::array({1}));
  EXPECT_EQ(check.at("leaf").at("kind"), "row_input");
  EXPECT_FALSE(nodes.at(0).contains("record"));
  EXPECT_FALSE(nodes.at(1).contains("check"));
  EXPECT_FALSE(nodes.at(2).at("native").at("operator").contains("assertions"));
}

TEST(AssertionPassTest, SparkAloneIsCheckedToo) {
  const Json nodes =
      PlannedWith("2: unique(a)", {{"spark.reprise.sql.mode", "explainOnly"}})["nodes"];
  EXPECT_FALSE(nodes.at(1).contains("native"));
  EXPECT_EQ(nodes.at(1).at("check").at("operator").at("assertions").at("operator"), "Filter#0");
}

TEST(AssertionPassTest, WhatNoOperatorHasIsMissing) {
  const Json missing = PlannedWith("7: unique(a); 1: unique(a)")["missing"];
  ASSERT_EQ(missing.size(), 1u) << missing;
  EXPECT_EQ(missing[0]["choice"], "spark.reprise.assert 7");
  EXPECT_THAT(
      missing[0]["warning"],
      HasSubstr("spark.reprise.assert: no operator of the query has the LORE id 7; near: "));
  EXPECT_TRUE(PlannedWith("")["missing"].is_null());
}

TEST(AssertionPassTest, WhatCannotBeCheckedIsAnError) {
  const Json plan = sample::Document(
      sample::Node("ShuffleExchangeExec", {kA, kB}, Json::object(), {sample::Rows({kA, kB})}));
  const auto error = [&](const Json& conf) {
    return Plan(plan.dump(), sample::Request("replace", conf).dump()).status().message();
  };
  EXPECT_EQ(error({{"spark.reprise.assert", "1: unique(a)"}}),
            "spark.reprise.assert: operator 1 (ShuffleExchange) cannot be checked because its rows "
            "are those of the operator below it: choose that one");
  EXPECT_THAT(error({{"spark.reprise.assert", "2: unique(c)"}}),
              HasSubstr("^\n  of operator 2 (RDDScan#0)"));
  EXPECT_EQ(error({{"spark.reprise.assert", "2: unique(a)"},
                   {"spark.reprise.lore.tag.enabled", "false"}}),
            "spark.reprise.assert needs spark.reprise.lore.tag.enabled=true");
}

TEST(AssertionPassTest, TheFirstStageTellsOfAWrongAssertionOfALaterOne) {
  const Json inner = sample::Filter(LessThanFive(), sample::Rows({kA, kB}));
  const Json whole = sample::Document(sample::Filter(LessThanFive(), inner));
  const Json conf = {{"spark.reprise.assert", "1: unique(nothing)"}};
  Json request = sample::Request("replace", conf);
  request["known"] = sample::PlanOf(whole, sample::Request("tag", conf))["ids"];
  Json part = inner;
  part["loreId"] = 2;
  const auto answer = Plan(sample::Document(part).dump(), request.dump());
  EXPECT_THAT(answer.status().message(), HasSubstr("the operator gives no column nothing"));
}

}  // namespace
}  // namespace reprise
