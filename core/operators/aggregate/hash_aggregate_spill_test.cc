// The hash aggregate with too little memory gives what it gives with enough.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <random>

#include "operators/aggregate/aggregate_testing.h"
#include "operators/fixed_memory.h"

namespace reprise {
namespace {

using namespace testing;

struct AggregateOutcome {
  std::shared_ptr<arrow::RecordBatch> rows;
  int64_t spilled = 0;
};

std::string RowText(const arrow::RecordBatch& rows, int64_t row, int begin, int end) {
  std::string text;
  for (int column = begin; column < end; ++column) {
    text += Good(rows.column(column)->GetScalar(row))->ToString() + "|";
  }
  return text;
}

// Keys and the rest of each row; each key once.
std::map<std::string, std::string> ByKey(const arrow::RecordBatch& rows, int keys) {
  std::map<std::string, std::string> by_key;
  for (int64_t row = 0; row < rows.num_rows(); ++row) {
    const auto [place, is_new] =
        by_key.emplace(RowText(rows, row, 0, keys), RowText(rows, row, keys, rows.num_columns()));
    EXPECT_TRUE(is_new) << place->first << " leaves twice";
  }
  return by_key;
}

AggregateOutcome RunOver(const OperatorSpec& spec, const std::vector<Batch>& batches,
                         MemoryManager* manager) {
  TaskMemory memory(manager, {.over_commit_bytes = int64_t{64} << 20});
  TaskContext context;
  context.pool = &memory;
  context.memory = &memory;
  context.batch_rows_target = 100;  // several batches leave, whose rows are copied together
  AggregateOutcome run;
  {
    auto aggregate = Good(MakeOperator(spec, SourceOf(spec.inputs[0], batches, context), context));
    run.rows = Good(Drain(aggregate.get()));
    run.spilled = aggregate->metrics().spilled_disk_bytes;
  }
  EXPECT_EQ(memory.spilled_disk_bytes(), run.spilled);
  EXPECT_EQ(memory.bytes_allocated(), 0) << "all is given back";
  return run;
}

// `count` rows of keys from 0 to `key_count` - 1 as int, string and decimal with nulls, and of the
// values of a type.
std::vector<Batch> RandomRows(const std::vector<Field>& fields,
                              const std::vector<std::string>& values, int batch_count, int rows,
                              int key_count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Batch> batches;
  for (int batch = 0; batch < batch_count; ++batch) {
    std::vector<std::string> columns(4, "[");
    for (int row = 0; row < rows; ++row) {
      const auto key = static_cast<int>(random() % static_cast<unsigned>(key_count));
      const std::string separator = row == 0 ? "" : ",";
      columns[0] += separator + (key % 101 == 0 ? "null" : std::to_string(key));
      columns[1] += separator + fmt::format("\"{}{}\"", std::string(key % 7, 'x'), key);
      columns[2] += separator + fmt::format("\"{}.50\"", key * 1000003L);
      columns[3] += separator + values[random() % values.size()];
    }
    for (std::string& column : columns) column += "]";
    batches.push_back(BatchOf(fields, columns));
  }
  return batches;
}

struct Case {
  std::string type;
  std::vector<std::string> values;  // sums of them are exact in any order
};

const std::vector<Case>& Cases() {
  static const std::vector<Case> cases = {
      {"void", {"null"}},
      {"boolean", {"true", "false", "null"}},
      {"byte", {"1", "-100", "null"}},
      {"short", {"1", "-30000", "null"}},
      {"integer", {"1", "-2000000000", "7", "null"}},
      {"long", {"1", "-2000000000000", "7", "null"}},
      {"float", {"1.5", "-0.25", "null"}},
      {"double", {"1.5", "-1024.25", "null"}},
      {"decimal(5,2)", {"\"1.50\"", "\"-999.99\"", "null"}},
      {"decimal(15,2)", {"\"1.50\"", "\"-9999999999.99\"", "null"}},
      {"decimal(38,10)", {"\"1.5000000000\"", "\"-123456789012345678901234.9999999999\"", "null"}},
      {"date", {"1", "-30000", "null"}},
      {"timestamp", {"1", "-30000000000", "null"}},
      {"string", {"\"\"", "\"abc\"", "\"a longer text than that\"", "null"}},
  };
  return cases;
}

std::vector<std::string> FunctionsOver(const std::string& type) {
  const DataType parsed = ParseDataType(type);
  if (parsed.is(TypeKind::kDecimal) || parsed.is_integral() || parsed.is_floating()) {
    return {"count", "sum", "min", "max", "avg", "collect_list"};
  }
  if (type == "void") return {"count"};
  return {"count", "min", "max", "collect_list"};
}

TEST(HashAggregateSpill, EveryFunctionOverEveryTypeIsTheSame) {
  FixedMemory none(0);
  for (const Case& tested : Cases()) {
    SCOPED_TRACE(tested.type);
    const auto fields = Fields({"i integer", "s string", "d decimal(20,2)", "v " + tested.type});
    const auto batches = RandomRows(fields, tested.values, 12, 100, 300, /*seed=*/42);
    const std::vector<std::vector<int>> key_choices = {{0}, {2, 0}, {1, 0}};
    for (const std::vector<int>& keys : key_choices) {
      std::vector<nlohmann::json> aggregates;
      for (const std::string& name : FunctionsOver(tested.type)) {
        const Function function{name, name == "count" ? "" : tested.type};
        aggregates.push_back(function.Over("complete", {ColumnOf(fields, 3)}));
      }
      const auto spec = AggregateOperator(fields, keys, aggregates, true);
      const AggregateOutcome enough = RunOver(spec, batches, nullptr);
      const AggregateOutcome spilling = RunOver(spec, batches, &none);
      EXPECT_EQ(enough.spilled, 0);
      EXPECT_GT(spilling.spilled, 0);
      const int key_count = static_cast<int>(keys.size());
      EXPECT_EQ(ByKey(*spilling.rows, key_count), ByKey(*enough.rows, key_count));
    }
  }
}

TEST(HashAggregateSpill, BuffersOfAnEarlierAggregateAreMergedOnce) {
  FixedMemory none(0);
  const auto fields = Fields({"i integer", "s string", "d decimal(20,2)", "v decimal(15,2)"});
  const auto batches = RandomRows(fields, Cases()[9].values, 12, 500, 1500, /*seed=*/7);
  std::vector<nlohmann::json> partials, finals, merges;
  int index = 1;
  for (const std::string name : {"count", "sum", "min", "avg"}) {
    const Function function{name, name == "count" ? "" : "decimal(15,2)"};
    partials.push_back(function.Over("partial", {ColumnOf(fields, 3)}));
    finals.push_back(function.OverBuffer("final", index));
    merges.push_back(function.OverBuffer("partial_merge", index));
    index += static_cast<int>(function.buffer().size());
  }
  const auto partial = AggregateOperator(fields, {0}, partials, false);
  const AggregateOutcome enough = RunOver(partial, batches, nullptr);
  const AggregateOutcome flushed = RunOver(partial, batches, &none);
  EXPECT_EQ(flushed.spilled, 0) << "a partial aggregate lets its groups leave early";
  EXPECT_GT(flushed.rows->num_rows(), enough.rows->num_rows());

  const auto final_spec = AggregateOperator(partial.output, {0}, finals, true);
  const AggregateOutcome expected = RunOver(final_spec, {ToBatch(enough.rows)}, nullptr);
  const AggregateOutcome spilling =
      RunOver(final_spec, {ToBatch(flushed.rows), ToBatch(flushed.rows->Slice(0, 0))}, &none);
  EXPECT_EQ(ByKey(*spilling.rows, 1), ByKey(*expected.rows, 1));

  std::vector<Batch> pieces;
  for (int64_t row = 0; row < flushed.rows->num_rows(); row += 300) {
    pieces.push_back(ToBatch(flushed.rows->Slice(row, 300)));
  }
  const auto merge = AggregateOperator(partial.output, {0}, merges, false);
  const AggregateOutcome merged = RunOver(merge, pieces, &none);
  EXPECT_GT(merged.spilled, 0) << "no key may leave an aggregate in the middle twice";
  EXPECT_EQ(ByKey(*merged.rows, 1), ByKey(*RunOver(merge, pieces, nullptr).rows, 1));
}

struct Plenty final : MemoryManager {
  int64_t Acquire(int64_t bytes) override { return bytes; }
  void Release(int64_t /*bytes*/) override {}
};

// Reads more while the aggregate above it is asked to spill, as Spark would.
TEST(HashAggregateSpill, GroupsMayBeSpilledBetweenTwoOutputBatches) {
  const auto fields = Fields({"i integer", "s string", "d decimal(20,2)", "v long"});
  const auto batches = RandomRows(fields, {"1", "2"}, 4, 500, 1500, /*seed=*/3);
  const auto spec = AggregateOperator(
      fields, {1}, {Function{"sum", "long"}.Over("complete", {ColumnOf(fields, 3)})}, true);
  Plenty plenty;
  TaskMemory memory(&plenty);
  TaskContext context;
  context.pool = &memory;
  context.memory = &memory;
  context.batch_rows_target = 100;
  auto aggregate = Good(MakeOperator(spec, SourceOf(fields, batches, context), context));
  std::vector<std::shared_ptr<arrow::RecordBatch>> given;
  while (auto batch = Good(aggregate->Next())) {
    given.push_back(Good(ToRecordBatch(*batch, arrow::default_memory_pool())));
    if (given.size() % 2 == 1) {
      EXPECT_GE(Good(memory.SpillFor(int64_t{1} << 30)), 0);
    }
  }
  EXPECT_GT(aggregate->metrics().spilled_disk_bytes, 0);
  const auto rows = Good(Good(arrow::Table::FromRecordBatches(given))->CombineChunksToBatch());
  EXPECT_EQ(ByKey(*rows, 1), ByKey(*RunOver(spec, batches, nullptr).rows, 1));
}

// A partial aggregate reads on after its groups have left: those that were spilled meanwhile are of
// earlier rows than what it reads then.
TEST(HashAggregateSpill, PiecesOfAKeyLeaveInTheOrderOfItsRows) {
  const auto fields = Fields({"k integer", "v long"});
  std::vector<Batch> batches;
  for (int64_t batch = 0; batch < 40; ++batch) {
    std::vector<std::string> keys, values;
    for (int64_t row = batch * 100; row < (batch + 1) * 100; ++row) {
      keys.push_back(std::to_string(row % 350));
      values.push_back(std::to_string(row));
    }
    batches.push_back(BatchOf(fields, {fmt::format("[{}]", fmt::join(keys, ",")),
                                       fmt::format("[{}]", fmt::join(values, ","))}));
  }
  const auto spec = AggregateOperator(
      fields, {0}, {Function{"min", "long"}.Over("partial", {ColumnOf(fields, 1)})}, false);
  FixedMemory some(20000);
  TaskMemory memory(&some, {.deny_every = int64_t{1} << 40});  // asks for each byte
  TaskContext context;
  context.pool = &memory;
  context.memory = &memory;
  context.batch_rows_target = 100;
  auto aggregate = Good(MakeOperator(spec, SourceOf(fields, batches, context), context));
  std::map<int32_t, int64_t> last;
  int64_t pieces = 0;
  while (auto batch = Good(aggregate->Next())) {
    const auto rows = Good(ToRecordBatch(*batch, arrow::default_memory_pool()));
    const auto& keys = dynamic_cast<const arrow::Int32Array&>(*rows->column(0));
    const auto& values = dynamic_cast<const arrow::Int64Array&>(*rows->column(1));
    for (int64_t row = 0; row < rows->num_rows(); ++row) {
      const auto [place, is_first] = last.emplace(keys.Value(row), values.Value(row));
      EXPECT_TRUE(is_first || place->second < values.Value(row)) << "key " << place->first;
      place->second = values.Value(row);
    }
    pieces += rows->num_rows();
    EXPECT_GE(Good(memory.SpillFor(int64_t{1} << 30)), 0);
  }
  EXPECT_EQ(last.size(), 350);
  EXPECT_GT(pieces, 350);
  EXPECT_GT(aggregate->metrics().spilled_disk_bytes, 0);
}

TEST(HashAggregateSpill, AMissingDirectoryIsAnErrorThatNamesTheOperator) {
  FixedMemory none(0);
  TaskMemory memory(&none);
  TaskContext context;
  context.pool = &memory;
  context.memory = &memory;
  context.spill_storage.directories = {"/nonexistent/local-1"};
  const auto fields = Fields({"i integer", "s string", "d decimal(20,2)", "v long"});
  const auto batches = RandomRows(fields, {"1", "2"}, 4, 500, 1500, /*seed=*/3);
  const auto spec = AggregateOperator(
      fields, {0}, {Function{"sum", "long"}.Over("complete", {ColumnOf(fields, 3)})}, true);
  const std::string error = RunAggregate(spec, batches, context).status().ToString();
  EXPECT_TRUE(
      error.starts_with("IOError: RepriseHashAggregate (LORE id 7): RepriseHashAggregate "
                        "(LORE id 7), spilling: "))
      << error;
  EXPECT_NE(error.find("/nonexistent/local-1"), std::string::npos) << error;
}

}  // namespace
}  // namespace reprise
