// LocalLimitExec, GlobalLimitExec -> limit.
//
// Input:   `limit`, and GlobalLimitExec's `offset`, which is part of the limit.
// Output:  {"limit":n,"offset":m}; n = -1: all rows but the first m
// Example: GlobalLimit 10, 3  ->  {"limit":10,"offset":3}
#include "rules/operator_table.h"
#include "rules/operator_translation.h"

namespace reprise {

Judgement JudgeLimit(const OperatorQuestion& question) {
  OperatorTranslation translation(question);
  if (!translation.ok()) return translation.Take();
  const PlanValue* limit = question.node.argument("limit");
  const PlanValue* offset = question.node.argument("offset");
  if (limit == nullptr || !limit->is(PlanValue::Kind::kInteger)) {
    return Refused("its limit is not part of the plan");
  }
  const bool has_offset = offset != nullptr && offset->is(PlanValue::Kind::kInteger);
  const int64_t skipped = has_offset ? offset->integer : 0;
  translation.native().arguments = {{"limit", limit->integer}, {"offset", skipped}};
  translation.native().arguments_text = skipped == 0
                                            ? fmt::format("{}", limit->integer)
                                            : fmt::format("{}, {}", limit->integer, skipped);
  return translation.Take();
}

}  // namespace reprise
