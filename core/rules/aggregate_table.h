// Which of Spark's aggregate functions run natively, with the layout of their aggregation buffers:
// one literal table.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "plan/plan.h"
#include "rules/expression_table.h"

namespace reprise {

/// One of Spark's aggregate functions. Partial and final aggregates exchange Spark's own buffers,
/// so that each side may run natively alone: `buffer` gives the fields of
/// DeclarativeAggregate.aggBufferAttributes.
struct AggregateRule {
  std::string_view class_name;  ///< full
  std::string_view function;    ///< of the spec: "sum"
  TypeSet input_types;
  bool has_mode;  ///< follows Spark's evaluation mode (ANSI, legacy, TRY)
  std::vector<Field> (*buffer)(const DataType& input, const DataType& result);
  std::string_view notes;
};

std::span<const AggregateRule> AggregateTable();

/// The rule of a class, or nullptr.
const AggregateRule* FindAggregateRule(std::string_view class_name);

}  // namespace reprise
