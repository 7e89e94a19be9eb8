#include "plan/spec.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

// Deeper expressions than this are refused, so that a hostile document cannot exhaust a
// task thread's stack (1 MiB in a JVM). The rules refuse them far earlier.
constexpr int kExpressionDepthMax = 500;

Status Mistyped(std::string_view owner, std::string_view member, std::string_view expected,
                const Json& found) {
  return Status::Invalid(owner, ": member \"", member, "\" must be ", expected, ", found ",
                         found.type_name());
}

Result<const Json*> Member(const Json& object, std::string_view owner, std::string_view member) {
  if (!object.is_object()) {
    return Status::Invalid(owner, " must be a JSON object, found ", object.type_name());
  }
  const auto found = object.find(member);
  if (found == object.end()) {
    return Status::Invalid(owner, ": member \"", member, "\" is missing");
  }
  return &*found;
}

Result<std::string> StringMember(const Json& object, std::string_view owner,
                                 std::string_view member) {
  ARROW_ASSIGN_OR_RAISE(const Json* value, Member(object, owner, member));
  if (!value->is_string()) return Mistyped(owner, member, "a string", *value);
  return value->get_ref<const std::string&>();
}

Result<std::string> OptionalStringMember(const Json& object, std::string_view owner,
                                         std::string_view member) {
  if (!object.contains(member)) return std::string();
  return StringMember(object, owner, member);
}

Result<bool> BooleanMember(const Json& object, std::string_view owner, std::string_view member) {
  ARROW_ASSIGN_OR_RAISE(const Json* value, Member(object, owner, member));
  if (!value->is_boolean()) return Mistyped(owner, member, "a boolean", *value);
  return value->get<bool>();
}

Result<Json> AttributesMember(const Json& object, std::string_view owner, std::string_view member) {
  if (!object.contains(member)) return Json::object();
  const Json& value = object[std::string(member)];
  if (!value.is_object()) return Mistyped(owner, member, "an object", value);
  return value;
}

Result<Field> FieldFromJson(const Json& json) {
  Field field;
  ARROW_ASSIGN_OR_RAISE(field.name, StringMember(json, "field", "name"));
  const std::string owner = "field \"" + field.name + "\"";
  ARROW_ASSIGN_OR_RAISE(const std::string type, StringMember(json, owner, "type"));
  field.type = ParseDataType(type);
  ARROW_ASSIGN_OR_RAISE(field.nullable, BooleanMember(json, owner, "nullable"));
  return field;
}

Result<ExpressionSpec> ExpressionFromJson(const Json& json, int depth) {
  if (depth > kExpressionDepthMax) {
    return Status::Invalid("expression is nested deeper than ", kExpressionDepthMax, " levels");
  }
  ExpressionSpec spec;
  ARROW_ASSIGN_OR_RAISE(spec.function, StringMember(json, "expression", "function"));
  const std::string owner = "expression \"" + spec.function + "\"";
  ARROW_ASSIGN_OR_RAISE(const std::string type, StringMember(json, owner, "type"));
  spec.type = ParseDataType(type);
  if (json.contains("nullable")) {
    ARROW_ASSIGN_OR_RAISE(spec.nullable, BooleanMember(json, owner, "nullable"));
  }
  ARROW_ASSIGN_OR_RAISE(spec.attributes, AttributesMember(json, owner, "attributes"));
  if (!json.contains("arguments")) return spec;
  const Json& arguments = json["arguments"];
  if (!arguments.is_array()) return Mistyped(owner, "arguments", "an array", arguments);
  spec.arguments.reserve(arguments.size());
  for (const Json& argument : arguments) {
    ARROW_ASSIGN_OR_RAISE(auto parsed, ExpressionFromJson(argument, depth + 1));
    spec.arguments.push_back(std::move(parsed));
  }
  return spec;
}

}  // namespace

