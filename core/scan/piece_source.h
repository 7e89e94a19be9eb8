// What the core leaves to Spark's own reader of a format: parts of the files that it reads.
#pragma once

#include "transitions/row_source.h"

namespace reprise {

/// The rows of one part after another; Fill gives those of the part that Read was called for last.
class PieceSource : public RowSource {
 public:
  /// Begins with a part of the task's file number `file`, whose bytes are [start, start + length),
  /// divided from the parts around it as Spark divides a file.
  virtual Status Read(int32_t file, int64_t start, int64_t length) = 0;
};

}  // namespace reprise
