#include "plan/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/plan_text.h"
#include "plan/sample_plans.h"

namespace reprise {
namespace {

using sample::Json;
using testing::HasSubstr;
using testing::StartsWith;

std::string ErrorOf(std::string_view json) {
  const auto plan = PlanDocument::Decode(json);
  return plan.ok() ? "no error" : plan.status().message();
}

std::string ErrorOfRoot(const std::string& root) {
  return ErrorOf(R"({"version":1,"spark":"4.1.3","root":)" + root + "}");
}

Json FilteredRows() {
  return sample::Document(sample::Filter(
      sample::Expression("LessThan", "boolean",
                         {sample::Column("a", 1, "integer"), sample::Literal(5, "integer")}),
      sample::Rows({sample::Column("a", 1, "integer"), sample::Column("b", 2, "decimal(15,2)")})));
}

TEST(PlanTest, DecodesNodesAndExpressions) {
  const auto plan = PlanDocument::Decode(FilteredRows().dump());
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ((*plan)->spark_version(), "4.1.3");
  ASSERT_EQ((*plan)->nodes().size(), 2u);
  const PlanNode& filter = (*plan)->root();
  EXPECT_EQ(filter.class_name, "org.apache.spark.sql.execution.FilterExec");
  EXPECT_EQ(filter.name, "Filter");
  EXPECT_EQ(filter.children.at(0), (*plan)->nodes()[1]);
  const PlanValue* condition = filter.argument("condition");
  ASSERT_NE(condition, nullptr);
  ASSERT_TRUE(condition->is(PlanValue::Kind::kObject));
  EXPECT_EQ(condition->object->type->kind, TypeKind::kBoolean);
  EXPECT_EQ(condition->object->expanded_size, 4);  // LessThan, column, its ExprId, literal
  EXPECT_EQ(condition->object->depth, 3);
  const auto column = AttributeOf(*condition->object->child(0));
  ASSERT_TRUE(column.has_value());
  EXPECT_EQ(column->name, "a");
  EXPECT_EQ(column->expr_id, 1);
  EXPECT_EQ(filter.output.size(), 2u);
  EXPECT_EQ(AttributeOf(*filter.output[1].object)->type, Decimal(15, 2));
  EXPECT_EQ(filter.argument("nothing"), nullptr);
  EXPECT_EQ(ExpressionText(*condition->object), "(a#1 < 5)");
}

TEST(PlanTest, ReferencesShareOneObject) {
  const auto plan =
      PlanDocument::Decode(R"({"version":1,"root":{"class":"x.UnionExec","id":1,"children":[
      {"class":"x.AExec","id":2,"output":[{"class":"E","id":3}],"args":{"e":{"ref":3}}},{"ref":2}]}})");
  ASSERT_TRUE(plan.ok()) << plan.status();
  const auto& children = (*plan)->root().children;
  EXPECT_EQ(children.at(0), children.at(1));
  EXPECT_EQ(children.at(0)->argument("e")->object, children.at(0)->output[0].object);
  EXPECT_EQ((*plan)->nodes().size(), 2u);
}

