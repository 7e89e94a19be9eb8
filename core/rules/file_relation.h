// What the rules of all scans of files ask of a plan.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/plan.h"
#include "rules/operator_table.h"

namespace reprise {

/// Whether an argument is there and is not null.
bool IsSet(const PlanValue* value);

/// The schema that an argument is; null where it is none.
const PlanType* SchemaOf(const PlanValue* value);

/// Why a FileSourceScanExec over `relation`, a HadoopFsRelation, cannot be read natively, whatever
/// its format: streams, buckets.
std::vector<std::string> ReasonsAgainstRelation(const OperatorQuestion& question,
                                                const PlanObject& relation);

/// Why a column that the files' folders give cannot be read natively.
std::vector<std::string> ReasonsAgainstPartitions(const PlanType& partition_schema);

/// Why a column with a default value for files that lack it cannot be read natively; nothing for
/// one without.
std::optional<std::string> ReasonAgainstDefault(const StructField& field);

}  // namespace reprise
