#include "rules/pipeline.h"

namespace reprise {

namespace {

constexpr PlanningPass kPasses[] = {
    {"lore ids",
     "First, because ids come from the plan's structure alone and everything after names operators "
     "by them.",
     GiveLoreIds},
    {"judge",
     "Looks at each operator alone, so it needs no other pass, and all the following need its "
     "marks.",
     JudgeOperators},
    {"masks",
     "Before the captures and the assertions, which must show no masked value; needs no other "
     "pass.",
     FollowMasks},
    {"captures",
     "After the judgement, because only native operators can be dumped; before the neighbours are "
     "weighed, because an "
     "operator that is to be dumped runs natively even where that does not pay.",
     ChooseCaptures},
    {"assertions", "After the judgement, because what cannot be read cannot be checked.",
     ChooseAssertions},
    {"sorts",
     "After the judgement, because only native joins need no sorted input, and after the captures "
     "and assertions, "
     "because a sort that is to be dumped or checked stays; before the neighbours, who then stand "
     "together.",
     RemoveSorts},
    {"expands", "After the judgement, because only native ones give rows in another order.",
     OrderExpands},
    {"neighbours",
     "After the captures; it is the last pass that changes a mark, since a fragment is known only "
     "when all are.",
     WeighNeighbours},
    {"fragment captures", "After the last pass that changes a mark.", FormFragmentCaptures},
    {"explain", "Last, because it tells what all the others have decided.", ExplainPlan},
};

}  // namespace

std::span<const PlanningPass> PlanningPasses() { return kPasses; }

Status RunPasses(Planning* planning) {
  for (const PlanningPass& pass : kPasses) RETURN_NOT_OK(pass.run(planning));
  return Status::OK();
}

}  // namespace reprise
