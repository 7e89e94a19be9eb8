#include "operators/fragment.h"

#include "operators/operator_testing.h"

namespace reprise {
namespace {

using testing::BatchOf;
using testing::Call;
using testing::ColumnOf;
using testing::Fields;
using testing::Literal;

const std::vector<Field> kFragmentFields = Fields({"a integer"});

nlohmann::json LeafJson(int leaf) {
  return {{"leaf", leaf},
          {"operator", ToJson(OperatorSpec{"row_input",
                                           "RepriseRowToNative",
                                           0,
                                           "",
                                           "",
                                           kFragmentFields,
                                           {},
                                           nlohmann::json::object()})}};
}

nlohmann::json FilterJson(nlohmann::json input) {
  const auto condition =
      Call("greater", "boolean", {ColumnOf(kFragmentFields, 0), Literal("integer", 1)});
  return {{"operator", ToJson(OperatorSpec{"filter",
                                           "RepriseFilter",
                                           5,
                                           "",
                                           "",
                                           kFragmentFields,
                                           {kFragmentFields},
                                           {{"condition", ToJson(condition)}}})},
          {"inputs", nlohmann::json::array({std::move(input)})}};
}

class Fragment : public ::testing::Test {
 protected:
  Result<std::unique_ptr<Operator>> Build(const nlohmann::json& json) {
    return BuildFragment(
        json, context_,
        [this](int leaf, OperatorSpec spec) -> Result<std::unique_ptr<Operator>> {
          leaves_.push_back(fmt::format("{} {}", leaf, spec.kind));
          return std::make_unique<testing::GivenBatches>(
              spec.output, std::vector<Batch>{BatchOf(kFragmentFields, {"[1, 2, 3]"})}, context_);
        },
        [this](const OperatorSpec& spec, const nlohmann::json& capture,
               std::optional<int>) -> Result<std::unique_ptr<Capture>> {
          captures_.push_back(spec.name + " " + capture.dump());
          return nullptr;
        });
  }

  TaskContext context_;
  std::vector<std::string> leaves_;
  std::vector<std::string> captures_;
};

TEST_F(Fragment, BuildsOperatorsOverLeaves) {
  auto root = testing::Good(Build(FilterJson(FilterJson(LeafJson(2)))));
  EXPECT_EQ(leaves_, (std::vector<std::string>{"2 row_input"}));
  auto rows = testing::Good(testing::Drain(root.get()));
  testing::ExpectColumn(*rows, 0, "[2, 3]");

  const auto operators = OperatorsOf(*root);
  ASSERT_EQ(operators.size(), 3u);
  EXPECT_EQ(operators[0], root.get());
  EXPECT_EQ(operators[1], root->inputs()[0].get());
  EXPECT_EQ(operators[2], root->inputs()[0]->inputs()[0].get());
}

TEST_F(Fragment, ALeafMayBeTheWholeFragment) {
  auto root = testing::Good(Build(LeafJson(0)));
  EXPECT_EQ(OperatorsOf(*root).size(), 1u);
}

TEST_F(Fragment, AsksForTheCapturesItMarks) {
  auto json = FilterJson(LeafJson(0));
  json["capture"] = {{"loreId", 5}};
  json["inputs"][0]["capture"] = {{"loreId", 6}};
  testing::Good(Build(json));
  EXPECT_EQ(captures_, (std::vector<std::string>{R"(RepriseRowToNative {"loreId":6})",
                                                 R"(RepriseFilter {"loreId":5})"}));
}

TEST_F(Fragment, RefusesMalformedFragments) {
  const auto message = [&](const nlohmann::json& json) { return Build(json).status().message(); };
  EXPECT_EQ(message(nlohmann::json::array()), "fragment: a node must be an object, not array");
  EXPECT_EQ(message(nlohmann::json::object()), "fragment: a node has no \"operator\"");
  auto json = FilterJson(LeafJson(0));
  json.erase("inputs");
  EXPECT_EQ(message(json), "fragment: RepriseFilter: there is no \"inputs\"");
  json = LeafJson(0);
  json["leaf"] = "first";
  EXPECT_EQ(message(json), "fragment: RepriseRowToNative: \"leaf\" must be an integer, not string");
  json["leaf"] = -1;
  EXPECT_EQ(message(json), "fragment: RepriseRowToNative: there is no leaf -1");
  json = LeafJson(0);
  json["inputs"] = nlohmann::json::array();
  EXPECT_EQ(message(json), "fragment: RepriseRowToNative: a leaf cannot have \"inputs\"");
  json = LeafJson(0);
  json["operator"].erase("kind");
  EXPECT_TRUE(message(json).starts_with("fragment: \"operator\": ")) << message(json);
  json = LeafJson(0);
  json["capture"] = {{"loreId", 5}};
  EXPECT_EQ(BuildFragment(json, context_,
                          [&](int, OperatorSpec spec) -> Result<std::unique_ptr<Operator>> {
                            return std::make_unique<testing::GivenBatches>(
                                spec.output, std::vector<Batch>{}, context_);
                          },
                          {})
                .status()
                .message(),
            "fragment: RepriseRowToNative is to be captured, but nothing can capture here");
}

TEST_F(Fragment, ErrorsOfTheOperatorsNameThem) {
  auto json = FilterJson(LeafJson(0));
  json["operator"]["arguments"] = nlohmann::json::object();
  EXPECT_EQ(Build(json).status().message(), "RepriseFilter (LORE id 5): there is no \"condition\"");
}

}  // namespace
}  // namespace reprise
