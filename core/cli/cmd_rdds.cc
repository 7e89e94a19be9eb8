// reprise rdds LOG
//   purpose  list the RDDs of an application, as printRDDs() of the replay debugger does
//   input    an event log
//   output   a line an RDD: #0: ParallelCollectionRDD makeRDD at <console>:12
//   example  reprise rdds /tmp/spark-events/local-1795267533281
#include "cli/cmd_rdds.h"

#include <fmt/format.h>

#include "base/printable.h"
#include "cli/event_log.h"
#include "lineage/model_json.h"

namespace reprise {

namespace {

Result<int> ListRdds(const EventLogOptions& options) {
  ARROW_ASSIGN_OR_RAISE(const LoadedLog log,
                        ReadEventLog(options.path, {.tasks = false, .sql = false}));
  if (options.json) {
    nlohmann::json json = HeadJson(log);
    json["rdds"] = nlohmann::json::array();
    for (const auto& [id, rdd] : log.model.rdds()) json["rdds"].push_back(ToJson(rdd));
    fmt::print("{}\n", json.dump(2));
    return kExitDone;
  }
  for (const auto& [id, rdd] : log.model.rdds()) {
    fmt::print("#{}: {}\n", id, PrintableLine(rdd.Text()));
  }
  return kExitDone;
}

Run DeclareRdds(CLI::App& app) {
  auto options = std::make_shared<EventLogOptions>();
  options->Declare(app);
  return [options] { return ListRdds(*options); };
}

}  // namespace

const Subcommand kRdds = {"rdds", "List the RDDs that an application's event log tells of",
                          "reprise rdds /tmp/spark-events/local-1795267533281", DeclareRdds};

}  // namespace reprise
