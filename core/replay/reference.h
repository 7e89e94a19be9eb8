// What a replay's output is compared with besides its own record (`--compare`): the output that
// another dump recorded, or the rows of a file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dump/dump_input.h"
#include "dump/reader.h"

namespace reprise {

/// Rows to compare with, and what is known of them.
struct ReferenceRows {
  PartitionMeta meta;                         ///< end and digest
  std::function<Result<BatchSource>()> open;  ///< the rows, from the first on
};

class Reference {
 public:
  /// `path` is a dump's loreId-N folder whose output was recorded, or a file .parquet, .arrow or
  /// .feather. Its columns must have the names and types of `output`; those of a file may stand in
  /// another order and be of another Arrow type that can be cast without loss. Status::Invalid says
  /// what differs.
  static Result<std::unique_ptr<Reference>> Open(const std::string& path,
                                                 const std::vector<Field>& output,
                                                 int partition_count, arrow::MemoryPool* pool);
  virtual ~Reference() = default;

  /// Whether the rows are those of all replayed partitions, one after the other: of a file.
  virtual bool whole() const = 0;
  /// The rows of one partition, or of all where whole(). Status::Invalid where there is no whole
  /// record of it.
  virtual Result<ReferenceRows> Rows(int partition) const = 0;
  /// A batch of the replayed output in the form of the rows that Rows() gives.
  virtual Result<std::shared_ptr<arrow::RecordBatch>> Comparable(
      std::shared_ptr<arrow::RecordBatch> batch) const = 0;
};

}  // namespace reprise
