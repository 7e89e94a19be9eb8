// Pass "masks": finds the columns whose values must not be shown.
//
// Input:   spark.reprise.lore.mask, where operators are to be dumped or checked; what the query's
//          first plan said.
// Output:  Planning::masked. On the first plan, for the later ones: KnownOperators::masked.
// Example: "c_name:hash", Project [c_name AS n]  ->  c_name and n are hashed
#include "rules/mask_list.h"
#include "rules/pipeline.h"

namespace reprise {

Status FollowMasks(Planning* planning) {
  const Config& config = planning->config();
  const bool is_wanted = !config.text("spark.reprise.lore.idsToDump").empty() ||
                         !config.text("spark.reprise.assert").empty();
  const std::string_view setting = config.text("spark.reprise.lore.mask");
  if (!is_wanted || setting.empty()) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const auto masks, ParseMasks(setting));
  if (planning->is_first_look) {
    RETURN_NOT_OK(CheckMasks(masks, planning->tree));
    planning->masked = MaskedColumns::Follow(masks, planning->plan, nullptr);
    planning->masked.LeaveOut(WhyMasksUnfit(masks, planning->plan));
    if (planning->known) planning->known->masked = planning->masked;
    return Status::OK();
  }
  const bool is_known = planning->known && planning->known->masked;
  const MaskedColumns* before = is_known ? &*planning->known->masked : nullptr;
  planning->masked = MaskedColumns::Follow(masks, planning->plan, before);
  if (planning->known && (before == nullptr || before->masks() != masks)) {
    planning->masked.LeaveOut(
        "spark.reprise.lore.mask: nothing of the query is dumped, because it, or what is to be "
        "dumped, was set after the query had been planned, so that columns computed of masked ones "
        "are not known; make the DataFrame again");
  }
  return Status::OK();
}

}  // namespace reprise
