// from_json: a struct read from a JSON document, as Spark's JsonToStructs without options. Input: a
// string. Output: a struct of strings, booleans, integers and doubles, arrays of such and structs.
// In doubt are documents of which a value is not of its field's type, that name a field twice, or
// that Spark's parser may read otherwise (single quotes, control characters, what is no JSON or
// follows it).
//   from_json('{"b":[1,null],"a":"x"}') = {"x", [1, null], null}, where there is a field c too
// Source: Spark's JacksonParser, JsonToStructsEvaluator.
#include <algorithm>
#include <charconv>
#include <cstring>

#include "expressions/json_scanner.h"
#include "expressions/tried_texts.h"
#include "plan/json_schema.h"
#include "plan/unsafe_row.h"

namespace reprise {

namespace {

using Form = JsonSchema::Form;

/// A value as it stands in a row or in an array.
struct Value {
  bool is_null = true;
  uint64_t word = 0;
  std::string bytes;  // of what the word would point to
};

bool HasBytes(const JsonSchema& schema) {
  return schema.form == Form::kText || schema.form == Form::kArray || schema.form == Form::kStruct;
}

/// Lets item `i` of those that begin at `first` point to bytes that are appended; offsets count
/// from `start`.
void AppendBytes(const std::string& bytes, int64_t first, int64_t i, int64_t start,
                 std::string* out) {
  const auto offset = static_cast<uint64_t>(static_cast<int64_t>(out->size()) - start);
  StoreAs<uint64_t>(reinterpret_cast<uint8_t*>(out->data()) + first + i * kRowWordBytes,
                    offset << 32 | bytes.size());
  out->append(bytes);
  out->resize(static_cast<size_t>(start + RoundUpToWord(static_cast<int64_t>(out->size()) - start)),
              '\0');
}

class JsonReader : public JsonScanner {
 public:
  using JsonScanner::JsonScanner;

  /// Appends the bytes of the struct that the document is.
  void ReadDocument(const JsonSchema& schema, std::string* out) {
    SkipSpaces();
    if (!Peeks('{')) return static_cast<void>(Doubt());
    ReadStruct(schema, 0, out);
    SkipSpaces();
    if (!is_at_end()) Doubt();
  }

 private:
  void ReadStruct(const JsonSchema& schema, int depth, std::string* out) {
    std::vector<Value> values(schema.parts.size());
    std::vector<bool> is_met(schema.parts.size());
    ForEachField([&](std::string_view name, bool has_escapes) {
      const auto found = std::ranges::find(schema.names, name);
      if (has_escapes || depth > kLevelsMax) return static_cast<void>(Doubt());
      if (found == schema.names.end()) return Skip(depth + 1);
      const auto field = static_cast<size_t>(found - schema.names.begin());
      if (is_met[field]) return static_cast<void>(Doubt());
      is_met[field] = true;
      Read(schema.parts[field], depth + 1, &values[field]);
    });
    const auto start = static_cast<int64_t>(out->size());
    const auto count = std::ssize(values);
    out->resize(static_cast<size_t>(start + FixedRowBytes(count)), '\0');
    const int64_t first = start + NullBitsBytes(count);
    for (int64_t i = 0; i < count; ++i) {
      const JsonSchema& part = schema.parts[static_cast<size_t>(i)];
      Put(values[static_cast<size_t>(i)], part, {start, start, first, kRowWordBytes}, i, out);
    }
  }

  void ReadArray(const JsonSchema& schema, int depth, std::string* out) {
    const JsonSchema& element = schema.parts[0];
    std::vector<Value> values;
    ForEachElement([&] { Read(element, depth + 1, &values.emplace_back()); });
    const auto start = static_cast<int64_t>(out->size());
    const auto count = std::ssize(values);
    const int64_t first = start + kRowWordBytes + NullBitsBytes(count);
    out->resize(static_cast<size_t>(first + RoundUpToWord(count * element.width)), '\0');
    StoreAs<int64_t>(reinterpret_cast<uint8_t*>(out->data()) + start, count);
    for (int64_t i = 0; i < count; ++i) {
      Put(values[static_cast<size_t>(i)], element,
          {start, start + kRowWordBytes, first, element.width}, i, out);
    }
  }

