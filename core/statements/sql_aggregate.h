// Aggregates as Spark's SQL.
#pragma once

#include <string>
#include <vector>

#include "operators/aggregate/aggregate_spec.h"
#include "statements/sql_input.h"

namespace reprise {

/// The call of an aggregate function over rows, "sum(`x`) FILTER (WHERE …)".
/// Status::NotImplemented for a function that only Spark's code knows.
Result<std::string> SqlOfCall(const AggregateSpec& aggregate,
                              const std::vector<std::string>& columns);

/// The statement of an operator of kind "hash_aggregate". Buffers, which partial aggregates give
/// and merging ones read, are written of count, sum, avg, min and max; those of other functions
/// have no SQL form: Status::NotImplemented names the function.
Result<std::string> SqlOfAggregate(const OperatorSpec& spec, const SqlInput& input);

}  // namespace reprise
