#include "operators/runtime_values.h"

#include <string>

namespace reprise {

namespace {

using Json = nlohmann::json;

bool IsFunction(const Json& json, const char* name) {
  const auto function = json.is_object() ? json.find("function") : json.end();
  return json.is_object() && function != json.end() && *function == name;
}

Json LiteralOf(const Json& type, Json value) {
  return {{"function", "literal"},
          {"type", type},
          {"nullable", value.is_null()},
          {"attributes", {{"value", std::move(value)}}}};
}

class Replacing {
 public:
  explicit Replacing(const Json& values) : values_(values) {}

  Status Visit(Json* json) {
    if (json->is_array()) {
      for (Json& item : *json) RETURN_NOT_OK(Visit(&item));
      return Status::OK();
    }
    if (!json->is_object()) return Status::OK();
    if (IsFunction(*json, "runtime_value")) {
      ARROW_ASSIGN_OR_RAISE(Json value, ValueFor(json->at("attributes")));
      *json = LiteralOf(json->at("type"), std::move(value));
      return Status::OK();
    }
    if (json->size() == 1 && json->contains("runtime")) {
      ARROW_ASSIGN_OR_RAISE(const Json* rows, Member(json->at("runtime"), "rows"));
      *json = *rows;
      return Status::OK();
    }
    if (IsFunction(*json, "in")) RETURN_NOT_OK(Expand(json));
    for (auto& [name, member] : json->items()) RETURN_NOT_OK(Visit(&member));
    return Status::OK();
  }

 private:
  Result<Json> ValueFor(const Json& attributes) const {
    const Json& id = attributes.at("id");
    if (!attributes.contains("field")) {
      ARROW_ASSIGN_OR_RAISE(const Json* value, Member(id, "value"));
      return *value;
    }
    ARROW_ASSIGN_OR_RAISE(const Json* fields, Member(id, "fields"));
    if (fields->is_null()) return Json();
    const auto field = attributes.at("field").get<size_t>();
    if (field >= fields->size()) {
      return Status::Invalid("fragment: the struct of number ", Text(id), " has no field ", field);
    }
    return fields->at(field);
  }

  // The literals of a list in the place of its number.
  Status Expand(Json* in) {
    Json arguments = Json::array();
    bool is_false = false;
    for (Json& argument : in->at("arguments")) {
      if (!IsFunction(argument, "runtime_values")) {
        arguments.push_back(std::move(argument));
        continue;
      }
      const Json& id = argument.at("attributes").at("id");
      ARROW_ASSIGN_OR_RAISE(const Json* list, Member(id, "values"));
      for (const Json& value : *list) arguments.push_back(LiteralOf(argument.at("type"), value));
      is_false |= list->empty() && values_.at(Text(id)).value("emptyIsFalse", false);
    }
    if (is_false) {
      *in = LiteralOf(in->at("type"), false);
    } else {
      in->at("arguments") = std::move(arguments);
    }
    return Status::OK();
  }

  static std::string Text(const Json& id) { return std::to_string(id.get<int64_t>()); }

  Result<const Json*> Member(const Json& id, const char* kind) const {
    const auto found = values_.find(Text(id));
    if (found == values_.end() || !found->contains(kind)) {
      return Status::Invalid("fragment: no \"", kind, "\" of number ", Text(id),
                             " among its \"values\"");
    }
    return &found->at(kind);
  }

  const Json& values_;
};

}  // namespace

Status PutRuntimeValues(Json* fragment) {
  if (!fragment->is_object()) return Status::OK();
  Json values = fragment->value("values", Json::object());
  if (!values.is_object()) return Status::Invalid("fragment: \"values\" is not an object");
  fragment->erase("values");
  return Replacing(values).Visit(fragment);
}

}  // namespace reprise
