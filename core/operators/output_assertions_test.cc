#include "operators/output_assertions.h"

#include "operators/fragment.h"
#include "operators/operator_testing.h"
#include "sql/sql_predicate.h"

namespace reprise {
namespace {

using testing::BatchOf;
using testing::Drain;
using testing::Fields;
using testing::WithSelection;

using Json = nlohmann::json;

const std::vector<Field> kAsserted = Fields({"a integer", "s string", "d double"});

Batch AssertedRows(const std::string& a, const std::string& s, const std::string& d) {
  return BatchOf(kAsserted, {a, s, d});
}

/// What becomes of batches that a `record` operator lets pass, as the operator Window#0.
std::string Checked(const Json& assertions, std::vector<Batch> batches,
                    Json masked = Json::array()) {
  TaskContext context;
  context.partition = 3;
  Json spec = ToJson(
      OperatorSpec{"record", "RepriseCheck", 5, "", "", kAsserted, {kAsserted}, Json::object()});
  spec["assertions"] = {
      {"operator", "Window#0"}, {"loreId", 5}, {"all", assertions}, {"masked", std::move(masked)}};
  const Json leaf = {
      {"leaf", 0},
      {"operator",
       ToJson(OperatorSpec{"row_input", "Rows", 0, "", "", kAsserted, {}, Json::object()})}};
  auto root = BuildFragment(
      {{"operator", spec}, {"inputs", {leaf}}}, context,
      [&](int, OperatorSpec of) -> Result<std::unique_ptr<Operator>> {
        return std::make_unique<testing::GivenBatches>(of.output, std::move(batches), context);
      },
      nullptr);
  if (!root.ok()) return root.status().message();
  EXPECT_EQ((*root)->spec().name, "assertions of RepriseCheck");
  EXPECT_EQ(OperatorsOf(**root).size(), 2u) << "a check has no figures";
  const auto drained = Drain(root->get());
  return drained.ok() ? "holds" : drained.status().message();
}

Json Predicate(const std::string& kind, const std::string& sql) {
  return Json::array({{{"kind", kind},
                       {"text", sql},
                       {"predicate", ToJson(testing::Good(ParseSqlPredicate(sql, kAsserted)))}}});
}

Json Columns(const std::string& kind, const std::vector<int>& columns) {
  return Json::array({{{"kind", kind}, {"text", kind}, {"columns", columns}}});
}

Json Sorted(int column, bool ascending) {
  const Json order = {{"expression", ToJson(testing::ColumnOf(kAsserted, column))},
                      {"ascending", ascending},
                      {"nullsFirst", ascending}};
  return Json::array({{{"kind", "sorted"}, {"text", "sorted"}, {"ordering", {order}}}});
}

Json Count(int64_t min, int64_t max) {
  return Json::array({{{"kind", "count"}, {"text", "count"}, {"min", min}, {"max", max}}});
}

const Batch kFirst = AssertedRows("[1, 2, null]", R"(["x", "y", null])", "[0.5, 1.5, 2.5]");
const Batch kSecond = AssertedRows("[3, -4, 5]", R"(["x", "y", "z"])", "[0.5, null, 2.5]");

TEST(OutputAssertionsTest, AFalsePredicateNamesAllThatIsKnown) {
  EXPECT_EQ(Checked(Predicate("forall", "a > -5"), {kFirst, kSecond}), "holds");
  EXPECT_EQ(Checked(Predicate("forall", "a > 0"), {kFirst, kSecond}),
            "assertions of RepriseCheck (LORE id 5): Operator forall-assertion error:\n"
            "  operator: Window#0\n"
            "  LORE id: 5\n"
            "  assertion: a > 0\n"
            "  partition: 3\n"
            "  offending rows: 1 of the first 6\n"
            "    row 4: a int = -4, s string = 'y', d double = null");
}

TEST(OutputAssertionsTest, AnErrorOfThePredicateIsOneOfTheAssertion) {
  const std::string predicate = "10 / (a - 2) > -100";
  const std::string begin =
      "assertions of RepriseCheck (LORE id 5): Operator forall-assertion error:\n"
      "  operator: Window#0\n"
      "  LORE id: 5\n"
      "  assertion: 10 / (a - 2) > -100\n"
      "  partition: 3\n"
      "  cannot be checked: ";
  const std::string raised = Checked(Predicate("forall", predicate), {kFirst});
  EXPECT_TRUE(raised.starts_with(begin) && raised.size() > begin.size()) << raised;
  EXPECT_EQ(Checked(Predicate("forall", predicate), {kFirst}, Json::array({1})),
            begin + "its predicate fails for a row, whose values are masked");
}

TEST(OutputAssertionsTest, MaskedColumnsAndGarbageRowsAreNotShown) {
  const std::string error =
      Checked(Predicate("forall", "a > 4"), {WithSelection(kSecond, {1, 2})}, Json::array({1}));
  EXPECT_NE(error.find("  offending rows: 1 of the first 2\n"
                       "    row 0: a int = -4, s string masked, d double = null"),
            std::string::npos)
      << error;
}

TEST(OutputAssertionsTest, AtMostFiveRowsAreShown) {
  const Batch many = AssertedRows("[1, 2, 3, 4, 5, 6, 7]", R"(["", "", "", "", "", "", ""])",
                                  "[0, 0, 0, 0, 0, 0, 0]");
  const std::string error = Checked(Predicate("forall", "a < 2"), {many});
  EXPECT_NE(error.find("offending rows: 6 of the first 7"), std::string::npos) << error;
  EXPECT_NE(error.find("row 5: "), std::string::npos) << error;
  EXPECT_EQ(error.find("row 6: "), std::string::npos) << error;
}

TEST(OutputAssertionsTest, ExistsIsKnownAtTheEnd) {
  EXPECT_EQ(Checked(Predicate("exists", "a = 5"), {kFirst, kSecond}), "holds");
  const std::string error = Checked(Predicate("exists", "a = 6"), {kFirst, kSecond});
  EXPECT_NE(error.find("Operator exists-assertion error:"), std::string::npos) << error;
  EXPECT_NE(error.find("rows that hold: none of 6"), std::string::npos) << error;
  EXPECT_NE(Checked(Predicate("exists", "a = 6"), {}).find("none of 0"), std::string::npos);
}

TEST(OutputAssertionsTest, NullsAreFound) {
  EXPECT_EQ(Checked(Columns("no-nulls", {0, 1}), {kSecond}), "holds");
  const std::string error = Checked(Columns("no-nulls", {0, 2}), {kSecond, kFirst});
  EXPECT_NE(error.find("row 1: a int = -4, s string = 'y', d double = null"), std::string::npos)
      << error;
  EXPECT_EQ(Checked(Columns("no-nulls", {2}), {WithSelection(kSecond, {0, 2})}), "holds");
}

TEST(OutputAssertionsTest, KeysAreUniqueInAllBatchesTogether) {
  EXPECT_EQ(Checked(Columns("unique", {0}), {kFirst, kSecond}), "holds");
  const std::string error = Checked(Columns("unique", {1}), {kFirst, kSecond});
  EXPECT_NE(error.find("offending rows: 2 of the first 6"), std::string::npos) << error;
  EXPECT_NE(error.find("row 3: a int = 3, s string = 'x'"), std::string::npos) << error;
  // Null is equal to null, and -0.0 to 0.0, as where Spark groups.
  const Batch zeros = AssertedRows("[null, 1, null]", R"(["", "", ""])", "[0.0, 1, -0.0]");
  EXPECT_NE(Checked(Columns("unique", {0}), {zeros}).find("offending rows: 1"), std::string::npos);
  EXPECT_NE(Checked(Columns("unique", {2}), {zeros}).find("offending rows: 1"), std::string::npos);
  EXPECT_EQ(Checked(Columns("unique", {0, 1}), {kFirst, kSecond}), "holds");
}

TEST(OutputAssertionsTest, OrderHoldsFromBatchToBatch) {
  const Batch rising = AssertedRows("[null, 1, 2]", R"(["", "", ""])", "[0, 0, 0]");
  EXPECT_EQ(Checked(Sorted(0, true), {rising, AssertedRows("[2, 3]", R"(["", ""])", "[0, 0]")}),
            "holds");
  const std::string error =
      Checked(Sorted(0, true), {rising, AssertedRows("[1, 3]", R"(["u", "v"])", "[7, 8]")});
  EXPECT_NE(error.find("offending rows: 1 of the first 5\n"
                       "    row 3: a int = 1, s string = 'u', d double = 7.0\n"
                       "      after row 2: a int = 2, s string = '', d double = 0.0"),
            std::string::npos)
      << error;
  EXPECT_NE(Checked(Sorted(0, false), {rising}).find("offending rows: 2 of the first 3"),
            std::string::npos);
  EXPECT_EQ(Checked(Sorted(1, true), {WithSelection(kSecond, {0, 2})}), "holds");
}

TEST(OutputAssertionsTest, CountsAreBetweenTheirBounds) {
  EXPECT_EQ(Checked(Count(6, 6), {kFirst, kSecond}), "holds");
  EXPECT_NE(Checked(Count(0, 5), {kFirst, kSecond}).find("rows: 6 or more, expected 0 to 5"),
            std::string::npos);
  EXPECT_NE(Checked(Count(7, 9), {kFirst, kSecond}).find("rows: 6, expected 7 to 9"),
            std::string::npos);
}

TEST(OutputAssertionsTest, WhatIsNotKnownIsAnError) {
  EXPECT_EQ(Checked(Json::array({{{"kind", "prime"}, {"text", ""}}}), {}),
            "RepriseCheck (LORE id 5): unknown assertion \"prime\"");
  EXPECT_EQ(Checked(Columns("unique", {3}), {}),
            "RepriseCheck (LORE id 5): \"columns\" of an assertion names no column: 3");
}

}  // namespace
}  // namespace reprise
