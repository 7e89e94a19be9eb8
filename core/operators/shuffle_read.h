// The reading side of an exchange, and of a broadcast.
#pragma once

#include <memory>
#include <optional>

#include "exchange/block.h"
#include "operators/operator.h"

namespace reprise {

/// Kinds "shuffle_read" and "broadcast_read": the rows of the blocks of `source`, in batches of up
/// to context.batch_rows_target rows, or of one block. `broadcast` is the id of the broadcast that
/// the blocks are of, unique in the process. `spec.output` are the blocks' columns; `spec.inputs`
/// must be empty.
Result<std::unique_ptr<Operator>> MakeShuffleRead(OperatorSpec spec,
                                                  std::unique_ptr<BlockSource> source,
                                                  std::optional<int64_t> broadcast,
                                                  const TaskContext& context);

}  // namespace reprise
