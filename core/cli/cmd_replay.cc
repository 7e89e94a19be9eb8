// reprise replay DUMP/loreId-N, or DUMP
//   purpose  run one operator of a dump again, alone, and compare its output with the recorded one;
//            or each of a dump
//   input    the operator's folder, or the dump's
//   output   a line for each partition, or operator: rows, times, verdict; with --out, the output
//            rows as a file
//   example  reprise replay dump/loreId-10 --partition 3 --repeat 5
#include "cli/cmd_replay.h"

#include "base/figure_text.h"
#include "cli/operator_folders.h"
#include "cli/progress.h"
#include "cli/replay_all.h"
#include "cli/replay_gdb.h"
#include "cli/replay_options.h"
#include "cli/replay_text.h"
#include "cli/spark_engine.h"
#include "dump/unpacked.h"
#include "replay/conf_overrides.h"
#include "replay/least_memory.h"
#include "replay/report_json.h"

namespace reprise {

int ExitOf(ReplayVerdict verdict) {
  switch (verdict) {
    case ReplayVerdict::kEqual:
      return kExitDone;
    case ReplayVerdict::kDifferent:
    case ReplayVerdict::kFailedAgain:
      return kExitFalse;
    case ReplayVerdict::kNotCompared:
      break;
  }
  return kExitNotCompared;
}

namespace {

nlohmann::json MemoryJson(const ReplayReport& report) {
  return {{"peakBytes", LeastMemory::PeakOf(report)},
          {"spilledBytes", LeastMemory::SpilledOf(report)},
          {"ownTimeNs", LeastMemory::OwnTimeOf(report)}};
}

// What the memory of an operator is, in a few lines.
Result<int> RunLeastMemory(const ReplayCommand& command) {
  ARROW_ASSIGN_OR_RAISE(const LeastMemory found, FindLeastMemory(command.folder, command.replay));
  if (command.json) {
    fmt::print("{}\n", nlohmann::json{{"leastBytes", found.least_bytes},
                                      {"replays", found.tries},
                                      {"least", MemoryJson(found.least)},
                                      {"enough", MemoryJson(found.enough)}}
                           .dump(2));
    return kExitDone;
  }
  const auto line = [](const char* what, const ReplayReport& report) {
    fmt::print("  {:<18} at its peak {}, spilled {}, {} in the operator\n", what,
               ByteText(LeastMemory::PeakOf(report)), ByteText(LeastMemory::SpilledOf(report)),
               DurationText(LeastMemory::OwnTimeOf(report)));
  };
  const OperatorSpec& spec = found.enough.plan.spec;
  fmt::print("{}  LORE id {}  {}\n\n", spec.name, spec.lore_id, spec.occurrence);
  line("without a limit:", found.enough);
  line(found.least_bytes == 0 ? "with nothing:"
                              : fmt::format("with {}:", ByteText(found.least_bytes)).c_str(),
       found.least);
  fmt::print("\nLeast memory: {} ({}, {}).\n",
             found.least_bytes == 0 ? "none beyond the 32 MiB that a task may over-commit"
                                    : ByteText(found.least_bytes) + " granted to the task",
             Counted(std::ssize(found.enough.partitions), "partition", "partitions"),
             Counted(found.tries, "replay", "replays"));
  return kExitDone;
}

}  // namespace

Result<int> RunReplay(ReplayCommand* command) {
  if (command->gdb) return BecomeGdb();
  ARROW_ASSIGN_OR_RAISE(command->replay.conf, ConfOf(*command));
  if (command->least_memory) return RunLeastMemory(*command);
  Progress progress("replaying");
  command->replay.progress = [&](int done, int total) { progress.Show(done, total); };
  ARROW_ASSIGN_OR_RAISE(const ReplayReport report, Replay(command->folder, command->replay));
  progress.Clear();
  if (command->json) {
    fmt::print("{}\n", ToJson(report).dump(2));
  } else if (command->brief) {
    fmt::print("{}", BriefText(report));
  } else {
    PrintReplayText(report,
                    {command->replay.repeat > 1, command->digests, command->replay.compare_path});
  }
  return ExitOf(report.verdict());
}

namespace {

Run DeclareReplay(CLI::App& app) {
  auto command = std::make_shared<ReplayCommand>();
  DeclareReplayOptions(app, command.get());
  const auto engine = std::make_shared<SparkEngine>();
  DeclareSparkOptions(app, engine.get());
  return [command, engine, &app]() -> Result<int> {
    // gdb starts this program anew, with the same arguments.
    if (command->gdb) return RunReplay(command.get());
    ARROW_ASSIGN_OR_RAISE(const Unpacked unpacked, Unpacked::Of(command->folder));
    command->folder = unpacked.folder();
    if (command->failed || IsWholeDump(command->folder)) return ReplayAll(*command, *engine, app);
    ARROW_ASSIGN_OR_RAISE(const bool on_spark, RunsOnSpark(*engine, command->folder));
    return on_spark ? RunOnSpark(*engine, app, {.folders = {command->folder}})
                    : RunReplay(command.get());
  };
}

}  // namespace

const Subcommand kReplay = {
    "replay",
    "Run one operator of a dump again, or each, and compare its output with the recorded one",
    "reprise replay dump/loreId-10 --partition 3 --repeat 5\n"
    "Exit status: 0 as recorded, 1 the output differs or the operator fails, 2 bad usage or bad "
    "input, 3 nothing was compared",
    DeclareReplay};

}  // namespace reprise