TEST(PlanTest, ValuesOfEveryKind) {
  const std::string arguments =
      R"("n":null,"b":true,"i":-9223372036854775808,"s":"é","d":{"double":"NaN"},)"
      R"("c":{"decimal":"12.50"},"y":{"bytes":"AAE="},"e":{"enum":"LeftSemi"},"l":[1,[2]],)"
      R"("m":{"map":[["k",1]]},"o":{"opaque":"java.lang.Thread"},"x":{"child":2},)"
      R"("p":{"plan":{"class":"x.B","id":2}},"t":{"type":"decimal(7,3\u0029"},)"
      R"("u":{"type":{"type":"struct","fields":[{"name":"f","type":"long","nullable":false,)"
      R"("metadata":{"k":1}}]}})";
  const auto plan = PlanDocument::Decode(R"({"version":1,"root":{"class":"x.A","id":1,"args":{)" +
                                         arguments + "}}}");
  ASSERT_TRUE(plan.ok()) << plan.status();
  const PlanNode& node = (*plan)->root();
  using Kind = PlanValue::Kind;
  EXPECT_TRUE(node.argument("n")->is_null());
  EXPECT_TRUE(node.argument("b")->boolean);
  EXPECT_EQ(node.argument("i")->integer, INT64_MIN);
  EXPECT_EQ(node.argument("s")->text, "é");
  EXPECT_EQ(node.argument("d")->kind, Kind::kDouble);
  EXPECT_EQ(node.argument("d")->text, "NaN");
  EXPECT_EQ(node.argument("c")->kind, Kind::kDecimal);
  EXPECT_EQ(node.argument("y")->kind, Kind::kBytes);
  EXPECT_EQ(node.argument("e")->text, "LeftSemi");
  EXPECT_EQ(node.argument("l")->items[1].items[0].integer, 2);
  EXPECT_EQ(node.argument("m")->items[0].text, "k");
  EXPECT_EQ(node.argument("t")->data_type->type, Decimal(7, 3));
  EXPECT_EQ(node.argument("o")->kind, Kind::kOpaque);
  EXPECT_EQ(node.argument("p")->node->name, "B");
  EXPECT_EQ(node.argument("x")->integer, 2);
  const PlanType& type = *node.argument("u")->data_type;
  ASSERT_TRUE(type.is_struct);
  EXPECT_EQ(type.fields.at(0).name, "f");
  EXPECT_EQ(type.fields[0].metadata, R"({"k":1})");
  EXPECT_FALSE(type.fields[0].nullable);
}

TEST(PlanTest, ErrorsSayWhere) {
  EXPECT_THAT(ErrorOf("{\"version\":1,\"root\":{"),
              StartsWith("plan JSON is malformed at byte 22 of 21"));
  EXPECT_THAT(ErrorOf("[1,,2]"), StartsWith("plan JSON is malformed at byte 4 of 6"));
  EXPECT_THAT(ErrorOf(""), HasSubstr("malformed"));
  EXPECT_EQ(ErrorOf("[]"), "plan JSON at $: expected an object, found an array");
  EXPECT_EQ(ErrorOf("{}"), "plan JSON at $: no member \"version\"");
  EXPECT_EQ(
      ErrorOf(R"({"version":2,"root":{}})"),
      "plan JSON has version 2, this core reads version 1: use the plug-in and the core of one "
      "Reprise release");
  EXPECT_EQ(ErrorOf(R"({"version":"1"})"),
            "plan JSON at $.version: expected a 64-bit integer, found a string");
  EXPECT_EQ(ErrorOfRoot("{}"), "plan JSON at $.root: no member \"class\"");
  EXPECT_EQ(ErrorOfRoot(R"({"class":"A"})"), "plan JSON at $.root: no member \"id\"");
  EXPECT_EQ(
      ErrorOfRoot(
          R"({"class":"A","id":1,"children":[{"class":"B","id":2,"args":{"c":[3,{"q":1}]}}]})"),
      "plan JSON at $.root.children[0].args.c[1].q: no value is written with this member");
  EXPECT_EQ(ErrorOfRoot(R"({"class":"A","id":1,"children":[7]})"),
            "plan JSON at $.root.children[0]: expected a node, found a number");
  EXPECT_EQ(ErrorOfRoot(R"({"class":"A","id":1,"args":{"v":1.5}})"),
            "plan JSON at $.root.args.v: expected a 64-bit integer, found a number");
  EXPECT_EQ(ErrorOfRoot(R"({"class":"A","id":1,"output":[{"type":"long","nullable":true}]})"),
            "plan JSON at $.root.output[0]: no member \"class\"");
}

TEST(PlanTest, HostileReferencesAreRefused) {
  EXPECT_EQ(ErrorOfRoot(R"({"class":"A","id":1,"children":[{"ref":1}]})"),
            "plan JSON at $.root.children[0]: the object with id 1 contains a reference to itself");
  EXPECT_EQ(
      ErrorOfRoot(
          R"({"class":"A","id":1,"args":{"e":{"class":"E","id":2,"children":[{"ref":2}]}}})"),
      "plan JSON at $.root.args.e.children[0].ref: the object with id 2 contains a reference to "
      "itself");
  EXPECT_EQ(ErrorOfRoot(R"({"class":"A","id":1,"args":{"e":{"ref":9}}})"),
            "plan JSON at $.root.args.e.ref: no object with id 9 stands before");
  EXPECT_EQ(ErrorOfRoot(R"({"class":"A","id":1,"children":[{"class":"A","id":1}]})"),
            "plan JSON at $.root.children[0]: id 1 occurs twice");
  EXPECT_EQ(ErrorOfRoot(
                R"({"class":"A","id":1,"args":{"e":{"class":"E","id":2}},"children":[{"ref":2}]})"),
            "plan JSON at $.root.children[0]: the reference is to an expression, not to a node");
}

TEST(PlanTest, ExpansionThroughReferencesIsBounded) {
  // Each expression holds the one before twice: 2^40 objects when written out.
  std::string arguments = R"("e0":{"class":"E","id":100})";
  for (int i = 1; i <= 40; ++i) {
    arguments +=
        fmt::format(R"(,"e{}":{{"class":"E","id":{},"children":[{{"ref":{}}},{{"ref":{}}}]}})", i,
                    100 + i, 99 + i, 99 + i);
  }
  EXPECT_EQ(ErrorOfRoot(R"({"class":"A","id":1,"args":{)" + arguments + "}}"),
            "plan JSON at $.root.args.e24: the expression expands to more than 20000000 objects");
}

TEST(PlanTest, DeepNestingIsRefused) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += R"({"class":"E","children":[)";
  EXPECT_EQ(ErrorOfRoot(R"({"class":"A","id":1,"args":{"e":)" + deep),
            "plan JSON is nested deeper than 4000 levels");
  std::string lists(3990, '[');
  lists += std::string(3990, ']');
  EXPECT_EQ(ErrorOfRoot(R"({"class":"A","id":1,"args":{"e":)" + lists + "}}"), "no error");
}

