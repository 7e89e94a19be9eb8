#include "replay/description.h"

namespace reprise {

nlohmann::json Describe(const OperatorDump& dump) {
  const PlanMeta& plan = dump.plan();
  nlohmann::json inputs = nlohmann::json::array();
  for (const auto& input : dump.inputs()) {
    inputs.push_back({{"partitions", input->partitions},
                      {"replicated", input->replicated},
                      {"schema", ToJson(input->schema)}});
  }
  return {{"name", plan.spec.name},
          {"occurrence", plan.spec.occurrence},
          {"loreId", plan.spec.lore_id},
          {"fingerprint", plan.spec.fingerprint},
          {"kind", plan.spec.kind},
          {"output", ToJson(plan.spec.output)},
          {"partitions", plan.partition_count},
          {"apart", plan.streams_apart},
          {"tellsPartitions", TellsPartitions(plan.spec)},
          {"query", plan.query},
          {"conf", plan.conf},
          {"versions", plan.versions},
          {"masked", plan.masked},
          {"spark", plan.spark},
          {"inputs", std::move(inputs)}};
}

}  // namespace reprise
