// What arguments each function takes.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "plan/spec.h"

namespace reprise {

/// Checks number and types of the arguments of `spec.function`, and that its type follows from
/// them. A number that is wrong is Status::Invalid, types that the function does not take are
/// Status::NotImplemented; both name function and types.
Status CheckSignature(const ExpressionSpec& spec, const std::vector<DataType>& arguments);

/// Whether `cast` takes this pair. Floating point to decimal and to string depends on the digits
/// that Java's own conversion prints (others since Java 19), strings to the rest on what it
/// accepts: they are not offered.
bool CanCast(const DataType& from, const DataType& to);

/// The names of all functions, in the order of the registry.
std::vector<std::string> FunctionNames();

}  // namespace reprise
