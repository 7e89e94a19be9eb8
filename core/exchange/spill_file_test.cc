#include "exchange/spill_file.h"

#include <arrow/json/from_string.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "exchange/column_testing.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;
using testing::Good;

const auto kSchema = arrow::schema({arrow::field("n", arrow::int64())});

Batch Numbers(const std::string& json) {
  const auto column = Good(arrow::json::ArrayFromJSONString(arrow::int64(), json));
  return {kSchema, {column}, column->length(), nullptr};
}

class SpillFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = fs::temp_directory_path() / "spill-test-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::unique_ptr<SpillFile> Make() {
    const std::vector<std::string> directories = {folder_};
    return Good(SpillFile::Make(directories, kSchema, arrow::default_memory_pool()));
  }

  std::string folder_;
};

TEST_F(SpillFileTest, GivesBackWhatWasWritten) {
  auto file = Make();
  Batch first = Numbers("[1, null, 3]");
  first.selection = arrow::Buffer::FromVector(std::vector<int32_t>{0, 1});
  ASSERT_TRUE(file->Write(first).ok());
  ASSERT_TRUE(file->Write(Numbers("[4]")).ok());
  EXPECT_EQ(file->rows(), 3);
  EXPECT_GT(file->bytes(), 0);
  auto one = file->Read(arrow::default_memory_pool());
  auto other = file->Read(arrow::default_memory_pool());
  file.reset();  // readers keep the file
  for (SpillReader* reader : {one.get(), other.get()}) {
    EXPECT_TRUE((*Good(reader->Next())).columns[0]->Equals(Numbers("[1, null]").columns[0]));
    EXPECT_TRUE((*Good(reader->Next())).columns[0]->Equals(Numbers("[4]").columns[0]));
    EXPECT_FALSE(Good(reader->Next()).has_value());
    EXPECT_FALSE(Good(reader->Next()).has_value());
  }
}

TEST_F(SpillFileTest, LeavesNothingBehind) {
  auto file = Make();
  ASSERT_TRUE(file->Write(Numbers("[1]")).ok());
  EXPECT_TRUE(fs::is_empty(folder_));
  EXPECT_THAT(file->path(), ::testing::StartsWith(folder_ + "/reprise-spill-"));
}

TEST_F(SpillFileTest, TakesAnotherDirectoryWhereOneFails) {
  const std::vector<std::string> directories = {"/nowhere/at/all", folder_};
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(SpillFile::Make(directories, kSchema, arrow::default_memory_pool()).ok());
  }
  const std::vector<std::string> bad = {"/nowhere/at/all"};
  EXPECT_EQ(SpillFile::Make(bad, kSchema, arrow::default_memory_pool()).status().message(),
            "cannot make a spill file in /nowhere/at/all: No such file or directory");
  EXPECT_EQ(SpillFile::Make({}, kSchema, arrow::default_memory_pool()).status().message(),
            "there is no directory to spill to");
}

TEST_F(SpillFileTest, SaysWhereAndHowMuchCouldNotBeWritten) {
  auto file = Make();
  ASSERT_TRUE(file->Write(Numbers("[1]")).ok());
  const int64_t bytes = file->bytes();
  // A file may not grow past the limit, as it may not on a full disk.
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit limited = before;
  limited.rlim_cur = static_cast<rlim_t>(bytes + 10);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limited), 0);
  const Status status = file->Write(Numbers("[2]"));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_TRUE(status.IsIOError());
  EXPECT_EQ(status.message(), fmt::format("cannot write {} bytes at byte {} of spill file {}: File "
                                          "too large",
                                          bytes, bytes, file->path()));
}

TEST_F(SpillFileTest, SaysWhereABlockIsDamaged) {
  auto file = Make();
  ASSERT_TRUE(file->Write(Numbers("[1, 2, 3]")).ok());
  const int64_t first = file->bytes();
  const std::vector<uint8_t> junk(static_cast<size_t>(first), 0x55);
  ASSERT_TRUE(file->WriteBlock(arrow::Buffer(junk.data(), first)).ok());
  auto reader = file->Read(arrow::default_memory_pool());
  ASSERT_TRUE(reader->Next().ok());
  EXPECT_EQ(reader->Next().status().message(),
            fmt::format("spill file {}, byte {}: this is no block: it begins with 0x55555555, "
                        "expected 0x4b425052",
                        file->path(), first));
}

}  // namespace
}  // namespace reprise
