#include "plan/spec.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

ExpressionSpec Column(int index, DataType type) {
  return {"column", std::move(type), true, {{"index", index}}, {}};
}

ExpressionSpec Literal(nlohmann::json value, DataType type) {
  return {"literal", std::move(type), false, {{"value", std::move(value)}}, {}};
}

const std::vector<Field> kInput = {{"l_commitdate", {TypeKind::kDate}, true},
                                   {"l_receiptdate", {TypeKind::kDate}, false},
                                   {"l_tax", Decimal(15, 2), true}};

TEST(SpecTest, OperatorSurvivesJson) {
  OperatorSpec spec;
  spec.kind = "filter";
  spec.name = "RepriseFilter";
  spec.lore_id = 5;
  spec.fingerprint = "0123456789abcdef";
  spec.occurrence = "Filter#0";
  spec.output = kInput;
  spec.inputs = {kInput};
  ExpressionSpec condition;
  condition.function = "less";
  condition.type = {TypeKind::kBoolean};
  condition.arguments.push_back(Column(0, {TypeKind::kDate}));
  condition.arguments.push_back(Column(1, {TypeKind::kDate}));
  spec.arguments = {{"condition", ToJson(condition)}};

  const auto back = OperatorSpecFromJson(nlohmann::json::parse(ToJson(spec).dump()));
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(back->kind, "filter");
  EXPECT_EQ(back->lore_id, 5);
  EXPECT_EQ(back->fingerprint, "0123456789abcdef");
  EXPECT_EQ(back->occurrence, "Filter#0");
  EXPECT_EQ(back->output, kInput);
  EXPECT_EQ(back->inputs, spec.inputs);
  EXPECT_EQ(ToJson(*back), ToJson(spec));
}

TEST(SpecTest, AbsentAttributesAndArgumentsAreEmpty) {
  const auto spec = ExpressionSpecFromJson({{"function", "and"}, {"type", "boolean"}});
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_TRUE(spec->nullable);
  EXPECT_TRUE(spec->attributes.is_object());
  EXPECT_TRUE(spec->arguments.empty());
}

TEST(SpecTest, ErrorsNameTheMember) {
  const auto message = [](const nlohmann::json& json) {
    return ExpressionSpecFromJson(json).status().message();
  };
  EXPECT_EQ(message(nlohmann::json::array()), "expression must be a JSON object, found array");
  EXPECT_EQ(message({{"type", "int"}}), "expression: member \"function\" is missing");
  EXPECT_EQ(message({{"function", "add"}}), "expression \"add\": member \"type\" is missing");
  EXPECT_EQ(message({{"function", "add"}, {"type", 3}}),
            "expression \"add\": member \"type\" must be a string, found number");
  EXPECT_EQ(message({{"function", "add"}, {"type", "long"}, {"arguments", "x"}}),
            "expression \"add\": member \"arguments\" must be an array, found string");
  EXPECT_EQ(OperatorSpecFromJson({{"kind", "filter"}, {"name", "F"}}).status().message(),
            "operator \"filter\": member \"output\" is missing");
  EXPECT_EQ(FieldsFromJson({{{"name", "a"}, {"type", "long"}}}).status().message(),
            "field \"a\": member \"nullable\" is missing");
  EXPECT_EQ(FieldsFromJson(nlohmann::json::object()).status().message(),
            "fields must be a JSON array, found object");
}

TEST(SpecTest, DeepNestingIsRefused) {
  nlohmann::json json = {{"function", "x"}, {"type", "boolean"}};
  for (int i = 0; i < 600; ++i) {
    json = {{"function", "not"}, {"type", "boolean"}, {"arguments", {std::move(json)}}};
  }
  EXPECT_EQ(ExpressionSpecFromJson(json).status().message(),
            "expression is nested deeper than 500 levels");
}

TEST(SpecTest, TextIsReadable) {
  const DataType boolean{TypeKind::kBoolean};
  const DataType date{TypeKind::kDate};
  const auto none = nlohmann::json::object();
  EXPECT_EQ(ToString({"less", boolean, true, none, {Column(0, date), Column(1, date)}}, kInput),
            "(l_commitdate < l_receiptdate)");
  EXPECT_EQ(ToString(Literal("-5", Decimal(15, 2)), kInput), "-0.05");
  EXPECT_EQ(ToString(Literal("12345", Decimal(15, 2)), kInput), "123.45");
  EXPECT_EQ(ToString(Literal(8582, date), kInput), "DATE '1993-07-01'");
  EXPECT_EQ(ToString(Literal(-1, date), kInput), "DATE '1969-12-31'");
  EXPECT_EQ(ToString(Literal("it's", {TypeKind::kString}), kInput), "'it''s'");
  EXPECT_EQ(ToString(Literal(nullptr, {TypeKind::kString}), kInput), "NULL");
  EXPECT_EQ(ToString({"cast", {TypeKind::kLong}, true, none, {Column(2, Decimal(15, 2))}}, kInput),
            "CAST(l_tax AS bigint)");
  EXPECT_EQ(ToString({"in", boolean, true, none, {Column(0, date), Literal(0, date)}}, kInput),
            "(l_commitdate IN (DATE '1970-01-01'))");
  EXPECT_EQ(ToString({"coalesce", date, true, none, {Column(0, date), Column(9, date)}}, kInput),
            "coalesce(l_commitdate, column 9)");
  EXPECT_EQ(ToString({"case_when",
                      date,
                      true,
                      none,
                      {Literal(true, boolean), Column(0, date), Column(1, date)}},
                     kInput),
            "CASE WHEN true THEN l_commitdate ELSE l_receiptdate END");
}

}  // namespace
}  // namespace reprise
