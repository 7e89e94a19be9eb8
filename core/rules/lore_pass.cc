// Pass "lore ids": gives operators their numbers, or keeps those that their nodes carry.
//
// Input:   the tree of operators, the nodes' tags, and the ids of the query's first plan where
// there was one. Output:  lore_id, fingerprint and occurrence of each operator. Example: Filter
// over a scan, the query's first plan  ->  Filter 1 "Filter#0", scan 2 "FileSourceScan#0"
#include <algorithm>

#include "rules/pipeline.h"

namespace reprise {

namespace {

bool CarriesIds(const OperatorTree& tree) {
  return std::ranges::any_of(tree.operators(), [](const PlanOperator* subject) {
    return subject->replaceable && subject->node->lore_id != 0;
  });
}

}  // namespace

Status GiveLoreIds(Planning* planning) {
  const PlanRequest& request = planning->request;
  if (!request.config.boolean("spark.reprise.lore.tag.enabled")) {
    planning->is_first_look = true;
    return Status::OK();
  }
  if (request.known && !request.known->empty()) {
    ARROW_ASSIGN_OR_RAISE(planning->known, KnownOperators::FromText(*request.known));
    NumberAgain(*planning->known, &planning->tree);
    return Status::OK();
  }
  if (request.pass == PlanRequest::Pass::kReplace && CarriesIds(planning->tree)) {
    TakeCarriedIds(&planning->tree);
    return Status::OK();
  }
  planning->is_first_look = true;
  planning->known = NumberFirstPlan(&planning->tree);
  return Status::OK();
}

}  // namespace reprise
