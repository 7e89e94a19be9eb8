// record
//   purpose  stands below or above an operator that Spark runs and that is to be dumped: the base
//            class shows its batches to the capture before Spark gets them as rows
//   input    one, any columns
//   output   the same batches
//   example  a batch of 3 rows -> that batch
#include "operators/record.h"

#include "operators/sort.h"

namespace reprise {

namespace {

class Record final : public Operator {
 public:
  Record(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
         const TaskContext& context)
      : Operator(std::move(spec), std::move(inputs), context) {}

 private:
  Result<std::optional<Batch>> NextBatch() override {
    auto batch = Pull();
    if (batch.ok() && batch->has_value()) (*batch)->schema = output_schema();
    return batch;
  }
};

}  // namespace

Result<std::unique_ptr<Operator>> MakeRecord(OperatorSpec spec,
                                             std::vector<std::unique_ptr<Operator>> inputs,
                                             const TaskContext& context) {
  RETURN_NOT_OK(CheckSameColumns(spec));
  return std::make_unique<Record>(std::move(spec), std::move(inputs), context);
}

}  // namespace reprise
