#include "expressions/widening.h"

#include <algorithm>
#include <string_view>

namespace reprise {

namespace {

/// Functions whose result may be longer than their arguments together. A constant counts too: it is
/// there once, and its column has it in each row.
constexpr std::string_view kWidening[] = {
    "aggregate",   "concat",           "concat_ws",     "make_array", "make_map",
    "make_struct", "pad_left",         "pad_right",     "repeat",     "replace",
    "transform",   "transform_values", "runtime_value", "zip_with"};
// A constant of so many bytes is no longer than numbers are.
constexpr size_t kShortConstant = 64;

}  // namespace

bool MayWiden(const ExpressionSpec& expression) {
  if (std::ranges::find(kWidening, expression.function) != std::end(kWidening)) return true;
  if (expression.function == "literal") {
    const auto value = expression.attributes.find("value");
    return value != expression.attributes.end() && value->is_string() &&
           value->get_ref<const std::string&>().size() > kShortConstant;
  }
  return std::ranges::any_of(expression.arguments, MayWiden);
}

}  // namespace reprise
