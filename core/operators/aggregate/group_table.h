// GroupTable: gives every distinct key a number, in order of first appearance.
#pragma once

#include <arrow/array.h>

#include <memory>
#include <vector>

#include "base/status.h"
#include "plan/data_type.h"

namespace reprise {

/// The groups of a GROUP BY. Keys are compared by their bits (Spark's plan has normalised NaN and
/// -0.0 already) and null equals null, as in Spark's HashAggregateExec, which compares UnsafeRows
/// byte by byte.
class GroupTable {
 public:
  virtual ~GroupTable() = default;

  /// Sets groups[i] to the group number of row i, for `row_count` rows; new keys get the next
  /// numbers. `keys` has one column a key, of the key's type; strings may be dictionary-encoded.
  virtual Status Map(const arrow::ArrayVector& keys, int64_t row_count, int32_t* groups) = 0;

  virtual int32_t group_count() const = 0;

  /// The keys of groups begin … end - 1, one plain column a key, allocated from `pool`.
  virtual Result<arrow::ArrayVector> Keys(int32_t begin, int32_t end,
                                          arrow::MemoryPool* pool) const = 0;

  /// Bytes of the strings among the keys of groups begin … end - 1, about.
  virtual int64_t StringBytes([[maybe_unused]] int32_t begin, [[maybe_unused]] int32_t end) const {
    return 0;
  }

  /// A hash of a group's keys; that of equal keys is the same in all tables of the same types.
  virtual uint32_t HashOf(int32_t group) const = 0;
};

/// Makes the table for keys of these types (at least one): packed words where all are of fixed
/// width, the values of one string or binary key, serialised rows where such a key is among others.
/// Its memory comes from `pool`. Types without native form are Status::NotImplemented.
Result<std::unique_ptr<GroupTable>> MakeGroupTable(const std::vector<DataType>& key_types,
                                                   arrow::MemoryPool* pool);

/// The implementations; call MakeGroupTable.
std::unique_ptr<GroupTable> MakePackedKeyTable(const std::vector<DataType>& key_types,
                                               arrow::MemoryPool* pool);
std::unique_ptr<GroupTable> MakeBytesKeyTable(const DataType& key_type, arrow::MemoryPool* pool);
std::unique_ptr<GroupTable> MakeSerialisedKeyTable(const std::vector<DataType>& key_types,
                                                   arrow::MemoryPool* pool);

}  // namespace reprise
