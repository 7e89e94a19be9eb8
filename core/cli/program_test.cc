// Runs the program as a user does, on dumps of operators that hand their input on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>

#include "base/figure_text.h"
#include "cli/figures.h"
#include "cli/operator_text.h"
#include "cli/run_program.h"
#include "dump/begin.h"
#include "dump/sample_dump.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::vector<Field> kFields = {{"a", {TypeKind::kLong}}, {"b", {TypeKind::kString}, false}};

nlohmann::json ColumnJson(int index, const char* type) {
  return {{"function", "column"},
          {"type", type},
          {"nullable", true},
          {"attributes", {{"index", index}}}};
}

// A real operator that changes nothing.
OperatorSpec ProjectSpec() {
  OperatorSpec spec = PassSpec(kFields);
  spec.kind = "project";
  spec.name = "RepriseProject";
  spec.occurrence = "Project#0";
  spec.arguments = {{"expressions", {ColumnJson(0, "long"), ColumnJson(1, "string")}}};
  return spec;
}

class Program : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(BeginDump(BeginRequest(spec_, capture_, 2)).ok());
    const auto batch = BatchOf(kFields, R"([[1,"x"],[2,"y"],[null,"z"]])");
    ASSERT_TRUE(RecordPass(spec_, capture_, {batch, batch}, 0).ok());
    ASSERT_TRUE(RecordPass(spec_, capture_, {}, 1, 42).ok());
  }

  TemporaryFolder folder_;
  OperatorSpec spec_ = ProjectSpec();
  nlohmann::json capture_ = CaptureJson(folder_.path());
  std::string operator_ = folder_ / "loreId-5";
};

TEST_F(Program, ShowsWhatADumpHolds) {
  const Ran ran = RunProgram("show " + folder_.path());
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out,
              HasSubstr("RepriseProject  LORE id 5  Project#0  fingerprint 0123456789abcdef"));
  EXPECT_THAT(ran.out, HasSubstr("expressions  a, b\n"));
  EXPECT_THAT(ran.out, HasSubstr("input-0      2 of 2 partitions, 6 rows, 2 batches, "));
  EXPECT_THAT(ran.out, HasSubstr("               a bigint, b string not null\n"));
  EXPECT_THAT(ran.out, HasSubstr("        0       41  committed  input-0        2     6"));
  EXPECT_THAT(ran.out, HasSubstr("exhausted\n"));
  EXPECT_EQ(RunProgram("show " + operator_).out, ran.out);
}

TEST_F(Program, ShowsAttemptsThatStayedAside) {
  fs::rename(operator_ + "/input-0/partition-1", operator_ + "/input-0/partition-1.attempt-42");
  fs::rename(operator_ + "/output/partition-1", operator_ + "/output/partition-1.attempt-42");
  const std::string meta = operator_ + "/input-0/partition-1.attempt-42/partition.meta";
  CutFile(meta, Contents(meta).find('\n') + 1);
  const Ran ran = RunProgram("show " + operator_);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("input-0      1 of 2 partitions"));
  EXPECT_THAT(ran.out, HasSubstr("        1       42  aside      input-0        0     0     0 B  "
                                 "no end: died or still running\n"));
}

TEST_F(Program, ShowsJson) {
  const Ran ran = RunProgram("show --json " + operator_);
  EXPECT_EQ(ran.status, 0);
  const auto json = nlohmann::json::parse(ran.out);
  const auto& shown = json["operators"][0];
  EXPECT_EQ(shown["operator"], ToJson(spec_));
  EXPECT_EQ(shown["partitionCount"], 2);
  EXPECT_EQ(shown["partitions"][0]["streams"][0]["rows"], 6);
  EXPECT_EQ(shown["partitions"][0]["streams"][1]["name"], "output");
  EXPECT_EQ(shown["partitions"][1]["attempt"], 42);
}

TEST_F(Program, ShowFindsDamage) {
  FlipByte(operator_ + "/input-0/partition-1/partition.meta", 50);
  const Ran ran = RunProgram("show " + operator_);
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.out,
              HasSubstr("  ! " + operator_ + "/input-0/partition-1/partition.meta line 1"));
  EXPECT_THAT(ran.err, HasSubstr("1 partition folder cannot be read; see above"));
}

