#include "replay/rows_file.h"

#include <arrow/compute/cast.h>
#include <arrow/compute/initialize.h>
#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>
#include <parquet/arrow/reader.h>
#include <parquet/exception.h>

#include <algorithm>

#include "replay/value_text.h"
#include "transitions/nested_column.h"

namespace reprise {

namespace {

using Reader = std::shared_ptr<arrow::RecordBatchReader>;

// An IPC file as a stream of its batches.
class ArrowFileReader : public arrow::RecordBatchReader {
 public:
  explicit ArrowFileReader(std::shared_ptr<arrow::ipc::RecordBatchFileReader> file)
      : file_(std::move(file)) {}
  std::shared_ptr<arrow::Schema> schema() const override { return file_->schema(); }
  Status ReadNext(std::shared_ptr<arrow::RecordBatch>* batch) override {
    *batch = nullptr;
    if (next_ == file_->num_record_batches()) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(*batch, file_->ReadRecordBatch(next_++));
    return Status::OK();
  }

 private:
  std::shared_ptr<arrow::ipc::RecordBatchFileReader> file_;
  int next_ = 0;
};

// The rows of a Parquet file; the file's reader lives as long.
class ParquetReader : public arrow::RecordBatchReader {
 public:
  ParquetReader(std::unique_ptr<parquet::arrow::FileReader> file, Reader batches)
      : file_(std::move(file)), batches_(std::move(batches)) {}
  std::shared_ptr<arrow::Schema> schema() const override { return batches_->schema(); }
  Status ReadNext(std::shared_ptr<arrow::RecordBatch>* batch) override {
    return batches_->ReadNext(batch);
  }

