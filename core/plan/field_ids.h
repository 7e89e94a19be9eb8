// The ids by which Parquet files know fields, as the fields' metadata has them.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

namespace reprise {

/// Whether a field of that metadata has an id.
bool HasFieldId(const nlohmann::json& metadata);

/// Whether its id is one that files have, from 0 on: libraries of Parquet do not tell negative ones
/// from none.
bool HasKnownFieldId(const nlohmann::json& metadata);

/// That id; kNoFieldId where it has none.
int32_t FieldIdOf(const nlohmann::json& metadata);

/// Whether all ids in a type, as Spark's DataType.json has it, are such.
bool AreKnownFieldIds(const nlohmann::json& type);

}  // namespace reprise
