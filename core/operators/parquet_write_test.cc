#include "operators/parquet_write.h"

#include <arrow/buffer_builder.h>
#include <arrow/io/memory.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <parquet/file_reader.h>

#include "operators/operator_testing.h"

namespace reprise {
namespace {

using testing::BatchOf;
using testing::Drain;
using ::testing::ElementsAre;
using testing::ExpectColumn;
using testing::Good;
using testing::SourceOf;
using Json = nlohmann::json;

const std::vector<Field> kWrittenFields = testing::Fields({"a long", "p string"});

Json WriteArguments(std::vector<int> partition_columns, int64_t file_rows_max = 0) {
  Json columns = Json::array({{{"column", 0}, {"name", "x"}, {"nullable", true}}});
  if (partition_columns.empty()) {
    columns.push_back({{"column", 1}, {"name", "p"}, {"nullable", true}, {"fieldId", 7}});
  }
  return {
      {"codec", "SNAPPY"},
      {"zstdLevel", 3},
      {"rowGroupBytes", 1 << 20},
      {"pageBytes", 1 << 20},
      {"pageRows", 20000},
      {"dictionary", true},
      {"dictionaryPageBytes", 1 << 20},
      {"pageChecksums", true},
      {"bloomFilters",
       {{"otherwise", {{"enabled", false}, {"distinctValues", nullptr}, {"falsePositives", 0.01}}},
        {"columns", Json::object()},
        {"bytesMax", 1 << 20}}},
      {"timestamps", "INT96"},
      {"legacyDecimals", false},
      {"write",
       {{{"columns", columns},
         {"partitionColumns", partition_columns},
         {"footer", Json::array()},
         {"maxRecordsPerFile", file_rows_max}}}}};
}

Result<std::unique_ptr<Operator>> WriterOf(Json arguments, std::vector<Batch> batches,
                                           const TaskContext& context) {
  OperatorSpec spec{"parquet_write",  "RepriseWriteFiles", 0, "", "", kWrittenFields,
                    {kWrittenFields}, std::move(arguments)};
  return MakeOperator(std::move(spec), SourceOf(kWrittenFields, std::move(batches), context),
                      context);
}

Batch FiveRows() {
  return BatchOf(kWrittenFields, {"[1, 2, 3, 4, 5]", R"(["u", "u", "v", null, null])"});
}

struct File {
  std::string partition;  // an UnsafeRow
  int64_t begin = 0;      // the rows told where it begins
  int64_t rows = 0;       // as it was told
  int64_t rows_within = 0;
};

std::vector<File> FilesOf(Operator* writer) {
  auto* const producer = dynamic_cast<BlockProducer*>(writer);
  std::vector<File> files;
  std::vector<std::unique_ptr<arrow::BufferBuilder>> bytes;
  while (const auto block = Good(producer->NextBlock())) {
    if (block->rows < 0) {
      EXPECT_EQ(block->partition, std::ssize(files));
      files.push_back({block->bytes->ToString(), block->rows});
      bytes.push_back(std::make_unique<arrow::BufferBuilder>());
      continue;
    }
    EXPECT_EQ(block->partition, std::ssize(files) - 1);
    files.back().rows += block->rows;
    EXPECT_TRUE(bytes.back()->Append(block->bytes->data(), block->bytes->size()).ok());
  }
  EXPECT_FALSE(Good(producer->NextBlock()).has_value());
  for (size_t i = 0; i < files.size(); ++i) {
    const auto reader = parquet::ParquetFileReader::Open(
        std::make_shared<arrow::io::BufferReader>(Good(bytes[i]->Finish())));
    files[i].rows_within = reader->metadata()->num_rows();
  }
  return files;
}

std::vector<int64_t> RowsOf(const std::vector<File>& files) {
  std::vector<int64_t> rows;
  for (const File& file : files) {
    EXPECT_EQ(file.rows, file.rows_within);
    rows.push_back(file.rows);
  }
  return rows;
}

TEST(ParquetWrite, NeighboursOfOnePartitionGoIntoOneFile) {
  TaskContext context;
  auto writer =
      Good(WriterOf(WriteArguments({1}),
                    {FiveRows(), BatchOf(kWrittenFields, {"[6, 7]", R"([null, "u"])"})}, context));
  const std::vector<File> files = FilesOf(writer.get());
  EXPECT_THAT(RowsOf(files), ElementsAre(2, 1, 3, 1));
  EXPECT_EQ(files[0].partition, files[3].partition);
  EXPECT_NE(files[0].partition, files[1].partition);
  EXPECT_EQ(files[2].partition.size(), 16u);  // an UnsafeRow of one null
  EXPECT_EQ(writer->metrics().output_rows, 7);
  EXPECT_EQ(writer->metrics().extra[0], 4);
}

TEST(ParquetWrite, FilesOfABucketTellItsNumber) {
  TaskContext context;
  Json arguments = WriteArguments({});
  arguments["write"][0]["buckets"] = {{"columns", {0}}, {"count", 4}};
  // pmod(hash(n), 4) of Spark's: hash(1L) is -1712319331, hash(2L) -797927272.
  auto writer = Good(
      WriterOf(arguments, {BatchOf(kWrittenFields, {"[1, 1, 2]", R"(["u", "v", "w"])"})}, context));
  const std::vector<File> files = FilesOf(writer.get());
  EXPECT_THAT(RowsOf(files), ElementsAre(2, 1));
  EXPECT_EQ(files[0].begin, -2 - 1);
  EXPECT_EQ(files[1].begin, -2 - 0);
}

TEST(ParquetWrite, AFileHasNoMoreRowsThanItMay) {
  TaskContext context;
  auto writer = Good(WriterOf(WriteArguments({}, 2), {FiveRows(), FiveRows()}, context));
  EXPECT_THAT(RowsOf(FilesOf(writer.get())), ElementsAre(2, 2, 2, 2, 2));
}

TEST(ParquetWrite, OnlySelectedRowsAreWritten) {
  TaskContext context;
  auto writer =
      Good(WriterOf(WriteArguments({1}), {testing::WithSelection(FiveRows(), {0, 2, 4})}, context));
  EXPECT_THAT(RowsOf(FilesOf(writer.get())), ElementsAre(1, 1, 1));
}

TEST(ParquetWrite, TheFirstPartitionHasAFileEvenWithoutRows) {
  TaskContext context;
  EXPECT_THAT(RowsOf(FilesOf(Good(WriterOf(WriteArguments({}), {}, context)).get())),
              ElementsAre(0));
  EXPECT_THAT(RowsOf(FilesOf(Good(WriterOf(WriteArguments({1}), {}, context)).get())),
              ElementsAre());
  context.partition = 1;
  EXPECT_THAT(RowsOf(FilesOf(Good(WriterOf(WriteArguments({}), {}, context)).get())),
              ElementsAre());
}

TEST(ParquetWrite, HandsItsRowsOn) {
  TaskContext context;
  auto writer = Good(WriterOf(WriteArguments({1}), {FiveRows()}, context));
  const auto rows = Good(Drain(writer.get()));
  ExpectColumn(*rows, 0, "[1, 2, 3, 4, 5]");
  ExpectColumn(*rows, 1, R"(["u", "u", "v", null, null])");
}

TEST(ParquetWrite, RefusesArgumentsThatSayTooLittle) {
  TaskContext context;
  Json arguments = WriteArguments({});
  arguments["write"][0]["columns"][0]["column"] = 2;
  EXPECT_EQ(WriterOf(arguments, {}, context).status().message(),
            "RepriseWriteFiles: \"column\" is 2; the input has 2");
  arguments = WriteArguments({});
  arguments["timestamps"] = "INT95";
  EXPECT_EQ(WriterOf(arguments, {}, context).status().message(),
            "RepriseWriteFiles: \"timestamps\" is INT95; expected INT96, TIMESTAMP_MICROS or "
            "TIMESTAMP_MILLIS");
}

}  // namespace
}  // namespace reprise
