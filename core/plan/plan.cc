#include "plan/plan.h"

#include <algorithm>

#include "plan/plan_decoder.h"

namespace reprise {

namespace {

const PlanValue* Find(PlanArguments arguments, std::string_view name) {
  const auto found = std::ranges::find(arguments, name, &PlanArguments::value_type::first);
  return found == arguments.end() ? nullptr : &found->second;
}

/// Takes only the position from nlohmann's parser: simdjson does not say where malformed JSON
/// stops.
struct ErrorLocator : nlohmann::json_sax<nlohmann::json> {
  size_t position = 0;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(size_t at, const std::string&, const nlohmann::json::exception&) override {
    position = at;
    return false;
  }
};

Status Malformed(std::string_view json, simdjson::error_code error) {
  if (error == simdjson::DEPTH_ERROR) {
    return Status::SerializationError("plan JSON is nested deeper than ",
                                      PlanDecoder::kJsonDepthMax, " levels");
  }
  ErrorLocator locator;
  if (nlohmann::json::sax_parse(json.begin(), json.end(), &locator)) {
    return Status::SerializationError("plan JSON is malformed: ", simdjson::error_message(error));
  }
  return Status::SerializationError("plan JSON is malformed at byte ", locator.position, " of ",
                                    json.size(), ": ", simdjson::error_message(error));
}

}  // namespace

PlanDocument::PlanDocument() : storage_(std::make_unique<Storage>()) {}

PlanDocument::~PlanDocument() = default;

Result<std::unique_ptr<PlanDocument>> PlanDocument::Decode(std::string_view json) {
  std::unique_ptr<PlanDocument> plan(new PlanDocument());
  simdjson::dom::parser& parser = plan->storage_->parser;
  if (const auto error =
          parser.allocate(std::max<size_t>(json.size(), 64), PlanDecoder::kJsonDepthMax)) {
    return Status::OutOfMemory("plan JSON of ", json.size(),
                               " bytes: ", simdjson::error_message(error));
  }
  simdjson::dom::element document;
  if (const auto error = parser.parse(json.data(), json.size()).get(document)) {
    return Malformed(json, error);
  }
  PlanDecoder decoder(plan.get());
  if (!decoder.Decode(document)) return decoder.status();
  return plan;
}

const PlanValue* PlanObject::argument(std::string_view name) const { return Find(arguments, name); }

const PlanObject* PlanObject::child(size_t index) const {
  return index < children.size() ? children[index].object : nullptr;
}

const PlanValue* PlanNode::argument(std::string_view name) const { return Find(arguments, name); }

std::string_view ShortClassName(std::string_view class_name) {
  if (class_name.ends_with('$')) class_name.remove_suffix(1);
  // From the end, where the name is: find_last_of asks for each character whether it is in the set.
  size_t begin = class_name.size();
  while (begin > 0 && class_name[begin - 1] != '.' && class_name[begin - 1] != '$') --begin;
  return class_name.substr(begin);
}

int64_t ExprIdOf(const PlanValue* value) {
  if (value != nullptr && value->object != nullptr) value = value->object->argument("id");
  return value != nullptr && value->is(PlanValue::Kind::kInteger) ? value->integer : -1;
}

std::optional<Attribute> AttributeOf(const PlanObject& object) {
  const std::string_view name = ShortClassName(object.class_name);
  if ((name != "AttributeReference" && name != "Alias") || !object.type) return std::nullopt;
  const PlanValue* column = object.argument("name");
  const int64_t expr_id = ExprIdOf(object.argument("exprId"));
  if (column == nullptr || !column->is(PlanValue::Kind::kString) || expr_id < 0) {
    return std::nullopt;
  }
  return Attribute{column->text, expr_id, *object.type, object.nullable};
}

std::optional<Attribute> AttributeOf(const PlanValue& value) {
  return value.object != nullptr ? AttributeOf(*value.object) : std::nullopt;
}

}  // namespace reprise
