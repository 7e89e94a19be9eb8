#include "plan/json_schema.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace reprise {

namespace {

using Json = nlohmann::json;
using Form = JsonSchema::Form;

std::optional<JsonSchema> Read(const Json& json);

std::optional<JsonSchema> ReadPlain(const std::string& name) {
  const auto plain = [](Form form, int64_t width) { return JsonSchema{form, width, {}, {}}; };
  switch (ParseDataType(name).kind) {
    case TypeKind::kString:
      return plain(Form::kText, 8);
    case TypeKind::kBoolean:
      return plain(Form::kBoolean, 1);
    case TypeKind::kByte:
      return plain(Form::kInteger, 1);
    case TypeKind::kShort:
      return plain(Form::kInteger, 2);
    case TypeKind::kInteger:
      return plain(Form::kInteger, 4);
    case TypeKind::kLong:
      return plain(Form::kInteger, 8);
    case TypeKind::kDouble:
      return plain(Form::kDouble, 8);
    default:
      return std::nullopt;
  }
}

std::optional<JsonSchema> ReadStruct(const Json& json) {
  JsonSchema schema{Form::kStruct, 8, {}, {}};
  for (const Json& field : json.value("fields", Json::array())) {
    auto part = Read(field.value("type", Json()));
    std::string name = field.value("name", "");
    if (!part || !IsPlainInJson(name) || std::ranges::count(schema.names, name) > 0) {
      return std::nullopt;
    }
    schema.names.push_back(std::move(name));
    schema.parts.push_back(*std::move(part));
  }
  return schema;
}

std::optional<JsonSchema> Read(const Json& json) {
  if (json.is_string()) return ReadPlain(json.get_ref<const std::string&>());
  if (!json.is_object()) return std::nullopt;
  const Json type = json.value("type", Json());
  if (type == "struct") return ReadStruct(json);
  if (type != "array") return std::nullopt;
  auto element = Read(json.value("elementType", Json()));
  if (!element) return std::nullopt;
  return JsonSchema{Form::kArray, 8, {}, {*std::move(element)}};
}

}  // namespace

bool IsPlainInJson(std::string_view text) {
  return std::ranges::none_of(
      text, [](char c) { return static_cast<uint8_t>(c) < 0x20 || c == '"' || c == '\\'; });
}

bool JsonSchema::HasDouble() const {
  return form == Form::kDouble || std::ranges::any_of(parts, &JsonSchema::HasDouble);
}

std::optional<JsonSchema> JsonSchema::Of(const DataType& type) {
  if (!type.is(TypeKind::kOther)) return ReadPlain(JsonName(type));
  return Read(Json::parse(type.text, nullptr, /*allow_exceptions=*/false));
}

}  // namespace reprise
