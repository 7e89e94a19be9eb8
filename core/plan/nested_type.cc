#include "plan/nested_type.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "plan/field_ids.h"
#include "plan/unsafe_row.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

int64_t ElementBytes(TypeKind kind) {
  switch (kind) {
    case TypeKind::kBoolean:
    case TypeKind::kByte:
      return 1;
    case TypeKind::kShort:
      return 2;
    case TypeKind::kInteger:
    case TypeKind::kFloat:
    case TypeKind::kDate:
      return 4;
    default:
      return kRowWordBytes;
  }
}

bool IsText(std::string_view name) {
  return name.starts_with("string collate ") || name.starts_with("char(") ||
         name.starts_with("varchar(");
}

std::optional<NestedType> Parse(const Json& json);

std::optional<NestedType> ParseNamed(const DataType& type) {
  NestedType parsed;
  parsed.type = type;
  if (type.is(TypeKind::kOther) && IsText(type.text)) {
    parsed.form = NestedType::Form::kText;
    parsed.arrow = arrow::utf8();
    return parsed;
  }
  if (IsCalendarInterval(type)) {
    parsed.form = NestedType::Form::kCalendarInterval;
    parsed.arrow = arrow::month_day_nano_interval();
    return parsed;
  }
  auto arrow = ToArrow(type);
  if (!arrow.ok()) return std::nullopt;
  parsed = PlainItemType(type);
  parsed.arrow = *std::move(arrow);
  return parsed;
}

std::optional<NestedType> ParseArray(const Json& json) {
  auto element = Parse(json.value("elementType", Json()));
  if (!element) return std::nullopt;
  NestedType parsed;
  parsed.form = NestedType::Form::kArray;
  parsed.arrow =
      arrow::list(arrow::field("element", element->arrow, json.value("containsNull", true)));
  parsed.parts = {*std::move(element)};
  return parsed;
}

std::optional<NestedType> ParseMap(const Json& json) {
  auto key = Parse(json.value("keyType", Json()));
  auto value = Parse(json.value("valueType", Json()));
  if (!key || !value) return std::nullopt;
  NestedType parsed;
  parsed.form = NestedType::Form::kMap;
  parsed.arrow = arrow::map(
      key->arrow, arrow::field("value", value->arrow, json.value("valueContainsNull", true)));
  parsed.parts = {*std::move(key), *std::move(value)};
  return parsed;
}

std::optional<NestedType> ParseStruct(const Json& json) {
  NestedType parsed;
  parsed.form = NestedType::Form::kStruct;
  arrow::FieldVector fields;
  bool has_ids = false;
  for (const Json& field : json.value("fields", Json::array())) {
    auto part = Parse(field.value("type", Json()));
    if (!part) return std::nullopt;
    fields.push_back(
        arrow::field(field.value("name", ""), part->arrow, field.value("nullable", true)));
    parsed.parts.push_back(*std::move(part));
    parsed.field_ids.push_back(FieldIdOf(field.value("metadata", Json())));
    has_ids = has_ids || parsed.field_ids.back() != kNoFieldId;
  }
  if (!has_ids) parsed.field_ids.clear();
  parsed.arrow = arrow::struct_(std::move(fields));
  return parsed;
}

// Of the JSON of Spark's types; absent where a part has no form that is known.
std::optional<NestedType> Parse(const Json& json) {
  if (json.is_string()) return ParseNamed(ParseDataType(json.get_ref<const std::string&>()));
  if (!json.is_object()) return std::nullopt;
  const Json name = json.value("type", Json());
  if (name == "array") return ParseArray(json);
  if (name == "map") return ParseMap(json);
  if (name == "struct") return ParseStruct(json);
  if (name == "udt") return Parse(json.value("sqlType", Json()));
  return std::nullopt;
}

}  // namespace

NestedType PlainItemType(const DataType& type) {
  NestedType plain;
  plain.type = type;
  plain.stored = StoredType(type).kind;
  plain.element_bytes = ElementBytes(plain.stored);
  plain.is_long_decimal = type.is(TypeKind::kDecimal) && !type.is_short_decimal();
  return plain;
}

bool HoldsPlainly(const NestedType& part, const DataType& type) {
  const NestedType plain = PlainItemType(type);
  if (part.form != NestedType::Form::kPlain) return plain.stored == TypeKind::kBinary;
  return plain.stored == part.stored && plain.is_long_decimal == part.is_long_decimal;
}

std::optional<NestedType> ParseNestedType(const DataType& type) {
  if (!type.is(TypeKind::kOther)) return std::nullopt;
  if (!type.text.starts_with('{')) return ParseNamed(type);
  const Json json = Json::parse(type.text, nullptr, /*allow_exceptions=*/false);
  return Parse(json);
}

}  // namespace reprise
