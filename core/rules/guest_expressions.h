// Which expressions Spark can evaluate for a native operator, below it.
#pragma once

#include <optional>
#include <vector>

#include "rules/expression_translation.h"

namespace reprise {

/// The columns of `input` that the expression reads, ascending; nothing where it cannot be a guest:
/// its result has no native form or it reads columns that have none, it asks for the file being
/// read, or it is no expression that Spark evaluates row by row.
std::optional<std::vector<int>> ColumnsOfGuest(const PlanObject& expression, const Binding& input);

/// What stands between the ANDs of a condition, in the order in which it is evaluated.
using Conditions = std::vector<const PlanObject*>;
Conditions ConditionsOf(const PlanValue& condition);

/// That both conditions are true.
ExpressionSpec Both(ExpressionSpec left, ExpressionSpec right);

/// Whether Spark evaluates operand number `index` for every row for which it evaluates the
/// expression. A guest is evaluated for every row, so it must stand nowhere else: an error there
/// must not be.
bool IsAlwaysEvaluated(const PlanObject& expression, size_t index);

/// Whether the value may depend on the rows before, and so on the order in which they come: of
/// what draws numbers, counts rows or is a function of the user's that says so.
bool MaySeeOtherRows(const PlanValue& expression);

/// Whether the expression, its operands aside, is code of Spark's own that looks at nothing but its
/// row.
bool IsRowwiseCodeOfSparks(const PlanObject& expression);

}  // namespace reprise
