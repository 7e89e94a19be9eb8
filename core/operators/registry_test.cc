#include "operators/registry.h"

#include "operators/operator_testing.h"

namespace reprise {
namespace {

using testing::Fields;

const std::vector<Field> kRegistered = Fields({"a integer"});

std::string MessageFor(const std::string& kind, std::vector<std::vector<Field>> inputs,
                       std::vector<Field> output = kRegistered) {
  TaskContext context;
  OperatorSpec spec{
      kind, "Some", 3, "", "", std::move(output), std::move(inputs), nlohmann::json::object()};
  return MakeOperator(std::move(spec), testing::SourceOf(kRegistered, {}, context), context)
      .status()
      .message();
}

TEST(Registry, RefusesWhatItCannotMake) {
  EXPECT_EQ(MessageFor("windows", {kRegistered}),
            "Some (LORE id 3): there is no operator of kind \"windows\"");
  EXPECT_EQ(MessageFor("parquet_scan", {kRegistered}),
            "Some (LORE id 3): kind \"parquet_scan\" is a leaf: it is made by the leaf factory of "
            "its fragment");
  EXPECT_EQ(MessageFor("row_input", {kRegistered}),
            "Some (LORE id 3): kind \"row_input\" is a leaf: it is made by the leaf factory of its "
            "fragment");
}

TEST(Registry, ChecksThatTheInputsAreThoseOfTheSpec) {
  EXPECT_EQ(MessageFor("filter", {}),
            "Some (LORE id 3): kind \"filter\" has 1 inputs; the spec lists 0 and 1 are given");
  EXPECT_EQ(MessageFor("filter", {Fields({"a integer", "b long"})}),
            "Some (LORE id 3): input 0 has 1 columns, expected 2");
  EXPECT_EQ(MessageFor("filter", {Fields({"a long"})}),
            "Some (LORE id 3): column 0 (a) of input 0 is int, expected bigint");
}

TEST(Registry, RefusesOutputTypesWithoutNativeForm) {
  EXPECT_EQ(MessageFor("filter", {kRegistered}, Fields({"a object"})),
            "Some (LORE id 3): type object has no native form");
}

TEST(Registry, ListsTheMetricsOfAKind) {
  EXPECT_EQ(MetricsOf("filter"), BaseMetrics());
  EXPECT_EQ(MetricsOf("windows"), BaseMetrics());
  const auto metrics = MetricsOf("hash_aggregate");
  ASSERT_EQ(metrics.size(), BaseMetrics().size() + 2);
  EXPECT_EQ(metrics[BaseMetrics().size()], (Metric{"peakMemory", "peak memory", "bytes"}));
  for (const char* kind : {"hash_aggregate", "sort", "hash_join", "nested_loop_join"}) {
    EXPECT_EQ(MetricsOf(kind).back(), (Metric{"spillSize", "spill size", "bytes"}));
  }
}

}  // namespace
}  // namespace reprise
