// Columns of arrays and maps, taken apart into columns of all that stands in them.
#pragma once

#include <arrow/array/array_base.h>

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/status.h"
#include "expressions/expression.h"
#include "plan/data_type.h"
#include "transitions/stored_column.h"

namespace reprise {

/// Where the lists of a column begin and end among their elements, and which row each element is
/// of.
struct FlatLists {
  StoredLists lists;
  std::vector<int32_t> rows;  ///< of each element

  int64_t count() const { return std::ssize(rows); }
  int64_t length(int64_t list) const { return lists.offset(list + 1) - lists.offset(list); }
};

/// A column of arrays with its elements.
struct FlatArrays : FlatLists {
  std::shared_ptr<arrow::Array> elements;
};

/// A column of maps with its entries.
struct FlatMaps : FlatLists {
  std::shared_ptr<arrow::Array> keys;
  std::shared_ptr<arrow::Array> values;
};

/// `arrays`: opaque values of which `element_type` are the elements. Status::Invalid where a value
/// does not keep within its bytes.
Result<FlatArrays> Flatten(const arrow::Array& arrays, const DataType& element_type,
                           arrow::MemoryPool* pool);

/// What gives arrays and knows their elements before it writes them.
class ArraysByElement {
 public:
  virtual ~ArraysByElement() = default;
  virtual Result<FlatArrays> EvaluateElements(EvalInput& input) const = 0;
};

/// The elements of the arrays that an expression gives, which are not written where it is one that
/// knows them before.
Result<FlatArrays> EvaluateFlat(const Expression& arrays, const DataType& element_type,
                                EvalInput& input);

/// As Flatten, of maps.
Result<FlatMaps> FlattenMaps(const arrow::Array& maps, const DataType& key_type,
                             const DataType& value_type, arrow::MemoryPool* pool);

/// Lists of what `append` puts away for each row that is not null, saying how much it is.
/// Status::CapacityError where that is more than 2^31 elements.
Result<FlatLists> FlattenRows(int64_t row_count, StoredNulls nulls,
                              const std::function<Result<int64_t>(int64_t row)>& append,
                              arrow::MemoryPool* pool);

/// The place of each element in its list, from 0.
Result<std::shared_ptr<arrow::Array>> PlacesIn(const FlatLists& lists, arrow::MemoryPool* pool);

/// The lists with those elements alone that are named, ascending.
Result<StoredLists> OnlyElements(const FlatLists& lists, std::span<const int32_t> elements,
                                 arrow::MemoryPool* pool);

}  // namespace reprise
