#include "replay/output_file.h"

#include <arrow/io/file.h>
#include <arrow/ipc/writer.h>
#include <parquet/arrow/writer.h>
#include <parquet/exception.h>

namespace reprise {

namespace {

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

class ParquetFile : public OutputFile {
 public:
  explicit ParquetFile(std::unique_ptr<parquet::arrow::FileWriter> writer)
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

Result<std::unique_ptr<OutputFile>> CreateParquet(const std::shared_ptr<arrow::Schema>& schema,
                                                  std::shared_ptr<arrow::io::OutputStream> sink) {
  auto properties = parquet::WriterProperties::Builder()
                        .compression(parquet::Compression::ZSTD)
                        ->enable_store_decimal_as_integer()
                        ->build();
  auto arrow_properties = parquet::ArrowWriterProperties::Builder().store_schema()->build();
  ARROW_ASSIGN_OR_RAISE(auto writer, parquet::arrow::FileWriter::Open(
                                         *schema, arrow::default_memory_pool(), std::move(sink),
                                         std::move(properties), std::move(arrow_properties)));
  return std::make_unique<ParquetFile>(std::move(writer));
}

Result<std::unique_ptr<OutputFile>> CreateArrow(const std::shared_ptr<arrow::Schema>& schema,
                                                std::shared_ptr<arrow::io::OutputStream> sink) {
  ARROW_ASSIGN_OR_RAISE(auto writer, arrow::ipc::MakeFileWriter(std::move(sink), schema));
  return std::make_unique<ArrowFile>(std::move(writer));
}

struct Kind {
  std::string_view ending;
  Result<std::unique_ptr<OutputFile>> (*create)(const std::shared_ptr<arrow::Schema>&,
                                                std::shared_ptr<arrow::io::OutputStream>);
};

constexpr Kind kKinds[] = {{".parquet", CreateParquet}, {".arrow", CreateArrow}};

}  // namespace

Result<std::unique_ptr<OutputFile>> OutputFile::Create(const std::string& path,
                                                       const std::vector<Field>& schema) {
  ARROW_ASSIGN_OR_RAISE(const auto arrow_schema, ToArrowSchema(schema));
  for (const Kind& kind : kKinds) {
    if (!path.ends_with(kind.ending)) continue;
    auto sink = arrow::io::FileOutputStream::Open(path);
    if (!sink.ok()) return WithPrefix(sink.status(), path + ": ");
    return kind.create(arrow_schema, *std::move(sink));
  }
  return Status::Invalid(path, ": the output file's name must end with .parquet or .arrow");
}

}  // namespace reprise
