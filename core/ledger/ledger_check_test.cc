#include "ledger/ledger_check.h"

#include <gmock/gmock.h>

#include "ledger/ledger_graph.h"
#include "ledger/ledger_testing.h"

namespace reprise {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

struct Checked {
  explicit Checked(const TestRun& run)
      : ledger(Loaded(run)), graph(ledger), check(CheckLedger(graph)) {}

  std::vector<std::string> Lines() const {
    std::vector<std::string> lines;
    for (const CheckedSubject& each : check.differences) {
      lines.push_back(fmt::format("{} {} {}", graph.NameOf(each.subject), NameOf(each.agreement),
                                  NameOf(each.origin)));
    }
    return lines;
  }

  Ledger ledger;
  LedgerGraph graph;
  LedgerCheck check;
};

// Stage 0 shuffles RDDs 0 and 1 to stage 1 with RDDs 2 and 3.
TestRun TwoStages(const std::string& second_level = "UNORDERED") {
  TestRun run;
  run.Job(0, {{0, {{1, "map", {0}}, {0, "makeRDD", {}}}},
              {1, {{3, "filter", {2}, 2, second_level}, {2, "reduceByKey", {1}, 2, "UNORDERED"}}}});
  return run;
}

// Stage 0: Exchange 3 <- Project 4 <- Scan 5; stage 1: Aggregate 2.
TestRun Query() {
  TestRun run;
  run.Explain("q", 3,
              {{2, "HashAggregate", 0},
               {3, "ShuffleExchange", 2},
               {4, "Project", 3},
               {5, "Scan parquet", 4}});
  run.Job(0, {{0, {{0, "FragmentRDD", {}}}}, {1, {{1, "FragmentRDD", {0}}}}}, 3);
  return run;
}

TEST(LedgerCheck, CountsWhatWasComputedAgainWithoutChecksums) {
  const nlohmann::json none = {{"of", "result"}, {"rdd", 3}, {"reason", "it would be used up"}};
  TestRun run = TwoStages();
  for (const int64_t job : {0, 1}) {
    run.Task({.stage = 1, .partition = 0, .id = 2 * job}, {none});
    run.Task({.stage = 1, .partition = 1, .id = 2 * job + 1},
             {job == 0 ? none : ResultRows(3, {1, 2})});
  }
  run.Task({.stage = 0, .partition = 0, .id = 7}, {ShuffleRows(0, 1, {1, 2})});
  run.Task({.stage = 0, .partition = 0, .id = 8}, {ShuffleRows(0, 1, {1, 2})});
  const Checked of(run);
  EXPECT_EQ(of.check.subjects_repeated, 1);
  EXPECT_EQ(of.check.partitions_repeated, 1);
  EXPECT_EQ(of.check.partitions_uncompared, 2);
  EXPECT_EQ(of.check.uncompared_reason, "it would be used up");
  EXPECT_FALSE(of.check.Differs());
}

TEST(LedgerCheck, SaysWhereNothingWasComputedTwice) {
  TestRun run = TwoStages();
  run.Task({.stage = 0, .partition = 0, .id = 0}, {ShuffleRows(0, 1, {1, 2})});
  run.Task({.stage = 0, .partition = 1, .id = 1}, {ShuffleRows(0, 1, {3})});
  const Checked of(run);
  EXPECT_EQ(of.check.subjects, 1);
  EXPECT_EQ(of.check.subjects_repeated, 0);
  EXPECT_EQ(of.check.partitions_repeated, 0);
  EXPECT_FALSE(of.check.Differs());
}

TEST(LedgerCheck, AgreesAcrossAttemptsStagesAndJobs) {
  TestRun run = TwoStages();
  run.Task({.stage = 0, .partition = 0, .id = 0, .success = false}, {ShuffleRows(0, 1, {1, 2})});
  run.Task({.stage = 0, .partition = 0, .id = 1, .attempt = 1}, {ShuffleRows(0, 1, {1, 2})});
  run.Task({.stage = 0, .partition = 0, .id = 2, .stage_attempt = 1}, {ShuffleRows(0, 1, {1, 2})});
  // Another job's action makes something else of the same rows.
  run.Task({.stage = 1, .partition = 0, .id = 3}, {ResultRows(3, {5}, 11)});
  run.Task({.stage = 7, .partition = 0, .id = 4}, {ResultRows(3, {5}, 12)});
  const Checked of(run);
  EXPECT_EQ(of.check.subjects_repeated, 2);
  EXPECT_EQ(of.check.partitions_repeated, 2);
  EXPECT_THAT(of.check.differences, IsEmpty());
}

TEST(LedgerCheck, NamesAnRddThatChanges) {
  TestRun run = TwoStages();
  run.Task({.stage = 0, .partition = 0, .id = 0, .success = false}, {ShuffleRows(0, 1, {1, 2})});
  run.Task({.stage = 0, .partition = 0, .id = 1, .attempt = 1}, {ShuffleRows(0, 1, {1, 9})});
  run.Task({.stage = 0, .partition = 1, .id = 2}, {ShuffleRows(0, 1, {4})});
  run.Task({.stage = 1, .partition = 1, .id = 3}, {ResultRows(3, {3})});
  run.Task({.stage = 1, .partition = 1, .id = 4, .stage_attempt = 1}, {ResultRows(3, {11})});
  const Checked of(run);
  EXPECT_THAT(of.Lines(), ElementsAre("#1 map map at app.py:1 values departs",
                                      "#3 filter filter at app.py:3 values inherits"));
  EXPECT_TRUE(of.check.Differs());
  const CheckedSubject& first = of.check.differences[0];
  EXPECT_THAT(of.graph.RddsOf(first.subject),
              ElementsAre("#0: makeRDD makeRDD at app.py:0", "#1: map map at app.py:1"));
  ASSERT_THAT(first.partitions, SizeIs(1));
  EXPECT_EQ(first.partitions[0].partition, 0);
  EXPECT_THAT(first.partitions[0].versions, ElementsAre(0, 1));
  EXPECT_EQ(of.ledger.tasks[first.partitions[0].attempts[1]->task].id, 1);
}

TEST(LedgerCheck, ComparesOnlyWhatIsComplete) {
  TestRun run = Query();
  run.Task({.stage = 0, .partition = 0, .id = 0, .success = false},
           {OperatorRows("q", 4, {1}, false), OperatorRows("q", 5, {1, 2})});
  run.Task({.stage = 0, .partition = 0, .id = 1, .attempt = 1},
           {OperatorRows("q", 4, {1, 2}), OperatorRows("q", 5, {1, 2})});
  const Checked of(run);
  EXPECT_EQ(of.check.subjects_repeated, 1);
  EXPECT_THAT(of.check.differences, IsEmpty());
}

TEST(LedgerCheck, NamesTheOperatorWhoseInputAgrees) {
  TestRun run = Query();
  run.Columns("q", 4, {"a", "rand()"});
  run.Task(
      {.stage = 0, .partition = 1, .id = 0, .success = false},
      {OperatorRows("q", 3, {1, 8}), OperatorRows("q", 4, {1, 8}), OperatorRows("q", 5, {1, 2})});
  run.Task(
      {.stage = 0, .partition = 1, .id = 1, .attempt = 1},
      {OperatorRows("q", 3, {1, 9}), OperatorRows("q", 4, {1, 9}), OperatorRows("q", 5, {1, 2})});
  run.Task({.stage = 1, .partition = 0, .id = 2}, {OperatorRows("q", 2, {1})});
  run.Task({.stage = 1, .partition = 0, .id = 3, .stage_attempt = 1}, {OperatorRows("q", 2, {2})});
  const Checked of(run);
  EXPECT_THAT(of.Lines(), ElementsAre("Project [loreId=4] values departs",
                                      "ShuffleExchange [loreId=3] values inherits",
                                      "HashAggregate [loreId=2] values inherits"));
  EXPECT_THAT(of.check.differences[0].columns, ElementsAre("rand()"));
  EXPECT_EQ(of.graph.PlaceOf(of.check.differences[0].subject), "query 3 (collect at app.py:9)");
}

TEST(LedgerCheck, TellsOrderFromValues) {
  // Rows come from a shuffle in any order; what a stage makes of its own data should not change.
  TestRun behind = TwoStages();
  behind.Task({.stage = 1, .partition = 0, .id = 0, .success = false}, {ResultRows(3, {1, 2})});
  behind.Task({.stage = 1, .partition = 0, .id = 1, .attempt = 1}, {ResultRows(3, {2, 1})});
  const Checked follows(behind);
  EXPECT_THAT(follows.Lines(), ElementsAre("#3 filter filter at app.py:3 order inherits"));
  EXPECT_FALSE(follows.check.Differs());

  TestRun before = TwoStages();
  before.Task({.stage = 0, .partition = 0, .id = 0, .success = false}, {ShuffleRows(0, 1, {1, 2})});
  before.Task({.stage = 0, .partition = 0, .id = 1, .attempt = 1}, {ShuffleRows(0, 1, {2, 1})});
  const Checked departs(before);
  EXPECT_THAT(departs.Lines(), ElementsAre("#1 map map at app.py:1 order departs"));
  EXPECT_TRUE(departs.check.Differs());
}

TEST(LedgerCheck, FindsAnActionThatMakesSomethingElseOfTheSameRows) {
  TestRun run = TwoStages();
  run.Task({.stage = 1, .partition = 0, .id = 0, .success = false}, {ResultRows(3, {1}, 11)});
  run.Task({.stage = 1, .partition = 0, .id = 1, .attempt = 1}, {ResultRows(3, {1}, 12)});
  const Checked of(run);
  EXPECT_THAT(of.Lines(), ElementsAre("#3 filter filter at app.py:3 values departs"));
  EXPECT_TRUE(of.check.differences[0].partitions[0].of_value);
}

TEST(LedgerCheck, ComparesAnRddAcrossAllThatReadIt) {
  TestRun run = TwoStages();
  run.Job(1, {{2, {{1, "map", {0}}, {0, "makeRDD", {}}}}});
  run.Task({.stage = 0, .partition = 0, .id = 0}, {ShuffleRows(0, 1, {1, 2})});
  run.Task({.stage = 0, .partition = 1, .id = 1}, {ShuffleRows(0, 1, {3})});
  run.Task({.stage = 1, .partition = 0, .id = 2, .success = false}, {ResultRows(3, {5})});
  run.Task({.stage = 1, .partition = 0, .id = 3, .attempt = 1}, {ResultRows(3, {6})});
  run.Task({.stage = 2, .partition = 0, .id = 4}, {ResultRows(1, {1, 2}, 7)});
  TestRun changed = run;
  run.Task({.stage = 2, .partition = 1, .id = 5}, {ResultRows(1, {3}, 8)});
  changed.Task({.stage = 2, .partition = 1, .id = 5}, {ResultRows(1, {4}, 8)});

  const Checked same(run);
  EXPECT_THAT(same.Lines(), ElementsAre("#3 filter filter at app.py:3 values departs"));
  EXPECT_EQ(same.check.subjects_repeated, 2);
  EXPECT_EQ(same.check.partitions_repeated, 3);

  const Checked of(changed);
  // The shuffle was written once: what reads it does not follow another reader of the RDD.
  EXPECT_THAT(of.Lines(), ElementsAre("#1 map map at app.py:1 values departs",
                                      "#3 filter filter at app.py:3 values departs"));
  const CheckedSubject& first = of.check.differences[0];
  EXPECT_THAT(first.readers, SizeIs(2));
  ASSERT_THAT(first.partitions, SizeIs(1));
  EXPECT_EQ(first.partitions[0].partition, 1);
  EXPECT_THAT(first.partitions[0].versions, ElementsAre(0, 1));
  EXPECT_THAT(first.partitions[0].subjects, ElementsAre(first.readers[0], first.readers[1]));
}

TEST(LedgerCheck, KeepsPartitionsOfDifferentDivisionsApart) {
  TestRun run;
  run.Explain("q", 3, {{1, "Project"}});
  run.Job(0, {{0, {{0, "A", {}, 2}}}}, 3);
  run.Job(1, {{1, {{1, "B", {}, 3}}}}, 3);
  run.Task({.stage = 0, .partition = 0, .id = 0}, {OperatorRows("q", 1, {1, 2})});
  run.Task({.stage = 1, .partition = 0, .id = 1}, {OperatorRows("q", 1, {1})});
  EXPECT_EQ(Checked(run).check.subjects_repeated, 0);
}

TEST(LedgerCheck, SaysThatAnInputWasNotRecorded) {
  TestRun run = Query();
  const auto without = nlohmann::json{
      {"of", "operator"}, {"query", "q"}, {"loreId", 5}, {"reason", "spark runs it"}};
  run.Task({.stage = 0, .partition = 0, .id = 0}, {OperatorRows("q", 4, {1}), without});
  run.Task({.stage = 0, .partition = 0, .id = 1}, {OperatorRows("q", 4, {2}), without});
  const Checked of(run);
  EXPECT_THAT(of.Lines(), ElementsAre("Project [loreId=4] values departs"));
  EXPECT_THAT(of.check.differences[0].between, ElementsAre("Scan parquet [loreId=5]"));
  // Without the plan nothing is known of what it reads.
  TestRun blind = run;
  blind.events = "";
  EXPECT_THAT(Checked(blind).Lines(), ElementsAre("operator [loreId=4] values inputUnknown"));
}

TEST(LedgerCheck, NeverSpeaksOfWhatATornFileLacks) {
  TestRun run = TwoStages();
  for (int64_t i = 0; i < 3; ++i) {
    run.Task({.stage = 0, .partition = i % 2, .id = i}, {ShuffleRows(0, 1, {1, 2 + i})});
  }
  run.End();
  const LogFolder folder;
  folder.Write("run/events", run.events);
  const Checked whole(run);
  EXPECT_TRUE(whole.check.Differs());
  for (size_t size = 0; size < run.checksums.size(); ++size) {
    folder.Write("run/sums.jsonl", std::string_view(run.checksums).substr(0, size));
    const Result<Ledger> ledger = LoadLedger(folder / "run");
    if (!ledger.ok()) continue;
    const LedgerGraph graph(*ledger);
    const LedgerCheck check = CheckLedger(graph);
    const bool last_line_lacks_its_end_alone = size + 1 == run.checksums.size();
    EXPECT_EQ(check.Differs(), last_line_lacks_its_end_alone) << size;
    if (last_line_lacks_its_end_alone) continue;
    EXPECT_EQ(check.subjects_repeated, 0) << size;
    EXPECT_LT(ledger->tasks.size(), 3u) << size;
  }
  folder.Write("run/sums.jsonl", run.checksums);
  for (size_t size = 0; size < run.events.size(); ++size) {
    folder.Write("run/events", std::string_view(run.events).substr(0, size));
    const Ledger ledger = LoadLedger(folder / "run").ValueOrDie();
    const LedgerGraph graph(ledger);
    EXPECT_TRUE(CheckLedger(graph).Differs()) << size;
    EXPECT_EQ(ledger.lineage.ended() == 0, size + 1 < run.events.size()) << size;
  }
}

}  // namespace
}  // namespace reprise
