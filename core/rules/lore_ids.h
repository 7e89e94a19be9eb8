// LORE ids: an operator's number within its query, from the structure of the query's first plan
// alone.
//
// The operators of the first plan are numbered from 1 in pre-order, plans inside expressions after
// the main plan. When adaptive execution plans again, an operator gets the id of the first plan's
// operator with the same key (fingerprint.h), or else of one that differs only in what is below it;
// equal ones are told apart by the order in which they appear. What adaptive execution adds gets
// ids above those of the first plan, from its key: never from the order in which stages end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rules/operator_tree.h"

namespace reprise {

/// One operator of the first plan.
struct KnownOperator {
  int64_t lore_id = 0;
  std::string name;  ///< Spark's name without "Exec"
  std::string fingerprint;
  uint64_t key = 0;
  uint64_t own = 0;
  std::string undumpable;  ///< why it cannot be dumped; empty: it can, or nobody has asked
};

/// The table of the first plan: what travels to the plug-in as "ids" and comes back as "known".
struct KnownOperators {
  std::vector<KnownOperator> operators;  ///< by id: 1, 2, …

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
