// The writing side of an exchange.
#pragma once

#include <memory>

#include "exchange/block.h"
#include "operators/operator.h"

namespace reprise {

/// Kind "shuffle_write", arguments
///   {"partitioning":PARTITIONING, "numPartitions":200, "codec":"lz4"|"zstd"|"none",
///    "tellsPartitions":true?}
/// PARTITIONING as in exchange/partitioning.h; of a round robin, "sorted": true has the rows dealt
/// out in the order of operators/row_hash_order.h. One input; the output has the input's columns,
/// and behind them, where it tells partitions, PartitionColumn(). The operator made is a
/// BlockProducer, whose NextBlock() gives the input's rows as blocks, each of one partition,
/// without that column. Next() gives the rows of the same blocks as batches, with it.
Result<std::unique_ptr<Operator>> MakeShuffleWrite(OperatorSpec spec,
                                                   std::vector<std::unique_ptr<Operator>> inputs,
                                                   const TaskContext& context);

}  // namespace reprise
