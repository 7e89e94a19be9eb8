#include "dump/pack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "dump/archive_file.h"
#include "dump/begin.h"
#include "dump/reader.h"
#include "dump/sample_dump.h"
#include "dump/sealed_json.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Pack : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(BeginDump(BeginRequest(spec_, capture_)).ok());
    ASSERT_TRUE(RecordPass(spec_, capture_, {EveryTypeBatch(20), EveryTypeBatch(5, 1)}).ok());
    ASSERT_TRUE(RecordPass(spec_, capture_, {}, 2).ok());
    ASSERT_TRUE(PackDump(operator_, file_).ok());
  }
  std::string UnpackError(const std::string& file) {
    const std::string message = UnpackDump(file, work_ / "back").status().message();
    EXPECT_FALSE(fs::exists(work_ / "back"));
    for (const auto& entry : fs::directory_iterator(work_.path())) {
      EXPECT_EQ(entry.path().string().find(".part-"), std::string::npos) << entry.path();
    }
    return message;
  }

  TemporaryFolder folder_;
  TemporaryFolder work_;
  OperatorSpec spec_ = PassSpec(EveryType());
  nlohmann::json capture_ = CaptureJson(folder_ / "dump");
  std::string operator_ = folder_ / "dump/loreId-5";
  std::string file_ = work_ / "one.reprise";
};

// Name and content of every file below `folder`.
std::map<std::string, std::string> FilesBelow(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      files[entry.path().lexically_relative(folder)] = Contents(entry.path());
    }
  }
  return files;
}

TEST_F(Pack, GivesTheSameFilesBack) {
  const PackReport report = UnpackDump(file_, work_ / "back").ValueOrDie();
  EXPECT_THAT(report.operators, testing::ElementsAre(5));
  EXPECT_EQ(FilesBelow(work_ / "back"), FilesBelow(folder_ / "dump"));
  EXPECT_EQ(report.files, static_cast<int64_t>(FilesBelow(folder_ / "dump").size()));
  EXPECT_TRUE(OperatorDump::Open(work_ / "back/loreId-5").ok());
}

TEST_F(Pack, AWholeDumpIsPackedTooAndTheSameDumpGivesTheSameBytes) {
  ASSERT_TRUE(PackDump(folder_ / "dump", work_ / "all.reprise").ok());
  EXPECT_EQ(Contents(work_ / "all.reprise"), Contents(file_));
  ASSERT_TRUE(PackDump(operator_ + "/", work_ / "again.reprise").ok());
  EXPECT_EQ(Contents(work_ / "again.reprise"), Contents(file_));
}

TEST_F(Pack, NothingIsOverwritten) {
  EXPECT_EQ(PackDump(operator_, file_).status().message(),
            file_ + " exists already: name another, or remove it");
  fs::create_directory(work_ / "there");
  EXPECT_EQ(UnpackDump(file_, work_ / "there").status().message(),
            (work_ / "there") + " exists already: name another, or remove it");
}

TEST_F(Pack, ADamagedDumpIsNotPacked) {
  FlipByte(operator_ + "/input-0/partition-0/batch-0.parquet", 77);
  EXPECT_THAT(PackDump(operator_, work_ / "two.reprise").status().message(),
              HasSubstr("batch-0.parquet is damaged"));
  EXPECT_FALSE(fs::exists(work_ / "two.reprise"));
}

TEST_F(Pack, AttemptsAreVerifiedToo) {
  const std::string attempt = operator_ + "/input-0/partition-0.attempt-77";
  fs::create_directory(attempt);  // of a task that died at once
  ASSERT_TRUE(PackDump(operator_, work_ / "empty.reprise").ok());
  fs::remove(attempt);
  fs::rename(operator_ + "/input-0/partition-0", operator_ + "/input-0/partition-0.attempt-41");
  fs::rename(operator_ + "/output/partition-0", operator_ + "/output/partition-0.attempt-41");
  ASSERT_TRUE(PackDump(operator_, work_ / "attempts.reprise").ok());
  FlipByte(operator_ + "/output/partition-0.attempt-41/batch-0.parquet", 77);
  EXPECT_THAT(PackDump(operator_, work_ / "two.reprise").status().message(),
              HasSubstr("partition-0.attempt-41/batch-0.parquet is damaged"));
}

TEST_F(Pack, StreamsThatStandApartArePacked) {
  const std::string path = operator_ + "/plan.meta";
  auto json = nlohmann::ordered_json::parse(Contents(path));
  json.erase("check");
  json["streams"] = "apart";
  std::ofstream(path, std::ios::trunc) << Seal(json, SealLayout::kFile).ValueOrDie();
  ASSERT_TRUE(PackDump(operator_, work_ / "apart.reprise").ok());
  ASSERT_TRUE(UnpackDump(work_ / "apart.reprise", work_ / "apart").ok());
  FlipByte(operator_ + "/output/partition-0/batch-0.parquet", 77);
  EXPECT_THAT(PackDump(operator_, work_ / "two.reprise").status().message(),
              HasSubstr("batch-0.parquet is damaged"));
}

