// LORE ids: an operator's number within its query, from the structure of the query's first plan
// alone.
//
// The operators of the first plan are numbered from 1 in pre-order, plans inside expressions after
// the main plan. When adaptive execution plans again, an operator that comes from the same node of
// the logical plan as operators of the first plan (PlanNode::from) gets the id of the one among
// them that has the same key (fingerprint.h), or differs only in what is below it, or is at least
// of its kind; one that comes from nowhere is looked for among all. Equal ones are told apart by
// the order in which they appear. Exchanges and sorts, which Spark puts in wherever an operator
// needs them, are known by the operator below. What adaptive execution adds gets an id above those
// of the first plan, from what it is and what it stands between. So no id depends on the order in
// which stages end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rules/masked_columns.h"
#include "rules/operator_tree.h"

namespace reprise {

/// One operator of the first plan.
struct KnownOperator {
  int64_t lore_id = 0;
  std::string name;        ///< Spark's name without "Exec"
  std::string occurrence;  ///< "Filter#0": the name and the number among those of that name
  std::string fingerprint;
  uint64_t key = 0;
  uint64_t own = 0;
  int64_t last = 0;          ///< the ids from its own to this one are those of all that is below
  int64_t below = 0;         ///< of an exchange or sort: the first operator below that is neither
  std::string undumpable;    ///< why it cannot be dumped; empty: it can, or nobody has asked
  std::string unassertable;  ///< the error of an assertion about it; empty: none
};

/// The table of the first plan: what travels to the plug-in as "ids" and comes back as "known".
struct KnownOperators {
  std::vector<KnownOperator> operators;  ///< by id: 1, 2, …
  std::optional<MaskedColumns> masked;   ///< where operators were to be dumped or checked

  std::string ToText() const;
  /// Status::SerializationError for a text that ToText did not write.
  static Result<KnownOperators> FromText(std::string_view text);
};

/// Numbers the first plan of a query; ids that nodes carry are ignored.
KnownOperators NumberFirstPlan(OperatorTree* tree);

/// Numbers a later plan of the same query. Operators that carry an id keep it.
void NumberAgain(const KnownOperators& known, OperatorTree* tree);

/// Takes over what the nodes carry, and nothing else.
void TakeCarriedIds(OperatorTree* tree);

}  // namespace reprise
