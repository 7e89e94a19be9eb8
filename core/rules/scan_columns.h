// Which columns the native scan of Parquet reads, and how it finds them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/config.h"
#include "plan/plan.h"
#include "plan/spec.h"
#include "rules/operator_table.h"

namespace reprise {

/// Why a Parquet column of the files cannot be read natively; empty: it can.
std::vector<std::string> ReasonsAgainstColumn(const StructField& field, const Config& config);

/// Whether the column, or a part of it, has a field id.
bool HasFieldIds(const StructField& field);

/// The column's own field id, or kNoFieldId.
int32_t FieldIdOf(const StructField& field);

/// Where some column has a default value for files that lack it, those of all columns as argument
/// "defaults" of a scan has them; null where none has one.
///
/// `values` are those of the columns, as the plug-in has had Spark make them of the metadata.
/// Status::NotImplemented for one that is not filled in natively.
Result<nlohmann::json> DefaultsOf(const OperatorQuestion& question, const PlanType& columns,
                                  const PlanValue* values);

}  // namespace reprise
