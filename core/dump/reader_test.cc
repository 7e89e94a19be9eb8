#include "dump/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "checksums/digest.h"
#include "dump/begin.h"
#include "dump/file.h"
#include "dump/sample_dump.h"
#include "dump/sealed_json.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

// Reads everything that a replay of all partitions would read.
Status ReadAll(const std::string& folder) {
  ARROW_ASSIGN_OR_RAISE(const OperatorDump dump, OperatorDump::Open(folder));
  for (int i = 0; i < dump.plan().partition_count; ++i) {
    ARROW_ASSIGN_OR_RAISE(const PartitionRecord record, dump.Partition(i));
    std::vector<StreamRecord> streams = record.inputs;
    if (record.output) streams.push_back(*record.output);
    for (const StreamRecord& stream : streams) {
      BatchReader reader(stream, arrow::default_memory_pool());
      while (true) {
        ARROW_ASSIGN_OR_RAISE(const auto batch, reader.Next());
        if (batch == nullptr) break;
      }
    }
  }
  return Status::OK();
}

class Reader : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(BeginDump(BeginRequest(spec_, capture_, 2)).ok());
    ASSERT_TRUE(
        RecordPass(spec_, capture_, {EveryTypeBatch(7), EveryTypeBatch(0), EveryTypeBatch(5, 3)}, 0)
            .ok());
    ASSERT_TRUE(RecordPass(spec_, capture_, {}, 1).ok());
    ASSERT_TRUE(ReadAll(operator_).ok());
  }

  // The message of the error that reading raises; the file must be named in it.
  std::string Error() {
    const Status status = ReadAll(operator_);
    EXPECT_FALSE(status.ok());
    return status.message();
  }

  TemporaryFolder folder_;
  OperatorSpec spec_ = PassSpec(EveryType());
  nlohmann::json capture_ = CaptureJson(folder_.path());
  std::string operator_ = folder_ / "loreId-5";
  std::string partition_ = operator_ + "/input-0/partition-0/";
};

TEST_F(Reader, BatchesComeBackOneForOne) {
  const OperatorDump dump = OperatorDump::Open(operator_).ValueOrDie();
  EXPECT_EQ(dump.attempts().size(), 2u);
  const PartitionRecord record = dump.Partition(0).ValueOrDie();
  EXPECT_EQ(record.attempt, 41);
  EXPECT_TRUE(record.committed);
  BatchReader reader(record.inputs[0], arrow::default_memory_pool());
  for (const auto& expected : {EveryTypeBatch(7), EveryTypeBatch(0), EveryTypeBatch(5, 3)}) {
    const auto batch = reader.Next().ValueOrDie();
    ASSERT_NE(batch, nullptr);
    EXPECT_TRUE(batch->schema()->Equals(*expected->schema()));
    EXPECT_TRUE(batch->Equals(*expected, arrow::EqualOptions().nans_equal(true)));
  }
  EXPECT_EQ(reader.Next().ValueOrDie(), nullptr);
  EXPECT_EQ(reader.Next().ValueOrDie(), nullptr);
}

// A dump whose meta files are small, so that each of their bytes can have its turn.
class SmallDump : public testing::Test {
 protected:
  void SetUp() override {
    const OperatorSpec spec = PassSpec({{"a", {TypeKind::kLong}}});
    const nlohmann::json capture = CaptureJson(folder_.path());
    ASSERT_TRUE(BeginDump(BeginRequest(spec, capture, 1)).ok());
    ASSERT_TRUE(RecordPass(spec, capture, {BatchOf(spec.output, "[[1],[2]]")}).ok());
    ASSERT_TRUE(ReadAll(operator_).ok());
  }

  TemporaryFolder folder_;
  std::string operator_ = folder_ / "loreId-5";
};

TEST_F(SmallDump, EveryFlippedByteOfEveryMetaFileIsFound) {
  for (const char* name :
       {"/plan.meta", "/input-0/rdd.meta", "/output/rdd.meta",
        "/input-0/partition-0/partition.meta", "/output/partition-0/partition.meta"}) {
    const std::string path = operator_ + name;
    const std::string whole = Contents(path);
    for (size_t i = 0; i < whole.size(); ++i) {
      FlipByte(path, i, uint8_t(1 << i % 8));
      const Status status = ReadAll(operator_);
      ASSERT_FALSE(status.ok()) << path << " byte " << i;
      EXPECT_THAT(status.message(), HasSubstr(operator_)) << i;
      std::ofstream(path, std::ios::trunc) << whole;
    }
    EXPECT_TRUE(ReadAll(operator_).ok());
  }
}

