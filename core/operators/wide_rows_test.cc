// Rows of large values: whatever an operator makes, it makes no more at once than a batch should
// have, and it works with the memory that Spark needs for the same.
#include <chrono>

#include "exchange/block.h"
#include "operators/fixed_memory.h"
#include "operators/join/hash_join.h"
#include "operators/join/join_testing.h"

namespace reprise {
namespace {

using testing::Call;
using testing::ColumnOf;
using testing::Fields;
using testing::Good;
using testing::Literal;

constexpr int64_t kMegabyte = int64_t{1} << 20;
const std::vector<Field> kWide = Fields({"k integer", "s string"});

struct WideRows {
  int64_t count;
  int64_t width;           // of the string
  int64_t keys;            // row i has the key i * 7919 % keys
  int64_t batch_rows = 8;  // of a batch
};

std::string TextOf(int64_t key, int64_t width) {
  std::string text = fmt::format("{:08} ", key);
  text.resize(static_cast<size_t>(width), static_cast<char>('a' + key % 26));
  return text;
}

/// Makes rows of a number and a text as they are pulled, so that they are nowhere before.
class WideSource final : public Operator {
 public:
  WideSource(WideRows rows, const TaskContext& context)
      : Operator({"source", "WideSource", 0, "", "", kWide, {}, {}}, {}, context), rows_(rows) {}

 private:
  Result<std::optional<Batch>> NextBatch() override {
    const int64_t count = std::min(rows_.batch_rows, rows_.count - next_);
    if (count == 0) return std::nullopt;
    arrow::Int32Builder keys(pool());
    arrow::StringBuilder texts(pool());
    for (int64_t i = 0; i < count; ++i, ++next_) {
      const int64_t key = next_ * 7919 % rows_.keys;
      RETURN_NOT_OK(keys.Append(static_cast<int32_t>(key)));
      RETURN_NOT_OK(texts.Append(TextOf(key, rows_.width)));
    }
    ARROW_ASSIGN_OR_RAISE(auto key_array, keys.Finish());
    ARROW_ASSIGN_OR_RAISE(auto text_array, texts.Finish());
    return testing::BatchOfArrays(kWide, {std::move(key_array), std::move(text_array)});
  }

  const WideRows rows_;
  int64_t next_ = 0;
};

/// A task with so much memory, and what an operator in it gave.
struct Task {
  explicit Task(int64_t bytes) : manager(bytes), memory(&manager) {
    context.pool = &memory;
    context.memory = &memory;
    context.batch_bytes_target = kMegabyte;
  }

  std::vector<std::unique_ptr<Operator>> Source(WideRows rows) {
    std::vector<std::unique_ptr<Operator>> inputs;
    inputs.push_back(std::make_unique<WideSource>(rows, context));
    return inputs;
  }

  /// Pulls all and keeps nothing but `row_of` each.
  template <typename RowOf>
  void Drain(const OperatorSpec& spec, std::vector<std::unique_ptr<Operator>> inputs,
             RowOf&& row_of) {
    auto made = Good(MakeOperator(spec, std::move(inputs), context));
    while (auto batch = Good(made->Next())) {
      EXPECT_TRUE(IsWithin(*batch, context.bounds()));
      const auto records = Good(ToRecordBatch(*batch, &memory));
      for (int64_t row = 0; row < records->num_rows(); ++row) row_of(*records, row);
    }
    spilled += made->metrics().spilled_disk_bytes;
  }

