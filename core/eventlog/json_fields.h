// How the decoders of events take members out of a JSON object: a literal table from a member's
// name to what takes its value. Members that no table names are skipped without being decoded.
#pragma once

#include <simdjson.h>

#include <array>
#include <cstring>
#include <string_view>

namespace reprise {

using JsonValue = simdjson::ondemand::value;
using JsonError = simdjson::error_code;

/// What decoders share while they decode one line.
struct JsonContext {
  simdjson::ondemand::parser nested;  ///< for JSON that stands inside a string
  std::string nested_text;
  bool task_accumulators = false;
};

/// Takes one member's value to `out`.
template <typename T>
using TakeField = JsonError (*)(JsonValue& value, T* out, JsonContext& context);

template <typename T>
struct JsonField {
  std::string_view name;
  TakeField<T> take = nullptr;
};

/// The members that are wanted of one kind of object, found by length and then by comparing.
template <typename T, size_t N>
class JsonFields {
 public:
  constexpr explicit JsonFields(const std::array<JsonField<T>, N>& fields) {
    for (size_t length = 0, at = 0; length <= kLengthMax; ++length) {
      begin_[length] = static_cast<uint8_t>(at);
      for (const JsonField<T>& field : fields) {
        if (field.name.size() == length) fields_[at++] = field;
      }
      begin_[length + 1] = static_cast<uint8_t>(at);
    }
  }

  constexpr const JsonField<T>* Find(std::string_view name) const {
    if (name.size() > kLengthMax) return nullptr;
    for (size_t at = begin_[name.size()]; at < begin_[name.size() + 1]; ++at) {
      if (fields_[at].name == name) return &fields_[at];
    }
    return nullptr;
  }

 private:
  static constexpr size_t kLengthMax = 80;
  std::array<JsonField<T>, N> fields_{};
  std::array<uint8_t, kLengthMax + 2> begin_{};
};

template <typename T, size_t N>
constexpr JsonFields<T, N> MakeFields(const JsonField<T> (&fields)[N]) {
  return JsonFields<T, N>(std::to_array(fields));
}

/// The text of a key. No member that is wanted has an escaped character in its name, so that a key
/// may be cut at its first quotation mark.
inline std::string_view KeyText(simdjson::ondemand::raw_json_string key) {
  const char* begin = key.raw();
  const char* end = begin;
  while (*end != '"') ++end;
  return {begin, static_cast<size_t>(end - begin)};
}

/// Null stands for a value that is not there: it leaves the default. Any other value of another
/// type than wanted is damage.
inline JsonError UnlessNull(JsonError error, JsonValue& value) {
  bool null = false;
  if (error != simdjson::INCORRECT_TYPE || value.is_null().get(null) || !null) return error;
  return simdjson::SUCCESS;
}

/// Goes through an object and hands the members that `fields` names to their functions.
template <typename T, size_t N>
JsonError TakeObject(simdjson::ondemand::object object, const JsonFields<T, N>& fields, T* out,
                     JsonContext& context) {
  for (auto member : object) {
    simdjson::ondemand::field field;
    if (const JsonError error = std::move(member).get(field)) return error;
    const JsonField<T>* wanted = fields.Find(KeyText(field.key()));
    if (wanted == nullptr) continue;
    if (const JsonError error = wanted->take(field.value(), out, context)) return error;
  }
  return simdjson::SUCCESS;
}

/// The same of a value; null leaves `out` as it is.
template <typename T, size_t N>
JsonError TakeObject(JsonValue& value, const JsonFields<T, N>& fields, T* out,
                     JsonContext& context) {
  simdjson::ondemand::object object;
  const JsonError error = value.get_object().get(object);
  if (error) return UnlessNull(error, value);
  return TakeObject(object, fields, out, context);
}

/// Hands every item of an array to `take`, which returns an error; null has no items.
template <typename Take>
JsonError TakeItems(JsonValue& value, Take take) {
  simdjson::ondemand::array array;
  const JsonError error = value.get_array().get(array);
  if (error) return UnlessNull(error, value);
  for (auto item : array) {
    JsonValue element;
    if (const JsonError bad = item.get(element)) return bad;
    if (const JsonError bad = take(element)) return bad;
  }
  return simdjson::SUCCESS;
}

inline JsonError TakeInteger(JsonValue& value, int64_t* out) {
  return UnlessNull(value.get_int64().get(*out), value);
}
inline JsonError TakeBoolean(JsonValue& value, bool* out) {
  return UnlessNull(value.get_bool().get(*out), value);
}
inline JsonError TakeText(JsonValue& value, std::string_view* out) {
  return UnlessNull(value.get_string().get(*out), value);
}
inline JsonError TakeIntegers(JsonValue& value, std::vector<int64_t>* out) {
  out->clear();
  return TakeItems(value,
                   [out](JsonValue& item) { return TakeInteger(item, &out->emplace_back(-1)); });
}
inline JsonError TakeTexts(JsonValue& value, std::vector<std::string_view>* out) {
  out->clear();
  return TakeItems(value, [out](JsonValue& item) { return TakeText(item, &out->emplace_back()); });
}

/// Texts by name, under whatever names there are.
inline JsonError TakeTextsByName(JsonValue& value,
                                 std::vector<std::pair<std::string_view, std::string_view>>* out) {
  out->clear();
  simdjson::ondemand::object object;
  const JsonError bad = value.get_object().get(object);
  if (bad) return UnlessNull(bad, value);
  for (auto member : object) {
    simdjson::ondemand::field field;
    if (const JsonError error = std::move(member).get(field)) return error;
    auto& [name, text] = out->emplace_back();
    if (const JsonError error = field.unescaped_key().get(name)) return error;
    if (const JsonError error = TakeText(field.value(), &text)) return error;
  }
  return simdjson::SUCCESS;
}

/// Functions for tables: `Take<&Struct::member>` takes a value to that member, by its type.
template <auto kMember>
struct Take;

template <typename T, typename M, M T::*kMember>
struct Take<kMember> {
  static JsonError Do(JsonValue& value, T* out, JsonContext&) {
    if constexpr (std::is_same_v<M, int64_t>) {
      return TakeInteger(value, &(out->*kMember));
    } else if constexpr (std::is_same_v<M, bool>) {
      return TakeBoolean(value, &(out->*kMember));
    } else if constexpr (std::is_same_v<M, std::string_view>) {
      return TakeText(value, &(out->*kMember));
    } else if constexpr (std::is_same_v<M, std::vector<int64_t>>) {
      return TakeIntegers(value, &(out->*kMember));
    } else if constexpr (std::is_same_v<M, std::vector<std::string_view>>) {
      return TakeTexts(value, &(out->*kMember));
    } else {
      return TakeTextsByName(value, &(out->*kMember));
    }
  }
};

}  // namespace reprise