TEST_F(Program, ReplaysAsRecorded) {
  const Ran ran = RunProgram("replay " + operator_);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\nAs recorded.\n"));
  EXPECT_THAT(ran.out, HasSubstr("equal"));
  EXPECT_EQ(ran.err, "");
}

TEST_F(Program, ReplayWritesATrace) {
  const TemporaryFolder work;
  const std::string path = work / "trace.json";
  const Ran ran = RunProgram("replay --repeat 2 --trace " + path + " " + operator_);
  EXPECT_EQ(ran.status, 0) << ran.err;
  std::map<std::string, int64_t> counts;
  int64_t rows = 0;
  for (const auto& event : nlohmann::json::parse(Contents(path))) {
    if (event["ph"] != "X") continue;
    counts[event["cat"]] += 1;
    if (event["name"] == "RepriseProject [loreId=5]") rows += event["args"]["rows"].get<int64_t>();
  }
  // Each of the two partitions is run twice; the operator and its input are called three times for
  // the first one, once for the other.
  EXPECT_EQ(counts, (std::map<std::string, int64_t>{
                        {"task", 2}, {"replay", 4}, {"operator", 2 * 2 * (3 + 1)}}));
  EXPECT_EQ(rows, 2 * 6);

  const std::string nowhere = work / "absent/trace.json";
  const Ran refused = RunProgram("replay --trace " + nowhere + " " + operator_);
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr(nowhere + " cannot be opened: No such file or directory"));
}

TEST_F(Program, ReplayRepeatsAndPrintsJson) {
  const Ran ran = RunProgram("replay --json --repeat 3 --partition 0 " + operator_);
  EXPECT_EQ(ran.status, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json["holds"], true);
  EXPECT_EQ(json["partitions"].size(), 1u);
  EXPECT_EQ(json["partitions"][0]["verdict"], "equal");
  EXPECT_EQ(json["partitions"][0]["runs"].size(), 3u);
  EXPECT_EQ(json["partitions"][0]["output"], json["partitions"][0]["recorded"]);
}

TEST_F(Program, ReplayThatDiffersHasStatusOne) {
  // The record of another run of the operator: with other rows in its output.
  fs::remove_all(operator_ + "/output/partition-0");
  const TemporaryFolder other;
  const auto batch = BatchOf(kFields, R"([[1,"x"],[2,"y"],[null,"!"]])");
  ASSERT_TRUE(RecordPass(spec_, CaptureJson(other.path()), {batch, batch}, 0).ok());
  fs::copy(other / "loreId-5/output/partition-0", operator_ + "/output/partition-0",
           fs::copy_options::recursive);
  const Ran ran = RunProgram("replay " + operator_);
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.out, HasSubstr("different: 6 rows recorded; columns b\n"));
  EXPECT_THAT(ran.out,
              HasSubstr("  first difference in row 2, column b: recorded !, replayed z\n"));
  EXPECT_THAT(ran.out, HasSubstr("NOT as recorded: 1 of 2 partitions differ or fail."));
  EXPECT_THAT(ran.out, HasSubstr("partition 0, 6 rows recorded, 6 rows replayed"));
}

TEST_F(Program, ReplayAssertsAndCompares) {
  const TemporaryFolder work;
  const std::string rows = work / "rows.parquet";
  ASSERT_EQ(RunProgram("replay --out " + rows + " " + operator_).status, 0);
  Ran ran = RunProgram("replay --ordered --compare " + rows + " --assert 'a < 9' --warmup 1 " +
                       "--conf spark.reprise.sql.batchRows=3 " + operator_);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\nall partitions compared with " + rows + ": equal\n"));

  ran = RunProgram("replay --assert 'a < 2' " + operator_);
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.out, HasSubstr("equal; assertion fails\n"));
  EXPECT_THAT(ran.out, HasSubstr("\npartition 0: 2 of 6 rows fail the assertion\n  row 1: a=2 "
                                 "b=y\n  row 4: a=2 b=y\n"));
  EXPECT_THAT(ran.out, HasSubstr("\nThe assertion FAILS in 1 of 2 partitions.\n"));

  ran = RunProgram("replay --partition 0 --compare " + rows + " --json " + operator_);
  EXPECT_EQ(nlohmann::json::parse(ran.out)["compared"]["verdict"], "equal");
  ran = RunProgram("replay --partition 1 --compare " + rows + " " + operator_);
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.out, HasSubstr("As recorded, but NOT as " + rows + "."));

  ran = RunProgram("replay --assert 'c < 2' " + operator_);
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("the assertion \"c < 2\" cannot be read at character 1: there is "
                                 "no column c; did you mean a?"));
}

