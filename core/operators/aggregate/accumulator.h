// Accumulator: the state of one aggregate function for all groups.
#pragma once

#include <arrow/array.h>

#include <memory>
#include <span>

#include "expressions/expression.h"
#include "operators/aggregate/aggregate_spec.h"
#include "operators/fixed_values.h"

namespace reprise {

/// Rows and the group that each belongs to.
struct GroupRows {
  const int32_t* groups = nullptr;  ///< null: all rows belong to group 0 (there are no keys)
  int64_t row_count = 0;
  /// Of running totals, whose rows stand in the order of their groups: whether a group begins as
  /// the one before it has ended. Null: each begins anew.
  const uint8_t* carried = nullptr;

  /// The row is the first of a group that begins as the one before it has ended.
  bool Carries(int64_t row) const {
    return carried != nullptr && carried[groups[row]] != 0 &&
           (row == 0 || groups[row] != groups[row - 1]);
  }
};

/// Adds rows, or buffers of other accumulators, to groups, in row order; one virtual call a batch.
/// What is added and how is Spark's: the updateExpressions, mergeExpressions and evaluateExpression
/// of the function's class.
class Accumulator {
 public:
  virtual ~Accumulator() = default;

  /// Makes room for groups 0 … group_count - 1; new groups start as Spark's initialValues.
  virtual Status Grow(int32_t group_count) = 0;

  /// Adds input rows. `inputs` has the function's arguments; only those of count may be scalars.
  virtual Status Update(const GroupRows& rows, std::span<const Column> inputs) = 0;

  /// Forgets all groups but one, which is group 0 then.
  virtual Status KeepOnly(int32_t group) = 0;

  /// Adds the buffers of an earlier aggregate: one column a buffer field.
  virtual Status Merge(const GroupRows& rows, const arrow::ArrayVector& buffers) = 0;

  /// Bytes of the strings in the states of groups begin … end - 1.
  virtual int64_t StringBytes([[maybe_unused]] int32_t begin, [[maybe_unused]] int32_t end) const {
    return 0;
  }

  /// The buffers of groups begin … end - 1, one column a field, allocated from `pool`.
  virtual Result<arrow::ArrayVector> Buffers(int32_t begin, int32_t end,
                                             arrow::MemoryPool* pool) const = 0;

  /// The function's results for groups begin … end - 1.
  virtual Result<std::shared_ptr<arrow::Array>> Results(int32_t begin, int32_t end,
                                                        arrow::MemoryPool* pool) const = 0;
};

/// Makes the accumulator of a checked spec (ReadHashAggregateSpec). The state's memory comes from
/// `pool`.
std::unique_ptr<Accumulator> MakeAccumulator(const AggregateSpec& spec, arrow::MemoryPool* pool);

/// The accumulators of each function; call MakeAccumulator.
std::unique_ptr<Accumulator> MakeCount(const AggregateSpec& spec, arrow::MemoryPool* pool);
std::unique_ptr<Accumulator> MakeSum(const AggregateSpec& spec, arrow::MemoryPool* pool);
std::unique_ptr<Accumulator> MakeAverage(const AggregateSpec& spec, arrow::MemoryPool* pool);
std::unique_ptr<Accumulator> MakeCentralMoment(const AggregateSpec& spec, arrow::MemoryPool* pool);
std::unique_ptr<Accumulator> MakeFirstLast(const AggregateSpec& spec, arrow::MemoryPool* pool);
std::unique_ptr<Accumulator> MakeMinMax(const AggregateSpec& spec, arrow::MemoryPool* pool);
std::unique_ptr<Accumulator> MakeCollect(const AggregateSpec& spec, arrow::MemoryPool* pool);
std::unique_ptr<Accumulator> MakeDecimalSum(const AggregateSpec& spec, arrow::MemoryPool* pool);
std::unique_ptr<Accumulator> MakeBloomFilter(const AggregateSpec& spec, arrow::MemoryPool* pool);
std::unique_ptr<Accumulator> MakeGuest(const AggregateSpec& spec, arrow::MemoryPool* pool);

/// Calls add(state, row) for every row that is valid, in row order: the loop of most accumulators.
/// Without keys the one state is held in registers.
template <typename State, typename Add>
void ForEachValid(const GroupRows& rows, const Validity& valid, State* states, Add&& add) {
  const int32_t* groups = rows.groups;
  if (rows.carried != nullptr) {
    for (int64_t row = 0; row < rows.row_count; ++row) {
      State& state = states[groups[row]];
      if (rows.Carries(row)) state = states[groups[row] - 1];
      if (valid[row]) add(state, row);
    }
  } else if (groups == nullptr) {
    State state = states[0];
    if (valid.all()) {
      for (int64_t row = 0; row < rows.row_count; ++row) add(state, row);
    } else {
      for (int64_t row = 0; row < rows.row_count; ++row) {
        if (valid[row]) add(state, row);
      }
    }
    states[0] = state;
  } else if (valid.all()) {
    for (int64_t row = 0; row < rows.row_count; ++row) add(states[groups[row]], row);
  } else {
    for (int64_t row = 0; row < rows.row_count; ++row) {
      if (valid[row]) add(states[groups[row]], row);
    }
  }
}

}  // namespace reprise
