// Runs `reprise ledger`.
#include <gmock/gmock.h>

#include "cli/partition_text.h"
#include "cli/run_program.h"
#include "eventlog/run_testing.h"

namespace reprise {
namespace {

using testing::HasSubstr;

TestRun RunOf(const Rows& projected, const Rows& sorted) {
  TestRun run;
  run.Explain("q", 3, {{1, "Sort"}, {2, "Project", 1}, {3, "Scan parquet", 2}});
  run.Job(0, {{0, {{0, "FragmentRDD", {}, 1}}}}, 3);
  run.Columns("q", 2, {"a", "hour(ts)"});
  run.Task({.stage = 0, .partition = 0, .id = 0},
           {OperatorRows("q", 1, sorted), OperatorRows("q", 2, projected),
            OperatorRows("q", 3, {7, 8})});
  return run;
}

TestRun RunOf(const Rows& projected) { return RunOf(projected, projected); }

TEST(LedgerProgram, ChecksARun) {
  const LogFolder folder;
  TestRun run = RunOf({1, 2});
  run.Task(
      {.stage = 0, .partition = 0, .id = 1, .stage_attempt = 1},
      {OperatorRows("q", 1, {1, 3}), OperatorRows("q", 2, {1, 3}), OperatorRows("q", 3, {7, 8})});
  const std::string path = run.End().Write(folder, "run");
  const Ran ran = RunProgram("ledger check " + folder.path());
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_EQ(ran.out,
            path +
                ": my app (app-1, Spark 4.1.3), 3 operators and RDDs in 2 tasks\n\n"
                "Project [loreId=2] of query 3 (collect at app.py:9) departs: its input agrees, "
                "its output differs in column hour(ts) in partition 0.\n"
                "  partition 0: 2 rows by task 0 (stage 0.0, attempt 0, executor e0)\n"
                "    and 2 rows by task 1 (stage 0.1, attempt 0, executor e1)\n"
                "\n"
                "These inherit it, for what they read differs:\n"
                "  Sort [loreId=1] of query 3 (collect at app.py:9): its output differs in column "
                "number 2 in partition 0\n"
                "\n"
                "3 of 3 operators and RDDs computed more than once, in 3 partitions: 2 of them "
                "DIFFER.\n");
  const Ran json = RunProgram("ledger check --json " + path);
  EXPECT_EQ(json.status, 1);
  const auto answer = nlohmann::json::parse(json.out);
  EXPECT_EQ(answer["differs"], true);
  EXPECT_EQ(answer["differences"][0]["loreId"], 2);
  EXPECT_EQ(answer["differences"][0]["origin"], "departs");
  EXPECT_EQ(answer["differences"][0]["partitions"][0]["attempts"][1]["task"], 1);
  EXPECT_EQ(answer["partitionsRepeated"], 3);
}

TEST(LedgerProgram, ChecksAnRddAcrossAllThatReadIt) {
  const LogFolder folder;
  TestRun run;
  run.Job(0, {{0, {{1, "map", {}, 1}}}});
  run.Job(1, {{1, {{1, "map", {}, 1}}}});
  run.Task({.stage = 0, .partition = 0, .id = 0}, {ShuffleRows(0, 1, {1, 2})});
  run.Task({.stage = 1, .partition = 0, .id = 1}, {ResultRows(1, {1, 3, 4})});
  const Ran ran = RunProgram("ledger check " + run.End().Write(folder, "run"));
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_THAT(ran.out,
              HasSubstr("#1 map map at app.py:1 (stage 0, written to shuffle 0; stage 1, read by "
                        "an action) departs: it reads nothing that differs, its output differs in "
                        "partition 0.\n"
                        "  partition 0: 2 rows by task 0 (stage 0.0, attempt 0, executor e0)\n"
                        "    and 3 rows by task 1 (stage 1.0, attempt 0, executor e1)\n"));
  const auto json = nlohmann::json::parse(RunProgram("ledger check --json " + folder.path()).out);
  EXPECT_EQ(json["differences"][0]["readers"].size(), 2);
}

TEST(LedgerProgram, SaysHowMuchOfWhatWasComputedAgainHasNoChecksums) {
  const LogFolder folder;
  TestRun run;
  run.Job(0, {{0, {{1, "map", {}, 1}}}});
  const nlohmann::json none = {{"of", "result"}, {"rdd", 1}, {"reason", "\x1b[2Jit has none"}};
  run.Task({.stage = 0, .partition = 0, .id = 0}, {none});
  run.Task({.stage = 0, .partition = 0, .id = 1, .stage_attempt = 1}, {none});
  const Ran ran = RunProgram("ledger check " + run.End().Write(folder, "run"));
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(
      ran.out,
      HasSubstr("\n\nNothing was compared. 1 partition computed more than once could NOT be "
                "compared: not all of it was checksummed (\\u001b[2Jit has none), or read to "
                "the end.\n"));
}

TEST(LedgerProgram, SaysWhatItDidNotCompare) {
  const LogFolder folder;
  TestRun run = RunOf({1, 2});
  run.checksums += "{\"task\"";
  const Ran ran = RunProgram("ledger check " + run.Write(folder, "run"));
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("reprise: skipped: sums.jsonl line 4: torn: "));
  EXPECT_THAT(ran.out, HasSubstr("  It is not whole: 1 line or file could not be read; the "
                                 "application had not ended. Nothing is said of what is "
                                 "missing.\n\n"
                                 "Nothing was computed more than once: nothing was compared.\n"));
}

TEST(LedgerProgram, NamesTheFirstDifferenceOfTwoRuns) {
  const LogFolder folder;
  const std::string first = RunOf({1, 2}).End().Write(folder, "first");
  const std::string second = RunOf({1, 3}).End().Write(folder, "second");
  EXPECT_EQ(RunProgram("ledger diff " + first + " " + first).status, 0);
  const Ran ran = RunProgram("ledger diff " + first + " " + second);
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_THAT(
      ran.out,
      HasSubstr("Project [loreId=2] of query 3 (collect at app.py:9) departs: its input agrees "
                "(2 rows), its output differs in column hour(ts) in partition 0.\n"
                "  To take it home, set before that query in both runs, and compare the records:\n"
                "    spark.conf.set(\"spark.reprise.lore.idsToDump\", \"2[0]\")\n"
                "    spark.conf.set(\"spark.reprise.lore.dumpPath\", \"file:/tmp/first\")   # "
                "file:/tmp/second in the second run\n"
                "    spark.conf.set(\"spark.reprise.lore.perQuery\", \"false\")\n"
                "    reprise replay /tmp/first/loreId-2 --compare /tmp/second/loreId-2\n"
                "\n"
                "These inherit it, for what they read differs:\n"
                "  Sort [loreId=1] of query 3 (collect at app.py:9): its output differs"));
  EXPECT_THAT(ran.out, HasSubstr("\n3 operators and RDDs compared: 2 of them DIFFER.\n"));
  const auto answer =
      nlohmann::json::parse(RunProgram("ledger diff --json " + first + " " + second).out);
  EXPECT_EQ(answer["differences"][0]["first"]["loreId"], 2);
  EXPECT_EQ(answer["differences"][0]["columns"][0], "hour(ts)");
  EXPECT_EQ(answer["compared"], 3);
}

TEST(LedgerProgram, CountsOrdersOnlyWhereAsked) {
  const LogFolder folder;
  const std::string first = RunOf({1, 2}).End().Write(folder, "first");
  const std::string second = RunOf({2, 1}).End().Write(folder, "second");
  const Ran ran = RunProgram("ledger diff " + first + " " + second);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("2 operators and RDDs gave the same rows in another order "
                                 "(--order lists them).\n3 operators and RDDs compared: the values "
                                 "agree.\n"));
  const Ran ordered = RunProgram("ledger diff --order " + first + " " + second);
  EXPECT_EQ(ordered.status, 1);
  EXPECT_THAT(ordered.out, HasSubstr("Project [loreId=2] of query 3 (collect at app.py:9) departs: "
                                     "its input agrees (2 rows), its rows come in another order in "
                                     "partition 0.\n"));
}

