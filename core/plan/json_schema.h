// The types that from_json reads natively, as a tree with the names of fields.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/data_type.h"

namespace reprise {

/// Whether JSON has the text as it is, between quotes.
bool IsPlainInJson(std::string_view text);

/// A string, a boolean, an integer or a double; an array of such, or a struct.
struct JsonSchema {
  enum class Form { kText, kBoolean, kInteger, kDouble, kArray, kStruct };

  Form form = Form::kText;
  int64_t width = 8;               ///< bytes, in an array
  std::vector<std::string> names;  ///< of a struct's fields
  std::vector<JsonSchema> parts;   ///< the element, or the fields

  /// Whether a double stands somewhere in it.
  bool HasDouble() const;

  /// Nothing where another type stands in it, or a name that JSON would have to escape.
  static std::optional<JsonSchema> Of(const DataType& type);
};

}  // namespace reprise
