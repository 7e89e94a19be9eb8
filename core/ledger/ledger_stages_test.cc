#include "ledger/ledger_stages.h"

#include <gmock/gmock.h>

#include "ledger/ledger_testing.h"

namespace reprise {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string kSort = "sortByKey at app.py:5";

struct SortOptions {
  std::vector<Rows> given = {{1, 2}, {3, 4}};  // of the RDD that is sorted, by partition
  Rows sample = {1, 3};
  int64_t sorted_partitions = 2;
  std::string name = kSort;
};

// Stage 0 samples RDD 0 by way of RDD 1; stage 1 sorts it, by way of RDD 2, for stage 2.
TestRun SortRun(const SortOptions& options) {
  TestRun run;
  const auto partitions = static_cast<int64_t>(options.given.size());
  const TestRdd given = {0, "map", {}, partitions};
  run.Job(0, {{0, {{1, "sample", {0}, partitions, "DETERMINATE", kSort}, given}, options.name}});
  const TestRdd sorted = {2, "sorted", {0}, options.sorted_partitions, "UNORDERED", kSort};
  run.Job(1, {{1, {given}}, {2, {sorted}}});
  Rows all;
  for (int64_t i = 0; i < partitions; ++i) {
    const Rows& rows = options.given[i];
    run.Task({.stage = 0, .partition = i, .id = i}, {ResultRows(1, {options.sample[i % 2]})});
    run.Task({.stage = 1, .partition = i, .id = 10 + i}, {ShuffleRows(0, 0, rows)});
    all.insert(all.end(), rows.begin(), rows.end());
  }
  for (int64_t i = 0; i < options.sorted_partitions; ++i) {
    run.Task({.stage = 2, .partition = i, .id = 20 + i}, {ResultRows(2, i == 0 ? all : Rows())});
  }
  return run.End();
}

std::vector<std::string> LinesOf(const Diffed& of) {
  std::vector<std::string> lines;
  for (const size_t index : of.diff.differences) {
    const ComparedPair& pair = of.diff.pairs[index];
    lines.push_back(fmt::format("{} {} {} {}", of.left_graph.NameOf(pair.left), NameOf(pair.origin),
                                pair.looked_at_for, pair.explained));
  }
  return lines;
}

TEST(LedgerStages, ExplainsWhatAPartitionerSawOfOtherPartitions) {
  const std::string explained = "#1 sample " + kSort + " departs sortByKey true";
  const TestRun run = SortRun({});
  const Diffed given(run, SortRun({.given = {{1, 2, 3}, {4}, {}}, .sample = {1, 4}}));
  EXPECT_THAT(LinesOf(given), ElementsAre(explained));
  EXPECT_FALSE(given.diff.Differs());
  const Diffed wanted(run, SortRun({.sample = {2, 4}, .sorted_partitions = 3}));
  EXPECT_THAT(LinesOf(wanted), ElementsAre(explained));
  EXPECT_FALSE(wanted.diff.Differs());
  EXPECT_THAT(LinesOf(Diffed(run, run)), IsEmpty());
}

TEST(LedgerStages, ExplainsNothingElse) {
  const TestRun run = SortRun({});
  // Of the same partitions it should see the same.
  EXPECT_THAT(LinesOf(Diffed(run, SortRun({.sample = {2, 4}}))),
              ElementsAre("#1 sample " + kSort + " departs sortByKey false"));
  // What is sorted says that the records are others, whatever was seen of them.
  const Diffed others(run, SortRun({.given = {{1, 2, 3}, {5}, {}}, .sample = {1, 5}}));
  EXPECT_THAT(LinesOf(others), ElementsAre("#0 map map at app.py:0 departs  false",
                                           "#1 sample " + kSort + " departs sortByKey true",
                                           "#2 sorted " + kSort + " inherits  false"));
  EXPECT_TRUE(others.diff.Differs());
  // An action of the user's own is no look.
  const std::string action = "collect at app.py:6";
  const Diffed collected(SortRun({.name = action}),
                         SortRun({.sample = {2, 4}, .sorted_partitions = 3, .name = action}));
  EXPECT_THAT(LinesOf(collected), ElementsAre("#1 sample " + kSort + " departs  false"));
}

// RDD 1 is cached where `cached`; stage 0 gives it to an action, stages 1 and 2 what they make of
// it.
TestRun CachedRun(int64_t value, bool cached, int64_t other) {
  TestRun run;
  const TestRdd source = {0, "makeRDD", {}, 1};
  const TestRdd kept = {1, "map", {0}, 1, "DETERMINATE", "", cached};
  run.Job(0, {{0, {kept, source}}});
  run.Job(1, {{1, {{2, "filter", {1}, 1}, kept, source}}});
  run.Job(2, {{2, {{3, "keyBy", {1}, 1}, kept, source}}});
  run.Job(3, {{3, {{4, "other", {}, 1, "DETERMINATE", "", true}}}});
  run.Task({.stage = 0, .partition = 0, .id = 0}, {ResultRows(1, {value})});
  run.Task({.stage = 1, .partition = 0, .id = 1}, {ResultRows(2, {value})});
  run.Task({.stage = 2, .partition = 0, .id = 2}, {ShuffleRows(0, 3, {value})});
  run.Task({.stage = 3, .partition = 0, .id = 3}, {ResultRows(4, {other})});
  return run.End();
}

TEST(LedgerStages, PutsWhatReadsACachedRddTogether) {
  const auto cached = [](const Diffed& of) {
    std::vector<int64_t> ids;
    for (const size_t index : of.diff.differences) ids.push_back(of.diff.pairs[index].cached);
    return ids;
  };
  EXPECT_THAT(cached(Diffed(CachedRun(7, true, 1), CachedRun(8, true, 2))),
              ElementsAre(1, 1, 1, -1));
  EXPECT_THAT(cached(Diffed(CachedRun(7, false, 1), CachedRun(8, false, 1))),
              ElementsAre(-1, -1, -1));
}

}  // namespace
}  // namespace reprise
