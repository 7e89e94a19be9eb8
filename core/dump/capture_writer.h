// Writes what an operator reads and emits into its dump folder while its task runs.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>

#include "operators/capture.h"
#include "operators/operator.h"

namespace reprise {

/// The capture of one operator in one task attempt (attempt_writer.h). `capture` is the member of
/// that name of the operator's verdict:
///   {"path":"file:/…","loreId":5,"partitions":[3,4]?,"output":true,"query":"token",
///    "shared":[1]?,         inputs that all tasks read whole: recorded by a job of their own
///    "data":true?,          false: of a leaf's rows only the digest is kept
///    "maxRows":n?,"maxBytes":n?,
///    "ringBytes":n?,        kept back until the task's end, so many bytes (attempt_ring.h); then
///    "when":"slow:3x"?,     which tasks are wanted, as spark.reprise.lore.when says
///    "mask":{"column":"hash"}?,"secret":"…"?}   mask.h
/// A recorder (operators/union.h) records what passes it as one stream of an operator that Spark
/// runs; then there are also
///    "stream":0|"output",   which one
///    "streams":{"0":[FIELD…],"output":[FIELD…]}   all those of the operator that are committed
///                                                  together with it
/// and, of a leaf operator, "leaf":{"files":[…]}, what its task reads. An operator of a fragment
/// that is dumped records streams of that; then there are "streams" and
///    "part":{"inputs":[0,-1],"output":false}   by input the number of the stream, -1: none; and
///                                              whether its output is the fragment's
///
/// nullptr where nothing is to be recorded: the partition is not among those listed, has been
/// committed already, or is being recorded by the same attempt. Status::Invalid for a malformed
/// `capture`, Status::IOError where a folder cannot be made.
Result<std::unique_ptr<Capture>> MakeDumpCapture(const OperatorSpec& spec,
                                                 const nlohmann::json& capture,
                                                 const TaskContext& context);

}  // namespace reprise
