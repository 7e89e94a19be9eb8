#include "cli/replay_options.h"

#include "replay/conf_overrides.h"

namespace reprise {

namespace {

void DeclareDebugger(CLI::App& app, ReplayCommand* command) {
  app.add_flag(
      "--gdb", command->gdb,
      "run under gdb, which stops where the operator computes; its command `reprise` shows "
      "partition and batches");
  app.add_option("--break", command->replay.break_at,
                 "with --gdb, of a fragment: stop where the operator with this LORE id computes, "
                 "such as 12 or loreId-12")
      ->transform([](const std::string& text) {
        constexpr std::string_view kFolder = "loreId-";
        return text.starts_with(kFolder) ? text.substr(kFolder.size()) : text;
      });
  app.add_flag("--under-gdb", command->replay.under_debugger, "what --gdb gives the program")
      ->group("");
}

}  // namespace

void DeclareReplayOptions(CLI::App& app, ReplayCommand* command) {
  app.add_option("FOLDER", command->folder,
                 "folder of the operator, DUMP/loreId-N; or DUMP: each of its operators; or what "
                 "reprise pack made of either")
      ->required();
  app.add_option("--partition", command->replay.partition,
                 "replay this partition only (default: all that were captured)");
  app.add_option("--attempt", command->replay.attempt,
                 "replay what this attempt recorded, even if it failed; needs --partition");
  app.add_flag("--failed", command->failed,
               "replay the attempts that failed, of an operator or of all of a dump, a line each");
  app.add_flag("--recorded", command->replay.recorded_only,
               "leave out partitions that have no whole record");
  app.add_flag("--truncated", command->replay.truncated,
               "replay also what a limit of the capture has cut off, as far as it goes");
  app.add_option("--repeat", command->replay.repeat,
                 "run each partition so many times and report the fastest and the median")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--warmup", command->replay.warmup,
                 "run each partition so many times before, without timing")
      ->check(CLI::Range(0, 1000000));
  app.add_flag("--ordered", command->replay.ordered,
               "the order of the rows must agree too: the same rows in another order differ");
  app.add_option(
      "--compare", command->replay.compare_path,
      "compare the output with this too: another dump's loreId-N, partition by partition, "
      "or a file .parquet or .arrow, all rows together");
  app.add_option("--assert", command->replay.assertion,
                 "an SQL predicate over the output's columns that no row may make false");
  app.add_option("--conf", command->conf,
                 "KEY=VALUE: a setting that the operator reads while it runs, in place of the "
                 "recorded one; may be given several times")
      ->allow_extra_args(false);
  app.add_option("--memory", command->memory,
                 "memory of the task, such as 64m: beyond it the operator spills; shows what it "
                 "took at its peak and what it spilled");
  app.add_flag("--least-memory", command->least_memory,
               "find the least memory with which the operator gives the same rows");
  app.add_option("--out", command->replay.out_path,
                 "write the output rows to this file: .parquet or .arrow");
  app.add_option("--trace", command->replay.trace_path,
                 "write what the operator did and when to this file, for ui.perfetto.dev or "
                 "chrome://tracing");
  app.add_option("--profile", command->replay.profile_path,
                 "write a flame graph of the timed runs to this file, a page for any browser");
  app.add_option(
      "--memory-profile", command->replay.memory_profile_path,
      "write a flame graph of what is held when the task's memory is at its peak to this "
      "file, and show by which functions it was allocated");
  app.add_flag("--perf-stat", command->replay.perf_counters,
               "show what the processor counted in the timed runs: cycles, misses, faults");
  DeclareDebugger(app, command);
  app.add_flag("--digests", command->digests, "show the digests of every column");
  app.add_flag("--brief", command->brief, "print one line")->group("");
  app.add_flag("--json", command->json, "print JSON");
}

Result<ConfigMap> ConfOf(const ReplayCommand& command) {
  ARROW_ASSIGN_OR_RAISE(ConfigMap conf, ConfigMapFromPairs(command.conf));
  if (!command.memory.empty()) conf["spark.memory.offHeap.size"] = command.memory;
  return conf;
}

}  // namespace reprise
