// The arguments of a hash aggregate, read and checked.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "expressions/bloom_filter.h"
#include "plan/spec.h"

namespace reprise {

enum class AggregateFunction {
  kCount,
  kSum,
  kMin,
  kMax,
  kAvg,
  kVarPop,
  kVarSamp,
  kStddevPop,
  kStddevSamp,
  kFirst,
  kFirstNotNull,
  kLast,
  kLastNotNull,
  kCollectList,
  kCollectSet,
  kBloomFilter,
  kGuest  ///< Spark evaluates it
};

class GuestGroups;

/// Spark's AggregateMode: what goes in (input rows or buffers) and what comes out (buffers or
/// results).
enum class AggregateMode { kPartial, kPartialMerge, kFinal, kComplete };

/// One aggregate function of a hash aggregate.
struct AggregateSpec {
  AggregateFunction function = AggregateFunction::kCount;
  AggregateMode mode = AggregateMode::kPartial;
  std::vector<ExpressionSpec> inputs;    ///< bound to the operator's input; partial and complete
  std::optional<ExpressionSpec> filter;  ///< rows for which it is not true are left out
  std::vector<Field> buffer;             ///< Spark's aggregation buffer, exactly its layout
  int buffer_index = 0;                  ///< input column of the first buffer field; merging modes
  DataType result;
  DataType input_type;  ///< of the function's argument; kNull for count
  bool ansi = false;
  /// Of a guest: which of the operator's it is, and Spark's state for it.
  int64_t guest_number = 0;
  std::shared_ptr<GuestGroups> guest;
  /// Of decimals: a sum that outgrows its type is lost at once, as in Spark's UnsafeRows.
  bool bounded_sums = true;
  std::optional<BloomFilterShape> bloom_filter;  ///< of a Bloom filter
  std::string context;  ///< as an expression's: where in the query it stands; "": nowhere

  /// The input is buffers of an earlier aggregate.
  bool merges() const {
    return mode == AggregateMode::kPartialMerge || mode == AggregateMode::kFinal;
  }
  /// The output is the function's result.
  bool evaluates() const {
    return mode == AggregateMode::kFinal || mode == AggregateMode::kComplete;
  }
};

/// Of which functions' arguments what is common is evaluated first (common_subexpressions.h).
enum class Commons { kOfAll, kOfUnfiltered, kNone };

struct HashAggregateSpec {
  std::vector<ExpressionSpec> keys;
  std::vector<AggregateSpec> aggregates;
  /// Bound to [keys…, result of each aggregate]; absent where the output is [keys…, buffers…].
  std::optional<std::vector<ExpressionSpec>> results;
  bool sorted = false;  ///< the rows of a group stand together in the input
  Commons commons = Commons::kOfAll;
  bool deferred = true;  ///< a result that cannot be computed fails where it is used
};

/// Reads one of "aggregates" (hash_aggregate.h). Errors as below.
Result<AggregateSpec> ReadAggregateSpec(const nlohmann::json& json,
                                        const std::vector<Field>& input);

/// Reads OperatorSpec.arguments of kind "hash_aggregate" (the format stands in hash_aggregate.h).
/// `input` are the columns of the operator's input. Missing or contradictory members are
/// Status::Invalid naming them; a function over a type that it is not made for is
/// Status::NotImplemented.
Result<HashAggregateSpec> ReadHashAggregateSpec(const nlohmann::json& arguments,
                                                const std::vector<Field>& input);

/// The types of Spark's aggregation buffer of a function.
std::vector<DataType> BufferTypes(const AggregateSpec& spec);

}  // namespace reprise
