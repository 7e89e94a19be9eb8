// The passes of planning and their order: one list.
#pragma once

#include <span>
#include <string_view>

#include "rules/planning.h"

namespace reprise {

struct PlanningPass {
  std::string_view name;
  std::string_view order;  ///< why it stands where it stands
  Status (*run)(Planning* planning);
};

std::span<const PlanningPass> PlanningPasses();

/// Runs all passes in their order; the first error ends it.
Status RunPasses(Planning* planning);

/// The passes, one file each.
Status GiveLoreIds(Planning* planning);
Status JudgeOperators(Planning* planning);
Status FollowMasks(Planning* planning);
Status ChooseCaptures(Planning* planning);
Status ChooseAssertions(Planning* planning);
Status RemoveSorts(Planning* planning);
Status OrderExpands(Planning* planning);
Status WeighNeighbours(Planning* planning);
Status FormFragmentCaptures(Planning* planning);
Status ExplainPlan(Planning* planning);

}  // namespace reprise
