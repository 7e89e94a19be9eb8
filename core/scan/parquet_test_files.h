// Small Parquet files for tests, written with libparquet's own typed writers so that every physical
// and logical type can be had.
#pragma once

#include <arrow/io/file.h>
#include <arrow/util/key_value_metadata.h>
#include <parquet/api/writer.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/check.h"
#include "plan/spec.h"

namespace reprise::parquet_test {

/// A folder that is removed with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "reprise-scan-XXXXXX").string();
    REPRISE_CHECK(mkdtemp(name.data()) != nullptr, "no temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// A condition that scans prune by.
inline ExpressionSpec Condition(std::string function, std::vector<ExpressionSpec> arguments) {
  return {std::move(function),
          {TypeKind::kBoolean},
          true,
          nlohmann::json::object(),
          std::move(arguments)};
}

/// One column of a test file: its schema node and the writer of rows [begin, end).
struct TestColumn {
  parquet::schema::NodePtr node;
  int64_t rows = 0;
  std::function<void(parquet::RowGroupWriter*, int64_t begin, int64_t end)> write;
};

using Logical = std::shared_ptr<const parquet::LogicalType>;

/// A column of the values; optional in the file if any of them is null or `optional` says so.
template <typename Type>
TestColumn Column(const std::string& name, std::vector<std::optional<typename Type::c_type>> values,
                  Logical logical = parquet::LogicalType::None(), int type_length = -1,
                  bool optional = false) {
  for (const auto& value : values) optional = optional || !value.has_value();
  TestColumn column;
  column.node = parquet::schema::PrimitiveNode::Make(
      name, optional ? parquet::Repetition::OPTIONAL : parquet::Repetition::REQUIRED, logical,
      Type::type_num, type_length);
  column.rows = static_cast<int64_t>(values.size());
  column.write = [values = std::move(values)](parquet::RowGroupWriter* row_group, int64_t begin,
                                              int64_t end) {
    auto* writer = static_cast<parquet::TypedColumnWriter<Type>*>(row_group->NextColumn());
    for (int64_t row = begin; row < end; ++row) {  // one by one, for std::vector<bool>'s sake
      const int16_t level = values[row].has_value() ? 1 : 0;
      const typename Type::c_type value = values[row].value_or(typename Type::c_type{});
      writer->WriteBatch(1, &level, nullptr, &value);
    }
    writer->Close();
  };
  return column;
}

/// A BYTE_ARRAY column of texts.
inline TestColumn TextColumn(const std::string& name, std::vector<std::optional<std::string>> texts,
                             Logical logical = parquet::LogicalType::String()) {
  auto kept = std::make_shared<std::vector<std::optional<std::string>>>(std::move(texts));
  std::vector<std::optional<parquet::ByteArray>> values;
  for (const auto& text : *kept) {
    if (text) {
      values.push_back(parquet::ByteArray(static_cast<uint32_t>(text->size()),
                                          reinterpret_cast<const uint8_t*>(text->data())));
    } else {
      values.push_back(std::nullopt);
    }
  }
  TestColumn column = Column<parquet::ByteArrayType>(name, std::move(values), std::move(logical));
  column.write = [kept, write = std::move(column.write)](parquet::RowGroupWriter* row_group,
                                                         int64_t begin, int64_t end) {
    write(row_group, begin, end);
  };
  return column;
}

/// A FIXED_LEN_BYTE_ARRAY column; every text has `length` bytes.
inline TestColumn FixedColumn(const std::string& name,
                              std::vector<std::optional<std::string>> texts, int length,
                              Logical logical = parquet::LogicalType::None()) {
  auto kept = std::make_shared<std::vector<std::optional<std::string>>>(std::move(texts));
  std::vector<std::optional<parquet::FixedLenByteArray>> values;
  for (const auto& text : *kept) {
    if (text) {
      values.push_back(parquet::FixedLenByteArray(reinterpret_cast<const uint8_t*>(text->data())));
    } else {
      values.push_back(std::nullopt);
    }
  }
  TestColumn column =
      Column<parquet::FLBAType>(name, std::move(values), std::move(logical), length);
  column.write = [kept, write = std::move(column.write)](parquet::RowGroupWriter* row_group,
                                                         int64_t begin, int64_t end) {
    write(row_group, begin, end);
  };
  return column;
}

/// Big-endian two's complement of `length` bytes.
inline std::string BigEndian(__int128 value, int length) {
  std::string bytes(length, '\0');
  for (int i = length - 1; i >= 0; --i) {
    bytes[i] = static_cast<char>(value & 0xFF);
    value >>= 8;
  }
  return bytes;
}

struct WriteOptions {
  int64_t row_group_rows = 1 << 20;
  std::shared_ptr<parquet::WriterProperties> properties = parquet::default_writer_properties();
  std::shared_ptr<arrow::KeyValueMetadata> metadata = nullptr;
};

/// Writes the columns, which must have equally many rows, to a new file.
inline void WriteParquet(const std::string& path, const std::vector<TestColumn>& columns,
                         const WriteOptions& options = {}) {
  parquet::schema::NodeVector nodes;
  for (const auto& column : columns) nodes.push_back(column.node);
  const auto schema = std::static_pointer_cast<parquet::schema::GroupNode>(
      parquet::schema::GroupNode::Make("schema", parquet::Repetition::REQUIRED, nodes));
  auto sink = arrow::io::FileOutputStream::Open(path).ValueOrDie();
  auto writer =
      parquet::ParquetFileWriter::Open(sink, schema, options.properties, options.metadata);
  const int64_t rows = columns.empty() ? 0 : columns.front().rows;
  for (int64_t begin = 0; begin < rows; begin += options.row_group_rows) {
    auto* row_group = writer->AppendRowGroup();
    const int64_t end = std::min(rows, begin + options.row_group_rows);
    for (const auto& column : columns) column.write(row_group, begin, end);
    row_group->Close();
  }
  writer->Close();
  REPRISE_CHECK(sink->Close().ok(), "cannot close {}", path);
}

}  // namespace reprise::parquet_test
