// The columns of a query that hold values of masked ones, under whatever name.
//
// A column is masked where the user names it, and where it is computed of masked ones. What only
// tells of values does not hold them: comparisons, counts, the order and the partitions of windows.
// Where a plan does not say what a column is made of (a function of the user's own), it is taken to
// be made of all that goes in; where it does not say what a column comes from (an RDD, rows that
// stand in the query), the column is masked.
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

  /// Why nothing of this query is recorded, which runs all the same; empty: it is.
  const std::string& unfit() const { return unfit_; }
  void LeaveOut(std::string reason) { unfit_ = std::move(reason); }

  /// The mask of a column, or nothing. One that is computed of hashed columns, and whose values
  /// cannot be hashed, is null.
  std::optional<MaskKind> Of(const Attribute& column) const;

  /// The masks, by name, of what goes into a node and comes out of it:
  /// {"c_name":"hash","n":"null"}.
  nlohmann::json Around(const PlanNode& node) const;

  /// What else of the node must not be shown, as dump/hidden_values.h reads it:
  /// {"clearValues":[17],"literals":["x"],"rows":false,"folders":false,"leafFolders":false}.
  nlohmann::json HiddenIn(const PlanNode& node) const;

  nlohmann::json ToJson() const;
  /// Throws nlohmann::json::exception where ToJson did not write it.
  static MaskedColumns FromJson(const nlohmann::json& json);

 private:
  friend class MaskFollower;

  std::optional<MaskKind> OfName(std::string_view name) const;
  bool HasMaskedPartition(const PlanNode& node) const;

  nlohmann::json masks_ = nlohmann::json::object();
  std::string unfit_;
  std::map<int64_t, MaskKind> kinds_;        // of masked columns
  std::set<int64_t> of_booleans_;            // masked columns that may be made of masked booleans
  std::set<int64_t> clear_;                  // columns that are not masked
  std::set<std::string> clear_names_;        // their names
  std::map<std::string, MaskKind> by_name_;  // names of masked columns
  std::set<int64_t> clear_values_;           // subqueries that give no masked value
  std::set<std::string> literals_;           // what masked columns are compared with
  bool has_masked_folders_ = false;          // files stand in folders named after masked values
};

}  // namespace reprise