  FixedMemory manager;
  TaskMemory memory;
  TaskContext context;
  int64_t spilled = 0;
};

int64_t KeyAt(const arrow::RecordBatch& records, int64_t row) {
  return static_cast<const arrow::Int32Array&>(*records.column(0)).Value(row);
}

std::string_view TextAt(const arrow::RecordBatch& records, int64_t row, int column = 1) {
  return static_cast<const arrow::StringArray&>(*records.column(column)).GetView(row);
}

OperatorSpec WideSpec(const char* kind, nlohmann::json arguments,
                      const std::vector<Field>& output = kWide) {
  return {kind, "Reprise", 0, "", "", output, {kWide}, std::move(arguments)};
}

nlohmann::json OrderBy(int column) {
  return {
      {{"expression", ToJson(ColumnOf(kWide, column))}, {"ascending", true}, {"nullsFirst", true}}};
}

// --- joins: few wide build rows, gathered many times ---

struct JoinCase {
  const char* type;
  const char* build_side;
  int key_count;
  bool with_condition;
  int64_t build_keys;  // of 6 build rows
};

class WideJoins : public ::testing::TestWithParam<JoinCase> {};

TEST_P(WideJoins, GatherBuildRowsAFewAtATime) {
  const JoinCase& join = GetParam();
  Task run(int64_t{1} << 30);
  std::optional<ExpressionSpec> condition;
  if (join.with_condition) {
    const auto both = Fields({"k integer", "s string", "k2 integer", "s2 string"});
    condition = Call("less", "boolean", {ColumnOf(both, 1), ColumnOf(both, 3)});
  }
  const auto spec =
      testing::JoinSpecOf(join.type, join.build_side, kWide, kWide, join.key_count, condition);
  const bool build_right = std::string_view(join.build_side) == "right";
  const WideRows probe{600, 10, join.build_keys, 600};
  const WideRows build{6, 100'000, join.build_keys};
  auto inputs = run.Source(build_right ? probe : build);
  inputs.push_back(std::move(run.Source(build_right ? build : probe)[0]));
  int64_t rows = 0;
  int64_t bytes = 0;
  run.Drain(spec, std::move(inputs), [&](const arrow::RecordBatch& records, int64_t row) {
    rows += 1;
    if (records.num_columns() == 4) {
      bytes += static_cast<int64_t>(TextAt(records, row, build_right ? 3 : 1).size());
    }
  });
  EXPECT_GE(rows, 300);
  if (spec.output.size() == 4) {
    EXPECT_GE(bytes, rows * 99'000);
  }
  EXPECT_LT(run.memory.max_memory(), 16 * kMegabyte) << "of " << bytes << " bytes given";
}

INSTANTIATE_TEST_SUITE_P(All, WideJoins,
                         ::testing::Values(JoinCase{"inner", "right", 1, false, 6},
                                           JoinCase{"left", "right", 1, false, 6},
                                           JoinCase{"right", "left", 1, false, 6},
                                           JoinCase{"inner", "right", 1, false, 2},
                                           JoinCase{"left", "right", 1, true, 2},
                                           JoinCase{"semi", "right", 1, true, 2},
                                           JoinCase{"inner", "right", 0, false, 6},
                                           JoinCase{"inner", "left", 0, true, 6}));

// --- expressions that widen ---

ExpressionSpec Repeated(int times) {
  return Call("repeat", "string", {ColumnOf(kWide, 1), Literal("integer", times)});
}

TEST(WideRows, AProjectionThatWidensGivesItsRowsInPieces) {
  Task run(int64_t{1} << 30);
  const auto output = Fields({"r string"});
  int64_t rows = 0;
  run.Drain(
      WideSpec("project", {{"expressions", {ToJson(Repeated(10'000))}}}, output),
      run.Source({2000, 10, 2000, 2000}), [&](const arrow::RecordBatch& records, int64_t row) {
        EXPECT_EQ(TextAt(records, row, 0).substr(0, 9), fmt::format("{:08} ", rows * 7919 % 2000));
        EXPECT_EQ(TextAt(records, row, 0).size(), 100'000u);
        ++rows;
      });
  EXPECT_EQ(rows, 2000);
  EXPECT_LT(run.memory.max_memory(), 32 * kMegabyte);
}

TEST(WideRows, WhatAConditionWidensOnTheWayCountsToo) {
  Task run(int64_t{1} << 30);
  const auto length = Call("length", "integer", {Repeated(10'000)});
  int64_t rows = 0;
  run.Drain(WideSpec("filter", {{"condition", ToJson(Call("greater", "boolean",
                                                          {length, Literal("integer", 90'000)}))}}),
            run.Source({2000, 10, 2000, 2000}),
            [&](const arrow::RecordBatch&, int64_t) { ++rows; });
  EXPECT_EQ(rows, 2000);
  EXPECT_LT(run.memory.max_memory(), 32 * kMegabyte);
}

TEST(WideRows, APieceThatIsTooLargeIsHalved) {
  // The first rows are short, so that what they take says nothing of the others.
  Task run(8 * kMegabyte);
  run.context.batch_bytes_target = 16 * kMegabyte;
  const auto fields = Fields({"n integer"});
  arrow::Int32Builder times;
  for (int i = 0; i < 4000; ++i) ASSERT_TRUE(times.Append(i < 200 ? 1 : 100'000).ok());
  const Batch batch = testing::BatchOfArrays(fields, {Good(times.Finish())});
  const auto repeated = Call("repeat", "string", {Literal("string", "x"), ColumnOf(fields, 0)});
  OperatorSpec spec =
      WideSpec("project", {{"expressions", {ToJson(repeated)}}}, Fields({"r string"}));
  spec.inputs = {fields};
  int64_t rows = 0;
  run.Drain(spec, testing::SourceOf(fields, {batch}, run.context),
            [&](const arrow::RecordBatch& records, int64_t row) {
              EXPECT_EQ(TextAt(records, row, 0).size(), rows < 200 ? 1u : 100'000u);
              ++rows;
            });
  EXPECT_EQ(rows, 4000);
}

// --- sorts ---

TEST(WideRows, SortsInAFourthOfTheirBytes) {
  Task run(32 * kMegabyte);
  run.context.batch_bytes_target = 16 * kMegabyte;
  std::vector<int64_t> keys;
  run.Drain(WideSpec("sort", {{"ordering", OrderBy(0)}}), run.Source({8000, 16'000, 8000, 512}),
            [&](const arrow::RecordBatch& records, int64_t row) {
              keys.push_back(KeyAt(records, row));
              ASSERT_EQ(TextAt(records, row).substr(0, 8), fmt::format("{:08}", keys.back()));
            });
  ASSERT_EQ(keys.size(), 8000u);
  EXPECT_TRUE(std::ranges::is_sorted(keys));
  EXPECT_GT(run.spilled, 0);
}

TEST(WideRows, SortsByLongKeysInLittleMemory) {
  Task run(4 * kMegabyte);
  run.context.batch_bytes_target = 16 * kMegabyte;
  int64_t rows = 0;
  run.Drain(WideSpec("sort", {{"ordering", OrderBy(1)}}), run.Source({30'000, 2000, 30'000, 8192}),
            [&](const arrow::RecordBatch& records, int64_t row) {
              ASSERT_EQ(KeyAt(records, row), rows++);
            });
  EXPECT_EQ(rows, 30'000);
  EXPECT_GT(run.spilled, 0);
}

TEST(WideRows, SortsValuesOfADictionaryThatAreLargeOnceDecoded) {
  Task run(8 * kMegabyte);
  const auto fields = Fields({"s string"});
  std::string dictionary = "[";
  for (int i = 0; i < 3; ++i) dictionary += (i ? ",\"" : "\"") + TextOf(i, 1'000'000) + "\"";
  std::string codes = "[";
  for (int i = 0; i < 300; ++i) codes += fmt::format("{}{}", i ? "," : "", 2 - i % 3);
  const Batch batch =
      testing::BatchOfArrays(fields, {testing::Encoded(codes + "]", dictionary + "]")});
  OperatorSpec spec = WideSpec("sort",
                               {{"ordering",
                                 {{{"expression", ToJson(ColumnOf(fields, 0))},
                                   {"ascending", true},
                                   {"nullsFirst", true}}}}},
                               fields);
  spec.inputs = {fields};
  int64_t rows = 0;
  run.Drain(spec, testing::SourceOf(fields, {batch}, run.context),
            [&](const arrow::RecordBatch& records, int64_t row) {
              ASSERT_EQ(TextAt(records, row, 0).substr(0, 8), fmt::format("{:08}", rows++ / 100));
            });
  EXPECT_EQ(rows, 300);
}

TEST(WideRows, TakesMoreFirstRowsThanFitIntoMemory) {
  Task run(4 * kMegabyte);
  run.context.batch_bytes_target = 16 * kMegabyte;
  int64_t rows = 0;
  run.Drain(WideSpec("take_ordered", {{"ordering", OrderBy(0)}, {"limit", 25'000}, {"offset", 7}}),
            run.Source({30'000, 2000, 30'000, 8192}),
            [&](const arrow::RecordBatch& records, int64_t row) {
              ASSERT_EQ(KeyAt(records, row), 7 + rows++);
            });
  EXPECT_EQ(rows, 25'000 - 7);
  EXPECT_GT(run.spilled, 0);
}

TEST(WideRows, ManyTinyBatchesSortInNoMoreThanTheirNumber) {
  Task run(int64_t{1} << 30);
  run.context.batch_rows_target = 2;
  int64_t rows = 0;
  const auto start = std::chrono::steady_clock::now();
  run.Drain(WideSpec("sort", {{"ordering", OrderBy(0)}}), run.Source({60'000, 10, 60'000, 2}),
            [&](const arrow::RecordBatch& records, int64_t row) {
              ASSERT_EQ(KeyAt(records, row), rows++);
            });
  EXPECT_EQ(rows, 60'000);
  // 30,000 batches that leave: to visit all that came for each takes minutes.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

// --- exchanges ---

TEST(WideRows, RepartitionIntoOneInAFourthOfTheirBytes) {
  Task run(16 * kMegabyte);
  run.context.batch_bytes_target = 16 * kMegabyte;
  const auto spec =
      WideSpec("shuffle_write",
               {{"partitioning", {{"type", "single"}}}, {"numPartitions", 1}, {"codec", "lz4"}});
  auto writer = Good(MakeOperator(spec, run.Source({1000, 100'000, 1000, 160}), run.context));
  auto* blocks = dynamic_cast<BlockProducer*>(writer.get());
  int64_t rows = 0;
  while (const auto block = Good(blocks->NextBlock())) rows += block->rows;
  EXPECT_EQ(rows, 1000);
  EXPECT_LT(run.memory.max_memory(), 16 * kMegabyte + 32 * kMegabyte);
}

}  // namespace
}  // namespace reprise
