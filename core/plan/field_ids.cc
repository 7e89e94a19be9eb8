#include "plan/field_ids.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "plan/nested_type.h"

namespace reprise {

namespace {

// ParquetUtils.FIELD_ID_METADATA_KEY.
constexpr const char* kFieldId = "parquet.field.id";

}  // namespace

bool HasFieldId(const nlohmann::json& metadata) {
  return metadata.is_object() && metadata.contains(kFieldId);
}

bool HasKnownFieldId(const nlohmann::json& metadata) {
  if (!HasFieldId(metadata)) return false;
  const nlohmann::json& id = metadata.at(kFieldId);
  return id.is_number_integer() && id >= 0 && id <= std::numeric_limits<int32_t>::max();
}

int32_t FieldIdOf(const nlohmann::json& metadata) {
  return HasKnownFieldId(metadata) ? metadata.at(kFieldId).get<int32_t>() : kNoFieldId;
}

bool AreKnownFieldIds(const nlohmann::json& type) {
  if (HasFieldId(type) && !HasKnownFieldId(type)) return false;
  return !type.is_structured() || std::ranges::all_of(type, AreKnownFieldIds);
}

}  // namespace reprise
