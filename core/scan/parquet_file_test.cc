#include "scan/parquet_file.h"

#include <arrow/util/secure_string.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <parquet/encryption/encryption.h>

#include "scan/parquet_test_files.h"

namespace reprise {
namespace {

using namespace parquet_test;  // NOLINT: the test's own vocabulary
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(RowGroupsOfSplitTest, ASplitOwnsTheRowGroupsWhoseMidpointItHas) {
  TemporaryFolder folder;
  const std::string path = folder.file("f.parquet");
  std::vector<std::optional<int64_t>> values;
  for (int64_t i = 0; i < 300; ++i) values.push_back(i * 1000003);
  WriteOptions options;
  options.row_group_rows = 100;
  WriteParquet(path, {Column<parquet::Int64Type>("a", values)}, options);
  auto file = ParquetFile::Open("file://" + path, arrow::default_memory_pool());
  ASSERT_TRUE(file.ok()) << file.status();
  const auto& metadata = (*file)->metadata();
  // The first page of the first column, here its dictionary, begins a row group.
  const auto group = metadata.RowGroup(1);
  const int64_t midpoint =
      group->ColumnChunk(0)->dictionary_page_offset() + group->total_compressed_size() / 2;
  EXPECT_THAT(RowGroupsOfSplit(metadata, 0, 1 << 20), ElementsAre(0, 1, 2));
  EXPECT_THAT(RowGroupsOfSplit(metadata, midpoint, 1), ElementsAre(1));
  EXPECT_THAT(RowGroupsOfSplit(metadata, midpoint + 1, 1), IsEmpty());
  EXPECT_THAT(RowGroupsOfSplit(metadata, 0, midpoint), ElementsAre(0));
  EXPECT_THAT(RowGroupsOfSplit(metadata, midpoint, 1 << 20), ElementsAre(1, 2));
}

TEST(ParquetFileTest, SaysThatEncryptedFilesAreNotRead) {
  TemporaryFolder folder;
  const std::string path = folder.file("e.parquet");
  for (const bool plaintext_footer : {false, true}) {
    parquet::FileEncryptionProperties::Builder encryption(
        arrow::util::SecureString(std::string(16, 'k')));
    if (plaintext_footer) encryption.set_plaintext_footer();
    WriteOptions options;
    options.properties =
        parquet::WriterProperties::Builder().encryption(encryption.build())->build();
    WriteParquet(path, {Column<parquet::Int32Type>("a", {1, 2})}, options);
    const Status status = ParquetFile::Open(path, arrow::default_memory_pool()).status();
    EXPECT_EQ(status.message(),
              path +
                  " is encrypted; encrypted Parquet files cannot be read natively: set "
                  "spark.reprise.sql.enabled=false for this query");
  }
}

}  // namespace
}  // namespace reprise
