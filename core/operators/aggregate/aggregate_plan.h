// What a hash aggregate derives from its specification before the first row.
#pragma once

#include <memory>
#include <vector>

#include "expressions/expression.h"
#include "operators/aggregate/aggregate_inputs.h"
#include "operators/aggregate/aggregate_spec.h"

namespace reprise {

/// An aggregate function, and where its filter and arguments are among the inputs.
struct PlannedAggregate {
  AggregateSpec spec;
  size_t filter = 0;
  std::vector<AggregateInputs::Argument> arguments;
};

struct AggregatePlan {
  std::vector<std::unique_ptr<Expression>> keys;
  std::vector<PlannedAggregate> aggregates;
  AggregateInputs inputs{{}};
  std::shared_ptr<arrow::Schema> buffer_schema;  ///< [keys…, buffers of each aggregate]
  bool may_flush = false;  ///< whoever reads the output merges what it gets of a key in pieces
  bool is_sorted = false;  ///< the rows of a group stand together
  bool has_results = false;
  bool input_may_widen = false;                  ///< expressions/widening.h
  bool results_may_widen = false;                ///< expressions/widening.h
  std::shared_ptr<arrow::Schema> result_schema;  ///< [keys…, result of each aggregate]
  std::vector<std::unique_ptr<Expression>> results;
  bool is_deferred = false;  ///< expressions/deferred_values.h, of the results
};

/// `output` gets the types of the operator's output. Errors as MakeExpression.
Result<AggregatePlan> MakeAggregatePlan(HashAggregateSpec spec, const std::vector<Field>& input,
                                        std::vector<DataType>* output);

}  // namespace reprise
