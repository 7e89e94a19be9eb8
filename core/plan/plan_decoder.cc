#include "plan/plan_decoder.h"

#include <algorithm>

namespace reprise {

namespace {

using simdjson::dom::element_type;

std::string_view KindName(simdjson::dom::element element) {
  switch (element.type()) {
    case element_type::ARRAY:
      return "an array";
    case element_type::OBJECT:
      return "an object";
    case element_type::STRING:
      return "a string";
    case element_type::BOOL:
      return "a boolean";
    case element_type::NULL_VALUE:
      return "null";
    default:
      return "a number";
  }
}

/// Sizes and depths of what a value refers to. Plans inside arguments count as one: they are
/// visited as nodes.
void AddMeasure(const PlanValue& value, int64_t* size, int* depth) {
  if (value.object != nullptr) {
    *size += value.object->expanded_size;
    *depth = std::max(*depth, value.object->depth);
  }
  for (const PlanValue& item : value.items) AddMeasure(item, size, depth);
}

/// Of an array or an object, also where simdjson has not counted any further.
template <typename Parts>
size_t CountOf(const Parts& parts) {
  constexpr size_t kCountedMax = 0xFFFFFF;
  const size_t counted = parts.size();
  return counted < kCountedMax ? counted
                               : static_cast<size_t>(std::distance(parts.begin(), parts.end()));
}

}  // namespace

std::string PlanDecoder::Path() const {
  std::string path = "$";
  for (const PathStep& step : path_) {
    if (step.member == nullptr) {
      path += fmt::format("[{}]", step.index);
    } else {
      path += fmt::format(".{}", step.name);
    }
  }
  return path;
}

bool PlanDecoder::Fail(std::string message) {
  status_ = Status::SerializationError("plan JSON at ", Path(), ": ", message);
  return false;
}

bool PlanDecoder::Expected(std::string_view what, Element found) {
  return Fail(fmt::format("expected {}, found {}", what, KindName(found)));
}

std::string_view PlanDecoder::Keep(std::string text) {
  return storage_.texts.emplace_back(std::move(text));
}

bool PlanDecoder::DecodeString(Element json, std::string_view* text) {
  if (json.get(*text) != simdjson::SUCCESS) return Expected("a string", json);
  return true;
}

bool PlanDecoder::DecodeInteger(Element json, int64_t* number) {
  if (json.get(*number) != simdjson::SUCCESS) return Expected("a 64-bit integer", json);
  return true;
}

bool PlanDecoder::DecodeBoolean(Element json, bool* value) {
  if (json.get(*value) != simdjson::SUCCESS) return Expected("a boolean", json);
  return true;
}

bool PlanDecoder::Decode(Element document) {
  Object members;
  if (document.get(members) != simdjson::SUCCESS) return Expected("an object", document);
  Element version;
  if (members["version"].get(version) != simdjson::SUCCESS) return Fail("no member \"version\"");
  int64_t number = 0;
  {
    Step step(this, "version");
    if (!DecodeInteger(version, &number)) return false;
  }
  if (number != 1) {
    status_ = Status::NotImplemented("plan JSON has version ", number,
                                     ", this core reads version 1: use the plug-in and the core of "
                                     "one Reprise release");
    return false;
  }
  Element spark;
  if (members["spark"].get(spark) == simdjson::SUCCESS) {
    Step step(this, "spark");
    if (!DecodeString(spark, &plan_.spark_version_)) return false;
  }
  Element scala;
  if (members["scala"].get(scala) == simdjson::SUCCESS) {
    Step step(this, "scala");
    if (!DecodeString(scala, &plan_.scala_version_)) return false;
  }
  Element root;
  if (members["root"].get(root) != simdjson::SUCCESS) return Fail("no member \"root\"");
  Step step(this, "root");
  return DecodeNode(root, &plan_.root_);
}

bool PlanDecoder::Number(int64_t id, Numbered numbered) {
  if (numbered_.emplace(id, numbered).second) return true;
  return Fail(fmt::format("id {} occurs twice", id));
}

bool PlanDecoder::DecodeNode(Element json, const PlanNode** result) {
  Object members;
  if (json.get(members) != simdjson::SUCCESS) return Expected("a node", json);
  Element reference;
  if (members["ref"].get(reference) == simdjson::SUCCESS) {
    PlanValue value;
    if (!DecodeReference(reference, &value)) return false;
    if (value.node == nullptr) return Fail("the reference is to an expression, not to a node");
    *result = value.node;
    return true;
  }
  Element id;
  Element class_name;
  if (members["class"].get(class_name) != simdjson::SUCCESS) return Fail("no member \"class\"");
  if (members["id"].get(id) != simdjson::SUCCESS) return Fail("no member \"id\"");
  PlanNode* node = &storage_.nodes.emplace_back();
  if (!DecodeInteger(id, &node->id)) return false;
  if (!Number(node->id, {node, nullptr, false})) return false;
  plan_.nodes_.push_back(node);
  for (const auto& [member, value] : members) {
    Step step(this, member);
    if (!DecodeNodeMember(member, value, node)) return false;
  }
  if (node->name.empty()) node->name = ShortClassName(node->class_name);
  numbered_[node->id].complete = true;
  *result = node;
  return true;
}

bool PlanDecoder::DecodeNodeMember(std::string_view member, Element json, PlanNode* node) {
  if (member == "class") return DecodeString(json, &node->class_name);
  if (member == "name") return DecodeString(json, &node->name);
  if (member == "loreId") return DecodeInteger(json, &node->lore_id);
  if (member == "fingerprint") return DecodeString(json, &node->fingerprint);
  if (member == "occurrence") return DecodeString(json, &node->occurrence);
  if (member == "from") return DecodeList(json, &node->from);
  if (member == "columnar") return DecodeBoolean(json, &node->columnar);
  if (member == "cache") return DecodeBoolean(json, &node->cache);
  if (member == "blocks") return DecodeBoolean(json, &node->blocks);
  if (member == "rows") return DecodeInteger(json, &node->rows);
  if (member == "output") return DecodeList(json, &node->output);
  if (member == "args") return DecodeArguments(json, &node->arguments);
  if (member == "children") return DecodeNodes(json, &node->children);
  if (member == "cachedOutput") return DecodeList(json, &node->cached_output);
  if (member == "cached") return DecodeNode(json, &node->cached);
  return true;
}

bool PlanDecoder::DecodeNodes(Element json, std::vector<const PlanNode*>* result) {
  simdjson::dom::array array;
  if (json.get(array) != simdjson::SUCCESS) return Expected("an array of nodes", json);
  size_t index = 0;
  for (Element item : array) {
    Step step(this, index++);
    const PlanNode* node = nullptr;
    if (!DecodeNode(item, &node)) return false;
    result->push_back(node);
  }
  return true;
}

bool PlanDecoder::DecodeArguments(Element json, PlanArguments* arguments) {
  Object members;
  if (json.get(members) != simdjson::SUCCESS) return Expected("an object of arguments", json);
  const auto list = storage_.NewArray<std::pair<std::string_view, PlanValue>>(CountOf(members));
  size_t index = 0;
  for (const auto& [name, member] : members) {
    Step step(this, name);
    list[index].first = name;
    if (!DecodeValue(member, &list[index++].second)) return false;
  }
  *arguments = list;
  return true;
}

bool PlanDecoder::DecodeList(Element json, std::span<const PlanValue>* items) {
  simdjson::dom::array array;
  if (json.get(array) != simdjson::SUCCESS) return Expected("an array", json);
  const auto list = storage_.NewArray<PlanValue>(CountOf(array));
  size_t index = 0;
  for (Element item : array) {
    Step step(this, index);
    if (!DecodeValue(item, &list[index++])) return false;
  }
  *items = list;
  return true;
}

bool PlanDecoder::DecodeMap(Element json, std::span<const PlanValue>* items) {
  simdjson::dom::array entries;
  if (json.get(entries) != simdjson::SUCCESS) return Expected("an array of [key, value]", json);
  const auto list = storage_.NewArray<PlanValue>(2 * CountOf(entries));
  size_t index = 0;
  for (Element entry : entries) {
    Step step(this, index / 2);
    simdjson::dom::array pair;
    if (entry.get(pair) != simdjson::SUCCESS || pair.size() != 2) {
      return Expected("[key, value]", entry);
    }
    for (Element item : pair) {
      if (!DecodeValue(item, &list[index++])) return false;
    }
  }
  *items = list;
  return true;
}

bool PlanDecoder::DecodeValue(Element json, PlanValue* value) {
  using Kind = PlanValue::Kind;
  switch (json.type()) {
    case element_type::NULL_VALUE:
      value->kind = Kind::kNull;
      return true;
    case element_type::BOOL:
      value->kind = Kind::kBoolean;
      return DecodeBoolean(json, &value->boolean);
    case element_type::STRING:
      value->kind = Kind::kString;
      return DecodeString(json, &value->text);
    case element_type::ARRAY:
      value->kind = Kind::kList;
      return DecodeList(json, &value->items);
    case element_type::OBJECT:
      return DecodeTagged(json.get_object().value_unsafe(), value);
    default:
      value->kind = Kind::kInteger;
      return DecodeInteger(json, &value->integer);
  }
}

bool PlanDecoder::DecodeTagged(Object json, PlanValue* value) {
  using Kind = PlanValue::Kind;
  if (json.begin() == json.end()) return Fail("an empty object says nothing");
  const auto [tag, content] = *json.begin();
  // Objects have "class" and an expression has also "type": what has one member is a tagged value.
  if (json.size() != 1 || tag == "class") return DecodeObject(json, value);
  struct TextTag {
    std::string_view tag;
    Kind kind;
  };
  static constexpr TextTag kTextTags[] = {{"double", Kind::kDouble},
                                          {"decimal", Kind::kDecimal},
                                          {"bytes", Kind::kBytes},
                                          {"enum", Kind::kEnum},
                                          {"opaque", Kind::kOpaque}};
  Step step(this, tag);
  for (const TextTag& text : kTextTags) {
    if (text.tag != tag) continue;
    value->kind = text.kind;
    return DecodeString(content, &value->text);
  }
  if (tag == "ref") return DecodeReference(content, value);
  if (tag == "plan") {
    value->kind = Kind::kPlan;
    return DecodeNode(content, &value->node);
  }
  if (tag == "child") {
    value->kind = Kind::kChild;
    return DecodeInteger(content, &value->integer);
  }
  if (tag == "map") {
    value->kind = Kind::kMap;
    return DecodeMap(content, &value->items);
  }
  if (tag == "type") {
    value->kind = Kind::kType;
    PlanType* type = &storage_.types.emplace_back();
    value->data_type = type;
    return DecodeType(content, type);
  }
  return Fail("no value is written with this member");
}

bool PlanDecoder::DecodeReference(Element json, PlanValue* value) {
  int64_t id = 0;
  if (!DecodeInteger(json, &id)) return false;
  const auto found = numbered_.find(id);
  if (found == numbered_.end()) return Fail(fmt::format("no object with id {} stands before", id));
  if (!found->second.complete) {
    return Fail(fmt::format("the object with id {} contains a reference to itself", id));
  }
  value->node = found->second.node;
  value->object = found->second.object;
  value->kind = value->node != nullptr ? PlanValue::Kind::kPlan : PlanValue::Kind::kObject;
  return true;
}

bool PlanDecoder::DecodeObject(Object json, PlanValue* value) {
  Element class_name;
  if (json["class"].get(class_name) != simdjson::SUCCESS) return Fail("no member \"class\"");
  PlanObject* object = &storage_.objects.emplace_back();
  Element id;
  if (json["id"].get(id) == simdjson::SUCCESS) {
    int64_t number = 0;
    if (!DecodeInteger(id, &number) || !Number(number, {nullptr, object, false})) return false;
    object->id = number;
  }
  for (const auto& [member, content] : json) {
    Step step(this, member);
    if (!DecodeObjectMember(member, content, object)) return false;
  }
  if (!Measure(object)) return false;
  if (object->id) numbered_[*object->id].complete = true;
  value->kind = PlanValue::Kind::kObject;
  value->object = object;
  return true;
}

bool PlanDecoder::DecodeObjectMember(std::string_view member, Element json, PlanObject* object) {
  if (member == "class") return DecodeString(json, &object->class_name);
  if (member == "nullable") return DecodeBoolean(json, &object->nullable);
  if (member == "sql") return DecodeString(json, &object->sql);
  if (member == "args") return DecodeArguments(json, &object->arguments);
  if (member == "children") return DecodeList(json, &object->children);
  if (member != "type" || json.is_null()) return true;
  std::string_view name;
  if (json.get(name) == simdjson::SUCCESS) {
    object->type = ParseDataType(name);
  } else {
    object->type = DataType{TypeKind::kOther, 0, 0, simdjson::minify(json)};
  }
  return true;
}

bool PlanDecoder::Measure(PlanObject* object) {
  int depth = 0;
  for (const auto& [name, argument] : object->arguments) {
    AddMeasure(argument, &object->expanded_size, &depth);
  }
  for (const PlanValue& child : object->children) {
    AddMeasure(child, &object->expanded_size, &depth);
  }
  object->depth = depth + 1;
  if (object->expanded_size <= kExpandedSizeMax) return true;
  return Fail(fmt::format("the expression expands to more than {} objects", kExpandedSizeMax));
}

}  // namespace reprise
