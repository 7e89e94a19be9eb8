#include "cli/replay_options.h"

namespace reprise {

void DeclareReplayOptions(CLI::App& app, ReplayCommand* command) {
  app.add_option("FOLDER", command->folder, "folder of the operator: DUMP/loreId-N")->required();
  app.add_option("--partition", command->replay.partition,
                 "replay this partition only (default: all that were captured)");
  app.add_option("--attempt", command->replay.attempt,
                 "replay what this attempt recorded, even if it failed; needs --partition");
  app.add_flag("--recorded", command->replay.recorded_only,
               "leave out partitions that have no whole record");
  app.add_option("--repeat", command->replay.repeat,
                 "run each partition so many times and report the fastest and the median")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--out", command->replay.out_path,
                 "write the output rows to this file: .parquet or .arrow");
  app.add_option("--trace", command->replay.trace_path,
                 "write what the operator did and when to this file, for ui.perfetto.dev or "
                 "chrome://tracing");
  app.add_flag("--digests", command->digests, "show the digests of every column");
  app.add_flag("--json", command->json, "print JSON");
}

}  // namespace reprise