TEST_F(Pack, ALinkIsNotPacked) {
  fs::create_symlink("/etc/passwd", operator_ + "/input-0/partition-0.attempt-77");
  EXPECT_THAT(PackDump(operator_, work_ / "two.reprise").status().message(),
              HasSubstr("it is no plain file"));
}

TEST_F(Pack, EveryChangedByteIsFound) {
  const std::string whole = Contents(file_);
  // Padding and the headers' times and owners carry nothing; the rest does.
  int unnoticed = 0;
  for (size_t at = 0; at < whole.size(); at += 509) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    const std::string path = work_ / "changed.reprise";
    std::ofstream(path, std::ios::trunc) << changed;
    const auto unpacked = UnpackDump(path, work_ / "back");
    if (!unpacked.ok()) {
      EXPECT_THAT(unpacked.status().message(), HasSubstr(path));
      continue;
    }
    ++unnoticed;
    EXPECT_EQ(FilesBelow(work_ / "back"), FilesBelow(folder_ / "dump")) << "byte " << at;
    fs::remove_all(work_ / "back");
  }
  EXPECT_LT(unnoticed, static_cast<int>(whole.size() / 509 / 2));
}

TEST_F(Pack, EveryCutIsFound) {
  const std::string whole = Contents(file_);
  // The archive ends with two empty blocks, which say nothing.
  for (size_t size = 0; size + 1024 < whole.size(); size += size < 2048 ? 211 : 4093) {
    const std::string path = work_ / "cut.reprise";
    std::ofstream(path, std::ios::trunc) << whole.substr(0, size);
    EXPECT_THAT(UnpackError(path), HasSubstr(path)) << "cut at " << size;
  }
}

TEST_F(Pack, NamesThatLeadOutAreRefused) {
  for (const std::string name : {"../evil", "/etc/evil", "loreId-5/../../evil", "loreId-5//x",
                                 "x/y", "loreId-5/./x", "loreId-5\\x", ""}) {
    nlohmann::ordered_json meta = NewMeta("pack");
    meta["operators"] = {5};
    meta["files"] = {{{"name", name}, {"bytes", 1}, {"checksum", Hex(Checksum("x"))}}};
    const std::string path = work_ / "evil.reprise";
    const std::string text = Seal(meta, SealLayout::kFile).ValueOrDie();
    fs::remove(path);
    const auto writer = ArchiveWriter::Create(path).ValueOrDie();
    ASSERT_TRUE(writer->Begin("pack.meta", static_cast<int64_t>(text.size())).ok());
    ASSERT_TRUE(writer->Write(text).ok());
    ASSERT_TRUE(writer->Begin(name.empty() ? "x" : name, 1).ok());
    ASSERT_TRUE(writer->Write("x").ok());
    ASSERT_TRUE(writer->Close().ok());
    EXPECT_THAT(UnpackError(path), HasSubstr("names a file that may not be in a dump")) << name;
  }
}

TEST_F(Pack, MembersThatPackMetaDoesNotNameAreRefused) {
  nlohmann::ordered_json meta = NewMeta("pack");
  meta["operators"] = nlohmann::json::array();
  meta["files"] = nlohmann::json::array();
  const std::string path = work_ / "more.reprise";
  const std::string text = Seal(meta, SealLayout::kFile).ValueOrDie();
  const auto writer = ArchiveWriter::Create(path).ValueOrDie();
  ASSERT_TRUE(writer->Begin("pack.meta", static_cast<int64_t>(text.size())).ok());
  ASSERT_TRUE(writer->Write(text).ok());
  ASSERT_TRUE(writer->Begin("../evil", 1).ok());
  ASSERT_TRUE(writer->Write("x").ok());
  ASSERT_TRUE(writer->Close().ok());
  EXPECT_THAT(UnpackError(path), HasSubstr("it holds ../evil, which pack.meta does not name"));
}

TEST_F(Pack, OtherFilesAreRefused) {
  EXPECT_THAT(UnpackError(operator_ + "/plan.meta"), HasSubstr("plan.meta is damaged, or no file"));
  EXPECT_THAT(UnpackError(work_ / "absent"), HasSubstr("absent: cannot open: "));
  EXPECT_THAT(PackDump(work_ / "absent", work_ / "x.reprise").status().message(),
              HasSubstr("is not a folder"));
}

}  // namespace
}  // namespace reprise
