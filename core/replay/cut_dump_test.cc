// Every file of a dump cut at every kind of place: always an error that names it, never fewer rows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "dump/sample_dump.h"
#include "replay/replay.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

// A copy of an operator that Spark recorded.
class CutDump : public testing::Test {
 protected:
  void SetUp() override {
    fs::copy(fs::path(REPRISE_DUMPS) / "format-1/loreId-5", operator_, fs::copy_options::recursive);
  }
  std::vector<fs::path> Files(const std::string& ending) const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(operator_)) {
      if (entry.is_regular_file() && entry.path().string().ends_with(ending)) {
        files.push_back(entry.path());
      }
    }
    return files;
  }
  void ExpectRefused(const fs::path& file, size_t size) {
    const std::string whole = Contents(file);
    CutFile(file, size);
    const auto report = Replay(operator_, {});
    ASSERT_FALSE(report.ok()) << file << " cut at " << size;
    EXPECT_THAT(report.status().message(), testing::HasSubstr(operator_)) << "cut at " << size;
    std::ofstream(file, std::ios::trunc) << whole;
  }

  TemporaryFolder folder_;
  std::string operator_ = folder_ / "loreId-5";
};

TEST_F(CutDump, MetaFilesAtEachByte) {
  ASSERT_TRUE(Replay(operator_, {}).ValueOrDie().holds());
  for (const fs::path& file : Files(".meta")) {
    // All lines of plan.meta are sealed as one, so that its inside is one kind of place.
    const size_t whole = fs::file_size(file);
    const size_t step = file.filename() == "plan.meta" ? 17 : 1;
    for (size_t size = 0; size < whole; size += size + 64 < whole ? step : 1) {
      ExpectRefused(file, size);
    }
  }
  EXPECT_TRUE(Replay(operator_, {}).ValueOrDie().holds());
}

TEST_F(CutDump, BatchFilesAnywhere) {
  const auto files = Files(".parquet");
  ASSERT_GE(files.size(), 2u);
  for (const fs::path& file : files) {
    const size_t whole = fs::file_size(file);
    for (const size_t size : {size_t{0}, size_t{1}, size_t{4}, whole / 2, whole - 8, whole - 1}) {
      ExpectRefused(file, size);
    }
    for (size_t size = 7; size < whole; size += whole / 50 + 1) ExpectRefused(file, size);
  }
}

TEST_F(CutDump, FilesThatAreGone) {
  for (const std::string ending : {".meta", ".parquet"}) {
    for (const fs::path& file : Files(ending)) {
      const std::string whole = Contents(file);
      fs::remove(file);
      EXPECT_FALSE(Replay(operator_, {}).ok()) << file;
      std::ofstream(file, std::ios::trunc) << whole;
    }
  }
}

}  // namespace
}  // namespace reprise
