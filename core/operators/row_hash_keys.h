// The keys by which Spark orders rows before it deals them out: the hashes of their bytes.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/batch.h"
#include "operators/pool_vector.h"
#include "transitions/row_encoder.h"

namespace reprise {

/// The key of a row, and where the row is.
struct RowHashKey {
  uint32_t hash;   ///< UnsafeRow.hashCode(), in the order of signed numbers
  int32_t row;     ///< of the batch
  int32_t batch;   ///< whose batch that is
  uint64_t check;  ///< another hash: rows with equal hashes and checks are equal
};

/// Makes keys of rows, and orders rows by them, as ShuffleExchangeExec does before a round robin
/// (`spark.sql.execution.sortBeforeRepartition`; UnsafeExternalRowSorter over row.hashCode() and
/// RecordBinaryComparator): by hash, then by length, then by the first different word.
///
/// RecordBinaryComparator takes words that lie across two of the row's where both rows lie so in
/// Spark's memory, which depends on the rows before them. Here words are the row's, so that the
/// order does not depend on the order in which rows come; of two rows with the same hash and length
/// Spark may therefore put the other first.
class RowHashKeys {
 public:
  static Result<RowHashKeys> Make(const std::vector<Field>& fields, arrow::MemoryPool* pool);

  /// Appends the keys of all rows of `batch`, which has no selection, as those of the batch
  /// `number`.
  Status Append(const Batch& batch, int32_t number, PoolVector<RowHashKey>* keys);

  /// Sorts keys of rows of `batches`; of equal rows those that came first come first.
  Status Sort(const std::vector<Batch>& batches, PoolVector<RowHashKey>* keys);

  /// Below 0, 0 or above 0, as a row of one batch compares with a row of another.
  Result<int> Compare(const Batch& left_batch, const RowHashKey& left, const Batch& right_batch,
                      const RowHashKey& right);

  /// As RecordBinaryComparator compares the bytes of two rows that begin at a word.
  static int CompareBytes(std::string_view left, std::string_view right);

 private:
  explicit RowHashKeys(std::unique_ptr<UnsafeRowEncoder> encoder) : encoder_(std::move(encoder)) {}

  Result<std::string> BytesOf(const Batch& batch, int32_t row);
  Status SortEqualHashes(const std::vector<Batch>& batches, RowHashKey* begin, RowHashKey* end);

  std::unique_ptr<UnsafeRowEncoder> encoder_;
};

}  // namespace reprise
