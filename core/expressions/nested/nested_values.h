// Columns of arrays, maps and structs, as the bytes that Spark's rows keep them in.
#pragma once

#include <arrow/array/array_binary.h>

#include "expressions/nulls.h"
#include "plan/nested_bytes.h"

namespace reprise {

/// The bytes of the values of an opaque column, which is an array. Only for valid rows.
class NestedValues {
 public:
  explicit NestedValues(const arrow::Array& column)
      : values_(static_cast<const arrow::BinaryArray&>(column)) {}

  bool IsNull(int64_t row) const { return values_.IsNull(row); }
  NestedBytes operator[](int64_t row) const { return ToNestedBytes(values_.GetView(row)); }

 private:
  const arrow::BinaryArray& values_;
};

}  // namespace reprise
