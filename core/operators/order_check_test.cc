#include "operators/order_check.h"

#include "base/check.h"
#include "operators/fragment.h"
#include "operators/operator_testing.h"

namespace reprise {
namespace {

using testing::BatchOf;
using testing::Drain;
using testing::Fields;
using testing::WithSelection;

using Json = nlohmann::json;

const std::vector<Field> kOrdered = Fields({"a integer", "s string", "d double"});

Batch OrderedRows(const std::string& a, const std::string& s, const std::string& d) {
  return BatchOf(kOrdered, {a, s, d});
}

Json Order(int column, bool ascending = true, bool nulls_first = true) {
  return {{"column", column}, {"ascending", ascending}, {"nullsFirst", nulls_first}};
}

/// What becomes of batches of an operator that promises an order.
std::string OrderOf(const std::vector<Json>& ordering, std::vector<Batch> batches,
                    const std::vector<Field>& fields = kOrdered, const Json& assertions = nullptr) {
  TaskContext context;
  context.partition = 3;
  const OperatorSpec spec{"row_input", "RepriseRows", 5, "", "", fields, {}, Json::object()};
  Json spec_json = ToJson(spec);
  if (!assertions.is_null()) spec_json["assertions"] = assertions;
  auto root = BuildFragment(
      {{"leaf", 0}, {"operator", spec_json}, {"ordering", Json(ordering)}}, context,
      [&](int, OperatorSpec of) -> Result<std::unique_ptr<Operator>> {
        return std::make_unique<testing::GivenBatches>(of.output, std::move(batches), context);
      },
      nullptr);
  if (!root.ok()) return root.status().message();
  EXPECT_EQ(OperatorsOf(**root).size(), 1u) << "a check has no figures";
  try {
    const auto drained = Drain(root->get());
    return drained.ok() ? "holds" : drained.status().message();
  } catch (const CheckFailure& failure) {
    const std::string text = failure.what();
    return text.substr(text.find("Reprise"));
  }
}

const Batch kEarlier = OrderedRows("[null, 1, 1]", R"(["x", "y", "a"])", "[0.5, 2.5, 1.5]");
const Batch kLater = OrderedRows("[1, 2, 5]", R"(["x", "y", "z"])", "[1.0, null, 2.5]");

TEST(OrderCheckTest, RowsInTheOrderPass) {
  EXPECT_EQ(OrderOf({Order(0)}, {kEarlier, kLater}), "holds");
  EXPECT_EQ(OrderOf({Order(0), Order(2, false, false)}, {kEarlier, kLater}), "holds");
  EXPECT_EQ(OrderOf({Order(0, true, false)}, {kLater}), "holds");
  EXPECT_EQ(OrderOf({}, {kLater, kEarlier}), "holds");
}

TEST(OrderCheckTest, ARowThatComesTooLateIsNamedWithTheOneBeforeIt) {
  EXPECT_EQ(
      OrderOf({Order(0), Order(1)}, {kEarlier, kLater}),
      "RepriseRows (LORE id 5): its rows are not in the order [a ASC NULLS FIRST, s ASC NULLS "
      "FIRST] that the plan promises\n"
      "  row 1: a int = 1, s string = 'y', d double = 2.5\n"
      "  row 2: a int = 1, s string = 'a', d double = 1.5\n"
      "  partition: 3");
}

TEST(OrderCheckTest, WhatAssertionsMustNotShowIsNotShown) {
  const Json assertions = {
      {"operator", "Rows#0"}, {"loreId", 5}, {"all", Json::array()}, {"masked", {1}}};
  EXPECT_EQ(OrderOf({Order(0), Order(1)}, {kEarlier}, kOrdered, assertions),
            "RepriseRows (LORE id 5): its rows are not in the order [a ASC NULLS FIRST, s ASC "
            "NULLS FIRST] that the plan promises\n"
            "  row 1: a int = 1, s string masked, d double = 2.5\n"
            "  row 2: a int = 1, s string masked, d double = 1.5\n"
            "  partition: 3");
}

TEST(OrderCheckTest, ItRemembersTheLastRowOfTheBatchBefore) {
  const std::string text =
      "RepriseRows (LORE id 5): its rows are not in the order [a ASC NULLS FIRST] that the plan "
      "promises\n"
      "  row 2: a int = 5, s string = 'z', d double = 2.5\n"
      "  row 3: a int = 1, s string = 'y', d double = 2.5\n"
      "  partition: 3";
  const Batch selected = WithSelection(kEarlier, {1, 2});
  EXPECT_EQ(OrderOf({Order(0)}, {kLater, selected}), text);
  EXPECT_EQ(OrderOf({Order(0)}, {kLater, WithSelection(kEarlier, {}), selected}), text);
}

TEST(OrderCheckTest, NullsAndDirectionsCount) {
  EXPECT_NE(OrderOf({Order(0, true, false)}, {kEarlier}), "holds");
  EXPECT_NE(OrderOf({Order(0, false)}, {kLater}), "holds");
  EXPECT_EQ(OrderOf({Order(2)}, {OrderedRows("[1, 2]", R"(["x", "y"])", "[-0.0, 0.0]"),
                                 OrderedRows("[1, 2]", R"(["x", "y"])", "[-0.0, 0.0]")}),
            "holds");
}

TEST(OrderCheckTest, FromATypeWithoutOrderOnNothingIsChecked) {
  const std::vector<Field> fields = Fields({"a integer", "n void"});
  const Batch rows = BatchOf(fields, {"[2, 1]", "[null, null]"});
  EXPECT_EQ(OrderOf({Order(1), Order(0)}, {rows}, fields), "holds");
  EXPECT_NE(OrderOf({Order(0), Order(1)}, {rows}, fields), "holds");
}

TEST(OrderCheckTest, AMalformedOrderIsRefused) {
  EXPECT_EQ(OrderOf({Order(7)}, {kEarlier}),
            "RepriseRows (LORE id 5): \"ordering\" names column 7 of 3");
}

}  // namespace
}  // namespace reprise