bool TellsPartitions(const OperatorSpec& spec) {
  return spec.name.ends_with("ShuffleExchange") && !spec.output.empty() &&
         spec.output.back() == PartitionColumn();
}

nlohmann::json ToJson(const Field& field) {
  return {{"name", field.name}, {"type", JsonName(field.type)}, {"nullable", field.nullable}};
}

nlohmann::json ToJson(const std::vector<Field>& fields) {
  Json json = Json::array();
  for (const Field& field : fields) json.push_back(ToJson(field));
  return json;
}

nlohmann::json ToJson(const ExpressionSpec& expression) {
  Json json = {{"function", expression.function},
               {"type", JsonName(expression.type)},
               {"nullable", expression.nullable}};
  if (!expression.attributes.empty()) json["attributes"] = expression.attributes;
  if (expression.arguments.empty()) return json;
  Json arguments = Json::array();
  for (const auto& argument : expression.arguments) arguments.push_back(ToJson(argument));
  json["arguments"] = std::move(arguments);
  return json;
}

nlohmann::json ToJson(const OperatorSpec& spec) {
  Json inputs = Json::array();
  for (const auto& input : spec.inputs) inputs.push_back(ToJson(input));
  return {{"kind", spec.kind},
          {"name", spec.name},
          {"lore_id", spec.lore_id},
          {"fingerprint", spec.fingerprint},
          {"occurrence", spec.occurrence},
          {"output", ToJson(spec.output)},
          {"inputs", std::move(inputs)},
          {"arguments", spec.arguments}};
}

Result<std::vector<Field>> FieldsFromJson(const nlohmann::json& json) {
  if (!json.is_array()) {
    return Status::Invalid("fields must be a JSON array, found ", json.type_name());
  }
  std::vector<Field> fields;
  fields.reserve(json.size());
  for (const Json& item : json) {
    ARROW_ASSIGN_OR_RAISE(auto field, FieldFromJson(item));
    fields.push_back(std::move(field));
  }
  return fields;
}

Result<ExpressionSpec> ExpressionSpecFromJson(const nlohmann::json& json) {
  return ExpressionFromJson(json, 0);
}

Result<OperatorSpec> OperatorSpecFromJson(const nlohmann::json& json) {
  OperatorSpec spec;
  ARROW_ASSIGN_OR_RAISE(spec.kind, StringMember(json, "operator", "kind"));
  const std::string owner = "operator \"" + spec.kind + "\"";
  ARROW_ASSIGN_OR_RAISE(spec.name, StringMember(json, owner, "name"));
  if (json.contains("lore_id")) {
    if (!json["lore_id"].is_number_integer()) {
      return Mistyped(owner, "lore_id", "an integer", json["lore_id"]);
    }
    spec.lore_id = json["lore_id"].get<int64_t>();
  }
  ARROW_ASSIGN_OR_RAISE(spec.fingerprint, OptionalStringMember(json, owner, "fingerprint"));
  ARROW_ASSIGN_OR_RAISE(spec.occurrence, OptionalStringMember(json, owner, "occurrence"));
  ARROW_ASSIGN_OR_RAISE(const Json* output, Member(json, owner, "output"));
  auto fields = FieldsFromJson(*output);
  if (!fields.ok()) return WithPrefix(fields.status(), owner + ", output: ");
  spec.output = std::move(*fields);
  ARROW_ASSIGN_OR_RAISE(const Json* inputs, Member(json, owner, "inputs"));
  if (!inputs->is_array()) return Mistyped(owner, "inputs", "an array", *inputs);
  for (size_t i = 0; i < inputs->size(); ++i) {
    auto input = FieldsFromJson((*inputs)[i]);
    if (!input.ok()) return WithPrefix(input.status(), fmt::format("{}, input {}: ", owner, i));
    spec.inputs.push_back(std::move(*input));
  }
  ARROW_ASSIGN_OR_RAISE(spec.arguments, AttributesMember(json, owner, "arguments"));
  return spec;
}

}  // namespace reprise
