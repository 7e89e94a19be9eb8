// The aggregate functions that run natively, with the layout of their aggregation buffers: one
// literal table.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "vocabulary/type_set.h"

namespace reprise {

/// One of Spark's aggregate functions over one input of type `input` (count: any). Partial and
/// final aggregates exchange Spark's own buffers, so that each side may run natively alone.
struct AggregateRow {
  std::string_view class_name;  ///< Spark's, full
  std::string_view function;    ///< of specifications: "sum"
  TypeSet input_types;
  bool has_mode;  ///< follows Spark's evaluation mode (ANSI, legacy, TRY)
  /// Spark's DeclarativeAggregate.dataType.
  DataType (*result)(const DataType& input);
  /// The fields of Spark's DeclarativeAggregate.aggBufferAttributes.
  std::vector<Field> (*buffer)(const DataType& input);
  std::string_view limits;  ///< for the reference page
  bool is_running = true;   ///< has running totals, for windows
  size_t settings = 0;      ///< so many last operands are literals that say how it works
};

/// In specifications: a function that Spark evaluates.
inline constexpr std::string_view kGuestFunction = "guest";

std::span<const AggregateRow> AggregateTable();

/// The row of one of Spark's classes, or nullptr.
const AggregateRow* FindAggregateClass(std::string_view class_name);

/// The row of a function's name, or nullptr.
const AggregateRow* FindAggregateFunction(std::string_view function);

}  // namespace reprise
