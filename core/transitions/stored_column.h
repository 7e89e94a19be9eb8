// Makes columns of arrays, maps and structs, in the bytes that Spark's rows keep them in, out of
// columns of what stands in them: the inverse of transitions/item_column.h.
#pragma once

#include <arrow/array/array_base.h>
#include <arrow/buffer.h>
#include <arrow/memory_pool.h>

#include <memory>
#include <vector>

#include "base/batch.h"
#include "plan/data_type.h"
#include "transitions/row_encoder.h"

namespace reprise {

/// Which values of a column are null.
struct StoredNulls {
  std::shared_ptr<arrow::Buffer> validity;  ///< a bit a value; null: none is
  int64_t null_count = 0;

  bool IsNull(int64_t value) const;
};

/// Where arrays, or maps, begin and end in the columns of their elements.
struct StoredLists {
  int64_t count = 0;
  std::shared_ptr<arrow::Buffer> offsets;  ///< int32: of list i the elements from offset i up to
                                           ///< offset i + 1
  StoredNulls nulls;                       ///< null lists have no elements

  int32_t offset(int64_t list) const { return offsets->data_as<int32_t>()[list]; }
};

/// Arrays of `elements`, a column of the type in which values of `element_type` travel, plain or
/// dictionary-encoded: as Spark's UnsafeArrayWriter makes them. Arrays of more than 2 GiB together
/// are Status::CapacityError.
Result<std::shared_ptr<arrow::Array>> StoredArrays(const StoredLists& lists,
                                                   const DataType& element_type,
                                                   const arrow::Array& elements,
                                                   arrow::MemoryPool* pool);

/// The same for maps. Keys must not be null.
Result<std::shared_ptr<arrow::Array>> StoredMaps(const StoredLists& lists, const DataType& key_type,
                                                 const arrow::Array& keys,
                                                 const DataType& value_type,
                                                 const arrow::Array& values,
                                                 arrow::MemoryPool* pool);

/// Makes structs of their fields.
class StoredStructs {
 public:
  static Result<StoredStructs> Make(const std::vector<Field>& fields, arrow::MemoryPool* pool);

  /// A struct for each of `count` values; `columns` have a value for each, of which those of null
  /// structs do not count.
  Result<std::shared_ptr<arrow::Array>> Of(arrow::ArrayVector columns, int64_t count,
                                           const StoredNulls& nulls);

 private:
  StoredStructs(std::unique_ptr<UnsafeRowEncoder> encoder, arrow::MemoryPool* pool)
      : encoder_(std::move(encoder)), pool_(pool) {}

  std::unique_ptr<UnsafeRowEncoder> encoder_;
  arrow::MemoryPool* pool_;
};

}  // namespace reprise
