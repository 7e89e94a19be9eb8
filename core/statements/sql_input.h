// What a statement reads.
#pragma once

#include <string>
#include <vector>

#include "plan/data_type.h"

namespace reprise {

/// A relation of a statement.
struct SqlInput {
  std::string name;
  std::vector<std::string> columns;  ///< as expressions name them
};

/// The names of columns, each in no letter case that of another: where several are called alike,
/// the second and further ones get their number behind it.
std::vector<std::string> DistinctNames(const std::vector<Field>& fields);

/// "a AS `b`, …": the columns of a statement with the names of `fields`; a statement without any
/// gives one that says nothing.
std::string SqlItems(const std::vector<std::string>& columns, const std::vector<Field>& fields);

}  // namespace reprise
