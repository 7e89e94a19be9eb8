// An operator's spec as lines of text for people.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plan/spec.h"

namespace reprise {

/// "l_orderkey bigint, l_comment string not null"
std::string SchemaText(const std::vector<Field>& fields);

/// "Filter#0"; of a fragment "HashAggregate#1 and 6 below".
std::string OperatorLabel(const OperatorSpec& spec);

/// What the operator does: label and text of each of its arguments, expressions as SQL-like text
/// with the names of the columns that they are bound to. Arguments that hold no expression are
/// shown as JSON.
std::vector<std::pair<std::string, std::string>> ArgumentLines(const OperatorSpec& spec);

}  // namespace reprise
