// The arguments of a window operator, read and checked.
#pragma once

#include <optional>
#include <vector>

#include "operators/aggregate/aggregate_spec.h"
#include "operators/spec_members.h"

namespace reprise {

/// Where a frame begins or ends.
struct FrameBound {
  enum class Kind {
    kUnbounded,
    kCurrentRow,  ///< of a range: the first or last row that is equal in the order
    kRows,        ///< so many rows behind the row, below 0 before it
    kValue,       ///< the first row not below, or the last not above, a value computed of the row
  };
  Kind kind = Kind::kUnbounded;
  int64_t rows = 0;
  std::optional<ExpressionSpec> value;  ///< over one column, the key of the order
};

/// Spark's SpecifiedWindowFrame.
struct WindowFrame {
  bool is_range = false;  ///< else of rows
  FrameBound lower;
  FrameBound upper;
};

enum class WindowFunction {
  kRowNumber,
  kRank,
  kDenseRank,
  kPercentRank,
  kCumeDist,
  kNtile,
  kOffset,    ///< lead and lag
  kNthValue,  ///< first, last and nth_value: a row of the frame
  kFrameBegin,
  kFrameEnd,
  kAggregate,
};

struct WindowFunctionSpec {
  WindowFunction function = WindowFunction::kRowNumber;
  DataType result;
  std::vector<ExpressionSpec> inputs;
  std::optional<ExpressionSpec> fallback;  ///< kOffset: where there is no such row
  /// kNtile: buckets. kOffset: rows behind the row. kNthValue: the row of the frame, from 1; from
  /// the end below 0.
  int64_t number = 0;
  bool skips_nulls = false;  ///< kOffset, kNthValue: rows whose input is null don't count
  std::optional<AggregateSpec> aggregate;
  WindowFrame frame;  ///< kNthValue, kFrameBegin, kFrameEnd, kAggregate
};

struct WindowSpec {
  std::vector<ExpressionSpec> partition;
  std::vector<OrderKeySpec> ordering;
  std::vector<WindowFunctionSpec> functions;
};

/// Reads "partition" and "ordering", in which the input is sorted.
Result<WindowSpec> ReadWindowKeys(const nlohmann::json& arguments);

/// Reads OperatorSpec.arguments of kind "window" (window.h). `input` are the columns of the
/// operator's input. Missing or contradictory members are Status::Invalid naming them; a function
/// over a type that it is not made for is Status::NotImplemented.
Result<WindowSpec> ReadWindowSpec(const nlohmann::json& arguments, const std::vector<Field>& input);

}  // namespace reprise