 private:
  std::unique_ptr<parquet::arrow::FileReader> file_;
  Reader batches_;
};

Result<Reader> OpenParquet(std::shared_ptr<arrow::io::RandomAccessFile> source,
                           arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(auto file, parquet::arrow::OpenFile(std::move(source), pool));
  ARROW_ASSIGN_OR_RAISE(Reader batches, file->GetRecordBatchReader());
  return std::make_shared<ParquetReader>(std::move(file), std::move(batches));
}

Result<Reader> OpenArrow(std::shared_ptr<arrow::io::RandomAccessFile> source, arrow::MemoryPool*) {
  ARROW_ASSIGN_OR_RAISE(auto file, arrow::ipc::RecordBatchFileReader::Open(std::move(source)));
  return std::make_shared<ArrowFileReader>(std::move(file));
}

struct RowsFileKind {
  std::string_view ending;
  Result<Reader> (*open)(std::shared_ptr<arrow::io::RandomAccessFile>, arrow::MemoryPool*);
};

constexpr RowsFileKind kRowsFileKinds[] = {
    {".parquet", OpenParquet}, {".arrow", OpenArrow}, {".feather", OpenArrow}};

// For each column of `schema` its position in the file.
Result<std::vector<int>> Positions(const arrow::Schema& file, const std::vector<Field>& schema) {
  std::vector<int> positions;
  bool in_order = file.num_fields() == static_cast<int>(schema.size());
  for (int i = 0; in_order && i < file.num_fields(); ++i) {
    in_order = file.field(i)->name() == schema[i].name;
    positions.push_back(i);
  }
  if (in_order) return positions;
  positions.clear();
  for (const Field& field : schema) {
    const std::vector<int> found = file.GetAllFieldIndices(field.name);
    if (found.size() != 1) {
      return Status::Invalid("has ", found.empty() ? "no column " : "more than one column ",
                             field.name);
    }
    positions.push_back(found[0]);
  }
  for (int i = 0; i < file.num_fields(); ++i) {
    if (std::ranges::find(positions, i) == positions.end()) {
      return Status::Invalid("has a column ", file.field(i)->name(),
                             " that the operator's output does not have");
    }
  }
  return positions;
}

Result<Reader> OpenReader(const std::string& path, arrow::MemoryPool* pool) {
  const auto* kind = std::ranges::find_if(kRowsFileKinds, [&](const RowsFileKind& candidate) {
    return path.ends_with(candidate.ending);
  });
  if (kind == std::end(kRowsFileKinds)) {
    return Status::Invalid("expected a folder loreId-N, or a file .parquet, .arrow or .feather");
  }
  try {
    ARROW_ASSIGN_OR_RAISE(auto source, arrow::io::ReadableFile::Open(path, pool));
    return kind->open(std::move(source), pool);
  } catch (const parquet::ParquetException& error) {
    return Status::Invalid("Parquet: ", error.what());
  }
}

}  // namespace

Result<std::shared_ptr<const RowsFile>> RowsFile::Open(const std::string& path,
                                                       const std::vector<Field>& output,
                                                       arrow::MemoryPool* pool) {
  auto reader = OpenReader(path, pool);
  if (!reader.ok()) return WithPrefix(reader.status(), path + ": ");
  std::shared_ptr<RowsFile> file(new RowsFile());
  file->path_ = path;
  file->output_ = output;
  file->pool_ = pool;
  RETURN_NOT_OK(WithPrefix(file->SetColumns(*(*reader)->schema()), path + ": "));
  return file;
}

Status RowsFile::SetColumns(const arrow::Schema& file) {
  ARROW_ASSIGN_OR_RAISE(const std::vector<int> positions, Positions(file, output_));
  for (size_t i = 0; i < output_.size(); ++i) {
    ARROW_ASSIGN_OR_RAISE(auto travelling, ToArrow(output_[i].type));
    ARROW_ASSIGN_OR_RAISE(auto readable, ReadableType(output_[i].type));
    const auto& held = file.field(positions[i])->type();
    const bool as_text = !readable->Equals(travelling) && !arrow::is_base_binary_like(held->id());
    columns_.push_back({positions[i], std::move(as_text ? readable : travelling), as_text});
  }
  return Status::OK();
}

Result<BatchSource> RowsFile::Rows() const {
  const std::string prefix = path_ + ": ";
  auto opened = OpenReader(path_, pool_);
  if (!opened.ok()) return WithPrefix(opened.status(), prefix);
  // Casts are functions of Arrow's compute library, which registers them when it is asked to.
  RETURN_NOT_OK(arrow::compute::Initialize());
  return BatchSource([prefix, file = shared_from_this(),
                      reader = *opened]() -> Result<std::shared_ptr<arrow::RecordBatch>> {
    try {
      std::shared_ptr<arrow::RecordBatch> batch;
      const Status read = reader->ReadNext(&batch);
      if (!read.ok()) return WithPrefix(read, prefix);
      if (batch == nullptr) return nullptr;
      auto fitted = file->Fitted(*batch);
      return fitted.ok() ? fitted : WithPrefix(fitted.status(), prefix);
    } catch (const parquet::ParquetException& error) {
      return Status::Invalid(prefix, "Parquet: ", error.what());
    }
  });
}

Result<std::shared_ptr<arrow::RecordBatch>> RowsFile::Fitted(
    const arrow::RecordBatch& batch) const {
  arrow::compute::ExecContext context(pool_);
  arrow::FieldVector fields;
  arrow::ArrayVector columns;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const Column& wanted = columns_[i];
    auto column = batch.column(wanted.position);
    if (!column->type()->Equals(wanted.type)) {
      auto cast =
          arrow::compute::Cast(*column, wanted.type, arrow::compute::CastOptions::Safe(), &context);
      if (!cast.ok()) return WithPrefix(cast.status(), "column " + output_[i].name + ": ");
      column = *std::move(cast);
    }
    if (wanted.as_text) {
      ARROW_ASSIGN_OR_RAISE(column, ValueTexts(*column, pool_));
    }
    fields.push_back(arrow::field(output_[i].name, column->type()));
    columns.push_back(std::move(column));
  }
  return arrow::RecordBatch::Make(arrow::schema(std::move(fields)), batch.num_rows(),
                                  std::move(columns));
}

Result<std::shared_ptr<arrow::RecordBatch>> RowsFile::Comparable(
    const std::shared_ptr<arrow::RecordBatch>& batch) const {
  auto comparable = batch;
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (!columns_[i].as_text) continue;
    const int at = static_cast<int>(i);
    ARROW_ASSIGN_OR_RAISE(auto readable, ReadableColumn(batch->column(at), output_[i].type, pool_));
    ARROW_ASSIGN_OR_RAISE(auto text, ValueTexts(*readable, pool_));
    ARROW_ASSIGN_OR_RAISE(
        comparable,
        comparable->SetColumn(at, arrow::field(output_[i].name, arrow::utf8()), std::move(text)));
  }
  return comparable;
}

}  // namespace reprise
