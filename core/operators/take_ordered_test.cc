#include "operators/take_ordered.h"

#include "operators/fixed_memory.h"
#include "operators/operator_testing.h"

namespace reprise {
namespace {

using testing::BatchOf;
using testing::ColumnOf;
using testing::Drain;
using testing::Fields;
using testing::Good;

OperatorSpec FirstOf(const std::vector<Field>& fields, int64_t limit) {
  const nlohmann::json order = {
      {"expression", ToJson(ColumnOf(fields, 0))}, {"ascending", true}, {"nullsFirst", true}};
  return {"take_ordered",
          "Reprise",
          0,
          "",
          "",
          fields,
          {fields},
          {{"ordering", {order}}, {"limit", limit}, {"offset", 0}, {"project", nullptr}}};
}

/// Rows (key, number): the keys are `keys` values that repeat, of the type of the first column.
std::vector<Batch> RowsOf(const std::vector<Field>& fields, int count, int keys, int batch_rows,
                          uint32_t state = 1) {
  std::vector<Batch> batches;
  for (int number = 0; number < count;) {
    std::string values, numbers;
    for (int i = 0; i < batch_rows && number < count; ++i, ++number) {
      state = state * 1664525 + 1013904223;
      const char* comma = i == 0 ? "" : ",";
      const uint32_t key = (state >> 8) % keys;
      values += fields[0].type.is(TypeKind::kString)
                    ? fmt::format("{}\"longer than what fits {:03}\"", comma, key)
                    : fmt::format("{}{}", comma, key);
      numbers += fmt::format("{}{}", comma, number);
    }
    batches.push_back(BatchOf(fields, {"[" + values + "]", "[" + numbers + "]"}));
  }
  return batches;
}

std::shared_ptr<arrow::RecordBatch> TakenBy(const OperatorSpec& spec, std::vector<Batch> batches,
                                            const TaskContext& context) {
  auto made = Good(
      MakeOperator(spec, testing::SourceOf(spec.inputs[0], std::move(batches), context), context));
  return Good(Drain(made.get()));
}

std::shared_ptr<arrow::RecordBatch> FirstRowsOf(const std::vector<Field>& fields,
                                                std::vector<Batch> batches, int64_t limit,
                                                const TaskContext& context) {
  return TakenBy(FirstOf(fields, limit), std::move(batches), context);
}

// The expected numbers are those that Guava's Ordering.leastOf gives for these rows.
TEST(TakeOrdered, KeepsAndGivesEqualRowsAsSparkDoes) {
  struct Case {
    int count, keys, limit;
    uint32_t seed;
    const char* numbers;
  };
  const Case cases[] = {
      {60, 3, 8, 1, "[10, 20, 12, 1, 13, 15, 18, 17]"},
      {300, 2, 3, 1, "[3, 9, 8]"},
      {200, 1000, 20, 5,
       "[43, 74, 45, 80, 104, 136, 47, 64, 53, 106, 32, 59, 112, 9, 0, 16, 163, 145, 199, 62]"},
      {200, 4, 1, 9, "[4]"},
  };
  for (const char* key_type : {"k integer", "k string"}) {
    const auto fields = Fields({key_type, "n integer"});
    for (const Case& one : cases) {
      for (const int batch_rows : {1, 3, 1000}) {
        SCOPED_TRACE(fmt::format("{}, limit {}, batches of {}", key_type, one.limit, batch_rows));
        TaskContext context;
        context.batch_rows_target = batch_rows;
        const auto rows = FirstRowsOf(
            fields, RowsOf(fields, one.count, one.keys, batch_rows, one.seed), one.limit, context);
        testing::ExpectColumn(*rows, 1, one.numbers);
      }
    }
  }
}

// What Guava 33 and 14 give for the same rows: the one sorts where its quickselect gets nowhere.
TEST(TakeOrdered, KeepsEqualRowsAsSparkBeforeVersion4Does) {
  const auto fields = Fields({"k integer", "n integer"});
  OperatorSpec spec = FirstOf(fields, 60);
  const auto rows = RowsOf(fields, 400, 5, 1000, 1);
  testing::ExpectColumn(
      *TakenBy(spec, rows, TaskContext()), 1,
      "[138, 120, 127, 136, 129, 7, 60, 17, 143, 22, 144, 24, 159, 28, 161, 30, 164, 33, 165, 36, "
      "41, 42, 48, 50, 57, 0, 66, 70, 73, 78, 90, 96, 97, 98, 311, 6, 8, 20, 23, 25, 29, 31, 35, "
      "37, 167, 176, 180, 186, 200, 205, 206, 221, 231, 234, 246, 248, 252, 253, 256, 261]");
  spec.arguments["boundedSelection"] = false;
  testing::ExpectColumn(
      *TakenBy(spec, rows, TaskContext()), 1,
      "[138, 120, 127, 136, 129, 7, 60, 17, 143, 22, 144, 24, 159, 28, 161, 30, 164, 33, 165, 36, "
      "167, 40, 176, 42, 180, 50, 186, 0, 200, 70, 205, 78, 206, 96, 221, 98, 231, 6, 234, 20, "
      "246, 25, 248, 31, 252, 37, 253, 48, 256, 66, 261, 90, 262, 311, 277, 23, 289, 35, 291, "
      "57]");
}

TEST(TakeOrdered, SpilledRunsGiveTheSameKeys) {
  const auto fields = Fields({"k string", "n integer"});
  const auto batches = RowsOf(fields, 60000, 17, 1000);
  const auto spilled = [&](int64_t limit) {
    FixedMemory grant(1 << 20);
    TaskMemory::Options options;
    options.over_commit_bytes = 8 << 20;
    TaskMemory memory(&grant, options);
    TaskContext context;
    context.pool = &memory;
    context.memory = &memory;
    auto made = Good(
        MakeOperator(FirstOf(fields, limit), testing::SourceOf(fields, batches, context), context));
    // Its own memory, which outlives the task's.
    const auto rows = Good(Good(Drain(made.get()))->CopyTo(arrow::default_cpu_memory_manager()));
    EXPECT_GT(made->metrics().spilled_disk_bytes, 0) << limit;
    return rows;
  };
  TaskContext unlimited;
  // More than half of the rows: none is dropped, and equal rows follow as they come.
  EXPECT_TRUE(spilled(35000)->Equals(*FirstRowsOf(fields, batches, 35000, unlimited)));
  const auto rows = spilled(9000);
  EXPECT_TRUE(rows->column(0)->Equals(*FirstRowsOf(fields, batches, 9000, unlimited)->column(0)));
}

}  // namespace
}  // namespace reprise
