#include "replay/reference.h"

#include <filesystem>

#include "replay/rows_file.h"

namespace reprise {

namespace {

namespace fs = std::filesystem;

class DumpReference : public Reference {
 public:
  DumpReference(OperatorDump dump, arrow::MemoryPool* pool) : dump_(std::move(dump)), pool_(pool) {}
  bool whole() const override { return false; }
  Result<ReferenceRows> Rows(int partition) const override {
    ARROW_ASSIGN_OR_RAISE(const PartitionRecord record, dump_.Partition(partition));
    const StreamRecord output = *record.output;
    return ReferenceRows{output.meta, [output, pool = pool_]() -> Result<BatchSource> {
                           auto reader = std::make_shared<BatchReader>(output, pool);
                           return BatchSource([reader] { return reader->Next(); });
                         }};
  }
  Result<std::shared_ptr<arrow::RecordBatch>> Comparable(
      std::shared_ptr<arrow::RecordBatch> batch) const override {
    return batch;
  }

 private:
  const OperatorDump dump_;
  arrow::MemoryPool* const pool_;
};

class FileReference : public Reference {
 public:
  FileReference(std::shared_ptr<const RowsFile> file, int column_count)
      : file_(std::move(file)), column_count_(column_count) {}
  bool whole() const override { return true; }
  Result<ReferenceRows> Rows(int) const override {
    ARROW_ASSIGN_OR_RAISE(const BatchSource source, file_->Rows());
    Digester digester(column_count_);
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const auto batch, source());
      if (batch == nullptr) break;
      RETURN_NOT_OK(digester.Update(ToBatch(batch)));
    }
    ReferenceRows rows;
    rows.meta.end = StreamEnd::kExhausted;
    rows.meta.digest = digester.digest();
    rows.open = [file = file_] { return file->Rows(); };
    return rows;
  }
  Result<std::shared_ptr<arrow::RecordBatch>> Comparable(
      std::shared_ptr<arrow::RecordBatch> batch) const override {
    return file_->Comparable(batch);
  }

 private:
  const std::shared_ptr<const RowsFile> file_;
  const int column_count_;
};

std::string ColumnsText(const std::vector<Field>& fields) {
  std::string text;
  for (const Field& field : fields) {
    text += (text.empty() ? "" : ", ") + field.name + " " + field.type.ToString();
  }
  return text;
}

Status SameColumns(const std::string& path, const std::vector<Field>& theirs,
                   const std::vector<Field>& ours) {
  const bool same = std::ranges::equal(theirs, ours, [](const Field& a, const Field& b) {
    return a.name == b.name && a.type == b.type;
  });
  if (same) return Status::OK();
  return Status::Invalid(path, " has other columns: ", ColumnsText(theirs), "; expected ",
                         ColumnsText(ours));
}

}  // namespace

Result<std::unique_ptr<Reference>> Reference::Open(const std::string& path,
                                                   const std::vector<Field>& output,
                                                   int partition_count, arrow::MemoryPool* pool) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    ARROW_ASSIGN_OR_RAISE(auto file, RowsFile::Open(path, output, pool));
    return std::make_unique<FileReference>(std::move(file), static_cast<int>(output.size()));
  }
  ARROW_ASSIGN_OR_RAISE(OperatorDump dump, OperatorDump::Open(path));
  if (!dump.output()) {
    return Status::Invalid(path,
                           " has no recorded output to compare with: it was dumped with "
                           "spark.reprise.lore.output.enabled=false");
  }
  RETURN_NOT_OK(SameColumns(path, dump.output()->schema, output));
  if (dump.plan().partition_count != partition_count) {
    return Status::Invalid(path, " has ", dump.plan().partition_count, " partitions, expected ",
                           partition_count,
                           ": the partitions are compared one by one; to compare "
                           "all rows together, replay both with --out and compare the files");
  }
  return std::make_unique<DumpReference>(std::move(dump), pool);
}

}  // namespace reprise
