// Scans of files that are not local.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scan/parquet_scan_fixture.h"
#include "scan/remote_test_files.h"

namespace reprise {
namespace {

using namespace parquet_test;  // NOLINT: the test's own vocabulary
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RemoteScanTest : public ParquetScanTest {
 protected:
  // Columns a, b and c of `rows` rows from `first` on, a hundred a row group; b is wide.
  FileSplit File(const std::string& name, int64_t first, int64_t rows) {
    std::vector<std::optional<int64_t>> a;
    std::vector<std::optional<int64_t>> c;
    std::vector<std::optional<std::string>> b;
    for (int64_t i = first; i < first + rows; ++i) {
      a.emplace_back(i * 1000003);
      b.emplace_back(std::string(3000, static_cast<char>('a' + i % 26)) + std::to_string(i));
      c.emplace_back(i);
    }
    WriteOptions options;
    options.row_group_rows = 100;
    const std::string path = folder_.file(name);
    WriteParquet(path, {Longs("a", a), TextColumn("b", b), Longs("c", c)}, options);
    FileSplit split = WholeFile(path);
    split.path = "test:" + path;
    return split;
  }

  std::unique_ptr<Operator> Scan(std::vector<FileSplit> splits, std::vector<Field> columns) {
    parquet_test::Scan scan;
    scan.columns = std::move(columns);
    return MakeParquetScan(SpecOf(scan), std::move(splits), context_,
                           std::make_unique<TestStore>(&requests_))
        .ValueOrDie();
  }

  // The values of c, until the end or an error.
  std::vector<int64_t> Values(Operator& scan, Status* status) {
    std::vector<int64_t> values;
    while (true) {
      auto batch = scan.Next();
      *status = batch.status();
      if (!batch.ok() || !batch->has_value()) return values;
      const auto& column = static_cast<const arrow::Int64Array&>(*(*batch)->columns.back());
      for (int64_t i = 0; i < column.length(); ++i) values.push_back(column.Value(i));
    }
  }

  std::vector<int64_t> UpTo(int64_t end) {
    std::vector<int64_t> numbers(end);
    for (int64_t i = 0; i < end; ++i) numbers[i] = i;
    return numbers;
  }

  const Field a_ = {"a", {TypeKind::kLong}, true};
  const Field b_ = {"b", {TypeKind::kString}, true};
  const Field c_ = {"c", {TypeKind::kLong}, true};
  TestRequests requests_;
  Status status_;
};

TEST_F(RemoteScanTest, ReadsFilesInTheirOrder) {
  auto scan = Scan({File("1", 0, 250), File("2", 250, 1), File("3", 251, 249)}, {a_, b_, c_});
  EXPECT_EQ(Values(*scan, &status_), UpTo(500));
  EXPECT_TRUE(status_.ok()) << status_;
  EXPECT_EQ(requests_.opened.size(), 3u);
  scan.reset();
  EXPECT_EQ(requests_.closed, 3);
}

TEST_F(RemoteScanTest, FetchesBeforeItDecodes) {
  auto scan = Scan({File("1", 0, 300), File("2", 300, 300)}, {b_, c_});
  ASSERT_TRUE(scan->Next().ok());
  // Both files, of which nothing has been decoded yet but the first row group: they fit into what
  // is read ahead.
  EXPECT_EQ(requests_.opened.size(), 2u);
  const size_t asked = requests_.pieces.size();
  EXPECT_GE(asked, 6u);
  EXPECT_EQ(Values(*scan, &status_).size(), 500u);
  EXPECT_EQ(requests_.pieces.size(), asked);
}

TEST_F(RemoteScanTest, ReadsColumnsThatAreFarApartAlone) {
  const FileSplit file = File("1", 0, 300);
  auto scan = Scan({file}, {a_, c_});
  EXPECT_EQ(Values(*scan, &status_), UpTo(300));
  int64_t bytes = 0;
  for (const auto& [offset, length] : requests_.pieces) bytes += length;
  EXPECT_LT(bytes, file.length / 50);
}

TEST_F(RemoteScanTest, SplitsOfAFileShareIt) {
  const FileSplit file = File("1", 0, 300);
  FileSplit left = file;
  left.length = file.length / 2;
  FileSplit right = file;
  right.start = left.length;
  right.length = file.length - left.length;
  auto scan = Scan({left, right}, {b_, c_});
  EXPECT_EQ(Values(*scan, &status_), UpTo(300));
  EXPECT_EQ(requests_.opened.size(), 1u);
}

TEST_F(RemoteScanTest, AnErrorComesAfterTheRowsBeforeIt) {
  auto scan = Scan({File("1", 0, 100), File("2", 100, 100), File("3", 200, 100)}, {b_, c_});
  requests_.no_file = [](const std::string& location) {
    return location.ends_with("2") ? Status::IOError("gone") : Status::OK();
  };
  EXPECT_EQ(Values(*scan, &status_), UpTo(100));
  EXPECT_THAT(status_.message(), HasSubstr("2: its file system says: gone"));
}

TEST_F(RemoteScanTest, DamagedEndsAreErrorsOfTheirFile) {
  for (const char* damage : {"", "PAR1", "\xff\xff\xff\xffPAR1", "\x10\x27\x00\x00PAR1"}) {
    FileSplit file = File("1", 0, 10);
    std::string bytes = BytesOf(file.path.substr(5));
    bytes.resize(bytes.size() - 8);
    bytes += std::string(damage, std::strlen(damage) == 6 ? 8 : std::strlen(damage));
    std::ofstream(file.path.substr(5), std::ios::binary) << bytes;
    ++requests_.modified;
    auto scan = Scan({file}, {c_});
    EXPECT_THAT(Values(*scan, &status_), IsEmpty());
    EXPECT_THAT(status_.message(), HasSubstr("cannot read the footer of " + file.path));
  }
}

TEST_F(RemoteScanTest, WithoutSparkItSaysWhatToDo) {
  parquet_test::Scan scan;
  scan.columns = {c_};
  auto op = MakeParquetScan(SpecOf(scan), {File("1", 0, 10)}, context_).ValueOrDie();
  EXPECT_THAT(op->Next().status().message(), HasSubstr("replay the dump of the operator above"));
}

}  // namespace
}  // namespace reprise
