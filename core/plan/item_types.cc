#include "plan/item_types.h"

#include <nlohmann/json.hpp>

namespace reprise {

namespace {

using Json = nlohmann::json;

/// A type as its JSON says it, where that is named `name`; else null.
Json JsonOf(const DataType& type, std::string_view name) {
  if (!type.is(TypeKind::kOther) || !type.text.starts_with('{')) return {};
  Json json = Json::parse(type.text, nullptr, /*allow_exceptions=*/false);
  const bool is_named = json.is_object() && json.value("type", Json()) == name;
  return is_named ? json : Json();
}

std::optional<DataType> TypeIn(const Json& json, const char* member) {
  const auto found = json.find(member);
  if (found == json.end()) return std::nullopt;
  if (found->is_string()) return ParseDataType(found->get_ref<const std::string&>());
  return ParseDataType(found->dump());
}

}  // namespace

std::optional<DataType> ElementTypeOf(const DataType& array) {
  const Json json = JsonOf(array, "array");
  return json.is_null() ? std::nullopt : TypeIn(json, "elementType");
}

std::optional<EntryTypes> EntryTypesOf(const DataType& map) {
  const Json json = JsonOf(map, "map");
  if (json.is_null()) return std::nullopt;
  auto key = TypeIn(json, "keyType");
  auto value = TypeIn(json, "valueType");
  if (!key || !value) return std::nullopt;
  return EntryTypes{*std::move(key), *std::move(value)};
}

bool CanBeFound(const DataType& type) {
  if (type.is(TypeKind::kDecimal)) return type.is_short_decimal();
  return !type.is(TypeKind::kOther) && !type.is(TypeKind::kNull) && !type.is(TypeKind::kBoolean);
}

}  // namespace reprise
