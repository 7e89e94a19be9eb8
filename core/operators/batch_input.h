// The leaf operator over batches of another fragment of the same task.
#pragma once

#include <memory>

#include "operators/operator.h"

namespace reprise {

/// Where batches of other fragments come from. jni/ implements it over a Java iterator of handles.
class BatchSource {
 public:
  virtual ~BatchSource() = default;
  /// The next batch, or nothing at the end. Its buffers belong to the pool of the fragment that
  /// made it, which must outlive them. May block.
  virtual Result<std::optional<Batch>> Next() = 0;
};

/// Kind "batch_input": the batches of `source` as they are. `spec.output` are their fields;
/// `spec.inputs` must be empty. A batch of other column types is Status::Invalid that names the
/// column.
Result<std::unique_ptr<Operator>> MakeBatchInput(OperatorSpec spec,
                                                 std::unique_ptr<BatchSource> source,
                                                 const TaskContext& context);

}  // namespace reprise
