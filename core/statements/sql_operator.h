// An operator as a statement of Spark's SQL.
#pragma once

#include <string>
#include <vector>

#include "plan/spec.h"
#include "statements/sql_input.h"

namespace reprise {

/// A SELECT over `inputs`, one for each of the operator's, that gives what the operator gives of
/// one task's rows; their order is a sort's alone. Status::NotImplemented says what of it Spark's
/// SQL has no form for: operators that read no rows, that Spark's or Python's code runs, that draw
/// rows or number them.
Result<std::string> SqlOfOperator(const OperatorSpec& spec, const std::vector<SqlInput>& inputs);

}  // namespace reprise
