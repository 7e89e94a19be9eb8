// to_json: a struct as a JSON object, as Spark's StructsToJson without options. Input: a struct of
// strings, booleans and integers, arrays of such and structs. Output: a string. In doubt are
// strings that JSON escapes or that are not UTF-8, and structs of which a field is null: a setting
// of the session says what becomes of them.
//   to_json({"x", [1, null]}) = '{"a":"x","b":[1,null]}'
// Source: Spark's JacksonGenerator, Jackson's writer.
#include "expressions/tried_texts.h"
#include "plan/json_tree.h"
#include "plan/nested_bytes.h"
#include "plan/replaced_text.h"
#include "plan/utf8.h"
#include "vocabulary/text_types.h"

namespace reprise {

namespace {

using Form = NestedType::Form;

class JsonWriter {
 public:
  explicit JsonWriter(std::string* out) : out_(out) {}

  /// False where it is not sure what Spark writes.
  bool WriteStruct(const NestedType& type, NestedBytes bytes) {
    const auto fields = FieldsOf(bytes, std::ssize(type.parts));
    if (!fields.ok()) return false;
    *out_ += '{';
    for (int64_t i = 0; i < fields->count; ++i) {
      const auto field = static_cast<size_t>(i);
      if (fields->is_null(i)) return false;
      if (i > 0) *out_ += ',';
      *out_ += fmt::format("\"{}\":", FieldName(type, field));
      if (!Write(type.parts[field], *fields, fields->first + i * kRowWordBytes)) return false;
    }
    *out_ += '}';
    return true;
  }

 private:
  bool WriteArray(const NestedType& element, NestedBytes bytes) {
    const auto elements = ElementsOf(bytes);
    if (!elements.ok()) return false;
    *out_ += '[';
    for (int64_t i = 0; i < elements->count; ++i) {
      if (i > 0) *out_ += ',';
      if (elements->is_null(i)) {
        *out_ += "null";
      } else if (!Write(element, *elements, elements->first + i * element.element_bytes)) {
        return false;
      }
    }
    *out_ += ']';
    return true;
  }

  bool Write(const NestedType& type, const NestedItems& items, int64_t position) {
    if (type.type.is_integral()) return WriteInteger(type.element_bytes, items.bytes, position);
    if (type.type.is(TypeKind::kBoolean)) {
      const auto value = LoadNested<uint8_t>(items.bytes, position);
      if (value.ok()) *out_ += *value != 0 ? "true" : "false";
      return value.ok();
    }
    const auto bytes = VariablePart(items.bytes, position);
    if (!bytes.ok()) return false;
    if (type.form == Form::kStruct) return WriteStruct(type, *bytes);
    if (type.form == Form::kArray) return WriteArray(type.parts[0], *bytes);
    return type.type.is(TypeKind::kString) &&
           WriteText({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
  }

  bool WriteInteger(int64_t width, NestedBytes bytes, int64_t position) {
    const auto write = [&](const auto& value) {
      if (value.ok()) *out_ += std::to_string(int64_t{*value});
      return value.ok();
    };
    if (width == 1) return write(LoadNested<int8_t>(bytes, position));
    if (width == 2) return write(LoadNested<int16_t>(bytes, position));
    if (width == 4) return write(LoadNested<int32_t>(bytes, position));
    return write(LoadNested<int64_t>(bytes, position));
  }

  bool WriteText(std::string_view text) {
    if (!IsPlainInJson(text) || (!IsAscii(text) && !IsUtf8(text))) return false;
    *out_ += '"';
    *out_ += text;
    *out_ += '"';
    return true;
  }

  std::string* const out_;
};

}  // namespace

MadeExpression MakeToJson(FunctionCall call) {
  auto type = WrittenJsonTree(call.arguments[0]->type());
  if (!type || type->form != Form::kStruct) {
    return Status::NotImplemented("to_json of ", call.arguments[0]->type().ToString());
  }
  return MakeTriedTexts<arrow::StringBuilder>(
      std::move(call), [type = *std::move(type)](Texts texts, std::string* out) {
        return JsonWriter(out).WriteStruct(type, ToNestedBytes(texts[0]));
      });
}

}  // namespace reprise