  /// Where items stand in what is written.
  struct Items {
    int64_t start;      // offsets count from here
    int64_t null_bits;  // their first byte
    int64_t first;      // of item 0
    int64_t width;      // of an item
  };

  static void Put(const Value& value, const JsonSchema& schema, const Items& items, int64_t i,
                  std::string* out) {
    auto* const bytes = reinterpret_cast<uint8_t*>(out->data());
    if (value.is_null) {
      bytes[items.null_bits + i / 8] |= static_cast<uint8_t>(1 << (i % 8));
    } else if (HasBytes(schema)) {
      AppendBytes(value.bytes, items.first, i, items.start, out);
    } else {
      std::memcpy(bytes + items.first + i * items.width, &value.word,
                  static_cast<size_t>(schema.width));
    }
  }

  void Read(const JsonSchema& schema, int depth, Value* value) {
    if (TakesWord("null")) return;
    value->is_null = false;
    switch (schema.form) {
      case Form::kText:
        return ReadText(value);
      case Form::kBoolean:
        value->word = Peeks('t') ? 1 : 0;
        if (!TakesWord("true") && !TakesWord("false")) Doubt();
        return;
      case Form::kInteger:
        return ReadInteger(schema.width, value);
      case Form::kDouble:
        return ReadDouble(value);
      case Form::kArray:
        if (!Peeks('[')) return static_cast<void>(Doubt());
        return ReadArray(schema, depth, &value->bytes);
      case Form::kStruct:
        if (!Peeks('{')) return static_cast<void>(Doubt());
        return ReadStruct(schema, depth, &value->bytes);
    }
  }

  void ReadText(Value* value) {
    bool has_escapes = false;
    const std::string_view inside = String(&has_escapes);
    if (!has_escapes) {
      value->bytes = inside;
    } else if (auto text = Unescaped(inside)) {
      value->bytes = *std::move(text);
    } else {
      Doubt();
    }
  }

  /// The number here, as it stands there; empty where it has too many digits to be sure of.
  std::string_view Number() {
    const size_t begin = at_;
    SkipScalar();
    const std::string_view number = text_.substr(begin, at_ - begin);
    const bool is_number = !number.empty() && number.back() >= '0' && number.back() <= '9';
    return is_number && number.size() <= 18 && number != "-0" ? number : std::string_view();
  }

  void ReadInteger(int64_t width, Value* value) {
    const std::string_view number = Number();
    int64_t read = 0;
    const auto [end, error] = std::from_chars(number.begin(), number.end(), read);
    const int64_t above = width == 8 ? 0 : read >> (8 * width - 1);
    if (number.empty() || error != std::errc() || end != number.end() ||
        (above != 0 && above != -1)) {
      return static_cast<void>(Doubt());
    }
    value->word = static_cast<uint64_t>(read);
  }

  void ReadDouble(Value* value) {
    const std::string_view number = Number();
    double read = 0;
    const auto [end, error] = std::from_chars(number.begin(), number.end(), read);
    if (number.empty() || error != std::errc() || end != number.end()) {
      return static_cast<void>(Doubt());
    }
    std::memcpy(&value->word, &read, sizeof(read));
  }
};

}  // namespace

MadeExpression MakeFromJson(FunctionCall call) {
  auto schema = JsonSchema::Of(call.spec.type);
  if (!schema || schema->form != Form::kStruct) {
    return Status::NotImplemented("from_json to ", call.spec.type.ToString());
  }
  return MakeTriedTexts<arrow::BinaryBuilder>(
      std::move(call), [schema = *std::move(schema)](Texts texts, std::string* out) {
        JsonReader reader(texts[0]);
        reader.ReadDocument(schema, out);
        return !reader.in_doubt();
      });
}

}  // namespace reprise
