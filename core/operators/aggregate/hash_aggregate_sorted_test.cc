// The hash aggregate over rows whose groups stand together.
#include <gtest/gtest.h>

#include <random>

#include "operators/aggregate/aggregate_testing.h"
#include "operators/fixed_memory.h"

namespace reprise {
namespace {

using namespace testing;

const std::vector<Field> kKeyedDoubles = Fields({"k integer", "v double"});

// Groups of 1 to `group_rows` rows, with falling keys, in batches of 1 to 40 rows; of some a part
// is selected.
std::vector<Batch> Sorted(int groups, int group_rows, unsigned seed) {
  std::mt19937 random(seed);
  const auto upto = [&](int most) { return 1 + static_cast<int>(random() % most); };
  std::vector<int> keys;
  for (int group = groups; group > 0; --group) keys.insert(keys.end(), upto(group_rows), group);
  std::vector<Batch> batches;
  size_t next = 0;
  while (next < keys.size()) {
    const bool is_partial = random() % 2 == 0;
    std::vector<int32_t> selected;
    std::string k = "[";
    std::string v = "[";
    const size_t end = std::min(keys.size(), next + static_cast<size_t>(upto(40)));
    for (int32_t row = 0; next < end; ++row) {
      if (row > 0) k += ',', v += ',';
      const bool is_selected = !is_partial || random() % 3 > 0;
      // What is not selected must not be looked at.
      k += std::to_string(is_selected ? keys[next++] : -7);
      v += fmt::format("{}", static_cast<double>(random() % 1000) / 7);
      if (is_selected) selected.push_back(row);
    }
    Batch batch = BatchOf(kKeyedDoubles, {k + "]", v + "]"});
    batches.push_back(is_partial ? WithSelection(batch, selected) : batch);
  }
  return batches;
}

OperatorSpec AllFunctionsSpec(bool is_sorted) {
  std::vector<nlohmann::json> functions;
  for (const char* name : {"count", "sum", "avg", "min", "stddev_samp", "first", "last"}) {
    const Function function{name, std::string(name) == "count" ? "" : "double"};
    functions.push_back(function.Over("complete", {ColumnOf(kKeyedDoubles, 1)}));
  }
  OperatorSpec spec = AggregateOperator(kKeyedDoubles, {0}, functions, true);
  if (is_sorted) spec.arguments["sorted"] = true;
  return spec;
}

TEST(HashAggregateSorted, GivesTheSameToTheBitInTheSameOrderWithoutAnyMemory) {
  for (const unsigned seed : {1u, 2u, 3u, 4u}) {
    for (const int group_rows : {1, 3, 200}) {
      SCOPED_TRACE(fmt::format("seed {}, up to {} rows a group", seed, group_rows));
      const std::vector<Batch> batches = Sorted(300, group_rows, seed);
      const auto expected = Good(RunAggregate(AllFunctionsSpec(false), batches));
      ASSERT_EQ(expected->num_rows(), 300);
      for (const int64_t rows_target : {1, 3, 100}) {
        FixedMemory nothing(0);
        TaskMemory memory(&nothing, {.over_commit_bytes = int64_t{64} << 20});
        TaskContext context;
        context.pool = &memory;
        context.memory = &memory;
        context.batch_rows_target = rows_target;
        const auto rows = Good(RunAggregate(AllFunctionsSpec(true), batches, context));
        EXPECT_TRUE(rows->Equals(*expected)) << rows_target;
        EXPECT_EQ(memory.spilled_disk_bytes(), 0);
      }
    }
  }
}

TEST(HashAggregateSorted, GroupsLeaveBeforeTheInputEnds) {
  TaskContext context;
  context.batch_rows_target = 2;
  auto source = SourceOf(
      kKeyedDoubles,
      {BatchOf(kKeyedDoubles, {"[9, 9]", "[1, 2]"}), BatchOf(kKeyedDoubles, {"[8]", "[3]"}),
       BatchOf(kKeyedDoubles, {"[8, 7]", "[4, 5]"}), BatchOf(kKeyedDoubles, {"[7, 6]", "[6, 7]"})},
      context);
  Operator* const rows = source[0].get();
  auto aggregate = Good(MakeOperator(AllFunctionsSpec(true), std::move(source), context));
  const Batch first = *Good(aggregate->Next());
  EXPECT_EQ(rows->metrics().output_batches, 3) << "the fourth has not been asked for";
  ExpectColumn(*Good(ToRecordBatch(first, context.pool)), 0, "[9, 8]");
  ExpectColumn(*Good(ToRecordBatch(first, context.pool)), 2, "[3, 7]");
  ExpectColumn(*Good(Drain(aggregate.get())), 2, "[11, 7]");
}

TEST(HashAggregateSorted, ItsStateStaysSmall) {
  std::vector<Batch> batches;
  for (int batch = 0; batch < 300; ++batch) {
    arrow::Int32Builder keys;
    arrow::DoubleBuilder values;
    for (int row = 0; row < 1000; ++row) {
      ASSERT_TRUE(keys.Append(batch * 500 + row / 2).ok());
      ASSERT_TRUE(values.Append(row).ok());
    }
    batches.push_back(BatchOfArrays(kKeyedDoubles, {*keys.Finish(), *values.Finish()}));
  }
  const auto peak = [&](bool is_sorted) {
    TaskContext context;
    context.batch_rows_target = 1000;
    auto aggregate = Good(MakeOperator(AllFunctionsSpec(is_sorted),
                                       SourceOf(kKeyedDoubles, batches, context), context));
    EXPECT_EQ(Good(Drain(aggregate.get()))->num_rows(), 150'000);
    return aggregate->metrics().extra.at(0);
  };
  EXPECT_LT(peak(true) * 20, peak(false));
}

TEST(HashAggregateSorted, WithoutKeysThereIsOneGroup) {
  OperatorSpec spec = AggregateOperator(
      kKeyedDoubles, {}, {Function{"sum", "double"}.Over("complete", {ColumnOf(kKeyedDoubles, 1)})},
      true);
  spec.arguments["sorted"] = true;
  TaskContext context;
  context.batch_rows_target = 1;
  const auto rows = Good(RunAggregate(
      spec, {BatchOf(kKeyedDoubles, {"[1, 2]", "[1, 2]"}), BatchOf(kKeyedDoubles, {"[3]", "[4]"})},
      context));
  ExpectColumn(*rows, 0, "[7]");
}

}  // namespace
}  // namespace reprise
