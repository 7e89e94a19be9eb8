// Where in an array a value stands.
#pragma once

#include <memory>

#include "expressions/expression.h"
#include "plan/nested_bytes.h"

namespace reprise {

/// Looks for a column's values among the items of arrays, by Spark's equality of values that are
/// not null: NaN is NaN, and -0.0 is 0.0.
class ItemFinder {
 public:
  /// `values` must outlive it. Status::NotImplemented for types that cannot be
  /// found (CanBeFound in plan/item_types.h).
  static Result<std::unique_ptr<ItemFinder>> Make(const DataType& type, const Column& values);
  virtual ~ItemFinder() = default;

  /// The place of the first item that is the value of `row`, which is not null, or -1.
  virtual Result<int64_t> Find(const NestedItems& items, int64_t row) const = 0;
};

}  // namespace reprise
