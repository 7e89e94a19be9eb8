// Purpose: stand for UnionExec and CoalesceExec, which move partitions and leave rows as they are,
// and below or above an operator that Spark runs and that is to be dumped.
// Input:   one, batches of the children.  Output: the same batches with the output's schema.
// Example: union of [1, 2] and [3] gives [1, 2], [3].
#include "operators/union.h"

#include "operators/sort.h"

namespace reprise {

namespace {

class Union final : public Operator {
 public:
  Union(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
        const TaskContext& context)
      : Operator(std::move(spec), std::move(inputs), context) {}

 private:
  Result<std::optional<Batch>> NextBatch() override {
    ARROW_ASSIGN_OR_RAISE(std::optional<Batch> batch, Pull());
    if (batch.has_value()) batch->schema = output_schema();
    return batch;
  }
};

}  // namespace

Result<std::unique_ptr<Operator>> MakeUnion(OperatorSpec spec,
                                            std::vector<std::unique_ptr<Operator>> inputs,
                                            const TaskContext& context) {
  RETURN_NOT_OK(CheckSameColumns(spec));
  return std::make_unique<Union>(std::move(spec), std::move(inputs), context);
}

}  // namespace reprise
