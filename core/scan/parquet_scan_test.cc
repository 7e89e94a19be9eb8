#include "scan/parquet_scan.h"

#include <fstream>

#include "operators/fixed_memory.h"
#include "scan/parquet_scan_fixture.h"

namespace reprise {
namespace {

using namespace parquet_test;  // NOLINT: the test's own vocabulary
using ::testing::ElementsAre;
using ::testing::HasSubstr;

ExpressionSpec ColumnOf(int index, DataType type) {
  return {"column", std::move(type), true, {{"index", index}}, {}};
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

TEST_F(ParquetScanTest, BatchesOfWideRowsHaveFewerOfThem) {
  const std::string path = folder_.file("wide.parquet");
  WriteParquet(path, {Ints("i", {1, 2, 3}), Ints("j", {4, 5, 6})});
  const auto sizes = [&](int64_t batch_bytes) {
    context_.batch_bytes_target = batch_bytes;
    auto output = Run({.columns = {{"i", {TypeKind::kInteger}}}}, {WholeFile(path)});
    EXPECT_TRUE(output.ok()) << output.status();
    std::vector<int64_t> sizes;
    for (const auto& batch : output->batches) sizes.push_back(batch.row_count);
    return sizes;
  };
  EXPECT_THAT(sizes(1), ElementsAre(1, 1, 1));
  EXPECT_THAT(sizes(1 << 20), ElementsAre(3));
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
  EXPECT_EQ(SparkErrorOf(status)->condition(), "FAILED_READ_FILE.NO_HINT");
  EXPECT_EQ(status.message(), "RepriseParquetScan: cannot read " + path +
                                  ": found duplicate field(s) \"id\": [Id, ID] in case-insensitive "
                                  "mode; set spark.sql.caseSensitive=true");
}

TEST_F(ParquetScanTest, TheFirstOfSeveralColumnsOfTheSameNameIsRead) {
  const std::string path = folder_.file("same.parquet");
  WriteParquet(path, {Ints("a", {1, 2, 3}), Ints("a", {-1, -2, -3})});
  Scan scan = {.columns = {{"a", {TypeKind::kInteger}}}, .case_sensitive = true};
  auto output = Run(scan, {WholeFile(path)});
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_EQ(output->column(0)->ToString(), "[\n  1,\n  2,\n  3\n]");
  // Spark skips by the statistics of the last.
  scan.pruning = {
      Condition("greater", {ColumnOf(0, {TypeKind::kInteger}),
                            {"literal", {TypeKind::kInteger}, false, {{"value", 2}}, {}}})};
  output = Run(scan, {WholeFile(path)});
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_EQ(output->rows(), 0);
}

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
  scan.pruning = {
      Condition("greater", {ColumnOf(1, {TypeKind::kInteger}),
                            {"literal", {TypeKind::kInteger}, false, {{"value", 4}}, {}}}),
      Condition("less", {ColumnOf(0, {TypeKind::kString}),
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
  scan.pruning = {Condition("is_not_null", {ColumnOf(0, {TypeKind::kInteger})})};
  auto output = Run(scan, {WholeFile(path)});
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_EQ(output->rows(), 0);
  EXPECT_EQ(output->metrics.extra[1], 1);
}

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
    EXPECT_EQ(SparkErrorOf(status)->condition(), "FAILED_READ_FILE.NO_HINT");
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
  ExpectSoundWhereBytesFlip(path,
                            {.columns = {{"s", {TypeKind::kString}}, {"i", {TypeKind::kInteger}}}});
}

TEST_F(ParquetScanTest, PagesThatLieAboutTheirSizeGetNoMoreThanTheTaskMay) {
  const std::string path = folder_.file("lies.parquet");
  const WriteOptions options = {
      .properties =
          parquet::WriterProperties::Builder().compression(parquet::Compression::ZSTD)->build()};
  WriteParquet(path, {Ints("i", {0, 1, 2, 3})}, options);
  std::ifstream file(path, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  // The first page's header: its type is field 1, what it says to have uncompressed field 2.
  ASSERT_EQ(bytes.substr(4, 3), "\x15\x04\x15");
  bytes.replace(7, 1, "\xFE\xFF\xFF\xFF\x0F");
  std::ofstream(path, std::ios::trunc) << bytes;
  FixedMemory granted(8 << 20);
  TaskMemory memory(&granted);
  context_.pool = &memory;
  context_.memory = &memory;
  const auto output = Run({.columns = {{"i", {TypeKind::kInteger}}}}, {WholeFile(path)});
  EXPECT_FALSE(output.ok());
  EXPECT_LT(memory.max_memory(), 48 << 20);
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
              HasSubstr("cannot read hdfs://host/f.parquet without Spark"));
}

}  // namespace
}  // namespace reprise