TEST_F(Program, BadInputHasStatusTwoAndSaysWhatToDo) {
  fs::remove_all(operator_ + "/input-0/partition-1");
  const Ran ran = RunProgram("replay " + operator_);
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err,
            "reprise: " + operator_ +
                ": partition 1 has no record: its task did not run, or its folder is missing "
                "(1 of 2 partitions lack a whole record; --recorded replays the others)\n");
  EXPECT_EQ(RunProgram("replay --recorded " + operator_).status, 0);
  EXPECT_EQ(RunProgram("show /nowhere").status, 2);
}

TEST_F(Program, ReplaysEachOperatorOfADump) {
  const Ran ran = RunProgram("replay --repeat 2 " + folder_.path());
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, testing::ContainsRegex("LORE id  operator +rows in  rows out"));
  EXPECT_THAT(ran.out, testing::ContainsRegex("      5  .*  equal\n"));
  EXPECT_THAT(ran.out, HasSubstr("As recorded: 1 operator.\n"));
  EXPECT_THAT(RunProgram("replay --json " + folder_.path()).out, HasSubstr("\"operators\": ["));
  EXPECT_EQ(RunProgram("replay --partition 0 " + folder_.path()).err,
            "reprise: --partition concerns one operator: name its folder, DUMP/loreId-N\n");

  fs::remove_all(operator_ + "/input-0/partition-1");
  const Ran damaged = RunProgram("replay " + folder_.path());
  EXPECT_EQ(damaged.status, 1);
  EXPECT_THAT(damaged.out, HasSubstr("cannot be replayed: " + operator_ + ": partition 1 has no"));
  EXPECT_THAT(damaged.out, HasSubstr("NOT as recorded.\n"));
  EXPECT_EQ(RunProgram("replay --recorded " + folder_.path()).status, 0);
}

TEST_F(Program, APackIsReadAsAFolder) {
  const TemporaryFolder work;
  const std::string pack = work / "one.reprise";
  ASSERT_EQ(RunProgram("pack " + operator_ + " -o " + pack).status, 0);
  const Ran shown = RunProgram("show " + pack);
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("LORE id 5"));
  const Ran replayed = RunProgram("replay --recorded " + pack);
  EXPECT_EQ(replayed.status, 0) << replayed.err;
  EXPECT_EQ(replayed.out.substr(replayed.out.rfind('\n', replayed.out.size() - 2) + 1),
            "As recorded.\n");
  std::ofstream(work / "other.reprise") << "no pack";
  EXPECT_EQ(RunProgram("show " + (work / "other.reprise")).status, 2);
}

TEST_F(Program, ReplayFindsTheLeastMemory) {
  const Ran ran = RunProgram("replay --recorded --least-memory " + operator_);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("  without a limit:   at its peak "));
  EXPECT_THAT(ran.out, HasSubstr("Least memory: none beyond the 32 MiB that a task may "
                                 "over-commit (2 partitions, 1 replay).\n"));
  const Ran limited = RunProgram("replay --recorded --memory 1m " + operator_);
  EXPECT_THAT(limited.out, testing::ContainsRegex("peak  spilled  output"));
  EXPECT_EQ(RunProgram("replay --memory much " + operator_).err,
            "reprise: spark.memory.offHeap.size must be a number of bytes such as 64m or 2g, "
            "found \"much\"\n");
}

TEST_F(Program, ReplayWritesAFlameGraphAndCounts) {
  const TemporaryFolder work;
  const std::string page = work / "flame.html";
  const Ran ran = RunProgram("replay --repeat 50 --perf-stat --profile " + page + " " + operator_);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(Contents(page), HasSubstr("\"title\":\"replay of RepriseProject [loreId=5]\""));
  EXPECT_THAT(ran.out, testing::AnyOf(HasSubstr("\ntask-clock ns "),
                                      HasSubstr("\nthe kernel gives no performance counters")));
  EXPECT_THAT(RunProgram("replay --profile /nowhere/flame.html " + operator_).err,
              HasSubstr("/nowhere/flame.html: cannot be written"));
}

