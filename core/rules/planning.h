// The state that the passes of one planning work on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/config.h"
#include "plan/plan.h"
#include "rules/assertion_list.h"
#include "rules/lore_ids.h"
#include "rules/lore_selection.h"
#include "rules/masked_columns.h"
#include "rules/missing_choices.h"
#include "rules/operator_tree.h"

namespace reprise {

/// What the plug-in asks for; see docs/internals/core-interface.md.
struct PlanRequest {
  enum class Pass { kTag, kReplace };
  Pass pass = Pass::kReplace;
  Config config;
  std::optional<std::string> known;  ///< the ids of the query's first plan
  std::string query;                 ///< names the query in captures
  std::optional<int64_t> execution;  ///< Spark's number of the query's execution
  std::string secret;                ///< the key of masks; stands in no dump
  PredicateReader predicates;        ///< not of the JSON
  bool has_ledger = false;           ///< what operators give is checksummed
  bool foretells = false;            ///< what a plan that is only numbered would become is wanted
};

/// Status::SerializationError names the member that is missing or wrong.
Result<PlanRequest> PlanRequestFromJson(std::string_view request_json);

struct Planning {
  Planning(const PlanDocument& plan, const PlanRequest& request)
      : plan(plan), request(request), tree(plan) {}

  const PlanDocument& plan;
  const PlanRequest& request;
  OperatorTree tree;
  std::optional<KnownOperators> known;  ///< of the query's first plan, this one perhaps
  bool is_first_look = false;           ///< this plan is the query's first
  bool is_judged = false;               ///< the operators have marks and reasons
  std::string explain;
  std::optional<std::vector<MissingChoice>> missing;  ///< where operators to dump are chosen
  MaskedColumns masked;  ///< by spark.reprise.lore.mask, where operators are dumped or checked

  const Config& config() const { return request.config; }
};

}  // namespace reprise
