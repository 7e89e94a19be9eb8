#include "scan/remote_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scan/parquet_test_files.h"
#include "scan/remote_test_files.h"

namespace reprise {
namespace {

using namespace parquet_test;  // NOLINT: the test's own vocabulary
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr int64_t kMiB = 1 << 20;

class RemoteFileTest : public ::testing::Test {
 protected:
  // A file of so many bytes, of which the one at i is i / 1000.
  std::shared_ptr<RemoteFile> Open(int64_t bytes) {
    const std::string path = folder_.file("bytes");
    std::string content(bytes, '\0');
    for (int64_t i = 0; i < bytes; ++i) content[i] = static_cast<char>(i / 1000);
    std::ofstream(path, std::ios::binary) << content;
    return RemoteFile::Open(store_, "test:" + path, context_).ValueOrDie();
  }

  void ExpectBytes(RemoteFile& file, int64_t offset, int64_t length) {
    const auto read = file.ReadAt(offset, length);
    ASSERT_TRUE(read.ok()) << read.status();
    ASSERT_EQ((*read)->size(), length);
    EXPECT_EQ((*read)->data()[0], static_cast<uint8_t>(offset / 1000));
    EXPECT_EQ((*read)->data()[length - 1], static_cast<uint8_t>((offset + length - 1) / 1000));
  }

  TemporaryFolder folder_;
  TestRequests requests_;
  TestStore store_{&requests_};
  TaskContext context_;
};

TEST_F(RemoteFileTest, ReadsWhatIsAskedForInPieces) {
  const auto file = Open(20 * kMiB);
  ASSERT_TRUE(file->Start({{100, 3 * kMiB}, {8 * kMiB, 10 * kMiB}}).ok());
  EXPECT_THAT(requests_.pieces, ElementsAre(Pair(100, 3 * kMiB), Pair(8 * kMiB, 4 * kMiB),
                                            Pair(12 * kMiB, 4 * kMiB), Pair(16 * kMiB, 2 * kMiB)));
  requests_.pieces.clear();
  // A part of a range waits for its own pieces alone.
  requests_.never_comes = [](int64_t offset) { return offset > 12 * kMiB; };
  ExpectBytes(*file, 9 * kMiB, 5 * kMiB);
  ExpectBytes(*file, 150, 1000);
  ASSERT_TRUE(file->Start({{100, 2 * kMiB}}).ok());
  EXPECT_THAT(requests_.pieces, IsEmpty());
  requests_.never_comes = nullptr;
  ExpectBytes(*file, 16 * kMiB, kMiB);
}

TEST_F(RemoteFileTest, ReadsWhatNobodyHasAskedForAndTheEnd) {
  const auto file = Open(kMiB);
  ExpectBytes(*file, 5000, 3000);
  EXPECT_THAT(requests_.pieces, ElementsAre(Pair(5000, 3000)));
  ExpectBytes(*file, kMiB - 1000, 1000);
  EXPECT_EQ(requests_.pieces.size(), 1u);
  EXPECT_EQ((*file->ReadAt(kMiB - 10, 100))->size(), 10);
  EXPECT_EQ((*file->ReadAt(kMiB + 10, 100))->size(), 0);
  EXPECT_TRUE(file->ReadAt(-1, 10).status().IsInvalid());
  EXPECT_EQ(*file->GetSize(), kMiB);
}

TEST_F(RemoteFileTest, ReadsAheadWithinItsLimits) {
  const auto file = Open(20 * kMiB);
  EXPECT_EQ(*file->StartAhead({{0, kMiB}, {5 * kMiB, 2 * kMiB}}, 4 * kMiB), kMiB);
  EXPECT_EQ(*file->StartAhead({{0, kMiB}, {5 * kMiB, 2 * kMiB}, {9 * kMiB, 2 * kMiB}}, 4 * kMiB),
            0);
  EXPECT_THAT(requests_.pieces, ElementsAre(Pair(0, kMiB), Pair(5 * kMiB, 2 * kMiB)));
  // The memory of what has been read is given back, of what is being read it is kept.
  ExpectBytes(*file, 0, kMiB);
  requests_.never_comes = [](int64_t offset) { return offset > 0; };
  const int64_t before = context_.pool->bytes_allocated();
  file->Drop({{0, kMiB}, {5 * kMiB, 2 * kMiB}});
  EXPECT_EQ(before - context_.pool->bytes_allocated(), kMiB);
}

TEST_F(RemoteFileTest, KeepsTheEndsOfFiles) {
  Open(kMiB)->GetSize().ValueOrDie();
  const auto again = Open(kMiB);
  ASSERT_TRUE(again->GetSize().ok());
  EXPECT_EQ(requests_.tails_read.size(), 1u);
  ExpectBytes(*again, kMiB - 1000, 1000);
  requests_.modified = 2;
  const auto changed = Open(kMiB);
  ASSERT_TRUE(changed->GrowTail(200'000).ok());
  EXPECT_EQ(requests_.tails_read.size(), 2u);
  requests_.pieces.clear();
  ExpectBytes(*Open(kMiB), kMiB - 200'000, 200'000);
  EXPECT_THAT(requests_.pieces, IsEmpty());
}

TEST_F(RemoteFileTest, NamesFileOffsetAndCause) {
  const auto file = Open(20 * kMiB);
  requests_.fails = [](int64_t offset) {
    return offset == 4 * kMiB ? Status::IOError("no route") : Status::OK();
  };
  ASSERT_TRUE(file->Start({{0, 10 * kMiB}}).ok());
  ExpectBytes(*file, 0, 1000);
  const Status status = file->ReadAt(5 * kMiB, 100).status();
  EXPECT_EQ(status.message(), "cannot read 4194304 bytes at offset 4194304 of " + file->location() +
                                  ": its file system says: no route");
  EXPECT_EQ(SparkErrorOf(status)->condition(), "FAILED_READ_FILE.NO_HINT");
  requests_.no_file = [](const std::string&) { return Status::IOError("no such bucket"); };
  const auto none = Open(10);
  EXPECT_EQ(none->GetSize().status().message(), "cannot read its end of " + none->location() +
                                                    ": its file system says: no such bucket");
}

TEST_F(RemoteFileTest, ACancelledTaskWaitsForNothing) {
  int asked = 0;
  context_.cancelled = [&] { return ++asked > 3; };
  bool was_outside = false;
  context_.outside = [&](const std::function<void()>& function) {
    was_outside = true;
    function();
  };
  requests_.never_comes = [](int64_t) { return true; };
  const int64_t before = context_.pool->bytes_allocated();
  const auto file = Open(kMiB);
  EXPECT_TRUE(file->ReadAt(0, 100).status().IsCancelled());
  EXPECT_TRUE(was_outside);
  EXPECT_EQ(requests_.closed, 0);
  ASSERT_TRUE(file->Close().ok());
  EXPECT_EQ(requests_.closed, 1);
  EXPECT_EQ(context_.pool->bytes_allocated(), before);
}

}  // namespace
}  // namespace reprise
