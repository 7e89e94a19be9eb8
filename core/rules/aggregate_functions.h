// Aggregate functions of a plan, as aggregates and windows have them.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rules/operator_translation.h"
#include "vocabulary/aggregates.h"

namespace reprise {

/// Spark's mode of an aggregate expression.
struct AggregateModeRow {
  std::string_view spark;
  std::string_view spec;
  bool reads_rows;     ///< else merges buffers
  bool makes_results;  ///< else hands on buffers
};

/// One AggregateExpression, looked up.
struct FoundAggregate {
  const PlanObject* expression = nullptr;
  const PlanObject* function = nullptr;
  const AggregateRow* row = nullptr;
  const AggregateModeRow* mode = nullptr;
  DataType input_type;
  DataType result_type;
  std::vector<Field> buffer;
  /// Spark evaluates it; then `row` is null.
  std::optional<Guest> guest;
};

/// Notes the expression as refused.
void RefuseExpression(OperatorTranslation* translation, const PlanObject& expression,
                      std::string reason);

/// The function of an AggregateExpression, or nothing after it has been refused.
std::optional<FoundAggregate> FindAggregate(OperatorTranslation* translation,
                                            const PlanValue& expression);

/// The function as one that Spark evaluates on rows of `input`, or on buffers; nothing where it
/// cannot be. `refusals`: why it is not native.
std::optional<FoundAggregate> FindGuestAggregate(const PlanValue& expression, const Binding& input,
                                                 std::vector<Refusal> refusals);

/// One of "aggregates" in the arguments of a hash aggregate (operators/aggregate/hash_aggregate.h),
/// without its "bufferIndex" and "guest". Arguments that have no native form are refused, and
/// missing.
nlohmann::json AggregateJson(OperatorTranslation* translation, const FoundAggregate& aggregate);

}  // namespace reprise
