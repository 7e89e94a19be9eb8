#include "exchange/spill_file.h"

#include <arrow/json/from_string.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "exchange/column_testing.h"
#include "exchange/spill_storage.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;
using testing::Good;

const auto kSchema = arrow::schema({arrow::field("n", arrow::int64())});

Batch Numbers(const std::string& json) {
  const auto column = Good(arrow::json::ArrayFromJSONString(arrow::int64(), json));
  return {kSchema, {column}, column->length(), nullptr};
}

// Of the file of this process that was made under this name, and has none any more.
std::string ContentsOfOpen(const std::string& path) {
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    if (fs::read_symlink(entry, gone) != path + " (deleted)") continue;
    std::ifstream file(entry.path());
    return {std::istreambuf_iterator<char>(file), {}};
  }
  return "";
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
    return Good(SpillFile::Make({{folder_}, {}}, kSchema, arrow::default_memory_pool()));
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

TEST_F(SpillFileTest, EncryptsWhatIsWrittenWhereThereIsAKey) {
  const auto schema = arrow::schema({arrow::field("s", arrow::utf8())});
  const auto column =
      Good(arrow::json::ArrayFromJSONString(arrow::utf8(), R"(["SECRETVALUE", null, "b"])"));
  const Batch batch{schema, {column}, 3, nullptr};
  std::vector<std::string> contents;
  for (const std::string key : {"", "0123456789abcdef", "0123456789abcdef",
                                "0123456789abcdef01234567", "0123456789abcdef0123456789abcdef"}) {
    auto file =
        Good(SpillFile::Make({{folder_}, key}, schema, arrow::default_memory_pool(), Codec::kNone));
    // The second block begins in the middle of a piece of the cipher's.
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(file->Write(batch).ok());
    contents.push_back(ContentsOfOpen(file->path()));
    EXPECT_EQ(contents.back().size(), static_cast<size_t>(file->bytes()));
    const auto reader = file->Read(arrow::default_memory_pool());
    for (int i = 0; i < 2; ++i) {
      EXPECT_TRUE((*Good(reader->Next())).columns[0]->Equals(column)) << key;
    }
    EXPECT_FALSE(Good(reader->Next()).has_value());
  }
  EXPECT_THAT(contents[0], ::testing::HasSubstr("SECRETVALUE"));
  for (size_t i = 1; i < contents.size(); ++i) {
    EXPECT_THAT(contents[i], ::testing::Not(::testing::HasSubstr("SECRETVALUE")));
  }
  EXPECT_NE(contents[1], contents[2]);
}

TEST_F(SpillFileTest, RefusesAKeyOfAnotherLength) {
  EXPECT_EQ(SpillFile::Make({{folder_}, "short"}, kSchema, arrow::default_memory_pool())
                .status()
                .message(),
            "the key for spill files has 5 bytes, expected 16, 24 or 32");
}

TEST_F(SpillFileTest, TakesAnotherDirectoryWhereOneFails) {
  const SpillStorage both = {{"/nowhere/at/all", folder_}, {}};
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(SpillFile::Make(both, kSchema, arrow::default_memory_pool()).ok());
  }
  const SpillStorage bad = {{"/nowhere/at/all"}, {}};
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
