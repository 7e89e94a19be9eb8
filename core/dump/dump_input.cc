// dump_input
//   purpose  the input of a replay
//   input    none: the batches come from a dump
//   output   the recorded batches, as they were
//   example  batches of 3 and 2 rows recorded -> a batch of 3 rows, a batch of 2 rows, the end
#include "dump/dump_input.h"

#include "dump/record_input.h"

namespace reprise {

namespace {

constexpr char kRecordEndId[] = "reprise::RecordEnd";

class RecordEndDetail : public arrow::StatusDetail {
 public:
  const char* type_id() const override { return kRecordEndId; }
  std::string ToString() const override { return "end of the record"; }
};

class DumpInput : public Operator {
 public:
  DumpInput(OperatorSpec spec, BatchSource source, bool exhausted, const TaskContext& context)
      : Operator(std::move(spec), {}, context), source_(std::move(source)), exhausted_(exhausted) {}

 protected:
  Result<std::optional<Batch>> NextBatch() override {
    ARROW_ASSIGN_OR_RAISE(const auto records, source_());
    if (records != nullptr) return ToBatch(records);
    if (exhausted_) return std::nullopt;
    return RecordEnd();
  }

 private:
  BatchSource source_;
  bool exhausted_;
};

}  // namespace

std::unique_ptr<Operator> MakeDumpInput(std::string name, std::vector<Field> schema,
                                        BatchSource source, bool exhausted,
                                        const TaskContext& context) {
  OperatorSpec spec;
  spec.kind = "dump_input";
  spec.name = std::move(name);
  spec.output = std::move(schema);
  return std::make_unique<DumpInput>(std::move(spec), std::move(source), exhausted, context);
}

Status RecordEnd() {
  return Status(arrow::StatusCode::Invalid, RecordEndText(), std::make_shared<RecordEndDetail>());
}

bool IsRecordEnd(const Status& status) {
  return status.detail() != nullptr && std::string_view(status.detail()->type_id()) == kRecordEndId;
}

}  // namespace reprise
