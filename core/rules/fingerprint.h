// Structural hashes of operators.
//
// Both hash the operator's class, its expressions with attributes bound to the ordinal positions of
// its inputs (exprIds differ from run to run), its input and output schemas, and its children's
// hashes. The physical strategies of a join (sort-merge, broadcast hash, shuffled hash, nested
// loop) hash alike.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>

#include "rules/operator_tree.h"

namespace reprise {

struct OperatorHashes {
  uint64_t fingerprint =
      0;  ///< what users see: over all children, and the plans inside expressions
  /// What finds an operator again after adaptive re-planning: looks through the exchanges and sorts
  /// below the operator, which adaptive execution adds and drops, and not into plans inside
  /// expressions.
  uint64_t key = 0;
  /// The operator without what is below: finds it again where adaptive execution has taken away a
  /// part of the plan that turned out empty.
  uint64_t own = 0;
};

class Fingerprints {
 public:
  /// `known_key`: the key of an operator that an earlier pass has tagged, or 0; its subtree may
  /// look otherwise by now.
  explicit Fingerprints(std::function<uint64_t(const PlanOperator&)> known_key)
      : known_key_(std::move(known_key)) {}

  const OperatorHashes& Of(const PlanOperator& subject);

 private:
  uint64_t KeyThroughExchanges(const PlanOperator& subject);

  std::function<uint64_t(const PlanOperator&)> known_key_;
  std::unordered_map<const PlanOperator*, OperatorHashes> computed_;
};

/// The operators that keys look through.
bool IsExchangeOrSort(const PlanNode& node);

/// 16 hexadecimal digits.
std::string HashText(uint64_t hash);

}  // namespace reprise