TEST_F(Program, ReplayStopsInGdbWhereTheOperatorComputes) {
  if (std::system("gdb --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no gdb here";
  const TemporaryFolder work;
  std::ofstream(work / "commands") << "backtrace 2\nreprise\ncontinue\nreprise 2\nkill\nquit\n";
  const Ran ran =
      RunProgram("replay --gdb --partition 0 " + operator_ + " < " + (work / "commands"));
  if (ran.out.find("ptrace") != std::string::npos) GTEST_SKIP() << "no ptrace here";
  if (ran.err.find("Exec format error") != std::string::npos) {
    GTEST_SKIP() << "gdb starts no program of an emulated processor";
  }
  EXPECT_THAT(ran.out, HasSubstr("NextBatch ("));
  EXPECT_THAT(ran.out,
              HasSubstr("RepriseProject, partition 0, attempt 41\nno batch has been read"));
  EXPECT_THAT(ran.out, HasSubstr("input-0: batch 0, 3 rows\n  row 0: a=1 b=x\n  row 1: a=2 b=y\n"));
  EXPECT_THAT(ran.out, Not(HasSubstr("row 2:")));
}

TEST_F(Program, PacksAndUnpacks) {
  const TemporaryFolder work;
  const std::string file = work / "one.reprise";
  const Ran packed = RunProgram("pack " + operator_ + " -o " + file);
  EXPECT_EQ(packed.status, 0) << packed.err;
  EXPECT_THAT(packed.out, HasSubstr(file + ": loreId-5, 11 files, "));
  const Ran unpacked = RunProgram("unpack " + file + " -o " + (work / "back"));
  EXPECT_EQ(unpacked.status, 0) << unpacked.err;
  EXPECT_THAT(unpacked.out, HasSubstr(work / "back: loreId-5, 11 files, "));
  EXPECT_EQ(RunProgram("replay " + (work / "back/loreId-5")).status, 0);
  EXPECT_EQ(RunProgram("unpack " + file + " -o " + (work / "back")).status, 2);
}

TEST(ProgramUsage, IsChecked) {
  const Ran bare = RunProgram("");
  EXPECT_EQ(bare.status, 2);
  EXPECT_THAT(bare.err, AllOf(HasSubstr("explain"), HasSubstr("flame")));
  const Ran mistyped = RunProgram("replai");
  EXPECT_EQ(mistyped.status, 2);
  EXPECT_THAT(mistyped.err, HasSubstr("there is no command \"replai\"; did you mean replay? "));
  EXPECT_EQ(RunProgram("replay").status, 2);
  EXPECT_EQ(RunProgram("replay --repeat 0 x").status, 2);
  EXPECT_EQ(RunProgram("--version").status, 0);
  for (const char* subcommand : {"show", "replay"}) {
    const Ran ran = RunProgram(std::string(subcommand) + " --help");
    EXPECT_EQ(ran.status, 0);
    EXPECT_THAT(ran.out, HasSubstr(std::string("Example:\n  reprise ") + subcommand));
  }
}

TEST_F(Program, StartsQuickly) {
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(RunProgram("replay --partition 0 " + operator_).status, 0);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  // 50 ms is the aim on an idle machine; a busy one must not fail the test.
  EXPECT_LT(took.count(), 1.0);
}

TEST(Figures, TextIsWrappedAtThePage) {
  const std::string text = Wrapped(std::string(90, 'x') + " word another", 5);
  EXPECT_EQ(text, std::string(90, 'x') + " word\n     another");
  EXPECT_EQ(Wrapped(std::string(200, 'x'), 0), std::string(200, 'x'));
}

TEST(OperatorText, ShowsAggregates) {
  OperatorSpec spec = PassSpec(kFields);
  spec.arguments = {{"keys", {ColumnJson(1, "string")}},
                    {"aggregates",
                     {{{"function", "sum"},
                       {"mode", "complete"},
                       {"inputs", {ColumnJson(0, "long")}},
                       {"filter", nullptr}}}},
                    {"results", {ColumnJson(1, "long")}}};
  const auto lines = ArgumentLines(spec);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], (std::pair<std::string, std::string>("aggregates", "complete sum(a)")));
  EXPECT_EQ(lines[1], (std::pair<std::string, std::string>("keys", "b")));
  EXPECT_EQ(lines[2], (std::pair<std::string, std::string>("results", "complete sum(a)")));
}

}  // namespace
}  // namespace reprise
