// What tests of columns share: the value of a good result, and columns from JSON text.
#pragma once

#include <arrow/json/from_string.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/status.h"
#include "plan/data_type.h"

namespace reprise::testing {

/// The value of a Result that must be good.
template <typename T>
T Good(Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.status().ToString());
  return *std::move(result);
}

/// An array from JSON text: Values("integer", "[1, null]").
inline std::shared_ptr<arrow::Array> Values(const std::string& type, const std::string& json) {
  return Good(arrow::json::ArrayFromJSONString(Good(ToArrow(ParseDataType(type))), json));
}

}  // namespace reprise::testing
