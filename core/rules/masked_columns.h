// The columns of a query that hold values of masked ones, under whatever name.
//
// A column is masked where the user names it, and where it is computed of masked ones. What only
// tells of values does not hold them: predicates, counts, the order and the partitions of windows.
// Where a plan does not say what a column is made of (a function of the user's own), it is taken to
// be made of all that goes in.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "plan/mask_kind.h"
#include "plan/plan.h"

namespace reprise {

/// Columns by the number of their attribute (exprId).
class MaskedColumns {
 public:
  /// Follows `masks` ({"c_name":"hash"}, as ParseMasks gives them) through a plan. `before`: what
  /// the query's first plan said; null where this is the first.
  static MaskedColumns Follow(const nlohmann::json& masks, const PlanDocument& plan,
                              const MaskedColumns* before);

  /// The masks that were followed.
  const nlohmann::json& masks() const { return masks_; }

  /// Why nothing may be recorded under these masks; empty: it may.
  const std::string& refusal() const { return refusal_; }
  void Refuse(std::string reason) { refusal_ = std::move(reason); }

  /// The mask of a column, or nothing. One that is computed of hashed columns, and whose values
  /// cannot be hashed, is null.
  std::optional<MaskKind> Of(const Attribute& column) const;

  /// The masks, by name, of what goes into a node and comes out of it:
  /// {"c_name":"hash","n":"null"}.
  nlohmann::json Around(const PlanNode& node) const;

  nlohmann::json ToJson() const;
  /// Throws nlohmann::json::exception where ToJson did not write it.
  static MaskedColumns FromJson(const nlohmann::json& json);

 private:
  friend class MaskFollower;

  std::optional<MaskKind> OfName(std::string_view name) const;

  nlohmann::json masks_ = nlohmann::json::object();
  std::string refusal_;
  std::map<int64_t, MaskKind> kinds_;        // of masked columns
  std::set<int64_t> clear_;                  // columns that are not masked
  std::map<std::string, MaskKind> by_name_;  // names of masked columns
};

}  // namespace reprise
