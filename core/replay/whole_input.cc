#include "replay/whole_input.h"

#include "dump/dump_path.h"

namespace reprise {

namespace {

Result<StreamRecord> WholeInput(const OperatorDump& dump, const RddMeta& rdd,
                                const PartitionHeader& output) {
  StreamRecord whole;
  whole.folder = Within(dump.folder(), StreamName(rdd.stream));
  whole.rdd = std::make_shared<const RddMeta>(rdd);
  whole.meta.header = output;
  whole.meta.header.stream = rdd.stream;
  whole.meta.end = StreamEnd::kExhausted;
  whole.meta.digest.columns.resize(rdd.schema.size());
  for (int partition = 0; partition < rdd.partitions; ++partition) {
    ARROW_ASSIGN_OR_RAISE(const StreamRecord part, dump.StreamPartition(rdd.stream, partition));
    for (BatchEntry batch : part.meta.batches) {
      batch.file = Within(PartitionFolder(partition), batch.file);
      whole.meta.batches.push_back(std::move(batch));
    }
    whole.meta.digest = Followed(whole.meta.digest, part.meta.digest);
  }
  return whole;
}

}  // namespace

Result<PartitionRecord> RecordOfWholeInputs(const OperatorDump& dump, int partition) {
  ARROW_ASSIGN_OR_RAISE(PartitionRecord record, dump.OutputPartition(partition));
  for (const auto& input : dump.inputs()) {
    ARROW_ASSIGN_OR_RAISE(record.inputs.emplace_back(),
                          WholeInput(dump, *input, record.output->meta.header));
  }
  return record;
}

}  // namespace reprise
