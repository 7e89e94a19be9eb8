// What the tests of this folder share: rows written by Spark 4.1.3, and arrays from JSON.
#pragma once

#include <arrow/array.h>
#include <arrow/json/from_string.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/batch.h"
#include "plan/data_type.h"

namespace reprise {

inline std::vector<uint8_t> FromHex(std::string_view hex) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(
        static_cast<uint8_t>(std::stoi(std::string(hex.substr(i, 2)), nullptr, /*base=*/16)));
  }
  return bytes;
}

inline std::string ToHex(const uint8_t* begin, const uint8_t* end) {
  std::string hex;
  for (; begin != end; ++begin) hex += fmt::format("{:02x}", *begin);
  return hex;
}

inline std::vector<Field> FieldsOf(const std::vector<std::string>& type_names) {
  std::vector<Field> fields;
  for (const auto& name : type_names) {
    fields.push_back({fmt::format("c{}", fields.size()), ParseDataType(name), true});
  }
  return fields;
}

inline std::shared_ptr<arrow::Array> FromJson(const DataType& type, std::string_view json) {
  return arrow::json::ArrayFromJSONString(ToArrow(type).ValueOrDie(), json).ValueOrDie();
}

inline Batch BatchOf(const std::vector<Field>& fields,
                     std::vector<std::shared_ptr<arrow::Array>> columns, int64_t row_count) {
  return {ToArrowSchema(fields).ValueOrDie(), std::move(columns), row_count, nullptr};
}

/// One row as UnsafeProjection.create(types) of Spark 4.1.3 wrote it, and the same values as JSON,
/// one a column.
struct SparkRow {
  std::string name;
  std::vector<std::string> types;
  std::vector<std::string> values;  ///< each a JSON array of one value
  std::string hex;
};

const std::vector<SparkRow>& SparkRows();

}  // namespace reprise