TEST_F(SmallDump, EveryCutOfEveryMetaFileIsFound) {
  for (const char* name : {"/plan.meta", "/input-0/rdd.meta", "/output/rdd.meta",
                           "/input-0/partition-0/partition.meta"}) {
    const std::string path = operator_ + name;
    const std::string whole = Contents(path);
    for (size_t size = 0; size < whole.size(); ++size) {
      CutFile(path, size);
      const Status status = ReadAll(operator_);
      ASSERT_FALSE(status.ok()) << path << " cut to " << size;
      EXPECT_THAT(status.message(), HasSubstr(path)) << size;
      std::ofstream(path, std::ios::trunc) << whole;
    }
  }
}

TEST_F(SmallDump, BytesBehindTheEndOfARecordAreFound) {
  const std::string path = operator_ + "/input-0/partition-0/partition.meta";
  std::ofstream(path, std::ios::app) << "tail";
  EXPECT_EQ(ReadAll(operator_).message(), path + " has bytes behind the end of the record");
}

TEST_F(Reader, ADamagedBatchIsFound) {
  const std::string path = partition_ + "batch-0.parquet";
  const std::string whole = Contents(path);
  for (size_t i = 0; i < whole.size(); i += 37) {
    FlipByte(path, i);
    EXPECT_THAT(Error(), HasSubstr(path + " is damaged")) << i;
    std::ofstream(path, std::ios::trunc | std::ios::binary) << whole;
  }
  for (const size_t size : {size_t{0}, size_t{4}, whole.size() / 2, whole.size() - 1}) {
    CutFile(path, size);
    EXPECT_EQ(Error(), path + " is damaged: it has " + std::to_string(size) + " bytes, expected " +
                           std::to_string(whole.size()) +
                           "; copy the dump again from where it was written");
    std::ofstream(path, std::ios::trunc | std::ios::binary) << whole;
  }
}

TEST_F(Reader, AMissingBatchIsFound) {
  fs::remove(partition_ + "batch-1.parquet");
  EXPECT_EQ(Error(), partition_ +
                         "batch-1.parquet is missing: partition.meta lists it with 0 "
                         "rows; copy the dump again from where it was written");
}

TEST_F(Reader, ForeignFilesAreFound) {
  for (const char* name : {"/notes.txt", "/input-1", "/input-0/partition-9", "/input-0/_temporary",
                           "/input-0/partition-0/batch-3.parquet"}) {
    std::ofstream(operator_ + name) << "foreign";
    EXPECT_THAT(Error(), HasSubstr(operator_ + name + " does not belong into a dump: expected "));
    fs::remove(operator_ + name);
  }
}

TEST_F(Reader, ChecksumsThatHadoopLeftAreNotForeign) {
  for (const char* name : {"/.plan.meta.crc", "/input-0/partition-0/.batch-0.parquet.crc"}) {
    std::ofstream(operator_ + name) << "crc";
  }
  EXPECT_TRUE(ReadAll(operator_).ok());
}

TEST_F(Reader, AMissingPartitionIsNotAnEmptyOne) {
  fs::remove_all(operator_ + "/input-0/partition-1");
  EXPECT_EQ(Error(), operator_ +
                         ": partition 1 has no record: its task did not run, or its folder "
                         "is missing");
  const OperatorDump dump = OperatorDump::Open(operator_).ValueOrDie();
  EXPECT_EQ(dump.Partition(2).status().message(),
            operator_ + " has no partition 2: expected 0 to 1");
  EXPECT_THAT(dump.Attempt(0, 99).status().message(),
              HasSubstr("has no attempt 99 of partition 0"));
  EXPECT_EQ(dump.Attempt(0, 41).ValueOrDie().attempt, 41);
}

TEST_F(Reader, AStreamThatIsLostIsNamedByWhereItShouldBe) {
  std::filesystem::remove_all(operator_ + "/output/partition-0");
  EXPECT_THAT(Error(), HasSubstr("loreId-5/output lacks partition 0, of which input-0 holds what "
                                 "attempt 41 recorded; copy the dump again"));
  std::filesystem::remove_all(operator_ + "/output");
  EXPECT_THAT(Error(), HasSubstr("loreId-5 lacks output, which was recorded; copy"));
}

TEST_F(Reader, AnIncompleteRecordIsSaidToBe) {
  const std::string path = partition_ + "partition.meta";
  const std::string whole = Contents(path);
  const size_t last_line = whole.rfind('\n', whole.size() - 2) + 1;
  CutFile(path, last_line);
  EXPECT_EQ(Error(), path + " is incomplete: no line says that the record of 3 batches is whole");
  CutFile(path, last_line - 1);
  EXPECT_EQ(Error(), path + " is incomplete: it stops in the middle of a line, after 2 batches");
}

