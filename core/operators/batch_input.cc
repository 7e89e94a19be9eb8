// batch_input: batches of another fragment of the same task, as they are.
//
// Input: a BatchSource. Output: its batches under this operator's own column names; nothing is
// copied. Example: the two children of a union, whose partitions the plug-in puts one after the
// other, come in here.
//
// The time that the source takes is that of the other fragment's operators, so it is not own time.
#include "operators/batch_input.h"

#include <arrow/array.h>

#include "base/trace.h"

namespace reprise {

namespace {

class BatchInput final : public Operator {
 public:
  BatchInput(OperatorSpec spec, std::unique_ptr<BatchSource> source, const TaskContext& context)
      : Operator(std::move(spec), {}, context), source_(std::move(source)) {}

 private:
  Result<std::optional<Batch>> NextBatch() override {
    const int64_t start = MonotonicNs();
    auto batch = source_->Next();
    mutable_metrics().own_time_ns -= MonotonicNs() - start;
    if (!batch.ok() || !batch->has_value()) return batch;
    RETURN_NOT_OK(Check(**batch));
    (*batch)->schema = output_schema();
    return batch;
  }

  Status Check(const Batch& batch) const {
    const auto& fields = output_schema()->fields();
    if (batch.columns.size() != fields.size()) {
      return Status::Invalid("a batch has ", batch.columns.size(), " columns, expected ",
                             fields.size());
    }
    for (size_t i = 0; i < fields.size(); ++i) {
      const arrow::DataType& given = *batch.columns[i]->type();
      if (given.Equals(*fields[i]->type())) continue;
      if (given.id() == arrow::Type::DICTIONARY && fields[i]->type()->id() == arrow::Type::STRING) {
        continue;
      }
      return Status::Invalid("column ", i, " (", fields[i]->name(), ") of a batch is ",
                             given.ToString(), ", expected ", fields[i]->type()->ToString());
    }
    return Status::OK();
  }

  std::unique_ptr<BatchSource> source_;
};

}  // namespace

Result<std::unique_ptr<Operator>> MakeBatchInput(OperatorSpec spec,
                                                 std::unique_ptr<BatchSource> source,
                                                 const TaskContext& context) {
  if (!spec.inputs.empty()) {
    return Status::Invalid(ErrorPrefix(spec), "batch_input is a leaf, but its spec has ",
                           spec.inputs.size(), " inputs");
  }
  RETURN_NOT_OK(ToArrowSchema(spec.output));
  return std::make_unique<BatchInput>(std::move(spec), std::move(source), context);
}

}  // namespace reprise
