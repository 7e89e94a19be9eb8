#include "profile/jfr_types.h"

#include <algorithm>
#include <charconv>
#include <mutex>

namespace reprise {

namespace {

// Types nest a few levels; a file that goes on is malformed.
constexpr int kDepthMax = 16;
// One that claims more of anything than this is malformed: it could not be held in memory.
constexpr uint64_t kCountMax = 1 << 20;

uint64_t ParsedNumber(std::string_view text) {
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

JfrLayout LayoutOf(const JfrType& type) {
  const auto is = [&type](std::string_view name) { return type.name == name; };
  if (is("java.lang.String")) return JfrLayout::kString;
  if (!type.fields.empty()) return JfrLayout::kFields;
  if (is("float")) return JfrLayout::kFourBytes;
  if (is("double")) return JfrLayout::kEightBytes;
  if (is("boolean") || is("byte")) return JfrLayout::kByte;
  if (is("char") || is("short") || is("int") || is("long")) return JfrLayout::kVarint;
  return JfrLayout::kNothing;
}

// Reads the tree of elements that metadata is: <name key="value"…>children</name>, its strings by
// number. Types are the elements <class> below one of the root's; each <field> of them is a field.
class ElementReader {
 public:
  ElementReader(JfrCursor* cursor, std::vector<std::string> strings)
      : cursor_(*cursor), strings_(std::move(strings)) {}

  /// @param of  the class that the element is of, or null
  void Read(int depth, JfrType* of) {
    if (depth > kDepthMax) cursor_.Fail();
    const std::string_view element = Text();
    JfrType type;
    JfrField field;
    const uint64_t attributes = cursor_.Varint();
    for (uint64_t i = 0; i < attributes && !cursor_.failed(); ++i) {
      const std::string_view key = Text();
      const std::string_view value = Text();
      if (key == "name") {
        type.name = field.name = value;
      } else if (key == "id") {
        type.id = ParsedNumber(value);
      } else if (key == "class") {
        field.type = ParsedNumber(value);
      } else if (key == "constantPool") {
        field.is_constant = value == "true";
      } else if (key == "dimension") {
        field.is_array = ParsedNumber(value) > 0;
      }
    }
    const bool is_type = depth == 2 && element == "class";
    if (of != nullptr && element == "field") of->fields.push_back(std::move(field));
    const uint64_t children = cursor_.Varint();
    for (uint64_t i = 0; i < children && !cursor_.failed(); ++i) {
      Read(depth + 1, is_type ? &type : nullptr);
    }
    if (!is_type) return;
    type.layout = LayoutOf(type);
    types_.push_back(std::move(type));
  }

  std::vector<JfrType> types() && { return std::move(types_); }

 private:
  std::string_view Text() {
    const uint64_t number = cursor_.Varint();
    if (number >= strings_.size()) {
      cursor_.Fail();
      return "";
    }
    return strings_[number];
  }

  JfrCursor& cursor_;
  const std::vector<std::string> strings_;
  std::vector<JfrType> types_;
};

void SkipNested(const JfrType* type, int depth, JfrCursor* cursor,
                std::vector<JfrReference>* references);

void SkipNestedField(const JfrField& field, int depth, JfrCursor* cursor,
                     std::vector<JfrReference>* references) {
  const uint64_t count = field.is_array ? cursor->Varint() : 1;
  if (field.is_array && count > cursor->left()) cursor->Fail();
  if (!field.is_constant && field.of != nullptr && field.of->has_integers_only) {  // frames
    for (uint64_t i = 0; i < count && !cursor->failed(); ++i) {
      for (const JfrField& part : field.of->fields) {
        const uint64_t value = cursor->Varint();
        if (part.is_constant && references != nullptr) references->push_back({part.type, value});
      }
    }
    return;
  }
  for (uint64_t i = 0; i < count && !cursor->failed(); ++i) {
    if (field.is_constant) {
      const uint64_t number = cursor->Varint();
      if (references != nullptr) references->push_back({field.type, number});
    } else if (field.of != nullptr && field.of->layout == JfrLayout::kVarint) {
      cursor->Varint();  // nearly all
    } else {
      SkipNested(field.of, depth + 1, cursor, references);
    }
  }
}

void SkipNested(const JfrType* type, int depth, JfrCursor* cursor,
                std::vector<JfrReference>* references) {
  if (type == nullptr || depth > kDepthMax) {
    cursor->Fail();
    return;
  }
  switch (type->layout) {
    case JfrLayout::kNothing:
      break;
    case JfrLayout::kVarint:
      cursor->Varint();
      break;
    case JfrLayout::kByte:
      cursor->Skip(1);
      break;
    case JfrLayout::kFourBytes:
      cursor->Skip(4);
      break;
    case JfrLayout::kEightBytes:
      cursor->Skip(8);
      break;
    case JfrLayout::kString:
      if (const auto constant = cursor->SkipString(); constant && references != nullptr) {
        references->push_back({type->id, *constant});
      }
      break;
    case JfrLayout::kFields:
      for (const JfrField& field : type->fields) {
        SkipNestedField(field, depth, cursor, references);
      }
      break;
  }
}

}  // namespace

Result<std::shared_ptr<const JfrTypes>> JfrTypes::Read(JfrCursor* cursor, std::string_view file) {
  static std::mutex mutex;
  static std::vector<uint8_t> last_description;
  static std::shared_ptr<const JfrTypes> last;
  cursor->Varint();  // start
  cursor->Varint();  // duration
  const std::span<const uint8_t> description = cursor->rest();
  const std::scoped_lock lock(mutex);
  if (last == nullptr || !std::ranges::equal(description, last_description)) {
    ARROW_ASSIGN_OR_RAISE(JfrTypes types, ReadNew(cursor, file));
    last = std::make_shared<const JfrTypes>(std::move(types));
    last_description.assign(description.begin(), description.end());
  }
  return last;
}

Result<JfrTypes> JfrTypes::ReadNew(JfrCursor* cursor, std::string_view file) {
  cursor->Varint();  // number of the metadata
  const uint64_t count = cursor->Varint();
  if (count > kCountMax) cursor->Fail();
  std::vector<std::string> strings;
  for (uint64_t i = 0; i < count && !cursor->failed(); ++i) strings.push_back(cursor->String());
  ElementReader reader(cursor, std::move(strings));
  reader.Read(0, nullptr);
  RETURN_NOT_OK(cursor->status(file, "the description of the event types"));
  JfrTypes types;
  for (JfrType& type : std::move(reader).types()) {
    types.by_name_[type.name] = type.id;
    types.types_[type.id] = std::move(type);
  }
  for (auto& [id, type] : types.types_) {
    for (JfrField& field : type.fields) field.of = types.Find(field.type);
    type.has_integers_only =
        type.layout == JfrLayout::kFields && std::ranges::all_of(type.fields, IsInteger);
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

void JfrTypes::SkipValue(const JfrType* type, JfrCursor* cursor,
                         std::vector<JfrReference>* references) {
  SkipNested(type, 0, cursor, references);
}

void JfrTypes::SkipField(const JfrField& field, JfrCursor* cursor,
                         std::vector<JfrReference>* references) {
  SkipNestedField(field, 0, cursor, references);
}

}  // namespace reprise