TEST_F(Reader, LinesCannotBeSwappedOrLeftOut) {
  const std::string path = partition_ + "partition.meta";
  std::vector<std::string> lines;
  std::istringstream stream(Contents(path));
  for (std::string line; std::getline(stream, line);) lines.push_back(line + "\n");
  ASSERT_EQ(lines.size(), 5u);
  std::ofstream(path, std::ios::trunc) << lines[0] << lines[2] << lines[1] << lines[3] << lines[4];
  EXPECT_THAT(Error(), HasSubstr(path + " line 2 is damaged: its checksum says "));
  std::ofstream(path, std::ios::trunc) << lines[0] << lines[1] << lines[2] << lines[4];
  EXPECT_THAT(Error(), HasSubstr(path + " line 4 is damaged"));
}

TEST_F(Reader, FoldersOfAnotherPlaceAreFound) {
  fs::remove_all(operator_ + "/input-0/partition-1");
  fs::copy(operator_ + "/input-0/partition-0", operator_ + "/input-0/partition-1",
           fs::copy_options::recursive);
  EXPECT_THAT(Error(),
              AllOf(HasSubstr("partition-1/partition.meta belongs elsewhere: it is of LORE id 5, "
                              "input-0, partition 0"),
                    HasSubstr("expected LORE id 5, input-0, partition 1")));
}

TEST_F(Reader, AStreamOfAnotherAttemptIsFound) {
  fs::remove_all(operator_ + "/output/partition-0");
  const TemporaryFolder other;
  ASSERT_TRUE(RecordPass(spec_, CaptureJson(other.path()), {}, 0, 77).ok());
  fs::copy(other / "loreId-5/output/partition-0", operator_ + "/output/partition-0",
           fs::copy_options::recursive);
  EXPECT_EQ(Error(), operator_ +
                         "/output/partition-0/partition.meta is of attempt 77, expected "
                         "attempt 41");
}

TEST_F(Reader, ANewerVersionIsToldFromDamage) {
  for (const char* name : {"/plan.meta", "/input-0/rdd.meta"}) {
    const std::string path = operator_ + name;
    const std::string whole = Contents(path);
    auto json = nlohmann::ordered_json::parse(whole);
    json["version"] = 7;
    json.erase("check");
    std::ofstream(path, std::ios::trunc) << Seal(json, SealLayout::kFile).ValueOrDie();
    EXPECT_EQ(Error(), path +
                           " has dump format version 7, this program reads versions up to 1: use "
                           "a newer reprise");
    std::ofstream(path, std::ios::trunc) << whole;
  }
  const std::string path = partition_ + "partition.meta";
  std::ofstream(path, std::ios::trunc)
      << R"({"format":"reprise-dump","version":2,"kind":"partition"})"
      << "\n";
  EXPECT_EQ(Error(), path +
                         " line 1 has dump format version 2, this program reads versions up to "
                         "1: use a newer reprise");
}

// What a file that somebody else has made may say: refused before anything is made for it.
TEST_F(Reader, NothingThatAMetaFileSaysIsBelieved) {
  const std::string path = operator_ + "/plan.meta";
  const std::string whole = Contents(path);
  const auto error_of = [&](const std::function<void(nlohmann::ordered_json&)>& change) {
    auto json = nlohmann::ordered_json::parse(whole);
    json.erase("check");
    change(json);
    std::ofstream(path, std::ios::trunc) << Seal(json, SealLayout::kFile).ValueOrDie();
    return Error();
  };
  for (const int64_t count : {int64_t{-1}, int64_t{2'000'000'000}, int64_t{4'294'967'297}}) {
    EXPECT_EQ(
        error_of([&](auto& json) { json["partitions"] = count; }),
        fmt::format("{}: member \"partitions\" must be from 0 to 16777216, found {}", path, count));
  }
  EXPECT_THAT(error_of([&](auto& json) { json["partitions"] = UINT64_MAX; }),
              HasSubstr("found 18446744073709551615"));
  EXPECT_THAT(error_of([&](auto& json) {
                json["partitionsCaptured"] = {1, 4294967297};
              }),
              HasSubstr("expected a list of partition numbers, found 4294967297"));
  for (const char* type : {"decimal(0,0)", "decimal(99,1)", "decimal(-5,1)", "decimal(10,2000)"}) {
    EXPECT_THAT(error_of([&](auto& json) {
                  json["operator"]["inputs"][0][0]["type"] = type;
                  json["operator"]["output"][0]["type"] = type;
                }),
                HasSubstr("belongs to another stream"));
  }
}

