#include "operators/runtime_values.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

using Json = nlohmann::json;

Json Put(const std::string& text) {
  Json fragment = Json::parse(text);
  const Status status = PutRuntimeValues(&fragment);
  EXPECT_TRUE(status.ok()) << status.message();
  return fragment;
}

TEST(RuntimeValues, AScalarBecomesALiteral) {
  const Json put = Put(R"json({"values":{"7":{"value":"123"},"8":{"value":null}},
    "operator":{"arguments":[
      {"function":"runtime_value","type":"decimal(10,2)","attributes":{"id":7}},
      {"function":"runtime_value","type":"integer","attributes":{"id":8}}]}})json");
  EXPECT_FALSE(put.contains("values"));
  const Json& arguments = put["operator"]["arguments"];
  EXPECT_EQ(arguments[0], Json::parse(R"json({"function":"literal","type":"decimal(10,2)",
    "nullable":false,"attributes":{"value":"123"}})json"));
  EXPECT_TRUE(arguments[1]["attributes"]["value"].is_null());
}

TEST(RuntimeValues, AFieldIsTakenOutOfAStruct) {
  const std::string expression = R"json({"function":"runtime_value","type":"string",
    "attributes":{"id":7,"field":1}})json";
  const auto put = [&](const std::string& fields) {
    const Json made =
        Put(R"({"values":{"7":{"fields":)" + fields + R"(}},"operator":)" + expression + "}");
    return made["operator"]["attributes"]["value"];
  };
  EXPECT_EQ(put(R"([1,{"bytes":"/w=="}])"), Json::parse(R"({"bytes":"/w=="})"));
  EXPECT_TRUE(put("[1,null]").is_null());
  EXPECT_TRUE(put("null").is_null());
  Json short_one = Json::parse(R"({"values":{"7":{"fields":[1]}},"operator":)" + expression + "}");
  EXPECT_EQ(PutRuntimeValues(&short_one).message(),
            "fragment: the struct of number 7 has no field 1");
}

// A fragment with `column IN (subquery 7)`.
std::string InSubquery(const std::string& values) {
  return R"json({"values":{"7":)json" + values + R"json(},"operator":{"condition":
    {"function":"in","type":"boolean","arguments":[{"function":"column"},
      {"function":"runtime_values","type":"integer","attributes":{"id":7}}]}}})json";
}

TEST(RuntimeValues, AListBecomesTheArgumentsOfIn) {
  const Json put = Put(InSubquery(R"json({"values":[1,null]})json"));
  const Json& arguments = put["operator"]["condition"]["arguments"];
  ASSERT_EQ(arguments.size(), 3);
  EXPECT_EQ(arguments[1]["attributes"]["value"], 1);
  EXPECT_TRUE(arguments[2]["attributes"]["value"].is_null());
}

TEST(RuntimeValues, AnEmptyListIsFalseOrNull) {
  const Json is_false = Put(InSubquery(R"json({"values":[],"emptyIsFalse":true})json"));
  EXPECT_EQ(is_false["operator"]["condition"]["attributes"]["value"], false);
  const Json legacy = Put(InSubquery(R"json({"values":[]})json"));
  EXPECT_EQ(legacy["operator"]["condition"]["arguments"].size(), 1);
}

TEST(RuntimeValues, BoundsAreRows) {
  const Json put =
      Put(R"json({"values":{"0":{"rows":[[1],[5]]}},"operator":{"bounds":{"runtime":0}}})json");
  EXPECT_EQ(put["operator"]["bounds"], Json::parse("[[1],[5]]"));
}

TEST(RuntimeValues, AMissingValueIsNamed) {
  Json fragment = Json::parse(R"json({"operator":{"x":{"function":"runtime_value",
    "type":"integer","attributes":{"id":9}}}})json");
  EXPECT_EQ(PutRuntimeValues(&fragment).message(),
            "fragment: no \"value\" of number 9 among its \"values\"");
}

}  // namespace
}  // namespace reprise
