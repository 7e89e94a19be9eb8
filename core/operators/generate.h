// Generate: a row for every element of a collection.
#pragma once

#include <memory>
#include <vector>

#include "operators/operator.h"

namespace reprise {

/// Makes an operator that gives some of its input's columns, repeated for every item of a
/// collection in the row, and beside them what the item is made of. `arguments`:
///   {"columns":[COLUMN…],     the input's columns that are handed on
///    "collection":EXPR,       an array or a map
///    "gives":"elements"|"entries"|"fields",
///        the elements of an array; keys and values of a map; fields of the structs in an array
///    "position":true,         before them the item's number, from 0 on
///    "outer":true}            a row of nulls where there are no items
/// Errors: Status::Invalid naming the member; Status::NotImplemented for a collection of another
/// type.
Result<std::unique_ptr<Operator>> MakeGenerate(OperatorSpec spec,
                                               std::vector<std::unique_ptr<Operator>> inputs,
                                               const TaskContext& context);

}  // namespace reprise
