// The leaves of a fragment, as an answer writes them: how an operator reads what is not of its
// fragment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/operator_tree.h"

namespace reprise {

inline constexpr std::string_view kRowToNative = "RepriseRowToNative";
inline constexpr std::string_view kColumnsToNative = "RepriseColumnsToNative";

/// The answer is put together as text: most of it is specifications, which need no tree of all of
/// them.
std::string TextOf(const nlohmann::json& json);

/// The specification of a leaf that gives `columns`.
std::string LeafText(std::string_view kind, std::string_view name,
                     const std::vector<Field>& columns);

/// The leaf that reads child number `index` of the operator as `columns`: of an exchange's blocks,
/// of columns, or of rows; "null" where the child is native and in the same fragment.
std::string InputText(const PlanOperator& subject, size_t index, const std::vector<Field>& columns,
                      const OperatorTree& tree);

}  // namespace reprise
