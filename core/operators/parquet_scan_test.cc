#include "operators/parquet_scan.h"

#include <arrow/array/concatenate.h>
#include <arrow/array/validate.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "operators/parquet_test_files.h"

namespace reprise {
namespace {

using namespace parquet_test;  // NOLINT: the test's own vocabulary
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Scan {
  std::vector<Field> columns;
  std::vector<Field> partition_columns;
  std::vector<ExpressionSpec> pruning;
  bool case_sensitive = false;
  nlohmann::json more = nlohmann::json::object();
};

OperatorSpec SpecOf(const Scan& scan) {
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

FileSplit WholeFile(const std::string& path) {
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

  TemporaryFolder folder_;
  TaskContext context_;
};

TestColumn Ints(const std::string& name, std::vector<std::optional<int32_t>> values,
                Logical logical = parquet::LogicalType::None()) {
  return Column<parquet::Int32Type>(name, std::move(values), std::move(logical));
}

TestColumn Longs(const std::string& name, std::vector<std::optional<int64_t>> values,
                 Logical logical = parquet::LogicalType::None()) {
  return Column<parquet::Int64Type>(name, std::move(values), std::move(logical));
}

Logical DecimalAnnotation(int precision, int scale) {
  return parquet::LogicalType::Decimal(precision, scale);
}

TEST_F(ParquetScanTest, ReadsIntegersWithAndWithoutNulls) {
  ExpectColumn(Ints("i", {1, -2, 3}), {TypeKind::kInteger}, R"(["1","-2","3"])");
  ExpectColumn(Ints("i", {1, {}, 3}), {TypeKind::kInteger}, R"(["1",null,"3"])");
  ExpectColumn(Ints("i", {{}, {}}), {TypeKind::kInteger}, "[null,null]");
  ExpectColumn(Ints("i", {1, {}, 300}), {TypeKind::kByte}, R"(["1",null,"44"])");
  ExpectColumn(Ints("i", {1, {}, 70000}), {TypeKind::kShort}, R"(["1",null,"4464"])");
  ExpectColumn(Longs("l", {1, {}, INT64_MIN}), {TypeKind::kLong},
               R"(["1",null,"-9223372036854775808"])");
}

TEST_F(ParquetScanTest, WidensIntegersAndFloats) {
  ExpectColumn(Ints("i", {-1, {}, 5}), {TypeKind::kLong}, R"(["-1",null,"5"])");
  ExpectColumn(Ints("u", {-1, {}, 5}, parquet::LogicalType::Int(32, false)), {TypeKind::kLong},
               R"(["4294967295",null,"5"])");
  ExpectColumn(Ints("i", {-1, {}, 5}), {TypeKind::kDouble}, R"(["-1",null,"5"])");
  ExpectColumn(Longs("u", {-1, {}, 5}, parquet::LogicalType::Int(64, false)), Decimal(20, 0),
               R"(["18446744073709551615",null,"5"])");
  ExpectColumn(Column<parquet::FloatType>("f", {0.5f, {}, -2.0f}), {TypeKind::kFloat},
               R"(["0.5",null,"-2"])");
  ExpectColumn(Column<parquet::FloatType>("f", {0.5f, {}, -2.0f}), {TypeKind::kDouble},
               R"(["0.5",null,"-2"])");
}

TEST_F(ParquetScanTest, KeepsDoublesToTheBit) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  auto output =
      RoundTrip(Column<parquet::DoubleType>("d", {-0.0, nan, {}, 1.5}), {TypeKind::kDouble});
  ASSERT_TRUE(output.ok()) << output.status();
  const auto column = output->column(0);
  const auto& doubles = static_cast<const arrow::DoubleArray&>(*column);
  EXPECT_TRUE(std::signbit(doubles.Value(0)) && doubles.Value(0) == 0);
  EXPECT_TRUE(std::isnan(doubles.Value(1)));
  EXPECT_TRUE(doubles.IsNull(2));
  EXPECT_EQ(doubles.Value(3), 1.5);
}

TEST_F(ParquetScanTest, ReadsBooleans) {
  ExpectColumn(Column<parquet::BooleanType>("b", {true, false, {}, true}), {TypeKind::kBoolean},
               R"(["true","false",null,"true"])");
  ExpectColumn(Column<parquet::BooleanType>("b", {true, false, true}), {TypeKind::kBoolean},
               R"(["true","false","true"])");
}

TEST_F(ParquetScanTest, ReadsDecimalsOfNumbers) {
  const auto five_two = DecimalAnnotation(5, 2);
  ExpectColumn(Ints("d", {12345, {}, -1}, five_two), Decimal(5, 2), R"(["123.45",null,"-0.01"])");
  ExpectColumn(Ints("d", {12345, {}, -1}, five_two), Decimal(15, 2), R"(["123.45",null,"-0.01"])");
  ExpectColumn(Ints("d", {12345, {}, -1}, five_two), Decimal(9, 4),
               R"(["123.4500",null,"-0.0100"])");
  ExpectColumn(Ints("d", {12345, {}, -1}, five_two), Decimal(25, 4),
               R"(["123.4500",null,"-0.0100"])");
  ExpectColumn(Longs("d", {12345, {}, -1}, DecimalAnnotation(15, 2)), Decimal(15, 2),
               R"(["123.45",null,"-0.01"])");
  ExpectColumn(Longs("d", {12345, {}, -1}, DecimalAnnotation(15, 2)), Decimal(38, 25),
               R"(["123.4500000000000000000000000",null,"-0.0100000000000000000000000"])");
  ExpectColumn(Ints("i", {7, -7}), Decimal(12, 2), R"(["7.00","-7.00"])");
  ExpectColumn(Longs("l", {7, -7}), Decimal(22, 2), R"(["7.00","-7.00"])");
}

TEST_F(ParquetScanTest, ReadsDecimalsOfBytes) {
  const __int128 big = static_cast<__int128>(1234567890123456789) * 1000000000000;
  const auto fixed = [](std::vector<std::optional<__int128>> values, int length, int precision,
                        int scale) {
    std::vector<std::optional<std::string>> texts;
    for (const auto& value : values) {
      texts.push_back(value ? std::make_optional(BigEndian(*value, length)) : std::nullopt);
    }
    return FixedColumn("d", std::move(texts), length, DecimalAnnotation(precision, scale));
  };
  ExpectColumn(fixed({12345, {}, -1}, 4, 9, 2), Decimal(9, 2), R"(["123.45",null,"-0.01"])");
  ExpectColumn(fixed({12345, {}, -1}, 7, 15, 2), Decimal(16, 3), R"(["123.450",null,"-0.010"])");
  ExpectColumn(fixed({12345, {}, -1}, 16, 18, 2), Decimal(18, 2), R"(["123.45",null,"-0.01"])");
  ExpectColumn(fixed({big, {}, -big}, 16, 38, 4), Decimal(38, 4),
               R"(["123456789012345678900000000.0000",null,"-123456789012345678900000000.0000"])");
  ExpectColumn(TextColumn("d", {BigEndian(12345, 2), std::nullopt, BigEndian(-1, 1)},
                          DecimalAnnotation(9, 2)),
               Decimal(9, 2), R"(["123.45",null,"-0.01"])");
  ExpectColumn(TextColumn("d", {BigEndian(-5, 20), BigEndian(big, 17)}, DecimalAnnotation(38, 2)),
               Decimal(38, 2), R"(["-0.05","12345678901234567890000000000.00"])");
}

TEST_F(ParquetScanTest, RefusesDecimalsOfMoreThan128Bits) {
  auto output =
      RoundTrip(TextColumn("d", {std::string("\x7F") + BigEndian(0, 16)}, DecimalAnnotation(38, 2)),
                Decimal(38, 2));
  EXPECT_THAT(output.status().message(),
              HasSubstr("column d: a decimal of more than 128 bits in a column read as "
                        "decimal(38,2)"));
}

TEST_F(ParquetScanTest, ReadsDatesAndTimestamps) {
  using Unit = parquet::LogicalType::TimeUnit;
  ExpectColumn(Ints("d", {0, {}, 9000}, parquet::LogicalType::Date()), {TypeKind::kDate},
               R"(["1970-01-01",null,"1994-08-23"])");
  ExpectColumn(Ints("d", {1, {}}, parquet::LogicalType::Date()), {TypeKind::kTimestampNtz},
               R"(["1970-01-02 00:00:00.000000",null])");
  ExpectColumn(Longs("t", {1, {}}, parquet::LogicalType::Timestamp(true, Unit::MICROS)),
               {TypeKind::kTimestamp}, R"(["1970-01-01 00:00:00.000001Z",null])");
  ExpectColumn(Longs("t", {1, {}}, parquet::LogicalType::Timestamp(true, Unit::MILLIS)),
               {TypeKind::kTimestamp}, R"(["1970-01-01 00:00:00.001000Z",null])");
  ExpectColumn(Longs("t", {-1, {}}, parquet::LogicalType::Timestamp(false, Unit::MILLIS)),
               {TypeKind::kTimestampNtz}, R"(["1969-12-31 23:59:59.999000",null])");
  parquet::Int96 noon;  // of Julian day 2440589, which is 1970-01-02
  parquet::Int96SetNanoSeconds(noon, 43200LL * 1000000000);
  noon.value[2] = 2440589;
  ExpectColumn(Column<parquet::Int96Type>("t", {noon, {}}), {TypeKind::kTimestamp},
               R"(["1970-01-02 12:00:00.000000Z",null])");
}

TEST_F(ParquetScanTest, ReadsStringsAndBinaries) {
  ExpectColumn(TextColumn("s", {"a", std::nullopt, "", "grüße"}), {TypeKind::kString},
               R"(["a",null,"","grüße"])");
  ExpectColumn(TextColumn("s", {"a", std::nullopt, "b"}, parquet::LogicalType::None()),
               {TypeKind::kBinary}, R"(["a",null,"b"])");
  ExpectColumn(FixedColumn("s", {"ab", std::nullopt, "cd"}, 2), {TypeKind::kBinary},
               R"(["ab",null,"cd"])");
  ExpectColumn(TextColumn("s", {std::nullopt, std::nullopt}), {TypeKind::kString}, "[null,null]");
}

std::vector<std::optional<std::string>> RepeatedTexts(int rows, int distinct, bool nulls) {
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

void ExpectTexts(const arrow::Array& column, const std::vector<std::optional<std::string>>& texts) {
  const auto& strings = static_cast<const arrow::StringArray&>(column);
  ASSERT_EQ(strings.length(), static_cast<int64_t>(texts.size()));
  for (size_t row = 0; row < texts.size(); ++row) {
    ASSERT_EQ(strings.IsNull(row), !texts[row].has_value()) << "row " << row;
    ASSERT_EQ(strings.GetView(row), texts[row].value_or("")) << "row " << row;
  }
}

TEST_F(ParquetScanTest, KeepsDictionaryEncodedStringsEncoded) {
  for (const bool nulls : {false, true}) {
    context_.batch_rows_target = 300;
    const auto texts = RepeatedTexts(1000, 7, nulls);
    WriteOptions options;
    options.properties = parquet::WriterProperties::Builder().data_pagesize(100)->build();
    auto output = RoundTrip(TextColumn("s", texts), {TypeKind::kString}, options);
    ASSERT_TRUE(output.ok()) << output.status();
    ASSERT_EQ(output->batches.size(), 4u);
    for (const auto& batch : output->batches) {
      ASSERT_EQ(batch.columns[0]->type_id(), arrow::Type::DICTIONARY);
      const auto& encoded = static_cast<const arrow::DictionaryArray&>(*batch.columns[0]);
      EXPECT_EQ(encoded.dictionary()->length(), 7);
      EXPECT_EQ(encoded.dictionary()->null_count(), 0);
    }
    // One dictionary for the whole chunk: who looks at its values needs to do so once.
    const auto dictionary = [&](int batch) {
      return output->batches[batch].columns[0]->data()->dictionary;
    };
    EXPECT_EQ(dictionary(0), dictionary(3));
    ExpectTexts(*output->column(0), texts);
  }
}

TEST_F(ParquetScanTest, ReadsChunksThatFallBackFromTheDictionary) {
  for (const bool nulls : {false, true}) {
    for (const auto version :
         {parquet::ParquetDataPageVersion::V1, parquet::ParquetDataPageVersion::V2}) {
      context_.batch_rows_target = 64;
      // At first few values, then only new ones, for which the dictionary has no room.
      auto texts = RepeatedTexts(700, 7, nulls);
      for (const auto& text : RepeatedTexts(1300, 1299, nulls)) texts.push_back(text);
      WriteOptions options;
      options.properties = parquet::WriterProperties::Builder()
                               .dictionary_pagesize_limit(200)
                               ->data_pagesize(512)
                               ->write_batch_size(16)
                               ->data_page_version(version)
                               ->build();
      auto output = RoundTrip(TextColumn("s", texts), {TypeKind::kString}, options);
      ASSERT_TRUE(output.ok()) << output.status();
      EXPECT_EQ(output->batches.front().columns[0]->type_id(), arrow::Type::DICTIONARY);
      EXPECT_EQ(output->batches.back().columns[0]->type_id(), arrow::Type::STRING);
      ExpectTexts(*output->column(0), texts);
    }
  }
}

TEST_F(ParquetScanTest, ReadsEveryEncodingOfStrings) {
  for (const auto encoding : {parquet::Encoding::PLAIN, parquet::Encoding::DELTA_BYTE_ARRAY,
                              parquet::Encoding::DELTA_LENGTH_BYTE_ARRAY}) {
    context_.batch_rows_target = 100;
    const auto texts = RepeatedTexts(1000, 300, true);
    WriteOptions options;
    options.properties = parquet::WriterProperties::Builder()
                             .disable_dictionary()
                             ->encoding(encoding)
                             ->data_pagesize(512)
                             ->write_batch_size(16)
                             ->build();
    auto output = RoundTrip(TextColumn("s", texts), {TypeKind::kString}, options);
    ASSERT_TRUE(output.ok()) << output.status();
    ExpectTexts(*output->column(0), texts);
  }
}

TEST_F(ParquetScanTest, ReadsNullsAcrossPagesAndBatches) {
  context_.batch_rows_target = 100;
  std::vector<std::optional<int32_t>> values;
  for (int i = 0; i < 1000; ++i) {
    values.push_back(i % 3 == 0 || (i > 200 && i < 450) ? std::nullopt : std::make_optional(i));
  }
  for (const bool dictionary : {false, true}) {
    WriteOptions options;
    parquet::WriterProperties::Builder builder;
    builder.data_pagesize(64)->write_batch_size(8)->compression(parquet::Compression::SNAPPY);
    if (!dictionary) builder.disable_dictionary();
    options.properties = builder.build();
    auto output = RoundTrip(Ints("i", values), {TypeKind::kLong}, options);
    ASSERT_TRUE(output.ok()) << output.status();
    const auto column = output->column(0);
    const auto& longs = static_cast<const arrow::Int64Array&>(*column);
    ASSERT_EQ(longs.length(), 1000);
    for (int i = 0; i < 1000; ++i) {
      ASSERT_EQ(longs.IsNull(i), !values[i].has_value()) << i;
      ASSERT_EQ(longs.Value(i), values[i].value_or(0)) << i;  // nulls are zero, for digests' sake
    }
  }
}

TEST_F(ParquetScanTest, ReadsOptionalColumnsWhoseStatisticsAreAbsent) {
  WriteOptions options;
  options.properties = parquet::WriterProperties::Builder().disable_statistics()->build();
  auto output = RoundTrip(Ints("i", {1, {}, 3}), {TypeKind::kInteger}, options);
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_EQ(output->column(0)->ToString(), "[\n  1,\n  null,\n  3\n]");
}

TEST_F(ParquetScanTest, BatchesNeverCrossRowGroups) {
  context_.batch_rows_target = 4;
  const std::string path = folder_.file("groups.parquet");
  WriteOptions options;
  options.row_group_rows = 6;
  WriteParquet(path, {Ints("i", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})}, options);
  auto output = Run({.columns = {{"i", {TypeKind::kInteger}}}}, {WholeFile(path)});
  ASSERT_TRUE(output.ok()) << output.status();
  std::vector<int64_t> sizes;
  for (const auto& batch : output->batches) sizes.push_back(batch.row_count);
  EXPECT_THAT(sizes, ElementsAre(4, 2, 4, 2, 1));
  EXPECT_EQ(output->rows(), 13);
  EXPECT_EQ(output->metrics.extra[0], 3);
  EXPECT_EQ(output->metrics.extra[1], 0);
  EXPECT_GT(output->metrics.extra[2], 0);
}

TEST_F(ParquetScanTest, CountsRowsWithoutColumns) {
  const std::string path = folder_.file("count.parquet");
  WriteParquet(path, {Ints("i", {1, 2, 3})});
  auto output = Run({}, {WholeFile(path), WholeFile(path)});
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_EQ(output->rows(), 6);
  EXPECT_TRUE(output->batches[0].columns.empty());
  EXPECT_EQ(output->metrics.extra[2], 0);
}

TEST_F(ParquetScanTest, ReadsFilesWithoutRows) {
  const std::string path = folder_.file("empty.parquet");
  WriteParquet(path, {Ints("i", {})});
  auto output = Run({.columns = {{"i", {TypeKind::kString}}}}, {WholeFile(path)});
  ASSERT_TRUE(output.ok())
      << output.status();  // as in Spark: types are looked at with the first row
  EXPECT_EQ(output->rows(), 0);
  output = Run({.columns = {{"i", {TypeKind::kInteger}}}}, {});
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_TRUE(output->batches.empty());
}

TEST_F(ParquetScanTest, MissingColumnsAreNullAndPartitionColumnsConstant) {
  const std::string path = folder_.file("part.parquet");
  WriteParquet(path, {Ints("i", {1, 2})});
  Scan scan;
  scan.columns = {{"absent", {TypeKind::kString}}, {"i", {TypeKind::kInteger}}};
  scan.partition_columns = {
      {"p", {TypeKind::kString}}, {"q", {TypeKind::kLong}}, {"r", {TypeKind::kDate}}};
  auto split = WholeFile(path);
  split.partition_values = {arrow::MakeScalar(std::string("x")), arrow::MakeScalar(int64_t{7}),
                            arrow::MakeNullScalar(arrow::date32())};
  auto other = split;
  other.partition_values[0] = arrow::MakeScalar(std::string("y"));
  auto output = Run(scan, {split, other});
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_EQ(output->column(0)->null_count(), 4);
  EXPECT_EQ(output->column(1)->ToString(), "[\n  1,\n  2,\n  1,\n  2\n]");
  ExpectTexts(*output->column(2), {"x", "x", "y", "y"});
  EXPECT_EQ(output->column(3)->ToString(), "[\n  7,\n  7,\n  7,\n  7\n]");
  EXPECT_EQ(output->column(4)->null_count(), 4);
}

TEST_F(ParquetScanTest, MatchesNamesAsSparkDoes) {
  const std::string path = folder_.file("names.parquet");
  WriteParquet(path, {Ints("Id", {1}), Ints("ID", {2}), Ints("Größe", {3})});
  auto output =
      Run({.columns = {{"GRÖSSE", {TypeKind::kInteger}}, {"grÖße", {TypeKind::kInteger}}}},
          {WholeFile(path)});
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_EQ(output->column(0)->null_count(), 1);
  EXPECT_EQ(output->column(1)->ToString(), "[\n  3\n]");
  output = Run({.columns = {{"ID", {TypeKind::kInteger}}, {"id", {TypeKind::kInteger}}},
                .case_sensitive = true},
               {WholeFile(path)});
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_EQ(output->column(0)->ToString(), "[\n  2\n]");
  EXPECT_EQ(output->column(1)->null_count(), 1);
  const Status status =
      Run({.columns = {{"id", {TypeKind::kInteger}}}}, {WholeFile(path)}).status();
  ASSERT_NE(SparkErrorOf(status), nullptr) << status;
  EXPECT_EQ(SparkErrorOf(status)->condition(), "_LEGACY_ERROR_TEMP_2093");
  EXPECT_EQ(status.message(), "RepriseParquetScan: cannot read " + path +
                                  ": found duplicate field(s) \"id\": [Id, ID] in case-insensitive "
                                  "mode; set spark.sql.caseSensitive=true");
}

TEST_F(ParquetScanTest, RefusesTypesThatSparkRefuses) {
  using Unit = parquet::LogicalType::TimeUnit;
  const std::vector<std::pair<TestColumn, DataType>> cases = {
      {Ints("c", {1}), {TypeKind::kString}},
      {Ints("c", {1}), {TypeKind::kFloat}},
      {Ints("c", {1}), Decimal(9, 0)},
      {Ints("c", {1}, parquet::LogicalType::Int(32, false)), Decimal(20, 0)},
      {Ints("c", {1}, DecimalAnnotation(5, 2)), Decimal(4, 2)},
      {Ints("c", {1}, DecimalAnnotation(5, 2)), Decimal(9, 1)},
      {Ints("c", {1}, DecimalAnnotation(5, 2)), Decimal(6, 4)},
      {Longs("c", {1}), {TypeKind::kInteger}},
      {Longs("c", {1}), {TypeKind::kDouble}},
      {Longs("c", {1}), {TypeKind::kTimestamp}},
      {Longs("c", {1}, parquet::LogicalType::Timestamp(true, Unit::NANOS)), {TypeKind::kTimestamp}},
      {Column<parquet::DoubleType>("c", {1.0}), {TypeKind::kFloat}},
      {Column<parquet::BooleanType>("c", {true}), {TypeKind::kInteger}},
      {TextColumn("c", {"a"}), {TypeKind::kInteger}},
      {TextColumn("c", {"a"}), Decimal(9, 2)},
      {FixedColumn("c", {"a"}, 1), {TypeKind::kString}},
  };
  for (const auto& [column, type] : cases) {
    const Status status = RoundTrip(column, type).status();
    ASSERT_NE(SparkErrorOf(status), nullptr) << status << " for " << type.ToString();
    EXPECT_EQ(SparkErrorOf(status)->condition(),
              "FAILED_READ_FILE.PARQUET_COLUMN_DATA_TYPE_MISMATCH");
  }
  const std::string path = folder_.file("column.parquet");
  EXPECT_EQ(RoundTrip(TextColumn("c", {"a"}), {TypeKind::kInteger}).status().message(),
            "RepriseParquetScan: cannot read " + path +
                ": column c is asked for as int, but the file has BINARY, which cannot be read so: "
                "correct the table's schema, or rewrite the file");
}

TEST_F(ParquetScanTest, RebasesDatesOfLegacyFiles) {
  const auto column = Ints("d", {-141428, {}, -141427, -719164}, parquet::LogicalType::Date());
  WriteOptions options;
  options.metadata = arrow::key_value_metadata({"org.apache.spark.version"}, {"2.4.8"});
  auto output = RoundTrip(column, {TypeKind::kDate}, options);
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_EQ(output->column(0)->ToString(),
            "[\n  1582-10-04,\n  null,\n  1582-10-15,\n  0001-01-01\n]");
  options.metadata = arrow::key_value_metadata(
      {"org.apache.spark.version", "org.apache.spark.legacyDateTime"}, {"4.1.3", ""});
  output = RoundTrip(column, {TypeKind::kDate}, options);
  EXPECT_EQ(output->column(0)->GetScalar(0).ValueOrDie()->ToString(), "1582-10-04");
  options.metadata = arrow::key_value_metadata({"org.apache.spark.version"}, {"4.1.3"});
  output = RoundTrip(column, {TypeKind::kDate}, options);
  EXPECT_EQ(output->column(0)->GetScalar(0).ValueOrDie()->ToString(), "1582-10-14");
  const Status status =
      RoundTrip(column, {TypeKind::kDate}, {}, {{"datetimeRebaseMode", "EXCEPTION"}}).status();
  ASSERT_NE(SparkErrorOf(status), nullptr) << status;
  EXPECT_EQ(SparkErrorOf(status)->condition(),
            "INCONSISTENT_BEHAVIOR_CROSS_VERSION.READ_ANCIENT_DATETIME");
}

TEST_F(ParquetScanTest, DecodesDictionariesThatAreGreatForABatch) {
  const auto texts = RepeatedTexts(1000, 999, true);
  auto output = RoundTrip(TextColumn("s", texts), {TypeKind::kString});
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_EQ(output->batches[0].columns[0]->type_id(), arrow::Type::STRING);
  ExpectTexts(*output->column(0), texts);
}

// Splits -----------------------------------------------------------------------------------------

TEST_F(ParquetScanTest, EverySplittingReadsEveryRowOnce) {
  const std::string path = folder_.file("split.parquet");
  std::vector<std::optional<int64_t>> values;
  for (int64_t i = 0; i < 500; ++i) values.push_back(i * 7919);
  WriteOptions options;
  options.row_group_rows = 60;
  WriteParquet(path, {Longs("l", values)}, options);
  const int64_t size = WholeFile(path).length;
  for (const int64_t length : {size, size / 2, size / 3, int64_t{100}, int64_t{37}}) {
    std::vector<FileSplit> splits;
    int64_t rows = 0;
    for (int64_t start = 0; start < size; start += length) {
      const FileSplit split{path, start, std::min(length, size - start), {}};
      splits.push_back(split);
      auto alone = Run({}, {split});
      ASSERT_TRUE(alone.ok()) << alone.status();
      rows += alone->rows();
    }
    EXPECT_EQ(rows, 500) << "splits of " << length << " bytes";
    auto together = Run({.columns = {{"l", {TypeKind::kLong}}}}, splits);
    ASSERT_TRUE(together.ok()) << together.status();
    const auto column = together->column(0);
    for (int64_t i = 0; i < 500; ++i) {
      ASSERT_EQ(static_cast<const arrow::Int64Array&>(*column).Value(i), i * 7919);
    }
  }
}

// Pruning ----------------------------------------------------------------------------------------

ExpressionSpec ColumnOf(int index, DataType type) {
  return {"column", std::move(type), true, {{"index", index}}, {}};
}

ExpressionSpec Call(std::string function, std::vector<ExpressionSpec> arguments) {
  return {std::move(function),
          {TypeKind::kBoolean},
          true,
          nlohmann::json::object(),
          std::move(arguments)};
}

TEST_F(ParquetScanTest, SkipsRowGroupsByStatisticsAndKeepsWholeOnes) {
  const std::string path = folder_.file("pruned.parquet");
  WriteOptions options;
  options.row_group_rows = 3;
  WriteParquet(path,
               {Ints("i", {1, 2, 3, 4, 5, 6, 7, 8, 9}),
                TextColumn("s", {"a", "b", "c", "d", "e", "f", "g", "h", "i"})},
               options);
  Scan scan;
  scan.columns = {{"s", {TypeKind::kString}}, {"i", {TypeKind::kInteger}}};
  scan.pruning = {Call("greater", {ColumnOf(1, {TypeKind::kInteger}),
                                   {"literal", {TypeKind::kInteger}, false, {{"value", 4}}, {}}}),
                  Call("less", {ColumnOf(0, {TypeKind::kString}),
                                {"literal", {TypeKind::kString}, false, {{"value", "g"}}, {}}})};
  auto output = Run(scan, {WholeFile(path)});
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_EQ(output->column(1)->ToString(), "[\n  4,\n  5,\n  6\n]");
  EXPECT_EQ(output->metrics.extra[0], 1);
  EXPECT_EQ(output->metrics.extra[1], 2);
}

TEST_F(ParquetScanTest, SkipsFilesWithoutAColumnThatIsCompared) {
  const std::string path = folder_.file("old.parquet");
  WriteParquet(path, {Ints("i", {1, 2, 3})});
  Scan scan;
  scan.columns = {{"added", {TypeKind::kInteger}}};
  scan.pruning = {Call("is_not_null", {ColumnOf(0, {TypeKind::kInteger})})};
  auto output = Run(scan, {WholeFile(path)});
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_EQ(output->rows(), 0);
  EXPECT_EQ(output->metrics.extra[1], 1);
}

// Errors -----------------------------------------------------------------------------------------

TEST_F(ParquetScanTest, NamesMissingFiles) {
  const std::string path = folder_.file("gone.parquet");
  const Status status = Run({}, {{path, 0, 100, {}}}).status();
  ASSERT_NE(SparkErrorOf(status), nullptr) << status;
  EXPECT_EQ(SparkErrorOf(status)->condition(), "FAILED_READ_FILE.FILE_NOT_EXIST");
  EXPECT_EQ(status.message(),
            "RepriseParquetScan: file " + path +
                " does not exist; it was removed or replaced after the query was planned: run "
                "REFRESH TABLE, or read the folder again");
}

TEST_F(ParquetScanTest, NamesCutAndForeignFiles) {
  const std::string path = folder_.file("cut.parquet");
  WriteParquet(path, {Ints("i", {1, 2, 3})});
  const int64_t size = WholeFile(path).length;
  for (const int64_t kept : {int64_t{0}, int64_t{3}, size / 2, size - 1}) {
    std::filesystem::resize_file(path, kept);
    const Status status = Run({}, {{path, 0, size, {}}}).status();
    ASSERT_NE(SparkErrorOf(status), nullptr) << kept << " bytes: " << status;
    EXPECT_EQ(SparkErrorOf(status)->condition(), "FAILED_READ_FILE.CANNOT_READ_FILE_FOOTER");
    EXPECT_THAT(status.message(), HasSubstr("cannot read the footer of " + path));
    EXPECT_THAT(status.message(), HasSubstr("the file is not Parquet, or it is cut or corrupt"));
    WriteParquet(path, {Ints("i", {1, 2, 3})});
  }
}

TEST_F(ParquetScanTest, NamesCorruptData) {
  const std::string path = folder_.file("corrupt.parquet");
  std::vector<std::optional<int64_t>> values;
  for (int64_t i = 0; i < 1000; ++i) values.push_back(i * i);
  WriteParquet(path, {Longs("l", values)});
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(4);
  for (int i = 0; i < 400; ++i) file.put('\xFF');
  file.close();
  const Status status = Run({.columns = {{"l", {TypeKind::kLong}}}}, {WholeFile(path)}).status();
  ASSERT_NE(SparkErrorOf(status), nullptr) << status;
  EXPECT_EQ(SparkErrorOf(status)->condition(), "FAILED_READ_FILE.NO_HINT");
  EXPECT_THAT(status.message(), HasSubstr("cannot read " + path + ": column l: "));
}

TEST_F(ParquetScanTest, FlippedBytesNeverCrash) {
  const std::string path = folder_.file("flipped.parquet");
  WriteOptions options;
  options.row_group_rows = 50;
  WriteParquet(path,
               {TextColumn("s", RepeatedTexts(200, 9, true)),
                Ints("i", std::vector<std::optional<int32_t>>(200, 5))},
               options);
  const int64_t size = WholeFile(path).length;
  std::ifstream input(path, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(input)), {});
  for (int64_t at = 4; at < size; at += 3) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    const Scan scan = {.columns = {{"s", {TypeKind::kString}}, {"i", {TypeKind::kInteger}}}};
    auto op = MakeParquetScan(SpecOf(scan), {{path, 0, size, {}}}, context_);
    ASSERT_TRUE(op.ok());
    while (true) {  // values may be wrong, but arrays are sound, and errors name the file
      auto batch = (*op)->Next();
      if (!batch.ok()) {
        EXPECT_THAT(batch.status().message(), HasSubstr(path)) << "byte " << at;
        break;
      }
      if (!*batch) break;
      for (const auto& column : (*batch)->columns) ASSERT_TRUE(column->Validate().ok());
    }
  }
}

