#include "dump/record_input.h"

#include "dump/dump_input.h"

namespace reprise {

std::unique_ptr<Operator> MakeRecordInput(const StreamRecord& record, const TaskContext& context) {
  auto reader = std::make_shared<BatchReader>(record, context.pool);
  return MakeDumpInput(
      StreamName(record.rdd->stream), record.rdd->schema, [reader] { return reader->Next(); },
      record.meta.end == StreamEnd::kExhausted, context);
}

}  // namespace reprise
