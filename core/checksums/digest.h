// Digests: 64-bit checksums that say whether two streams of rows are equal.
#pragma once

#include <arrow/memory_pool.h>
#include <arrow/type.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/batch.h"
#include "base/status.h"

namespace reprise {

/// What is known of a stream of rows without keeping it. Depends on the values and the order of
/// columns only: not on batch boundaries, selections, offsets or dictionary encoding.
struct StreamDigest {
  int64_t rows = 0;
  uint64_t ordered = 0;           ///< of the rows in their order
  uint64_t unordered = 0;         ///< of the rows as a multiset
  std::vector<uint64_t> columns;  ///< of each column's values as a multiset

  bool operator==(const StreamDigest&) const = default;
  /// The same rows, perhaps in another order.
  bool SameRows(const StreamDigest& other) const {
    return rows == other.rows && unordered == other.unordered && columns == other.columns;
  }
};

/// Of the rows of `first` and then those of `second`, which have as many columns.
StreamDigest Followed(const StreamDigest& first, const StreamDigest& second);

/// Computes a StreamDigest batch by batch. The functions are part of the dump's format
/// (docs/internals/dump-format.md, "Digests"): changing them needs a new format version.
class Digester {
 public:
  explicit Digester(int column_count);

  /// Adds the selected rows of `batch`, at most `rows_max` of them. Status::TypeError for a column
  /// type that no Spark type has.
  Status Update(const Batch& batch, int64_t rows_max = INT64_MAX);
  const StreamDigest& digest() const { return digest_; }

 private:
  StreamDigest digest_;
  std::vector<uint64_t> row_hashes_;  // one a row of the batch at hand
  std::vector<uint64_t> value_hashes_;
};

/// 16 lower-case hexadecimal digits.
std::string Hex(uint64_t value);
/// The inverse; false unless `text` is exactly that.
bool ParseHex(std::string_view text, uint64_t* value);

/// XXH3-64 of bytes: the checksum of files and of meta data.
uint64_t Checksum(std::string_view bytes, uint64_t seed = 0);

}  // namespace reprise