TEST_F(ParquetScanTest, RefusesMalformedSpecsAndSplits) {
  OperatorSpec spec = SpecOf({.columns = {{"i", {TypeKind::kInteger}}}});
  spec.arguments.erase("columns");
  EXPECT_THAT(MakeParquetScan(spec, {}, context_).status().message(),
              HasSubstr("argument \"columns\" is missing"));
  spec = SpecOf({.columns = {{"i", {TypeKind::kInteger}}}});
  spec.output[0].type = {TypeKind::kLong};
  EXPECT_THAT(MakeParquetScan(spec, {}, context_).status().message(),
              HasSubstr("\"output\" differs from \"columns\" and \"partitionColumns\""));
  spec = SpecOf({.partition_columns = {{"p", {TypeKind::kInteger}}}});
  EXPECT_THAT(MakeParquetScan(spec, {{"/f", 0, 1, {}}}, context_).status().message(),
              HasSubstr("split of /f has 0 partition values; expected 1"));
  EXPECT_THAT(MakeParquetScan(spec, {{"/f", 0, 1, {arrow::MakeScalar(int64_t{1})}}}, context_)
                  .status()
                  .message(),
              HasSubstr("value of partition column p is int64; expected int32"));
  EXPECT_THAT(Run({}, {{"hdfs://host/f.parquet", 0, 1, {}}}).status().message(),
              HasSubstr("cannot read hdfs://host/f.parquet: only local files"));
}

}  // namespace
}  // namespace reprise