TEST_F(Reader, DeepJsonIsRefused) {
  const std::string path = operator_ + "/plan.meta";
  for (const auto& [opening, closing] :
       {std::pair("[", "]"), std::pair("{\"arguments\":[", "]}")}) {
    std::string body = "{\n  \"format\": \"reprise-dump\",\n  \"deep\": ";
    for (int i = 0; i < 200000; ++i) body += opening;
    for (int i = 0; i < 200000; ++i) body += closing;
    std::ofstream(path, std::ios::trunc)
        << body << ",\n  \"check\": \"" << Hex(Checksum(body)) << "\"\n}\n";
    EXPECT_EQ(Error(), path + " is nested deeper than 4000 levels");
  }
}

TEST_F(Reader, OnlyPlainFilesAreRead) {
  const std::string path = operator_ + "/plan.meta";
  fs::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(Error(), path + " is no plain file");
  fs::remove(path);
  std::ofstream(path, std::ios::trunc) << "{}";
  fs::resize_file(path, uintmax_t{1} << 40);  // of which the disk has nothing
  EXPECT_THAT(Error(), HasSubstr("more than the 4294967296 that are read"));
}

TEST_F(Reader, FilesOfOtherProgramsAndKindsAreFound) {
  const std::string path = operator_ + "/plan.meta";
  std::ofstream(path, std::ios::trunc) << R"({"hello":1})";
  EXPECT_EQ(Error(), path +
                         " was not written by Reprise: member \"format\" must be "
                         "\"reprise-dump\"");
  std::ofstream(path, std::ios::trunc) << "\xac\xed java serialized";
  EXPECT_THAT(Error(), HasSubstr(path + " is damaged: it does not end with a checksum"));
  fs::copy_file(operator_ + "/input-0/rdd.meta", path, fs::copy_options::overwrite_existing);
  EXPECT_EQ(Error(), path + " is of another kind: member \"kind\" must be \"plan\"");
}

TEST_F(Reader, AFileInPlaceOfAFolderIsFound) {
  fs::remove_all(operator_ + "/input-0/partition-0");
  std::ofstream(operator_ + "/input-0/partition-0") << "a file";
  EXPECT_THAT(Error(),
              HasSubstr("input-0/partition-0/partition.meta: cannot open: Not a directory"));
}

TEST_F(Reader, AWholeDumpIsToldFromOneOperator) {
  EXPECT_EQ(OperatorDump::Open(folder_.path()).status().message(),
            folder_.path() + " is a whole dump; name one of its operators: loreId-5");
  EXPECT_THAT(OperatorDump::Open(folder_ / "nowhere").status().message(),
              HasSubstr("nowhere is not a folder; expected a dump's loreId-N"));
  EXPECT_THAT(OperatorDump::Open(partition_).status().message(),
              HasSubstr("is not the dump of an operator: it has no plan.meta"));
  EXPECT_THAT(ListOperators(folder_.path()).ValueOrDie(), testing::ElementsAre(5));
  EXPECT_THAT(ListOperators(operator_).status().message(), HasSubstr("expected folders loreId-N"));
}

TEST_F(Reader, WrongDecodingIsFound) {
  // The checksums of the files hold, but the digest of the rows does not: as if Parquet were read
  // wrongly.
  PartitionRecord record = OperatorDump::Open(operator_).ValueOrDie().Partition(0).ValueOrDie();
  record.inputs[0].meta.digest.columns[3] += 1;
  BatchReader reader(record.inputs[0], arrow::default_memory_pool());
  for (int i = 0; i < 3; ++i) ASSERT_NE(reader.Next().ValueOrDie(), nullptr);
  EXPECT_THAT(reader.Next().status().message(), HasSubstr("decode to other rows"));
}

TEST_F(Reader, WhatIsRecordedIsItsOwnersAlone) {
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(operator_)) {
    if (!entry.is_regular_file()) continue;
    ++files;
    EXPECT_EQ(entry.status().permissions(), fs::perms::owner_read | fs::perms::owner_write)
        << entry.path();
  }
  EXPECT_GT(files, 5);
}

TEST(WriteNewFile, NamesTheFileThatCannotBeOpenedOrMade) {
  EXPECT_EQ(ReadWholeFile("/nowhere/file").status().message(),
            "/nowhere/file: cannot open: No such file or directory");
  EXPECT_EQ(WriteNewFile("/dev/full", "x").message(), "/dev/full: cannot create: File exists");
}

}  // namespace
}  // namespace reprise
