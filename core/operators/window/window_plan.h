// The expressions and functions of a window operator, ready to run.
#pragma once

#include "operators/window/window_function.h"
#include "operators/window/window_keys.h"

namespace reprise {

/// What is evaluated of some rows of the input.
struct WindowColumns {
  WindowKeys::Columns keys;
  arrow::ArrayVector values;  ///< that functions look at
};

struct WindowPlan {
  WindowKeys keys;
  std::vector<std::unique_ptr<Expression>> values;
  std::vector<std::unique_ptr<WindowFunctionRun>> functions;
  std::vector<std::vector<size_t>> values_of;  ///< of each function: inputs, then its default
  std::optional<size_t> order_key;             ///< of the values; where a frame asks for it
  /// Every function gives a row's value once its peers are known.
  bool is_running = true;

  static Result<WindowPlan> Make(const WindowSpec& spec, const std::vector<Field>& input,
                                 arrow::MemoryPool* pool);

  Result<WindowColumns> Evaluate(EvalInput& input) const;
};

}  // namespace reprise
