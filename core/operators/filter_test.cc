#include "operators/filter.h"

#include "operators/operator_testing.h"

namespace reprise {
namespace {

using testing::BatchOf;
using testing::Call;
using testing::ColumnOf;
using testing::Fields;
using testing::Literal;

const std::vector<Field> kFiltered = Fields({"a integer", "b string"});

OperatorSpec FilterSpec(const ExpressionSpec& condition) {
  return {"filter", "RepriseFilter", 5,           "",
          "",       kFiltered,       {kFiltered}, {{"condition", ToJson(condition)}}};
}

const ExpressionSpec kAboveOne =
    Call("greater", "boolean", {ColumnOf(kFiltered, 0), Literal("integer", 1)});

std::unique_ptr<Operator> MakeFilter(std::vector<Batch> batches, const TaskContext& context) {
  return testing::Good(MakeOperator(
      FilterSpec(kAboveOne), testing::SourceOf(kFiltered, std::move(batches), context), context));
}

TEST(Filter, SelectsWithoutCopying) {
  TaskContext context;
  const Batch batch = BatchOf(kFiltered, {"[1, 2, null, 3]", R"(["p", "q", "r", null])"});
  auto filter = MakeFilter({batch}, context);
  const Batch output = *testing::Good(filter->Next());
  EXPECT_EQ(output.columns[0], batch.columns[0]);
  EXPECT_EQ(output.columns[1], batch.columns[1]);
  EXPECT_EQ(output.row_count, 4);
  ASSERT_TRUE(output.has_selection());
  EXPECT_EQ(std::vector<int32_t>(output.selected().begin(), output.selected().end()),
            (std::vector<int32_t>{1, 3}));
}

TEST(Filter, KeepsBatchesThatQualifyWhole) {
  TaskContext context;
  auto filter = MakeFilter({BatchOf(kFiltered, {"[2, 3]", R"(["p", "q"])"})}, context);
  const Batch output = *testing::Good(filter->Next());
  EXPECT_FALSE(output.has_selection());
  EXPECT_EQ(output.selected_count(), 2);
}

TEST(Filter, NarrowsASelection) {
  TaskContext context;
  auto filter =
      MakeFilter({testing::WithSelection(
                     BatchOf(kFiltered, {"[5, 0, 6, 7]", R"(["p", "q", "r", "s"])"}), {1, 2, 3})},
                 context);
  auto rows = testing::Good(testing::Drain(filter.get()));
  testing::ExpectColumn(*rows, 0, "[6, 7]");
  testing::ExpectColumn(*rows, 1, R"(["r", "s"])");
}

TEST(Filter, LeavesOutTheLastColumns) {
  TaskContext context;
  OperatorSpec spec = FilterSpec(kAboveOne);
  spec.output.pop_back();
  const Batch batch = BatchOf(kFiltered, {"[1, 2]", R"(["p", "q"])"});
  const auto filter =
      testing::Good(MakeOperator(spec, testing::SourceOf(kFiltered, {batch}, context), context));
  const Batch output = *testing::Good(filter->Next());
  ASSERT_EQ(output.columns.size(), 1u);
  EXPECT_EQ(output.columns[0], batch.columns[0]);
  EXPECT_EQ(output.selected_count(), 1);
}

TEST(Filter, SwallowsBatchesOfWhichNothingQualifies) {
  TaskContext context;
  auto filter = MakeFilter(
      {BatchOf(kFiltered, {"[0, null]", R"(["p", "q"])"}), BatchOf(kFiltered, {"[]", "[]"}),
       BatchOf(kFiltered, {"[2]", R"(["r"])"}), BatchOf(kFiltered, {"[1]", R"(["s"])"})},
      context);
  EXPECT_EQ((*testing::Good(filter->Next())).selected_count(), 1);
  EXPECT_FALSE(testing::Good(filter->Next()).has_value());
  EXPECT_EQ(filter->metrics().output_batches, 1);
}

TEST(Filter, RefusesMalformedSpecs) {
  TaskContext context;
  const auto message = [&](OperatorSpec spec) {
    return MakeOperator(std::move(spec), testing::SourceOf(kFiltered, {}, context), context)
        .status()
        .message();
  };
  OperatorSpec spec = FilterSpec(kAboveOne);
  spec.arguments = nlohmann::json::object();
  EXPECT_EQ(message(spec), "RepriseFilter (LORE id 5): there is no \"condition\"");
  spec = FilterSpec(kAboveOne);
  spec.output.push_back(spec.output[0]);
  EXPECT_EQ(message(spec),
            "RepriseFilter (LORE id 5): a filter has its input's 2 columns, but its output has 3");
  spec = FilterSpec(kAboveOne);
  spec.output[1].type = ParseDataType("long");
  EXPECT_EQ(message(spec),
            "RepriseFilter (LORE id 5): output column 1 (b) of the filter is bigint, its input is "
            "string");
}

}  // namespace
}  // namespace reprise
