#include "report/operator_labels.h"

#include "base/config.h"
#include "report/plan_graph.h"

namespace reprise {

namespace {

bool OnlyExplains(const LogModel& model, const SqlExecution& execution) {
  ConfigMap settings;
  for (const auto* set : {&model.settings(), &execution.settings}) {
    for (const char* name : {"spark.reprise.sql.mode", "spark.rapids.sql.mode"}) {
      if (const auto found = set->find(name); found != set->end()) settings[name] = found->second;
    }
  }
  const Result<Config> config = ParseConfig(settings);
  return config.ok() && config->explain_only();
}

}  // namespace

std::vector<std::string> OperatorLabels(const LogModel& model, const SqlExecution& execution) {
  std::vector<std::string> labels(execution.plan.size());
  const bool foretells = execution.ended == 0 && !OnlyExplains(model, execution);
  for (const GraphNode& node : BuildPlanGraph(model, execution, {})) {
    if (node.lore_id == 0) continue;
    const bool will_be_native = foretells &&
                                (node.runs == RunsIn::kNative || node.runs == RunsIn::kGuest) &&
                                !node.logged->name.starts_with("Reprise");
    labels[node.logged - execution.plan.data()] =
        fmt::format(" [loreId={}{}]", node.lore_id, will_be_native ? ", will run natively" : "");
  }
  return labels;
}

}  // namespace reprise
