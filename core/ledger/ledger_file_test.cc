#include <gmock/gmock.h>

#include "ledger/ledger_testing.h"

namespace reprise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TestRun Small() {
  TestRun run;
  run.Job(0, {{0, {{1, "map", {0}}, {0, "makeRDD", {}}}}});
  run.Columns("q", 2, {"a", "b"});
  run.Task({.stage = 0, .partition = 0, .id = 5},
           {ResultRows(1, {1, 2, 3}), OperatorRows("q", 2, {7}, false)});
  run.Task({.stage = 0, .partition = 1, .id = 6, .attempt = 1, .success = false},
           {{{"of", "shuffle"}, {"shuffle", 4}, {"rdd", 1}, {"reason", "cannot hash a Foo"}},
            OperatorRows("q", 2, {7, 8}),
            OperatorRows("q", 2, {9})});
  run.End();
  return run;
}

TEST(LedgerFile, TellsOfTasksAndChecksums) {
  const Ledger ledger = Loaded(Small());
  EXPECT_EQ(ledger.application, "my app");
  EXPECT_EQ(ledger.application_id, "app-1");
  EXPECT_EQ(ledger.reprise_version, "0.1");
  EXPECT_TRUE(ledger.all_operators);
  EXPECT_THAT(ledger.damages.kept(), IsEmpty());
  ASSERT_THAT(ledger.tasks, SizeIs(2));
  EXPECT_EQ(ledger.tasks[1].id, 6);
  EXPECT_EQ(ledger.tasks[1].attempt, 1);
  EXPECT_FALSE(ledger.tasks[1].success);
  EXPECT_THAT(ledger.executors, ElementsAre("e2", "e0"));
  ASSERT_THAT(ledger.subjects, SizeIs(3));
  const LedgerSubject& named = ledger.subjects[0];
  EXPECT_EQ(named.lore_id, 2);
  EXPECT_THAT(named.columns, ElementsAre("a", "b"));
  EXPECT_FALSE(named.checksums[0].complete);
  EXPECT_EQ(ledger.subjects[1].rdd, 1);
  EXPECT_EQ(ledger.subjects[1].checksums[0].unordered, RowHash(1) + RowHash(2) + RowHash(3));
  EXPECT_TRUE(ledger.subjects[1].checksums[0].has_value);
  EXPECT_EQ(ledger.subjects[2].reason, "cannot hash a Foo");
  EXPECT_EQ(ledger.subjects[2].without_checksums, 1);
  EXPECT_EQ(CompleteChecksumsIn(ledger.subjects[2], 1), nullptr);
  EXPECT_EQ(ledger.PartitionsOf(0), 2);
}

TEST(LedgerFile, AddsUpStreamsOfOneTask) {
  const Ledger ledger = Loaded(Small());
  ASSERT_THAT(ledger.subjects[0].checksums, SizeIs(2));
  const LedgerChecksums* checksums = CompleteChecksumsIn(ledger.subjects[0], 1);
  ASSERT_NE(checksums, nullptr);
  EXPECT_EQ(checksums->rows, 3);
  EXPECT_EQ(checksums->unordered, RowHash(7) + RowHash(8) + RowHash(9));
  EXPECT_THAT(ledger.ColumnsOf(*checksums), ElementsAre(0u, checksums->unordered));
  EXPECT_FALSE(checksums->has_ordered);
}

TEST(LedgerFile, NamesStagesWhoseTasksItLacks) {
  const std::vector<Ledger::Gap> gaps = Loaded(Small()).Gaps();
  ASSERT_THAT(gaps, SizeIs(1));
  EXPECT_EQ(gaps[0].stage, 0);
  EXPECT_EQ(gaps[0].partitions, 1);  // of partition 1 only an attempt that failed
  EXPECT_EQ(gaps[0].of, 2);
}

