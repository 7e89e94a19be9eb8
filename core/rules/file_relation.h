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

/// The argument of that name of an object; null where it is none, or lacks it.
const PlanValue* ArgumentOf(const PlanValue* object, std::string_view name);

/// The schema that an argument is; null where it is none.
const PlanType* SchemaOf(const PlanValue* value);

/// Why a FileSourceScanExec over `relation`, a HadoopFsRelation, cannot be read natively, whatever
/// its format: streams, buckets.
std::vector<std::string> ReasonsAgainstRelation(const OperatorQuestion& question,
                                                const PlanObject& relation);

/// Why a column that the files' folders give cannot be read natively.
std::vector<std::string> ReasonsAgainstPartitions(const PlanType& partition_schema);

/// Why files cannot be read natively that may be missing or damaged.
std::vector<std::string> ReasonsAgainstForgiving(const Config& config, const PlanValue* options);

/// The filters above a scan as conditions over its output, by which to leave out groups of rows.
/// One that cannot be translated is not used: Spark keeps the filters above the scan.
nlohmann::json PruningOf(const OperatorQuestion& question, const PlanValue* filters,
                         const Binding& output);

/// Whether filters may leave out groups of rows: one is more than that a column is not null.
bool HasSelectiveFilter(const PlanValue* filters);

bool AreLocal(const PlanValue& paths);

/// What explain says of a scan: its paths, how many columns it has, its filters.
std::vector<ShownValue> ShownScan(const PlanValue& paths, size_t columns, const PlanValue* filters);

/// Why the output of a scan that reads `columns` and then `partition_columns` cannot be made
/// natively: it has fewer columns, or of the files' metadata more than what is known of a file.
std::vector<std::string> ReasonsAgainstOutput(const OperatorQuestion& question,
                                              const PlanType& columns,
                                              const PlanType& partition_columns);

/// Writes arguments "columns" and "partitionColumns" of a scan whose output is set: of `columns`
/// under the names that the files have, and of the rest.
void WriteColumns(const PlanType& columns, NativeOperator* native);

/// Whether a column has a default value for files that lack it.
bool HasDefault(const StructField& field);

/// Why a column with such a default value cannot be read natively; nothing for one without.
std::optional<std::string> ReasonAgainstDefault(const StructField& field);

}  // namespace reprise