TEST(PlanTest, EveryTruncationIsAnError) {
  const std::string document = FilteredRows().dump();
  for (size_t length = 0; length < document.size(); ++length) {
    EXPECT_FALSE(PlanDocument::Decode(document.substr(0, length)).ok()) << length;
  }
}

TEST(PlanTest, TreeTextShowsNodesAndIds) {
  Json document = FilteredRows();
  document["root"]["loreId"] = 7;
  const auto plan = PlanDocument::Decode(document.dump());
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(TreeText(**plan), "Filter [loreId=7] condition=(a#1 < 5)\n  +- RDDScan\n");
}

TEST(PlanTest, ExpressionTextIsBounded) {
  Json sum = sample::Column("a", 1, "integer");
  for (int i = 0; i < 400; ++i) {
    sum = sample::Arithmetic("Add", "integer", std::move(sum), sample::Column("ä", 2, "integer"));
  }
  const auto plan = PlanDocument::Decode(
      sample::Document(sample::Filter(std::move(sum), sample::Rows({}))).dump());
  ASSERT_TRUE(plan.ok()) << plan.status();
  const std::string text = ExpressionText(*(*plan)->root().argument("condition")->object);
  EXPECT_LE(text.size(), kExpressionTextMax + 3);
  EXPECT_TRUE(text.ends_with("..."));
}

TEST(PlanTest, NoValueIsCutInTwo) {
  Json all = sample::Column("a", 1, "string");
  for (int i = 0; i < 100; ++i) {
    all = sample::Arithmetic("Add", "string", std::move(all),
                             sample::Literal(fmt::format("secret-{:040}", i), "string"));
  }
  const auto plan = PlanDocument::Decode(
      sample::Document(sample::Filter(std::move(all), sample::Rows({}))).dump());
  ASSERT_TRUE(plan.ok()) << plan.status();
  const std::string text = ExpressionText(*(*plan)->root().argument("condition")->object);
  const size_t last = text.rfind("secret-");
  ASSERT_NE(last, text.npos);
  EXPECT_GT(text.size(), kExpressionTextMax - 60);
  EXPECT_EQ(text.find_first_not_of("0123456789", last + 7), last + 7 + 40) << text.substr(last);
}

}  // namespace
}  // namespace reprise
