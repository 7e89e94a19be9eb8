// Which functions run natively, by the names that plans in logs call them by.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reprise {

/// Whether Spark's text of an operator may call a native function so: "upper", "partial_sum".
/// Names of classes that SQL has no other word for count, too.
bool IsNativeFunction(std::string_view name);

/// The functions that an operator's text calls, each once, in their order. Columns that are called
/// as what made them, "sum(x)#12", call nothing, nor do the names of operators and of what places
/// rows ("hashpartitioning").
std::vector<std::string> FunctionsIn(std::string_view text);

}  // namespace reprise
