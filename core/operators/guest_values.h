// GuestValues: what Spark evaluates for the rows of a batch.
#pragma once

#include <arrow/buffer.h>

#include <memory>
#include <utility>
#include <vector>

#include "operators/operator.h"
#include "transitions/row_decoder.h"
#include "transitions/row_encoder.h"

namespace reprise {

/// Hands rows to guests and reads their results. Only the columns that the guests read become rows,
/// and only their results come back.
class GuestValues {
 public:
  /// `read`: the columns that the guests read; `made`: those that they give. `number`: which of the
  /// task's guests they are. Errors: Status::NotImplemented where there is no Spark;
  /// Status::Invalid where the task has no such guest.
  static Result<std::unique_ptr<GuestValues>> Make(const std::vector<Field>& read,
                                                   const std::vector<Field>& made, int64_t number,
                                                   const TaskContext& context);

  /// Hands over the selected rows of a batch of the columns `read`, which must stay as it is until
  /// the results of all have been taken.
  Status Begin(const Batch& read);

  /// Rows whose results have not been taken.
  int64_t left() const { return rows_ - given_; }

  struct Results {
    Batch columns;
    std::vector<std::pair<int, Status>> failures;  ///< of the last row, by column; null there
  };
  /// Those of the next rows: up to one that fails, or that makes them more bytes than a batch may
  /// have; one at least.
  Result<Results> Next();

 private:
  GuestValues(const TaskContext& context, std::unique_ptr<GuestRows> guests,
              std::unique_ptr<UnsafeRowEncoder> encoder, std::unique_ptr<UnsafeRowDecoder> decoder,
              std::unique_ptr<arrow::ResizableBuffer> results)
      : context_(context),
        guests_(std::move(guests)),
        encoder_(std::move(encoder)),
        decoder_(std::move(decoder)),
        results_(std::move(results)) {}

  Status Grow(int64_t bytes);

  const TaskContext& context_;
  const std::unique_ptr<GuestRows> guests_;
  const std::unique_ptr<UnsafeRowEncoder> encoder_;
  const std::unique_ptr<UnsafeRowDecoder> decoder_;
  const std::unique_ptr<arrow::ResizableBuffer> results_;  // kept from batch to batch
  std::vector<int32_t> lengths_;
  int64_t rows_ = 0;
  int64_t given_ = 0;
};

}  // namespace reprise
