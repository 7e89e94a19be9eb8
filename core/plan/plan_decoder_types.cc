// The data types of a plan document: names, and StructTypes with their fields.
#include "plan/plan_decoder.h"

namespace reprise {

bool PlanDecoder::DecodeType(Element json, PlanType* type) {
  std::string_view name;
  if (json.get(name) == simdjson::SUCCESS) {
    type->type = ParseDataType(name);
    return true;
  }
  type->type = {TypeKind::kOther, 0, 0, simdjson::minify(json)};
  Object members;
  if (json.get(members) != simdjson::SUCCESS) return Expected("a data type", json);
  if (members["type"].get(name) != simdjson::SUCCESS || name != "struct") return true;
  type->is_struct = true;
  Element fields;
  if (members["fields"].get(fields) != simdjson::SUCCESS) return Fail("no member \"fields\"");
  Step step(this, "fields");
  return DecodeStructFields(fields, type);
}

bool PlanDecoder::DecodeStructFields(Element json, PlanType* type) {
  simdjson::dom::array fields;
  if (json.get(fields) != simdjson::SUCCESS) return Expected("an array of fields", json);
  size_t index = 0;
  for (Element item : fields) {
    Step step(this, index++);
    Object members;
    if (item.get(members) != simdjson::SUCCESS) return Expected("a field", item);
    StructField& field = type->fields.emplace_back();
    if (members["name"].get(field.name) != simdjson::SUCCESS) {
      return Fail("no member \"name\" that is a string");
    }
    Element field_type;
    if (members["type"].get(field_type) != simdjson::SUCCESS) return Fail("no member \"type\"");
    std::string_view name;
    field.type = field_type.get(name) == simdjson::SUCCESS
                     ? ParseDataType(name)
                     : DataType{TypeKind::kOther, 0, 0, simdjson::minify(field_type)};
    Element nullable;
    if (members["nullable"].get(nullable) == simdjson::SUCCESS &&
        !DecodeBoolean(nullable, &field.nullable)) {
      return false;
    }
    Object metadata;
    if (members["metadata"].get(metadata) == simdjson::SUCCESS &&
        metadata.begin() != metadata.end()) {
      field.metadata = Keep(simdjson::minify(metadata));
    }
  }
  return true;
}

}  // namespace reprise
