// Joins with too little memory give what they give with enough.
#include <gtest/gtest.h>

#include <filesystem>

#include "operators/fixed_memory.h"
#include "operators/join/join_build.h"
#include "operators/join/join_reference.h"

namespace reprise::testing {
namespace {

struct JoinOutcome {
  std::shared_ptr<arrow::RecordBatch> rows;
  int64_t spilled = 0;
};

int OpenSpillFiles() {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code error;
    const auto target = std::filesystem::read_symlink(entry.path(), error).string();
    count += target.find("reprise-spill-") != std::string::npos;
  }
  return count;
}

// `spill_every`: as if another operator wanted memory after so many batches; 0: never.
JoinOutcome RunIn(MemoryManager* manager, const OperatorSpec& spec, const std::vector<Batch>& left,
                  const std::vector<Batch>& right, int64_t batch_rows, int spill_every = 0,
                  int64_t over_commit = int64_t{64} << 20) {
  TaskMemory memory(manager, {.over_commit_bytes = over_commit});
  TaskContext context;
  context.pool = &memory;
  context.memory = &memory;
  context.batch_rows_target = batch_rows;
  JoinOutcome outcome;
  {
    auto join = Good(MadeJoin(spec, left, right, context));
    std::vector<std::shared_ptr<arrow::RecordBatch>> given = {
        Good(arrow::RecordBatch::MakeEmpty(join->output_schema()))};
    for (int count = 1;; ++count) {
      const auto batch = Good(join->Next());
      if (!batch) break;
      // Together with an empty batch it is copied, out of the join's memory.
      const auto rows = Good(ToRecordBatch(*batch, arrow::default_memory_pool()));
      given.push_back(
          Good(Good(arrow::Table::FromRecordBatches({given[0], rows}))->CombineChunksToBatch()));
      EXPECT_TRUE(given.back()->ValidateFull().ok());
      if (spill_every > 0 && count % spill_every == 0) {
        EXPECT_TRUE(memory.SpillFor(int64_t{1} << 40).ok());
      }
    }
    EXPECT_EQ(OpenSpillFiles(), 0) << "files are gone once they have been read";
    outcome.rows = Good(Good(arrow::Table::FromRecordBatches(given))->CombineChunksToBatch());
    outcome.spilled = join->metrics().spilled_disk_bytes;
    EXPECT_EQ(memory.spilled_disk_bytes(), outcome.spilled);
  }
  EXPECT_EQ(memory.bytes_allocated(), 0) << "all is given back";
  return outcome;
}

struct Variant {
  std::string name;
  bool grants;  // all that is asked for
  int spill_every;
};

// Nothing is ever granted, so that all is in pieces of a few rows; or the join has what it wants
// until others want it.
const std::vector<Variant>& Variants() {
  static const std::vector<Variant> variants = {
      {"no memory", false, 0}, {"spilled after each batch", true, 1}, {"both", false, 3}};
  return variants;
}

void CheckAllTypes(const std::vector<KeyPool>& pools, uint32_t seed, int64_t* spilled) {
  Random random(seed);
  const Side left = RandomSide(pools, 60, "a", &random);
  const Side right = RandomSide(pools, 60, "b", &random);
  const int keys = static_cast<int>(pools.size());
  std::vector<Field> all = left.fields;
  all.insert(all.end(), right.fields.begin(), right.fields.end());
  const auto less = Call("less", "boolean", {ColumnOf(all, keys), ColumnOf(all, 2 * keys + 1)});
  for (const std::string type : {"inner", "left", "right", "full", "semi", "anti", "existence"}) {
    for (const std::string build : {"left", "right"}) {
      const bool is_membership = type == "semi" || type == "anti" || type == "existence";
      if (is_membership && build == "left") continue;
      for (const bool condition : {false, true}) {
        OperatorSpec spec = JoinSpecOf(type, build, left.fields, right.fields, keys,
                                       condition ? std::optional(less) : std::nullopt);
        const auto expected = Expected(type, left, right, condition);
        const int other = type == "existence" ? keys + 1 : is_membership ? -1 : 2 * keys + 1;
        for (const Variant& variant : Variants()) {
          for (const bool ordered : {false, true}) {
            SCOPED_TRACE(fmt::format(
                "seed {}, {} join, build {}, condition {}, key {}, ordered {}, {}", seed, type,
                build, condition, pools.empty() ? "none" : pools[0].type, ordered, variant.name));
            spec.arguments["ordered"] = ordered;
            FixedMemory manager(variant.grants ? int64_t{1} << 40 : 0);
            const JoinOutcome outcome = RunIn(&manager, spec, left.batches, right.batches,
                                              /*batch_rows=*/4, variant.spill_every);
            *spilled += outcome.spilled;
            EXPECT_EQ(Found(*outcome.rows, keys, other), expected);
            if (::testing::Test::HasFailure()) return;
          }
        }
      }
    }
  }
}

TEST(JoinSpill, OneKeyOfEveryType) {
  for (const KeyPool& pool : KeyPools()) {
    int64_t spilled = 0;
    for (uint32_t seed = 1; seed <= 3; ++seed) CheckAllTypes({pool}, seed, &spilled);
    EXPECT_GT(spilled, 0) << pool.type;
  }
}

TEST(JoinSpill, SeveralKeys) {
  const auto pools = KeyPools();
  int64_t spilled = 0;
  for (uint32_t seed = 1; seed <= 8; ++seed) {
    Random random(seed);
    std::vector<KeyPool> keys;
    for (int i = 2 + Below(&random, 3); i > 0; --i) {
      keys.push_back(pools[static_cast<size_t>(Below(&random, static_cast<int>(pools.size())))]);
    }
    CheckAllTypes(keys, seed, &spilled);
  }
  EXPECT_GT(spilled, 0);
}

TEST(JoinSpill, WithoutKeys) {
  int64_t spilled = 0;
  for (uint32_t seed = 1; seed <= 5; ++seed) CheckAllTypes({}, seed, &spilled);
  EXPECT_GT(spilled, 0);
}

// The same side with its key behind its other column.
Side KeyLast(Side side) {
  std::swap(side.fields[0], side.fields[1]);
  for (Batch& batch : side.batches) {
    std::swap(batch.columns[0], batch.columns[1]);
    batch.schema = Good(ToArrowSchema(side.fields));
  }
  return side;
}

TEST(JoinSpill, KeysThatGoNoFurther) {
  Random random(1);
  const Side left = KeyLast(RandomSide({KeyPools()[5]}, 60, "a", &random));
  const Side right = KeyLast(RandomSide({KeyPools()[5]}, 60, "b", &random));
  int64_t spilled = 0;
  for (const std::string type : {"inner", "left", "right", "full", "semi", "anti", "existence"}) {
    for (const std::string build : {"left", "right"}) {
      const bool is_membership = type == "semi" || type == "anti" || type == "existence";
      if (is_membership && build == "left") continue;
      OperatorSpec spec = JoinSpecOf(type, build, left.fields, right.fields, 1);
      spec.output = JoinOutputFields(type, {left.fields[0]}, {right.fields[0]});
      spec.arguments["leftKeys"] = {ToJson(ColumnOf(left.fields, 1))};
      spec.arguments["rightKeys"] = {ToJson(ColumnOf(right.fields, 1))};
      spec.arguments["dropped"] = {1, 1};
      for (const bool ordered : {false, true}) {
        SCOPED_TRACE(fmt::format("{} join, build {}, ordered {}", type, build, ordered));
        spec.arguments["ordered"] = ordered;
        FixedMemory manager(0);
        const JoinOutcome outcome = RunIn(&manager, spec, left.batches, right.batches, 4);
        spilled += outcome.spilled;
        const int other = is_membership && type != "existence" ? -1 : 1;
        EXPECT_EQ(Found(*outcome.rows, 0, other), Expected(type, left, right, false));
      }
    }
  }
  EXPECT_GT(spilled, 0);
}

// --- many rows ---

const std::vector<Field> kSkewed = Fields({"k long", "n integer"});
constexpr int kHeavy = 7;

// `count` rows (key, number): the keys in turn 0 to `key_count` - 1, but every `heavy_every`-th row
// (0: none) has one key.
std::vector<Batch> ManyRows(int count, int key_count, int heavy_every) {
  std::vector<Batch> batches;
  constexpr int kRows = 2000;
  for (int begin = 0; begin < count; begin += kRows) {
    arrow::Int64Builder keys;
    arrow::Int32Builder numbers;
    for (int row = begin; row < std::min(count, begin + kRows); ++row) {
      const bool is_heavy = heavy_every > 0 && row % heavy_every == 0;
      EXPECT_TRUE(keys.Append(is_heavy ? kHeavy : int64_t{row} * 7919 % key_count).ok());
      EXPECT_TRUE(numbers.Append(row).ok());
    }
    batches.push_back(BatchOfArrays(kSkewed, {Good(keys.Finish()), Good(numbers.Finish())}));
  }
  return batches;
}

std::vector<std::pair<int, int>> NumberPairs(const arrow::RecordBatch& rows) {
  std::vector<std::pair<int, int>> pairs;
  const auto& left = static_cast<const arrow::Int32Array&>(*rows.column(1));
  const arrow::Array& last = *rows.column(rows.num_columns() - 1);
  for (int64_t row = 0; row < rows.num_rows(); ++row) {
    int number = -1;
    if (last.type_id() == arrow::Type::BOOL) {
      number = static_cast<const arrow::BooleanArray&>(last).Value(row);
    } else if (last.IsValid(row)) {
      number = static_cast<const arrow::Int32Array&>(last).Value(row);
    }
    pairs.emplace_back(left.IsNull(row) ? -1 : left.Value(row), number);
  }
  return pairs;
}

// The build side has 25 times the memory there is: partitions are divided several times.
TEST(JoinSpill, ManyKeysInLittleMemory) {
  const auto left = ManyRows(100000, 150000, 0);
  const auto right = ManyRows(300000, 120000, 0);
  for (const std::string type : {"inner", "left", "full", "semi", "anti"}) {
    for (const bool ordered : {false, true}) {
      SCOPED_TRACE(type + (ordered ? ", ordered" : ""));
      OperatorSpec spec = JoinSpecOf(type, "right", kSkewed, kSkewed, 1);
      spec.arguments["ordered"] = ordered;
      const auto enough = NumberPairs(*RunIn(nullptr, spec, left, right, 1000).rows);
      FixedMemory little(int64_t{256} << 10);
      const JoinOutcome outcome = RunIn(&little, spec, left, right, 1000, 0, int64_t{4} << 20);
      EXPECT_GT(outcome.spilled, 1'000'000);
      auto found = NumberPairs(*outcome.rows);
      if (ordered && type != "full") {
        EXPECT_TRUE(std::ranges::is_sorted(found, {}, [](const auto& pair) { return pair.first; }));
      }
      auto expected = enough;
      std::ranges::sort(expected);
      std::ranges::sort(found);
      EXPECT_EQ(found, expected);
    }
  }
}

// In chunks of one key's rows, of which Spark's hashed relations give the last first.
TEST(JoinSpill, KeepsTheOrderOfMatches) {
  const auto left = ManyRows(300, 40, 100);
  const auto right = ManyRows(200000, 60, 2);
  std::vector<Field> all = kSkewed;
  all.insert(all.end(), kSkewed.begin(), kSkewed.end());
  const auto few =
      Call("equal", "boolean",
           {Call("remainder", "integer", {ColumnOf(all, 3), testing::Literal("integer", 311)}),
            ColumnOf(all, 1)});
  for (const std::string type : {"inner", "left"}) {
    for (const bool latest_first : {false, true}) {
      SCOPED_TRACE(type + (latest_first ? ", latest first" : ""));
      OperatorSpec spec = JoinSpecOf(type, "right", kSkewed, kSkewed, 1, few);
      spec.arguments["latestFirst"] = latest_first;
      const auto expected = NumberPairs(*RunIn(nullptr, spec, left, right, 32768).rows);
      FixedMemory little(int64_t{256} << 10);
      const JoinOutcome outcome = RunIn(&little, spec, left, right, 32768, 0, int64_t{4} << 20);
      EXPECT_GT(outcome.spilled, 500'000);
      EXPECT_EQ(NumberPairs(*outcome.rows), expected);
    }
  }
}

TEST(JoinSpill, OneHeavyKeyIsJoinedInChunks) {
  const auto left = ManyRows(300, 40, 100);
  const auto right = ManyRows(400000, 60, 2);
  std::vector<Field> all = kSkewed;
  all.insert(all.end(), kSkewed.begin(), kSkewed.end());
  // Of the many pairs few are left.
  const auto condition = Call("less", "boolean", {ColumnOf(all, 3), ColumnOf(all, 1)});
  for (const std::string type : {"inner", "left", "right", "full", "semi", "anti", "existence"}) {
    SCOPED_TRACE(type);
    OperatorSpec spec = JoinSpecOf(type, "right", kSkewed, kSkewed, 1, condition);
    auto expected = NumberPairs(*RunIn(nullptr, spec, left, right, 32768).rows);
    FixedMemory little(int64_t{256} << 10);
    const JoinOutcome outcome = RunIn(&little, spec, left, right, 32768, 0, int64_t{4} << 20);
    EXPECT_GT(outcome.spilled, 1'000'000);
    auto found = NumberPairs(*outcome.rows);
    std::ranges::sort(found);
    std::ranges::sort(expected);
    EXPECT_EQ(found, expected);
  }
}

// --- order ---

// A join that is spilled in the middle goes on where it was.
TEST(JoinSpill, TheOrderOfTheProbeSideIsKept) {
  const auto left = ManyRows(60000, 5000, 50);
  const auto right = ManyRows(10000, 3000, 0);
  for (const std::string type : {"inner", "left", "semi", "anti", "existence"}) {
    const OperatorSpec spec = JoinSpecOf(type, "right", kSkewed, kSkewed, 1);
    const auto enough = NumberPairs(*RunIn(nullptr, spec, left, right, 500).rows);
    for (const int spill_every : {1, 3, 20}) {
      SCOPED_TRACE(fmt::format("{} {}", type, spill_every));
      FixedMemory plenty(int64_t{1} << 40);
      const JoinOutcome outcome = RunIn(&plenty, spec, left, right, 500, spill_every);
      EXPECT_GT(outcome.spilled, 0);
      EXPECT_EQ(NumberPairs(*outcome.rows), enough);
    }
  }
  // The probe side is the right one.
  const OperatorSpec spec = JoinSpecOf("right", "left", kSkewed, kSkewed, 1);
  FixedMemory none(0);
  const JoinOutcome outcome = RunIn(&none, spec, right, left, 500);
  EXPECT_GT(outcome.spilled, 0);
  EXPECT_TRUE(std::ranges::is_sorted(NumberPairs(*outcome.rows), {},
                                     [](const auto& pair) { return pair.second; }));
}

// --- NOT IN ---

TEST(JoinSpill, NotInKnowsOfNullsInOtherPartitions) {
  const auto fields = Fields({"k integer"});
  std::vector<Batch> left;
  std::vector<Batch> right;
  for (int i = 0; i < 20; ++i) {
    left.push_back(BatchOf(fields, {fmt::format("[{}, {}, null]", i, 100 + i)}));
    right.push_back(BatchOf(fields, {fmt::format("[{}, {}]", i, i)}));
  }
  OperatorSpec spec = JoinSpecOf("anti", "right", fields, fields, 1);
  spec.arguments["nullAware"] = true;
  FixedMemory none(0);
  const JoinOutcome without = RunIn(&none, spec, left, right, 3);
  EXPECT_GT(without.spilled, 0);
  ASSERT_EQ(without.rows->num_rows(), 20);
  ExpectColumn(*without.rows, 0,
               "[100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119]");
  right.insert(right.begin() + 3, BatchOf(fields, {"[null]"}));
  const JoinOutcome with = RunIn(&none, spec, left, right, 3);
  EXPECT_GT(with.spilled, 0);
  EXPECT_EQ(with.rows->num_rows(), 0);
}

// --- ends ---

// What was added can be taken and spilled, wherever the memory ends.
TEST(JoinSpill, ABuildThatCouldNotBeFinishedGivesItsRowsBack) {
  const auto batches = ManyRows(6000, 100, 0);
  int failures = 0;
  for (int64_t spare = 0;; spare += 4096) {
    arrow::ProxyMemoryPool counted(arrow::default_memory_pool());
    arrow::CappedMemoryPool pool(&counted, int64_t{160000} + spare);
    JoinBuilder builder(kSkewed, {kSkewed[0].type}, ChainOrder::kEarliestFirst,
                        /*owns_memory=*/false, &pool);
    for (const Batch& batch : batches) ASSERT_TRUE(builder.Add(batch, {batch.columns[0]}).ok());
    const auto build = builder.Finish();
    if (build.ok()) break;
    ++failures;
    ASSERT_TRUE(build.status().IsOutOfMemory()) << build.status();
    ASSERT_EQ(builder.chunk_count(), batches.size());
    for (size_t chunk = 0; chunk < batches.size(); ++chunk) {
      const Batch rows = Good(builder.TakeChunk(chunk));
      ASSERT_EQ(rows.row_count, batches[chunk].row_count);
      for (size_t column = 0; column < kSkewed.size(); ++column) {
        EXPECT_TRUE(rows.columns[column]->Equals(batches[chunk].columns[column]));
      }
    }
  }
  EXPECT_GT(failures, 2);
}

TEST(JoinSpill, ACancelledOrAbandonedJoinLeavesNothing) {
  const auto left = ManyRows(20000, 5000, 0);
  const auto right = ManyRows(20000, 5000, 0);
  const OperatorSpec spec = JoinSpecOf("inner", "right", kSkewed, kSkewed, 1);
  for (const bool cancels : {false, true}) {
    FixedMemory none(0);
    TaskMemory memory(&none);
    bool is_cancelled = false;
    TaskContext context;
    context.pool = &memory;
    context.memory = &memory;
    context.batch_rows_target = 100;
    context.cancelled = [&] { return is_cancelled; };
    {
      auto join = Good(MadeJoin(spec, left, right, context));
      EXPECT_TRUE(Good(join->Next()).has_value());
      EXPECT_GT(OpenSpillFiles(), 0);
      is_cancelled = cancels;
      if (cancels) {
        EXPECT_TRUE(join->Next().status().IsCancelled());
      }
    }
    EXPECT_EQ(OpenSpillFiles(), 0);
    EXPECT_EQ(memory.bytes_allocated(), 0);
  }
}

TEST(JoinSpill, AMissingDirectoryIsAnErrorThatNamesTheOperator) {
  FixedMemory none(0);
  TaskMemory memory(&none);
  TaskContext context;
  context.pool = &memory;
  context.memory = &memory;
  context.batch_rows_target = 100;
  context.spill_storage.directories = {"/nonexistent/local-1"};
  const auto rows = ManyRows(5000, 1000, 0);
  const OperatorSpec spec = JoinSpecOf("inner", "right", kSkewed, kSkewed, 1);
  const std::string error = RunJoin(spec, rows, rows, context).status().ToString();
  EXPECT_TRUE(error.starts_with("IOError: RepriseJoin: RepriseJoin, spilling: ")) << error;
  EXPECT_NE(error.find("/nonexistent/local-1"), std::string::npos) << error;
}

TEST(JoinSpill, SmallBuildsStayInMemory) {
  FixedMemory none(0);
  const auto rows = ManyRows(5000, 1000, 0);
  const OperatorSpec spec = JoinSpecOf("inner", "right", kSkewed, kSkewed, 1);
  EXPECT_EQ(RunIn(&none, spec, rows, rows, 32768, 1).spilled, 0);
}

}  // namespace
}  // namespace reprise::testing