TEST(LedgerFile, SkipsDamagedLinesAndSaysWhich) {
  TestRun run = Small();
  run.checksums +=
      R"({"task":{"stage":0},"sums":[]})"
      "\n"
      R"({"task":{"stage":0,"partition":0},"sums":[{"of":"pear"}]})"
      "\n"
      R"({"task":{"stage":0,"partition":0},"sums":[{"of":"result","rdd":1,"rows":3}]})"
      "\n"
      R"({"task":{"stage":0,"partition":0},"sums":[{"of":"result","rdd":1,"unordered":"12"}]})"
      "\n"
      R"({"operator":{"loreId":3}})"
      "\n[]\n{}\n"
      R"({"task":{"stage":0,"parti)";
  const Ledger ledger = Loaded(run);
  EXPECT_THAT(ledger.tasks, SizeIs(2));
  std::vector<std::string> damages;
  for (const LogDamage& damage : ledger.damages.kept()) damages.push_back(damage.ToString());
  EXPECT_THAT(
      damages,
      ElementsAre("sums.jsonl line 5: a task without its numbers",
                  "sums.jsonl line 6: checksums of nothing that it names",
                  "sums.jsonl line 7: checksums with neither \"unordered\" nor \"reason\"",
                  HasSubstr("sums.jsonl line 8: damaged: "),
                  "sums.jsonl line 9: an operator without query or loreId",
                  HasSubstr("sums.jsonl line 10: damaged: "),
                  "sums.jsonl line 11: expected a line with \"ledger\", \"operator\" or \"task\" "
                  "and \"sums\"",
                  HasSubstr("sums.jsonl line 12: torn: ")));
}

TEST(LedgerFile, RefusesWhatIsNoLedger) {
  const LogFolder folder;
  const auto error = [&](const std::string& checksums) {
    folder.Write("bad/sums.jsonl", checksums);
    return LoadLedger(folder / "bad").status().message();
  };
  EXPECT_THAT(error(""), HasSubstr("sums.jsonl is empty; expected {\"ledger\":{\"format\":2,…}}"));
  EXPECT_THAT(error("rubbish\n"), HasSubstr("is no ledger: its first line is damaged: "));
  EXPECT_THAT(error("{\"operator\":{\"query\":\"q\",\"loreId\":3}}\n"),
              HasSubstr("is no ledger: its first line is of another kind"));
  EXPECT_THAT(error("{\"ledger\":{\"format\":3}}\n"),
              HasSubstr("has format 3; this version of Reprise reads formats up to 2"));
  EXPECT_THAT(LoadLedger("/nowhere").status().message(), HasSubstr("there is no /nowhere"));
}

TEST(LedgerFile, FindsTheOnlyRunOfAFolder) {
  const LogFolder folder;
  folder.Write("other/file", "");
  EXPECT_THAT(FindLedger(folder.path()).status().message(), HasSubstr("holds no ledger"));
  const std::string run = Small().Write(folder, "app-1");
  EXPECT_EQ(FindLedger(folder.path()).ValueOrDie(), run);
  EXPECT_EQ(FindLedger("file:" + run).ValueOrDie(), run);
  Small().Write(folder, "app-2");
  EXPECT_EQ(FindLedger(folder.path()).status().message(),
            folder.path() + " holds the ledgers of 2 runs; name one of them:\n  " +
                (folder / "app-1") + "\n  " + (folder / "app-2"));
}

TEST(LedgerFile, IsReadWithoutItsEvents) {
  TestRun run = Small();
  run.events = "rubbish\n";
  const Ledger ledger = Loaded(run);
  EXPECT_THAT(ledger.tasks, SizeIs(2));
  ASSERT_EQ(ledger.damages.count(), 1);
  EXPECT_THAT(ledger.damages.kept()[0].ToString(), HasSubstr("events: "));
  EXPECT_EQ(ledger.PartitionsOf(0), -1);
}

}  // namespace
}  // namespace reprise
