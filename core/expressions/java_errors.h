// Errors that Java raises itself and Spark lets pass, with ANSI off too.
#pragma once

#include <string_view>

#include "base/status.h"

namespace reprise {

/// A java.lang.ArithmeticException of that message: the class stands in the place of a condition,
/// and the message is its parameter. `explanation` is for whoever reads the core's own text.
Status JavaArithmetic(std::string_view message, std::string_view explanation);

}  // namespace reprise
