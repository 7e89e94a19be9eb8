// What the tests of scans share: a fixture that writes files, scans them, and compares.
#pragma once

#include <arrow/array/concatenate.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "scan/parquet_scan.h"
#include "scan/parquet_test_files.h"
#include "transitions/nested_column.h"

namespace reprise::parquet_test {

struct Scan {
  std::vector<Field> columns;
  std::vector<Field> partition_columns;
  std::vector<ExpressionSpec> pruning;
  bool case_sensitive = false;
  nlohmann::json more = nlohmann::json::object();
};

inline OperatorSpec SpecOf(const Scan& scan) {
  OperatorSpec spec;
  spec.kind = "parquet_scan";
  spec.name = "RepriseParquetScan";
  spec.output = scan.columns;
  spec.output.insert(spec.output.end(), scan.partition_columns.begin(),
                     scan.partition_columns.end());
  nlohmann::json pruning = nlohmann::json::array();
  for (const auto& conjunct : scan.pruning) pruning.push_back(ToJson(conjunct));
  spec.arguments = {{"columns", ToJson(scan.columns)},
                    {"partitionColumns", ToJson(scan.partition_columns)},
                    {"pruning", pruning},
                    {"caseSensitive", scan.case_sensitive}};
  spec.arguments.update(scan.more);
  return spec;
}

inline FileSplit WholeFile(const std::string& path) {
  return {path, 0, static_cast<int64_t>(std::filesystem::file_size(path)), {}};
}

/// What a scan gave.
struct Output {
  std::vector<Batch> batches;
  OperatorMetrics metrics;

  int64_t rows() const { return metrics.output_rows; }
  /// A column of all batches, decoded.
  std::shared_ptr<arrow::Array> column(int index) const {
    arrow::ArrayVector chunks;
    for (const auto& batch : batches) {
      chunks.push_back(
          DecodeDictionary(batch.columns[index], arrow::default_memory_pool()).ValueOrDie());
    }
    return arrow::Concatenate(chunks).ValueOrDie();
  }
};

class ParquetScanTest : public ::testing::Test {
 protected:
  Result<Output> Run(const Scan& scan, std::vector<FileSplit> splits) {
    ARROW_ASSIGN_OR_RAISE(auto op, MakeParquetScan(SpecOf(scan), std::move(splits), context_));
    Output output;
    while (true) {
      ARROW_ASSIGN_OR_RAISE(auto batch, op->Next());
      if (!batch) break;
      for (const auto& column : batch->columns) {
        RETURN_NOT_OK(column->ValidateFull());
        EXPECT_EQ(column->length(), batch->row_count);
      }
      output.batches.push_back(std::move(*batch));
    }
    output.metrics = op->metrics();
    return output;
  }

  /// Writes a file of one column and reads it as `type`.
  Result<Output> RoundTrip(const TestColumn& column, DataType type,
                           const WriteOptions& options = {}, nlohmann::json more = {}) {
    const std::string path = folder_.file("column.parquet");
    WriteParquet(path, {column}, options);
    Scan scan;
    scan.columns = {{column.node->name(), std::move(type), true}};
    if (more.is_object()) scan.more = std::move(more);
    return Run(scan, {WholeFile(path)});
  }

  void ExpectColumn(const TestColumn& column, DataType type, const std::string& expected_json) {
    SCOPED_TRACE(column.node->name() + " as " + type.ToString());
    auto output = RoundTrip(column, type);
    ASSERT_TRUE(output.ok()) << output.status();
    const auto values = output->column(0);
    EXPECT_TRUE(values->type()->Equals(*ToArrow(type).ValueOrDie())) << values->type()->ToString();
    nlohmann::json actual = nlohmann::json::array();
    for (int64_t row = 0; row < values->length(); ++row) {
      const auto value = values->GetScalar(row).ValueOrDie();
      if (value->is_valid) {
        actual.push_back(value->ToString());
      } else {
        actual.push_back(nullptr);
      }
    }
    EXPECT_EQ(actual, nlohmann::json::parse(expected_json));
  }

  /// Values may be wrong where a byte of the file is, but arrays are sound, and errors name the
  /// file.
  void ExpectSoundWhereBytesFlip(const std::string& path, const Scan& scan) {
    std::ifstream input(path, std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(input)), {});
    const auto size = static_cast<int64_t>(whole.size());
    for (int64_t at = 4; at < size; at += 3) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
      std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
      auto op = MakeParquetScan(SpecOf(scan), {{path, 0, size, {}}}, context_);
      ASSERT_TRUE(op.ok());
      while (true) {
        auto batch = (*op)->Next();
        if (!batch.ok()) {
          EXPECT_THAT(batch.status().message(), testing::HasSubstr(path)) << "byte " << at;
          break;
        }
        if (!*batch) break;
        for (size_t i = 0; i < (*batch)->columns.size(); ++i) {
          const auto& column = (*batch)->columns[i];
          ASSERT_TRUE(column->Validate().ok());
          if (!scan.columns[i].type.is(TypeKind::kOther)) continue;
          const auto read = ReadableColumn(column, scan.columns[i].type, context_.pool);
          ASSERT_TRUE(read.ok()) << "byte " << at << ": " << read.status();
        }
      }
    }
  }

  TemporaryFolder folder_;
  TaskContext context_;
};

inline TestColumn Ints(const std::string& name, std::vector<std::optional<int32_t>> values,
                       Logical logical = parquet::LogicalType::None()) {
  return Column<parquet::Int32Type>(name, std::move(values), std::move(logical));
}

inline TestColumn Longs(const std::string& name, std::vector<std::optional<int64_t>> values,
                        Logical logical = parquet::LogicalType::None()) {
  return Column<parquet::Int64Type>(name, std::move(values), std::move(logical));
}

inline Logical DecimalAnnotation(int precision, int scale) {
  return parquet::LogicalType::Decimal(precision, scale);
}

inline std::vector<std::optional<std::string>> RepeatedTexts(int rows, int distinct, bool nulls) {
  std::vector<std::optional<std::string>> texts;
  for (int i = 0; i < rows; ++i) {
    if (nulls && i % 5 == 0) {
      texts.push_back(std::nullopt);
    } else {
      texts.push_back("text " + std::to_string(i * 31 % distinct));
    }
  }
  return texts;
}

inline void ExpectTexts(const arrow::Array& column,
                        const std::vector<std::optional<std::string>>& texts) {
  const auto& strings = static_cast<const arrow::StringArray&>(column);
  ASSERT_EQ(strings.length(), static_cast<int64_t>(texts.size()));
  for (size_t row = 0; row < texts.size(); ++row) {
    ASSERT_EQ(strings.IsNull(row), !texts[row].has_value()) << "row " << row;
    ASSERT_EQ(strings.GetView(row), texts[row].value_or("")) << "row " << row;
  }
}

}  // namespace reprise::parquet_test