TEST(LedgerProgram, SaysWhereOnlyTheOrderOfAnInputDiffers) {
  const LogFolder folder;
  const std::string first = RunOf({1, 2}).End().Write(folder, "first");
  const std::string second = RunOf({2, 1}, {1, 3}).End().Write(folder, "second");
  const Ran ran = RunProgram("ledger diff " + first + " " + second);
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_THAT(
      ran.out,
      HasSubstr("Sort [loreId=1] of query 3 (collect at app.py:9) departs: its input "
                "agrees (2 rows), its output differs in column number 2 in partition 0.\n"
                "  Its input has its rows in another order, which alone may explain it.\n"));
}

TEST(LedgerProgram, SaysWhereBatchesOfPythonCouldNotBeTakenApart) {
  const auto run = [](int64_t row) {
    nlohmann::json checksums = ShuffleRows(4, 1, {row});
    checksums["batches"] = 1;
    TestRun run;
    run.Job(0, {{0, {{1, "PairwiseRDD", {}, 1}}}});
    run.Task({.stage = 0, .partition = 0, .id = 0}, {checksums});
    run.Task({.stage = 0, .partition = 0, .id = 1, .stage_attempt = 1},
             {ShuffleRows(4, 1, {row + 1})});
    return run.End();
  };
  const LogFolder folder;
  const std::string first = run(1).Write(folder, "first");
  const std::string second = run(5).Write(folder, "second");
  const std::string said =
      " of Python's values could not be taken apart: there another order, or another cut, reads as "
      "other values.\n";
  EXPECT_THAT(RunProgram("ledger check " + first).out, HasSubstr("\n  1 batch" + said));
  EXPECT_THAT(RunProgram("ledger diff " + first + " " + second).out,
              HasSubstr("\n  2 batches" + said));
  const auto answer = nlohmann::json::parse(RunProgram("ledger check --json " + first).out);
  EXPECT_EQ(answer["differences"][0]["pythonBatches"], 1);
}

TEST(LedgerProgram, RefusesWhatItCannotCompare) {
  const LogFolder folder;
  const std::string first = RunOf({1, 2}).End().Write(folder, "first");
  const std::string empty = TestRun().End().Write(folder, "empty");
  const Ran nothing = RunProgram("ledger diff " + first + " " + empty);
  EXPECT_EQ(nothing.status, 2);
  EXPECT_THAT(nothing.err, HasSubstr("have nothing in common that could be compared\n"));
  EXPECT_EQ(RunProgram("ledger check " + folder.path()).status, 2);
  EXPECT_EQ(RunProgram("ledger").status, 2);
  EXPECT_EQ(RunProgram("ledger check").status, 2);
  EXPECT_EQ(RunProgram("ledger check --help").status, 0);
}

TEST(LedgerProgram, ShowsPartitionsForPeopleAndForDumps) {
  EXPECT_EQ(PartitionText({0, 1, 4, 5, 6, 9}), "0, 1, 4 to 6, 9");
  EXPECT_EQ(DumpPartitions({0, 4, 5, 6, 9}), "0 4-7 9");
  EXPECT_EQ(DumpPartitions({}), "*");
}

}  // namespace
}  // namespace reprise
