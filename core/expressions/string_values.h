// Strings of a column, whichever of its three forms it has.
#pragma once

#include <arrow/array/array_dict.h>

#include <algorithm>
#include <string_view>

#include "expressions/values.h"

namespace reprise {

/// One string a row; of rows that are null it may be any, or none.
class AnyStrings {
 public:
  AnyStrings() = default;
  explicit AnyStrings(const Column& column) {
    if (column.is_scalar()) {
      if (column.scalar->is_valid) constant_ = StringOf(*column.scalar);
    } else if (column.array->type_id() == arrow::Type::DICTIONARY) {
      const auto& encoded = static_cast<const arrow::DictionaryArray&>(*column.array);
      indices_ = encoded.data()->GetValues<int32_t>(1);
      entries_ = static_cast<uint32_t>(encoded.dictionary()->length());
      strings_ = StringsOf(*encoded.dictionary());
    } else {
      strings_ = StringsOf(*column.array);
    }
  }

  std::string_view operator[](int64_t row) const {
    if (strings_.offsets == nullptr) return constant_;
    if (indices_ == nullptr) return strings_[row];
    // Indices under nulls may be anything.
    const auto index = static_cast<uint32_t>(indices_[row]);
    return index < entries_ ? strings_[index] : std::string_view();
  }

 private:
  StringRows strings_{nullptr, nullptr};
  const int32_t* indices_ = nullptr;
  uint32_t entries_ = 0;
  std::string_view constant_;
};

}  // namespace reprise
