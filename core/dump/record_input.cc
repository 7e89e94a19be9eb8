#include "dump/record_input.h"

#include <fmt/format.h>

#include <random>

#include "dump/dump_input.h"

namespace reprise {

const std::string& RecordEndText() {
  static const std::string* const text = [] {
    std::random_device random;
    return new std::string(fmt::format(
        "the record ends here: what the operator read next was not recorded ({:08x}{:08x})",
        random(), random()));
  }();
  return *text;
}

std::unique_ptr<Operator> MakeRecordInput(const InputRecord& input, const TaskContext& context) {
  const StreamRecord& record = input.record;
  auto reader = std::make_shared<BatchReader>(record, context.pool);
  return MakeDumpInput(
      StreamName(record.rdd->stream), record.rdd->schema, [reader] { return reader->Next(); },
      input.exhausted, context);
}

}  // namespace reprise
