// Checksums of a stream of rows: what the ledger keeps of an operator's output.
#pragma once

#include <arrow/array.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/batch.h"
#include "base/status.h"

namespace reprise {

/// Depends on the values and the order of columns only: not on batch boundaries, selections,
/// offsets or dictionary encoding. NaNs are one value, -0.0 is not 0.0. All checksums are modulo
/// 2^64.
struct RowChecksums {
  int64_t rows = 0;
  uint64_t ordered = 0;    ///< of the rows in their order
  uint64_t unordered = 0;  ///< of the rows as a multiset: those of two streams add up
  /// Of the values of each column: where they differ, the column does. They add up.
  std::vector<uint64_t> columns;

  bool operator==(const RowChecksums&) const = default;
};

/// Computes RowChecksums batch by batch. Made to cost little, so not a proof against those who
/// forge rows; a dump's digests (checksums/digest.h) are slower and tell more.
class RowChecksummer {
 public:
  explicit RowChecksummer(int column_count);

  /// Adds the selected rows. Status::TypeError for a column type that no Spark type has.
  Status Add(const Batch& batch);

  /// Keeps what AddFiltered wants to know of the last batch, from the next one on.
  void KeepLast() { last_ = std::make_unique<Last>(); }
  /// The same as Add, but cheaper of what a filter has left, if it is most, of the last batch that
  /// was added to `below`, which keeps it: the same arrays, of whose rows fewer are selected.
  Status AddFiltered(const Batch& batch, RowChecksummer* below);

  const RowChecksums& checksums() const { return checksums_; }

 private:
  /// The hashes of a dictionary's values, while batches share the dictionary.
  struct Dictionary {
    std::shared_ptr<arrow::Array> values;
    std::vector<uint64_t> hashes;
    std::vector<uint64_t> weighted;  ///< multiplied as the column's words are, once that is wanted
  };
  /// The batch that was added last.
  struct Last {
    bool is_wanted = true;                            ///< else nothing is kept but the count
    std::vector<std::weak_ptr<arrow::Array>> arrays;  ///< weak: no other has their address
    std::shared_ptr<arrow::Buffer> selection;
    int64_t count = 0;              ///< rows that count
    std::vector<uint64_t> hashes;   ///< of those, by their numbers in the batch
    std::vector<uint64_t> columns;  ///< checksums of its own

    void Begin(const Batch& batch);
    /// Whether the batch is of these arrays.
    bool Has(const Batch& batch) const;
    /// The rows that count here and not there.
    std::vector<int32_t> RowsNotIn(const Batch& batch) const;
  };
  struct Block;

  Block BlockAt(const Batch& batch, int64_t first, int64_t count);
  template <typename Then>
  Status AddBlocks(const Batch& batch, std::vector<uint64_t>* columns, Then&& then);
  Result<uint64_t> AddColumn(int column, const arrow::Array& values, const Block& block);
  Result<uint64_t> AddDictionary(int column, const arrow::Array& values, const Block& block);
  std::span<const uint64_t> AddRows(const Block& block, uint64_t* room);
  void AddHashes(std::span<const uint64_t> hashes);
  void AddHashesBut(const std::vector<uint64_t>& hashes, int64_t count,
                    std::span<const int32_t> dropped);

  RowChecksums checksums_;
  std::vector<Dictionary> dictionaries_;  // one a column
  std::vector<uint64_t> rows_;            // checksums of the block at hand
  std::vector<uint64_t> words_;           // of a column of it
  std::vector<int32_t> gaps_;             // its rows that do not count
  std::unique_ptr<Last> last_;            // null where nobody wants to know
};

}  // namespace reprise
