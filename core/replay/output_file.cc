#include "replay/output_file.h"

#include <arrow/io/file.h>
#include <arrow/ipc/writer.h>
#include <parquet/arrow/schema.h>
#include <parquet/arrow/writer.h>
#include <parquet/exception.h>
#include <parquet/properties.h>

#include "transitions/readable_rows.h"

namespace reprise {

namespace {

// What writes the rows in their readable types.
class ReadableFile : public OutputFile {
 public:
  ReadableFile(std::vector<Field> fields, std::shared_ptr<arrow::Schema> schema,
               std::unique_ptr<OutputFile> file)
      : fields_(std::move(fields)), schema_(std::move(schema)), file_(std::move(file)) {}
  Status Write(const arrow::RecordBatch& records) override {
    ARROW_ASSIGN_OR_RAISE(const auto readable, ReadableRows(records, fields_, schema_));
    return file_->Write(*readable);
  }
  Status Close() override { return file_->Close(); }

 private:
  const std::vector<Field> fields_;
  const std::shared_ptr<arrow::Schema> schema_;
  const std::unique_ptr<OutputFile> file_;
};

class ArrowFile : public OutputFile {
 public:
  explicit ArrowFile(std::shared_ptr<arrow::ipc::RecordBatchWriter> writer)
      : writer_(std::move(writer)) {}
  Status Write(const arrow::RecordBatch& records) override {
    return writer_->WriteRecordBatch(records);
  }
  Status Close() override { return writer_->Close(); }

 private:
  std::shared_ptr<arrow::ipc::RecordBatchWriter> writer_;
};

class ParquetOutput : public OutputFile {
 public:
  explicit ParquetOutput(std::unique_ptr<parquet::arrow::FileWriter> writer)
      : writer_(std::move(writer)) {}
  Status Write(const arrow::RecordBatch& records) override {
    try {
      return writer_->WriteRecordBatch(records);
    } catch (const parquet::ParquetException& error) {
      return Status::IOError("Parquet: ", error.what());
    }
  }
  Status Close() override {
    try {
      return writer_->Close();
    } catch (const parquet::ParquetException& error) {
      return Status::IOError("Parquet: ", error.what());
    }
  }

 private:
  std::unique_ptr<parquet::arrow::FileWriter> writer_;
};

std::shared_ptr<parquet::WriterProperties> ParquetProperties() {
  return parquet::WriterProperties::Builder()
      .compression(parquet::Compression::ZSTD)
      ->enable_store_decimal_as_integer()
      ->build();
}

Result<std::unique_ptr<OutputFile>> CreateParquet(const std::shared_ptr<arrow::Schema>& schema,
                                                  std::shared_ptr<arrow::io::OutputStream> sink) {
  auto arrow_properties = parquet::ArrowWriterProperties::Builder().store_schema()->build();
  ARROW_ASSIGN_OR_RAISE(auto writer, parquet::arrow::FileWriter::Open(
                                         *schema, arrow::default_memory_pool(), std::move(sink),
                                         ParquetProperties(), std::move(arrow_properties)));
  return std::make_unique<ParquetOutput>(std::move(writer));
}

Result<std::unique_ptr<OutputFile>> CreateArrow(const std::shared_ptr<arrow::Schema>& schema,
                                                std::shared_ptr<arrow::io::OutputStream> sink) {
  ARROW_ASSIGN_OR_RAISE(auto writer, arrow::ipc::MakeFileWriter(std::move(sink), schema));
  return std::make_unique<ArrowFile>(std::move(writer));
}

bool ParquetHolds(const arrow::Field& column) {
  try {
    std::shared_ptr<parquet::SchemaDescriptor> described;
    return parquet::arrow::ToParquetSchema(arrow::schema({column.Copy()}).get(),
                                           *ParquetProperties(), &described)
        .ok();
  } catch (const parquet::ParquetException&) {
    return false;
  }
}

bool ArrowHolds(const arrow::Field&) { return true; }

struct OutputKind {
  std::string_view ending;
  bool (*holds)(const arrow::Field&);
  Result<std::unique_ptr<OutputFile>> (*create)(const std::shared_ptr<arrow::Schema>&,
                                                std::shared_ptr<arrow::io::OutputStream>);
};

constexpr OutputKind kOutputKinds[] = {{".parquet", ParquetHolds, CreateParquet},
                                       {".arrow", ArrowHolds, CreateArrow}};

// Each column in its readable type, or in the one in which it travels.
Result<std::shared_ptr<arrow::Schema>> SchemaFor(const OutputKind& kind,
                                                 const std::vector<Field>& fields) {
  ARROW_ASSIGN_OR_RAISE(const auto travelling, ToArrowSchema(fields));
  ARROW_ASSIGN_OR_RAISE(const auto readable, ReadableSchema(fields));
  arrow::FieldVector columns = readable->fields();
  for (int i = 0; i < readable->num_fields(); ++i) {
    if (!kind.holds(*columns[i])) columns[i] = travelling->field(i);
  }
  return arrow::schema(std::move(columns));
}

}  // namespace

Result<std::unique_ptr<OutputFile>> OutputFile::Create(const std::string& path,
                                                       const std::vector<Field>& schema) {
  for (const OutputKind& kind : kOutputKinds) {
    if (!path.ends_with(kind.ending)) continue;
    ARROW_ASSIGN_OR_RAISE(const auto columns, SchemaFor(kind, schema));
    auto sink = arrow::io::FileOutputStream::Open(path);
    if (!sink.ok()) return WithPrefix(sink.status(), path + ": ");
    ARROW_ASSIGN_OR_RAISE(auto file, kind.create(columns, *std::move(sink)));
    return std::make_unique<ReadableFile>(schema, columns, std::move(file));
  }
  return Status::Invalid(path, ": the output file's name must end with .parquet or .arrow");
}

}  // namespace reprise
