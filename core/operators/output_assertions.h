// Assertions over what an operator gives, checked in each partition alone.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "operators/operator.h"

namespace reprise {

/// An operator that lets the batches of `checked`, an operator of `spec`, pass while they are what
/// the member "assertions" of its JSON says:
///   {"operator":"Filter#0","loreId":5,                         whose output it is
///    "all":[{"kind":"forall","text":"a > 0","predicate":EXPR},   false of no row
///           {"kind":"exists","text":…,"predicate":EXPR},         true of a row
///           {"kind":"no-nulls","text":…,"columns":[0]},
///           {"kind":"unique","text":…,"columns":[0]},            no two rows; null equals null
///           {"kind":"sorted","text":…,"ordering":[ORDER…]},      as operators/sort_keys.h
///           {"kind":"count","text":…,"min":1,"max":100}],
///    "masked":[2]}                                               not shown in errors
///
/// A batch with rows that offend is Status::Invalid, as is an end at which too few rows, or none
/// that holds, have been seen: "Operator forall-assertion error:", then on lines of their own the
/// operator, its LORE id, the assertion as the user wrote it, the partition, how many rows offend,
/// and the first of them. An end is not reached where the consumer wants no more rows, as a limit.
///
/// Distinct keys of `unique` are kept in the task's memory until the partition's end.
Result<std::unique_ptr<Operator>> MakeOutputAssertions(const nlohmann::json& assertions,
                                                       const OperatorSpec& spec,
                                                       std::unique_ptr<Operator> checked,
                                                       const TaskContext& context);

/// For each column of the output whether "masked" of the same member names it.
Result<std::vector<bool>> MaskedByAssertions(const nlohmann::json& assertions,
                                             const OperatorSpec& spec);

}  // namespace reprise
