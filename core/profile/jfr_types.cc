#include "profile/jfr_types.h"

#include <charconv>

namespace reprise {

namespace {

// Types nest a few levels; a file that goes on is malformed.
constexpr int kDepthMax = 16;
// One that claims more of anything than this is malformed: it could not be held in memory.
constexpr uint64_t kCountMax = 1 << 20;

uint64_t NumberOf(const std::string& text) {
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// An element of the metadata: <name key="value"…>children</name>, its strings by number.
struct Element {
  std::string name;
  std::map<std::string, std::string, std::less<>> attributes;
  std::vector<Element> children;

  std::string Attribute(std::string_view key) const {
    const auto found = attributes.find(key);
    return found == attributes.end() ? "" : found->second;
  }
};

class ElementReader {
 public:
  ElementReader(JfrCursor* cursor, std::vector<std::string> strings)
      : cursor_(*cursor), strings_(std::move(strings)) {}

  Element Read(int depth) {
    Element element;
    element.name = Text();
    if (depth > kDepthMax) cursor_.Fail();
    const uint64_t attributes = cursor_.Varint();
    for (uint64_t i = 0; i < attributes && !cursor_.failed(); ++i) {
      std::string key = Text();
      element.attributes[std::move(key)] = Text();
    }
    const uint64_t children = cursor_.Varint();
    for (uint64_t i = 0; i < children && !cursor_.failed(); ++i) {
      element.children.push_back(Read(depth + 1));
    }
    return element;
  }

 private:
  std::string Text() {
    const uint64_t number = cursor_.Varint();
    if (number >= strings_.size()) {
      cursor_.Fail();
      return "";
    }
    return strings_[number];
  }

  JfrCursor& cursor_;
  std::vector<std::string> strings_;
};

JfrType TypeOf(const Element& element) {
  JfrType type;
  type.id = NumberOf(element.Attribute("id"));
  type.name = element.Attribute("name");
  for (const Element& child : element.children) {
    if (child.name != "field") continue;
    type.fields.push_back({.name = child.Attribute("name"),
                           .type = NumberOf(child.Attribute("class")),
                           .is_constant = child.Attribute("constantPool") == "true",
                           .is_array = NumberOf(child.Attribute("dimension")) > 0});
  }
  return type;
}

}  // namespace

Result<JfrTypes> JfrTypes::Read(JfrCursor* cursor, std::string_view file) {
  cursor->Varint();  // start
  cursor->Varint();  // duration
  cursor->Varint();  // number of the metadata
  const uint64_t count = cursor->Varint();
  if (count > kCountMax) cursor->Fail();
  std::vector<std::string> strings;
  for (uint64_t i = 0; i < count && !cursor->failed(); ++i) strings.push_back(cursor->String());
  const Element root = ElementReader(cursor, std::move(strings)).Read(0);
  RETURN_NOT_OK(cursor->status(file, "the description of the event types"));
  JfrTypes types;
  for (const Element& metadata : root.children) {
    for (const Element& element : metadata.children) {
      if (element.name != "class") continue;
      JfrType type = TypeOf(element);
      types.by_name_[type.name] = type.id;
      types.types_[type.id] = std::move(type);
    }
  }
  return types;
}

const JfrType* JfrTypes::Find(uint64_t id) const {
  const auto found = types_.find(id);
  return found == types_.end() ? nullptr : &found->second;
}

const JfrType* JfrTypes::Find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : Find(found->second);
}

void JfrTypes::SkipValue(uint64_t type, JfrCursor* cursor,
                         std::vector<JfrReference>* references) const {
  SkipNested(type, 0, cursor, references);
}

void JfrTypes::SkipField(const JfrField& field, JfrCursor* cursor,
                         std::vector<JfrReference>* references) const {
  SkipNestedField(field, 0, cursor, references);
}

void JfrTypes::SkipNestedField(const JfrField& field, int depth, JfrCursor* cursor,
                               std::vector<JfrReference>* references) const {
  const uint64_t count = field.is_array ? cursor->Varint() : 1;
  if (field.is_array && count > cursor->left()) cursor->Fail();
  for (uint64_t i = 0; i < count && !cursor->failed(); ++i) {
    if (field.is_constant) {
      const uint64_t number = cursor->Varint();
      if (references != nullptr) references->push_back({field.type, number});
    } else {
      SkipNested(field.type, depth + 1, cursor, references);
    }
  }
}

void JfrTypes::SkipNested(uint64_t id, int depth, JfrCursor* cursor,
                          std::vector<JfrReference>* references) const {
  const JfrType* type = Find(id);
  if (type == nullptr || depth > kDepthMax) {
    cursor->Fail();
    return;
  }
  if (type->name == "java.lang.String") {
    uint64_t constant = UINT64_MAX;
    cursor->String(&constant);
    if (references != nullptr && constant != UINT64_MAX) references->push_back({id, constant});
  } else if (!type->fields.empty()) {
    for (const JfrField& field : type->fields) SkipNestedField(field, depth, cursor, references);
  } else if (type->name == "float") {
    cursor->Skip(4);
  } else if (type->name == "double") {
    cursor->Skip(8);
  } else if (type->name == "boolean" || type->name == "byte") {
    cursor->Skip(1);
  } else if (type->name == "char" || type->name == "short" || type->name == "int" ||
             type->name == "long") {
    cursor->Varint();
  }
  // Other types without fields hold nothing.
}

}  // namespace reprise
