// The program `reprise`.
#include <algorithm>
#include <exception>
#include <iostream>
#include <map>

#include "base/check.h"
#include "base/nearest_name.h"
#include "base/printable.h"
#include "cli/cmd_config.h"
#include "cli/cmd_debug_task.h"
#include "cli/cmd_diagnose.h"
#include "cli/cmd_diff.h"
#include "cli/cmd_explain.h"
#include "cli/cmd_flame.h"
#include "cli/cmd_ledger.h"
#include "cli/cmd_lineage.h"
#include "cli/cmd_ops.h"
#include "cli/cmd_pack.h"
#include "cli/cmd_qualify.h"
#include "cli/cmd_rdds.h"
#include "cli/cmd_replay.h"
#include "cli/cmd_report.h"
#include "cli/cmd_show.h"
#include "cli/cmd_shrink.h"
#include "cli/cmd_stages.h"
#include "cli/cmd_tasks.h"
#include "cli/cmd_top.h"
#include "cli/subcommand.h"

namespace reprise {

/// Every subcommand, in the order in which --help shows them.
const std::vector<const Subcommand*> kSubcommands = {
    &kShow, &kReplay,  &kShrink,   &kPack,   &kUnpack, &kReport,  &kQualify,
    &kTop,  &kExplain, &kRdds,     &kStages, &kTasks,  &kLineage, &kDebugTask,
    &kDiff, &kLedger,  &kDiagnose, &kFlame,  &kConfig, &kOps};

namespace {

int RunProgram(int argc, char** argv) {
  CLI::App program("Looks into dumps of Spark operators and replays them, without Spark.",
                   "reprise");
  program.set_version_flag("--version", REPRISE_VERSION);
  program.require_subcommand(1);
  std::map<const CLI::App*, Run> runs;
  for (const Subcommand* subcommand : kSubcommands) {
    CLI::App* options = program.add_subcommand(subcommand->name, subcommand->description);
    options->footer(std::string("Example:\n  ") + subcommand->example);
    runs[options] = subcommand->declare(*options);
  }
  std::vector<std::string> names;
  for (const Subcommand* subcommand : kSubcommands) names.emplace_back(subcommand->name);
  if (argc > 1 && argv[1][0] != '-' && std::ranges::count(names, argv[1]) == 0) {
    std::cerr << fmt::format("reprise: there is no command \"{}\"; did you mean {}? There are {}\n",
                             argv[1], NearestName(argv[1], names), fmt::join(names, ", "));
    return kExitBadInput;
  }
  if (argc == 1) {
    std::cerr << program.help();
    return kExitBadInput;
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? kExitDone : kExitBadInput;
  }
  const Result<int> status = runs.at(program.get_subcommands().front())();
  if (status.ok()) return *status;
  std::cout.flush();
  std::cerr << "reprise: " << Printable(status.status().message()) << std::endl;
  return kExitBadInput;
}

}  // namespace
}  // namespace reprise

int main(int argc, char** argv) {
  try {
    return reprise::RunProgram(argc, argv);
  } catch (const reprise::CheckFailure& failure) {
    std::cerr << "reprise: " << failure.what() << "; this is a bug of Reprise" << std::endl;
  } catch (const std::exception& error) {
    std::cerr << "reprise: unexpected error: " << error.what() << "; this is a bug of Reprise"
              << std::endl;
  }
  return reprise::kExitBadInput;
}
