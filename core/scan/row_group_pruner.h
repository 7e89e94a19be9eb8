// Which row groups can be skipped: those in which, by their statistics, no row fulfils a condition.
//
// Input: conjuncts of the filter above the scan and a row group's column ranges.  Output: skip or
// not. Example: (l_shipdate < 9000) skips a row group whose least l_shipdate is 9100.
#pragma once

#include <functional>
#include <vector>

#include "plan/spec.h"
#include "scan/column_range.h"

namespace reprise {

/// The conjuncts of argument "pruning"; none where it is missing.
Result<std::vector<ExpressionSpec>> PruningArgument(const nlohmann::json& arguments);

/// Conditions over a scan's output, prepared for looking at statistics.
///
/// Understood are comparisons of a column with a literal (either way round), `in` over literals,
/// `is_null` and `is_not_null` of a column, `and` and `or` of these. Anything else never skips.
/// Comparisons are Spark's: null is never true, NaN equals NaN and is greatest, -0.0 equals 0.0.
class RowGroupPruner {
 public:
  RowGroupPruner(const std::vector<ExpressionSpec>& conjuncts, const std::vector<Field>& output);

  /// The range of output column `index` in the row group at hand.
  using RangeLookup = std::function<ColumnRange(int index)>;

  /// True only where for every row of the row group some conjunct is false or null.
  bool CanSkip(const RangeLookup& range_of) const;

  /// Whether any conjunct is understood.
  bool has_conditions() const { return !conditions_.empty(); }

 private:
  using Condition = std::function<bool(const RangeLookup&)>;  // true: no row fulfils it

  static Condition Compile(const ExpressionSpec& expression, const std::vector<Field>& output);

  std::vector<Condition> conditions_;
};

}  // namespace reprise
