#include "recorded_rows.h"

#include <deque>

#include "transitions/readable_rows.h"

namespace reprise {

namespace {

Result<std::shared_ptr<const RddMeta>> StreamOf(const OperatorDump& dump, int stream) {
  const int input_count = static_cast<int>(dump.inputs().size());
  if (stream == kOutputStream) {
    if (dump.output() != nullptr) return dump.output();
    return Status::Invalid(dump.folder(), ": the output of ", dump.plan().spec.name,
                           " was not recorded");
  }
  if (stream >= 0 && stream < input_count) return dump.inputs()[stream];
  return Status::Invalid(dump.folder(), ": ", dump.plan().spec.name, " has ", input_count,
                         input_count == 1 ? " input" : " inputs", ", counted from 0; there is no ",
                         StreamName(stream));
}

Result<StreamRecord> RecordOf(const OperatorDump& dump, const RecordChoice& choice, int partition) {
  if (dump.plan().streams_apart) {
    return dump.StreamPartition(choice.stream, partition, choice.attempt);
  }
  ARROW_ASSIGN_OR_RAISE(PartitionRecord record, choice.attempt
                                                    ? dump.Attempt(partition, *choice.attempt)
                                                    : dump.Partition(partition, choice.truncated));
  if (choice.stream != kOutputStream) return std::move(record.inputs[choice.stream]);
  if (record.output) return *std::move(record.output);
  return Status::Invalid(dump.folder(), ": partition ", partition, " has no record of the output");
}

// The partitions of a stream of which there should be a record.
std::vector<int> PartitionsOf(const OperatorDump& dump, const RddMeta& rdd) {
  std::vector<int> partitions;
  const bool is_apart = dump.plan().streams_apart;
  for (int i = 0; i < (is_apart ? rdd.partitions : dump.plan().partition_count); ++i) {
    if (!dump.plan().Captures(i)) continue;
    partitions.push_back(i);
    if (rdd.is_shared()) break;  // every task reads the same rows
  }
  return partitions;
}

class RecordedRows : public arrow::RecordBatchReader {
 public:
  RecordedRows(std::shared_ptr<const OperatorDump> dump, std::shared_ptr<const RddMeta> rdd,
               std::shared_ptr<arrow::Schema> schema, std::deque<StreamRecord> records)
      : dump_(std::move(dump)),
        rdd_(std::move(rdd)),
        schema_(std::move(schema)),
        records_(std::move(records)) {}

  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }

  Status ReadNext(std::shared_ptr<arrow::RecordBatch>* batch) override {
    while (true) {
      if (reader_ == nullptr) {
        *batch = nullptr;
        if (records_.empty()) return Status::OK();
        reader_ = std::make_unique<BatchReader>(std::move(records_.front()),
                                                arrow::default_memory_pool());
        records_.pop_front();
      }
      ARROW_ASSIGN_OR_RAISE(*batch, reader_->Next());
      if (*batch != nullptr) return ReadableRows(**batch, rdd_->schema, schema_).Value(batch);
      reader_.reset();
    }
  }

 private:
  std::shared_ptr<const OperatorDump> dump_;
  std::shared_ptr<const RddMeta> rdd_;
  std::shared_ptr<arrow::Schema> schema_;
  std::deque<StreamRecord> records_;  // that are still to be read
  std::unique_ptr<BatchReader> reader_;
};

}  // namespace

Result<std::shared_ptr<arrow::RecordBatchReader>> ReadRecordedRows(
    const std::shared_ptr<const OperatorDump>& dump, const RecordChoice& choice) {
  ARROW_ASSIGN_OR_RAISE(const auto rdd, StreamOf(*dump, choice.stream));
  if (choice.attempt && !choice.partition) {
    return Status::Invalid("an attempt is read of one partition: name it with `partition`");
  }
  const std::vector<int> partitions =
      choice.partition ? std::vector<int>{*choice.partition} : PartitionsOf(*dump, *rdd);
  std::deque<StreamRecord> records;
  for (const int partition : partitions) {
    ARROW_ASSIGN_OR_RAISE(StreamRecord record, RecordOf(*dump, choice, partition));
    if (record.meta.digest_only && record.meta.digest.rows > 0) {
      return Status::Invalid(record.folder, ": only the digest of ", record.meta.digest.rows,
                             " rows was kept, not the rows; dump with "
                             "spark.reprise.lore.withData=true to keep them");
    }
    records.push_back(std::move(record));
  }
  ARROW_ASSIGN_OR_RAISE(auto schema, ReadableSchema(rdd->schema));
  return std::make_shared<RecordedRows>(dump, rdd, std::move(schema), std::move(records));
}

}  // namespace reprise
