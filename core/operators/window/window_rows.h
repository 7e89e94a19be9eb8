// WindowRows: how sorted rows fall into partitions and peers; the frames of rows.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "expressions/expression.h"
#include "operators/pool_vector.h"
#include "operators/window/window_spec.h"

namespace reprise {

/// Rows of some partitions, the last one complete. Peers are rows of a partition that are equal in
/// its order.
struct WindowRows {
  /// Where each partition and each group of peers begins, and behind the last one `count`.
  std::vector<int32_t> partitions;
  std::vector<int32_t> peers;
  int32_t count = 0;
  /// Rows and groups of peers of the first partition that have been before these rows.
  int64_t rows_before = 0;
  int64_t peers_before = 0;
  std::shared_ptr<arrow::Array> order_key;  ///< where a frame has a bound that is a value

  bool continues() const { return rows_before > 0; }
};

/// Of each row, the first row of its frame and the one behind its last. A frame without rows begins
/// where it ends.
struct Frames {
  explicit Frames(arrow::MemoryPool* pool) : begins(pool), ends(pool) {}
  PoolVector<int32_t> begins;
  PoolVector<int32_t> ends;
};

/// Computes frames as Spark's WindowFunctionFrames go along the rows.
class FrameFinder {
 public:
  static Result<FrameFinder> Make(const WindowFrame& frame, const WindowSpec& window);

  bool begins_with_partition() const { return frame_.lower.kind == FrameBound::Kind::kUnbounded; }
  /// A frame is complete with the peers of its row.
  bool ends_with_peers() const { return frame_.upper.kind == FrameBound::Kind::kCurrentRow; }
  bool has_value() const { return lower_ != nullptr || upper_ != nullptr; }

  /// The frames of the first `wanted` rows. Errors are those of values of bounds.
  Status Find(const WindowRows& rows, int32_t wanted, arrow::MemoryPool* pool,
              Frames* frames) const;

 private:
  WindowFrame frame_;
  bool ascending_ = true;
  bool nulls_first_ = true;
  std::shared_ptr<arrow::Schema> key_schema_;
  std::unique_ptr<Expression> lower_;
  std::unique_ptr<Expression> upper_;
};

}  // namespace reprise
