#include "dump/batch_file.h"

#include <arrow/array/array_dict.h>
#include <arrow/io/memory.h>
#include <arrow/table.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/writer.h>
#include <parquet/exception.h>

#include <algorithm>

#include "base/check.h"

namespace reprise {

namespace {

// zstd's fastest level. Of TPC-H's lineitem (0.6 M rows, 14 columns, batches of 32768 rows) it
// writes 10.7 MB in 0.21 s; without compression 16.9 MB in 0.16 s, as Arrow IPC 80.7 MB in 0.06 s.
// A dump travels, so its size counts.
constexpr int kZstdLevel = 1;

bool IsType(const arrow::DataType& actual, const arrow::DataType& expected) {
  if (actual.Equals(expected)) return true;
  if (actual.id() != arrow::Type::DICTIONARY || expected.id() != arrow::Type::STRING) return false;
  const auto& dictionary = static_cast<const arrow::DictionaryType&>(actual);
  return dictionary.index_type()->id() == arrow::Type::INT32 &&
         dictionary.value_type()->id() == arrow::Type::STRING;
}

Status CheckColumns(const std::vector<std::shared_ptr<arrow::Array>>& columns,
                    const std::vector<Field>& schema) {
  if (columns.size() != schema.size()) {
    return Status::TypeError("a batch of ", columns.size(), " columns, the schema has ",
                             schema.size());
  }
  for (size_t i = 0; i < columns.size(); ++i) {
    ARROW_ASSIGN_OR_RAISE(const auto expected, ToArrow(schema[i].type));
    if (IsType(*columns[i]->type(), *expected)) continue;
    return Status::TypeError("column ", i, " (", schema[i].name, ") has type ",
                             columns[i]->type()->ToString(), ", expected ", expected->ToString());
  }
  return Status::OK();
}

// Rows of the batch, still dictionary-encoded where that is the smaller form.
Result<std::shared_ptr<arrow::Array>> StoredColumn(const Batch& batch, int index,
                                                   arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(auto column, GatherColumn(batch, index, pool));
  if (column->type_id() != arrow::Type::DICTIONARY) return column;
  const auto& encoded = static_cast<const arrow::DictionaryArray&>(*column);
  if (encoded.dictionary()->length() <= column->length()) return column;
  return DecodeDictionary(column, pool);
}

Status WriteParquet(const arrow::Table& table, arrow::MemoryPool* pool,
                    std::shared_ptr<arrow::io::OutputStream> sink) {
  auto properties = parquet::WriterProperties::Builder()
                        .memory_pool(pool)
                        ->compression(parquet::Compression::ZSTD)
                        ->compression_level(kZstdLevel)
                        ->disable_statistics()
                        ->enable_store_decimal_as_integer()
                        ->build();
  auto arrow_properties = parquet::ArrowWriterProperties::Builder().store_schema()->build();
  return parquet::arrow::WriteTable(table, pool, std::move(sink),
                                    std::max<int64_t>(table.num_rows(), 1), std::move(properties),
                                    std::move(arrow_properties));
}

// What a file promises, before anything of it is decoded.
Status CheckShape(const parquet::FileMetaData& file, const std::vector<Field>& schema,
                  int64_t rows) {
  if (file.num_columns() != static_cast<int>(schema.size())) {
    return Status::TypeError("a batch of ", file.num_columns(), " columns, the schema has ",
                             schema.size());
  }
  // A Parquet file without columns does not keep a row count.
  int64_t found = 0;
  for (int i = 0; i < file.num_row_groups() && !schema.empty(); ++i) {
    found += std::max<int64_t>(file.RowGroup(i)->num_rows(), 0);
  }
  if (schema.empty() || (found == rows && file.num_rows() == rows)) return Status::OK();
  return Status::Invalid("has ", std::max(found, file.num_rows()), " rows, expected ", rows);
}

// What a byte of a file can become: a block of Zstandard of 4 bytes has at most 128 KiB of content.
constexpr int64_t kDecodedPerByte = (int64_t{128} << 10) / 4;

Result<std::shared_ptr<arrow::Table>> ReadTable(std::string bytes, const std::vector<Field>& schema,
                                                int64_t rows, arrow::MemoryPool* page_pool,
                                                arrow::MemoryPool* pool) {
  auto source =
      std::make_shared<arrow::io::BufferReader>(arrow::Buffer::FromString(std::move(bytes)));
  parquet::arrow::FileReaderBuilder builder;
  parquet::ReaderProperties properties(page_pool);
  RETURN_NOT_OK(builder.Open(std::move(source), properties));
  std::unique_ptr<parquet::arrow::FileReader> reader;
  parquet::ArrowReaderProperties arrow_properties(/*use_threads=*/false);
  // The bytes are in memory: there is nothing to read ahead, and no threads to start for it.
  arrow_properties.set_pre_buffer(false);
  RETURN_NOT_OK(CheckShape(*builder.raw_reader()->metadata(), schema, rows));
  RETURN_NOT_OK(builder.memory_pool(pool)->properties(arrow_properties)->Build(&reader));
  return reader->ReadTable();
}

// Pages say how large they are before they are decompressed: none has more than its bytes can make.
Result<std::shared_ptr<arrow::RecordBatch>> ReadParquet(std::string bytes,
                                                        const std::vector<Field>& schema,
                                                        int64_t rows, arrow::MemoryPool* pool) {
  const int64_t size = std::ssize(bytes);
  arrow::ProxyMemoryPool counted(pool);
  arrow::CappedMemoryPool capped(&counted, size * kDecodedPerByte);
  const auto table = ReadTable(std::move(bytes), schema, rows, &capped, pool);
  REPRISE_CHECK(counted.bytes_allocated() == 0, "columns lie in the memory of pages");
  if (table.status().IsOutOfMemory()) {
    return Status::Invalid(
        "has a page that says it is larger than the ", size,
        " bytes of the file can be, or there is no memory for it: ", table.status().message());
  }
  RETURN_NOT_OK(table);
  return (*table)->CombineChunksToBatch(pool);
}

}  // namespace

Result<std::shared_ptr<arrow::Buffer>> EncodeBatch(const Batch& batch,
                                                   const std::vector<Field>& schema,
                                                   arrow::MemoryPool* pool) {
  RETURN_NOT_OK(CheckColumns(batch.columns, schema));
  arrow::FieldVector fields;
  std::vector<std::shared_ptr<arrow::Array>> columns;
  for (int i = 0; i < static_cast<int>(schema.size()); ++i) {
    ARROW_ASSIGN_OR_RAISE(auto column, StoredColumn(batch, i, pool));
    // Always nullable: a file must not lose a null that the plan says cannot be there.
    fields.push_back(arrow::field(schema[i].name, column->type()));
    columns.push_back(std::move(column));
  }
  const auto table =
      arrow::Table::Make(arrow::schema(std::move(fields)), columns, batch.selected_count());
  ARROW_ASSIGN_OR_RAISE(auto sink, arrow::io::BufferOutputStream::Create(1 << 16, pool));
  try {
    RETURN_NOT_OK(WriteParquet(*table, pool, sink));
  } catch (const parquet::ParquetException& error) {
    return Status::IOError("Parquet: ", error.what());
  }
  return sink->Finish();
}

Result<std::shared_ptr<arrow::RecordBatch>> DecodeBatch(std::string bytes,
                                                        const std::vector<Field>& schema,
                                                        int64_t rows, arrow::MemoryPool* pool) {
  std::shared_ptr<arrow::RecordBatch> records;
  try {
    ARROW_ASSIGN_OR_RAISE(records, ReadParquet(std::move(bytes), schema, rows, pool));
  } catch (const parquet::ParquetException& error) {
    return Status::Invalid("Parquet: ", error.what());
  }
  const auto columns = records->columns();
  RETURN_NOT_OK(CheckColumns(columns, schema));
  // A Parquet file without columns does not keep a row count.
  if (!columns.empty() && records->num_rows() != rows) {
    return Status::Invalid("has ", records->num_rows(), " rows, expected ", rows);
  }
  arrow::FieldVector fields;
  for (size_t i = 0; i < schema.size(); ++i) {
    ARROW_ASSIGN_OR_RAISE(auto type, ToArrow(schema[i].type));
    fields.push_back(arrow::field(schema[i].name, std::move(type), schema[i].nullable));
  }
  // The schema says utf8 also where the column is dictionary-encoded, as in every Batch.
  return arrow::RecordBatch::Make(arrow::schema(std::move(fields)), rows, columns);
}

}  // namespace reprise
