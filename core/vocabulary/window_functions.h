// The functions of windows that run natively beside aggregate functions: one literal table.
#pragma once

#include <span>
#include <string_view>

namespace reprise {

struct WindowFunctionRow {
  std::string_view class_name;  ///< Spark's, full
  std::string_view function;    ///< of specifications (operators/window/window.h)
  std::string_view limits;      ///< for the reference page
};

std::span<const WindowFunctionRow> WindowFunctionTable();

/// The row of one of Spark's classes, or nullptr.
const WindowFunctionRow* FindWindowFunction(std::string_view class_name);

}  // namespace reprise
