// The functions of specifications, as the rows of expressions.def list them.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "plan/spec.h"

namespace reprise {

/// Checks number and types of the arguments of `spec.function`, and that its type follows from
/// them: they must fit the signature of one of its rows. A number that is wrong is Status::Invalid,
/// a function that is not there or types that it does not take are Status::NotImplemented; all name
/// function and types.
Status CheckSignature(const ExpressionSpec& spec, const std::vector<DataType>& arguments);

/// The names of all functions, each once.
std::vector<std::string> FunctionNames();

}  // namespace reprise
