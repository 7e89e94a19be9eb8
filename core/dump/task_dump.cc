#include "dump/task_dump.h"

#include "dump/attempt_writer.h"
#include "dump/dump_path.h"
#include "dump/store.h"

namespace reprise {

namespace {

Status WriteMeta(DumpStore* store, const std::string& folder, const RddMeta& meta) {
  const std::string stream = Within(folder, StreamName(meta.stream));
  RETURN_NOT_OK(store->CreateFolders(stream));
  ARROW_ASSIGN_OR_RAISE(const std::string text, ToText(meta));
  return store->WriteNew(Within(stream, kRddMetaName), text);
}

struct StreamToRecord {
  RddMeta meta;
  const RecordBatches* batches;
};

// Records streams that are committed together, to their end.
Status Record(const std::shared_ptr<DumpStore>& store, const std::string& folder,
              const std::vector<StreamToRecord>& streams, const TaskContext& context) {
  if (streams.empty()) return Status::OK();
  AttemptToWrite what;
  what.store = store;
  what.folder = folder;
  what.lore_id = streams[0].meta.lore_id;
  for (const auto& [meta, batches] : streams) what.streams.push_back({meta.stream, meta.schema});
  ARROW_ASSIGN_OR_RAISE(const auto writer, AttemptWriter::Open(std::move(what), context));
  if (writer == nullptr) return Status::Invalid(folder, " was recorded already");
  for (const auto& [meta, batches] : streams) {
    for (const auto& batch : *batches) RETURN_NOT_OK(writer->Add(meta.stream, ToBatch(batch)));
    writer->SetExhausted(meta.stream);
  }
  return writer->Finish(CaptureEnd::kSucceeded);
}

}  // namespace

Result<TaskRows> ReadTaskRows(const PartitionRecord& record, arrow::MemoryPool* pool) {
  TaskRows rows;
  const StreamRecord& first = record.inputs.empty() ? *record.output : record.inputs[0];
  rows.header = first.meta.header;
  rows.header.partition = record.partition;
  for (const StreamRecord& input : record.inputs) {
    RecordBatches& batches = rows.inputs.emplace_back();
    ARROW_ASSIGN_OR_RAISE(batches, ReadBatches(input, pool));
    for (auto& batch : batches) {
      ARROW_ASSIGN_OR_RAISE(batch, ToRecordBatch(ToBatch(batch), pool));
    }
  }
  return rows;
}

Status WriteTaskDump(const std::string& folder, PlanMeta plan,
                     const std::vector<std::shared_ptr<const RddMeta>>& inputs,
                     const TaskRows& rows, arrow::MemoryPool* pool) {
  const auto store = LocalStore();
  ARROW_ASSIGN_OR_RAISE(const auto entry, store->Look(folder));
  if (entry != DumpStore::Entry::kAbsent) return Status::Invalid(folder, " exists already");
  RETURN_NOT_OK(store->CreateFolders(folder));
  plan.partitions_captured = std::vector<int>{rows.header.partition};
  plan.output_recorded = rows.output.has_value();
  ARROW_ASSIGN_OR_RAISE(const std::string text, ToText(plan));
  RETURN_NOT_OK(store->WriteNew(Within(folder, kPlanMetaName), text));

  std::vector<StreamToRecord> of_task;
  std::vector<StreamToRecord> of_all_tasks;
  for (size_t i = 0; i < inputs.size(); ++i) {
    RddMeta meta = *inputs[i];
    if (meta.replicated) meta.partitions = 1;
    (meta.replicated ? of_all_tasks : of_task).push_back({std::move(meta), &rows.inputs[i]});
  }
  if (rows.output) {
    RddMeta meta{plan.spec.lore_id, kOutputStream, plan.partition_count, false, plan.spec.output};
    of_task.push_back({std::move(meta), &*rows.output});
  }
  for (const auto& stream : of_task) RETURN_NOT_OK(WriteMeta(store.get(), folder, stream.meta));
  for (const auto& stream : of_all_tasks) {
    RETURN_NOT_OK(WriteMeta(store.get(), folder, stream.meta));
  }

  TaskContext context;
  context.pool = pool;
  context.stage = rows.header.stage;
  context.attempt = rows.header.attempt;
  context.batch_rows_target = rows.header.batch_rows;
  for (const auto& stream : of_all_tasks) {
    RETURN_NOT_OK(Record(store, folder, {stream}, context));
  }
  context.partition = rows.header.partition;
  return Record(store, folder, of_task, context);
}

}  // namespace reprise
