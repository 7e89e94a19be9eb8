// The parts of files that a scan leaves to Spark's own reader, as batches of the scan.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "operators/operator.h"
#include "scan/piece_source.h"

namespace reprise {

class SparkPieces {
 public:
  /// Pieces of a scan that is `spec`. `source` may be null: then none can be read. `context` must
  /// outlive this.
  SparkPieces(std::unique_ptr<PieceSource> source, const OperatorSpec& spec,
              const TaskContext& context);

  /// Whether Spark is to say what is wrong with a file: not where nothing is left to it, or the
  /// error is the task's own.
  bool AreToTellOf(const Status& status) const {
    return source_ != nullptr && !status.IsOutOfMemory() && !status.IsCancelled();
  }

  /// Begins with the part [start, start + length) of the task's file number `file`.
  /// Status::NotImplemented where none can be read.
  Status Begin(int32_t file, const std::string& path, int64_t start, int64_t length);

  /// Whether there is a part that has not been read to its end.
  bool is_begun() const { return rows_ != nullptr; }

  /// The next batch of the part; nothing at its end. Spark's time is not the operator's, whose
  /// `own_time_ns` lasts on during the call: it is taken off.
  Result<std::optional<Batch>> Next(int64_t* own_time_ns);

 private:
  const std::unique_ptr<PieceSource> source_;
  OperatorSpec rows_spec_;
  const TaskContext& context_;
  std::unique_ptr<Operator> rows_;
};

}  // namespace reprise
