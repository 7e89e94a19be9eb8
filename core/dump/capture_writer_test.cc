#include "dump/capture_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "dump/begin.h"
#include "dump/partition_meta.h"
#include "dump/reader.h"
#include "dump/sample_dump.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class CaptureWriter : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(BeginDump(BeginRequest(spec_, capture_)).ok()); }

  TaskContext Context(int64_t attempt) const {
    TaskContext context;
    context.attempt = attempt;
    context.partition = 2;
    context.stage = 7;
    context.batch_rows_target = 1000;
    return context;
  }

  std::unique_ptr<Capture> Make(int64_t attempt) {
    auto capture = MakeDumpCapture(spec_, capture_, Context(attempt));
    EXPECT_TRUE(capture.ok()) << capture.status().ToString();
    return *std::move(capture);
  }

  bool Exists(const std::string& name) const { return fs::exists(folder_ / name); }

  std::vector<std::string> Listing(const std::string& name) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_ / name)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  TemporaryFolder folder_;
  OperatorSpec spec_ = PassSpec(kLongAndText, 5, 2);
  nlohmann::json capture_ = CaptureJson(folder_.path());
  Batch batch_ = ToBatch(BatchOf(kLongAndText, R"([[1,"x"],[2,null],[3,"z"]])"));
  const std::string input_ = "loreId-5/input-0/";
};

TEST_F(CaptureWriter, ABatchAndItsLineAreThereBeforeTheOperatorSeesIt) {
  const auto capture = Make(41);
  const std::string aside = folder_ / (input_ + "partition-2.attempt-41/");
  EXPECT_TRUE(ReadPartitionMeta(aside + "partition.meta").ValueOrDie().batches.empty());
  ASSERT_TRUE(capture->OnInput(0, batch_).ok());
  const PartitionMeta meta = ReadPartitionMeta(aside + "partition.meta").ValueOrDie();
  ASSERT_EQ(meta.batches.size(), 1u);
  EXPECT_EQ(meta.batches[0].rows, 3);
  EXPECT_EQ(meta.batches[0].file, "batch-0.parquet");
  const std::string bytes = Contents(aside + "batch-0.parquet");
  EXPECT_EQ(meta.batches[0].bytes, static_cast<int64_t>(bytes.size()));
  EXPECT_EQ(meta.batches[0].checksum, Checksum(bytes));
  EXPECT_FALSE(meta.complete());
  EXPECT_FALSE(Exists(input_ + "partition-2"));
}

TEST_F(CaptureWriter, CommitsByRename) {
  const auto capture = Make(41);
  ASSERT_TRUE(capture->OnInput(0, batch_).ok());
  ASSERT_TRUE(capture->OnInputEnd(0).ok());
  ASSERT_TRUE(capture->OnInputEnd(1).ok());
  ASSERT_TRUE(capture->OnOutput(batch_).ok());
  ASSERT_TRUE(capture->OnOutputEnd().ok());
  ASSERT_TRUE(capture->Finish(CaptureEnd::kSucceeded).ok());
  EXPECT_THAT(Listing("loreId-5"), ElementsAre("input-0", "input-1", "output", "plan.meta"));
  EXPECT_THAT(Listing("loreId-5/input-0"), ElementsAre("partition-2", "rdd.meta"));
  EXPECT_THAT(Listing("loreId-5/input-0/partition-2"),
              ElementsAre("batch-0.parquet", "partition.meta"));
  EXPECT_THAT(Listing("loreId-5/input-1/partition-2"), ElementsAre("partition.meta"));
  EXPECT_THAT(Listing("loreId-5/output"), ElementsAre("partition-2", "rdd.meta"));

  const PartitionMeta meta =
      ReadPartitionMeta(folder_ / (input_ + "partition-2/partition.meta")).ValueOrDie();
  EXPECT_EQ(meta.end, StreamEnd::kExhausted);
  EXPECT_EQ(meta.header.lore_id, 5);
  EXPECT_EQ(meta.header.partition, 2);
  EXPECT_EQ(meta.header.stage, 7);
  EXPECT_EQ(meta.header.attempt, 41);
  EXPECT_EQ(meta.header.batch_rows, 1000);
  Digester digester(2);
  ASSERT_TRUE(digester.Update(batch_).ok());
  EXPECT_EQ(meta.digest, digester.digest());
}

TEST_F(CaptureWriter, AStreamThatItsConsumerLeftIsStopped) {
  const auto capture = Make(41);
  ASSERT_TRUE(capture->OnInput(0, batch_).ok());
  ASSERT_TRUE(capture->OnOutput(batch_).ok());
  ASSERT_TRUE(capture->Finish(CaptureEnd::kSucceeded).ok());
  const OperatorDump dump = OperatorDump::Open(folder_ / "loreId-5").ValueOrDie();
  const PartitionRecord record = dump.Partition(2).ValueOrDie();
  EXPECT_EQ(record.inputs[0].meta.end, StreamEnd::kStopped);
  EXPECT_EQ(record.output->meta.end, StreamEnd::kStopped);
}

TEST_F(CaptureWriter, AFailedAttemptStaysAside) {
  const auto capture = Make(41);
  ASSERT_TRUE(capture->OnInput(0, batch_).ok());
  ASSERT_TRUE(capture->Finish(CaptureEnd::kFailed).ok());
  EXPECT_THAT(Listing("loreId-5/input-0"), ElementsAre("partition-2.attempt-41", "rdd.meta"));
  const PartitionMeta meta =
      ReadPartitionMeta(folder_ / (input_ + "partition-2.attempt-41/partition.meta")).ValueOrDie();
  EXPECT_EQ(meta.end, StreamEnd::kFailed);
  EXPECT_FALSE(meta.complete());
  const OperatorDump dump = OperatorDump::Open(folder_ / "loreId-5").ValueOrDie();
  EXPECT_EQ(dump.Partition(2).status().message(),
            dump.folder() +
                ": partition 2 is incomplete; attempt 41 failed after 1 batches; replay what an "
                "attempt recorded with --attempt");
  EXPECT_EQ(dump.Attempt(2, 41).ValueOrDie().inputs[0].meta.batches.size(), 1u);
}

TEST_F(CaptureWriter, AFailedAttemptTellsItsError) {
  const auto failure_of = [&](int64_t attempt, const FailureOfTask& failure) {
    const auto capture = Make(attempt);
    capture->OnFailure(failure);
    EXPECT_TRUE(capture->Finish(CaptureEnd::kFailed).ok());
    const OperatorDump dump = OperatorDump::Open(folder_ / "loreId-5").ValueOrDie();
    return ToJson(dump.Attempt(2, attempt).ValueOrDie().Failure().value()).dump();
  };
  const Status ours = Status::Invalid(ErrorPrefix(spec_), "'SECRET'");
  const std::string told = R"({"condition":"CAST_INVALID_INPUT","parameters":{"v":"SECRET"}})";
  EXPECT_EQ(failure_of(41, {.raised = ours}),
            R"({"here":true,"text":")" + ErrorPrefix(spec_) + R"('SECRET'"})");
  EXPECT_EQ(failure_of(42, {.raised = ours, .error = told}),
            R"({"condition":"CAST_INVALID_INPUT","here":true,"parameters":{"v":"SECRET"}})");
  EXPECT_EQ(failure_of(43, {.raised = Status::Invalid("RepriseFilter (LORE id 51): no")}),
            R"({"here":false,"text":"RepriseFilter (LORE id 51): no"})");
  EXPECT_EQ(failure_of(44, {.error = told}),
            R"({"condition":"CAST_INVALID_INPUT","here":false,"parameters":{"v":"SECRET"}})");
  const Status memory = Status::OutOfMemory(ErrorPrefix(spec_), "no memory");
  EXPECT_EQ(failure_of(45, {.raised = memory}),
            R"({"text":")" + ErrorPrefix(spec_) + R"(no memory"})");
  capture_["mask"] = {{"b", "null"}};
  EXPECT_EQ(failure_of(46, {.raised = ours, .error = told}),
            R"({"condition":"CAST_INVALID_INPUT","here":true})");
}

TEST_F(CaptureWriter, AnErrorThatLeavesWithoutHavingComeInIsTheOperatorsOwn) {
  const auto failure_of = [&](int64_t attempt, bool came_in, bool came_out) {
    const TaskContext context = Context(attempt);
    std::map<nlohmann::json, std::unique_ptr<Capture>> captures;
    capture_["streams"] = {
        {"0", ToJson(kLongAndText)}, {"1", ToJson(kLongAndText)}, {"output", ToJson(kLongAndText)}};
    for (const nlohmann::json& stream : {nlohmann::json(0), nlohmann::json("output")}) {
      capture_["stream"] = stream;
      captures[stream] = MakeDumpCapture(spec_, capture_, context).ValueOrDie();
    }
    const auto fail = [&](const nlohmann::json& stream, bool came) {
      captures[stream]->OnFailure(
          {.raised = came ? Status::Invalid("no") : Status::OK(), .is_from_input = came});
      EXPECT_TRUE(captures[stream]->Finish(CaptureEnd::kFailed).ok());
    };
    fail("output", came_out);
    fail(0, came_in);
    const OperatorDump dump = OperatorDump::Open(folder_ / "loreId-5").ValueOrDie();
    return dump.Attempt(2, attempt).ValueOrDie().Failure().value().here;
  };
  EXPECT_EQ(failure_of(41, /*came_in=*/false, /*came_out=*/true), true);
  EXPECT_EQ(failure_of(42, /*came_in=*/true, /*came_out=*/true), false);
  EXPECT_EQ(failure_of(43, /*came_in=*/false, /*came_out=*/false), false);
}

TEST_F(CaptureWriter, TheFirstOfTwoAttemptsWinsAndTheOtherLeavesNothing) {
  const auto slow = Make(41);
  const auto fast = Make(42);
  ASSERT_TRUE(slow->OnInput(0, batch_).ok());
  ASSERT_TRUE(fast->OnInput(0, batch_).ok());
  ASSERT_TRUE(fast->Finish(CaptureEnd::kSucceeded).ok());
  ASSERT_TRUE(slow->OnInput(1, batch_).ok());
  ASSERT_TRUE(slow->Finish(CaptureEnd::kSucceeded).ok());
  EXPECT_THAT(Listing("loreId-5/input-0"), ElementsAre("partition-2", "rdd.meta"));
  EXPECT_THAT(Listing("loreId-5/input-1"), ElementsAre("partition-2", "rdd.meta"));
  EXPECT_THAT(Listing("loreId-5/output"), ElementsAre("partition-2", "rdd.meta"));
  const OperatorDump dump = OperatorDump::Open(folder_ / "loreId-5").ValueOrDie();
  const PartitionRecord record = dump.Partition(2).ValueOrDie();
  EXPECT_EQ(record.attempt, 42);
  EXPECT_TRUE(record.inputs[1].meta.batches.empty());
}

TEST_F(CaptureWriter, RacingAttemptsNeverMix) {
  constexpr int kAttempts = 8;
  for (int round = 0; round < 10; ++round) {
    const TemporaryFolder folder;
    const nlohmann::json capture_json = CaptureJson(folder.path());
    ASSERT_TRUE(BeginDump(BeginRequest(spec_, capture_json)).ok());
    std::vector<TaskContext> contexts;
    std::vector<std::unique_ptr<Capture>> captures;
    for (int i = 0; i < kAttempts; ++i) contexts.push_back(Context(100 + i));
    for (const auto& context : contexts) {
      captures.push_back(MakeDumpCapture(spec_, capture_json, context).ValueOrDie());
    }
    std::vector<std::thread> threads;
    for (int i = 0; i < kAttempts; ++i) {
      threads.emplace_back([&, i] {
        for (int k = 0; k <= i; ++k) EXPECT_TRUE(captures[i]->OnInput(k % 2, batch_).ok());
        EXPECT_TRUE(captures[i]->Finish(CaptureEnd::kSucceeded).ok());
      });
    }
    for (auto& thread : threads) thread.join();
    const OperatorDump dump = OperatorDump::Open(folder / "loreId-5").ValueOrDie();
    ASSERT_EQ(dump.attempts().size(), 1u);
    const PartitionRecord record = dump.Partition(2).ValueOrDie();
    const auto batches =
        record.inputs[0].meta.batches.size() + record.inputs[1].meta.batches.size();
    EXPECT_EQ(static_cast<int64_t>(batches), record.attempt - 100 + 1);
    EXPECT_EQ(record.output->meta.header.attempt, record.attempt);
  }
}

TEST_F(CaptureWriter, ACommitThatDiedBetweenItsRenamesIsWhole) {
  ASSERT_TRUE(RecordPass(spec_, capture_, {BatchOf(kLongAndText, R"([[1,"x"]])")}, 2, 41).ok());
  fs::rename(folder_ / "loreId-5/output/partition-2",
             folder_ / "loreId-5/output/partition-2.attempt-41");
  const OperatorDump dump = OperatorDump::Open(folder_ / "loreId-5").ValueOrDie();
  EXPECT_EQ(dump.Partition(2).ValueOrDie().output->meta.rows(), 1);
}

TEST_F(CaptureWriter, NothingIsRecordedWhereNothingIsAskedFor) {
  capture_["partitions"] = {0, 3};
  EXPECT_EQ(Make(41), nullptr);
  capture_["partitions"] = {0, 2};
  EXPECT_NE(Make(42), nullptr);
  EXPECT_EQ(Make(42), nullptr) << "the same attempt again";
  ASSERT_TRUE(RecordPass(spec_, capture_, {}, 2, 43).ok());
  EXPECT_EQ(Make(44), nullptr) << "committed already";
}

TEST_F(CaptureWriter, TheOutputIsLeftOutWhereItIsNotAskedFor) {
  capture_["output"] = false;
  const auto capture = Make(41);
  ASSERT_TRUE(capture->OnInput(0, batch_).ok());
  ASSERT_TRUE(capture->OnOutput(batch_).ok());
  ASSERT_TRUE(capture->OnOutputEnd().ok());
  ASSERT_TRUE(capture->Finish(CaptureEnd::kSucceeded).ok());
  EXPECT_FALSE(Exists("loreId-5/output/partition-2"));
}

TEST_F(CaptureWriter, AWriteThatFailsIsAnErrorThatNamesTheFile) {
  const auto capture = Make(41);
  const std::string path = folder_ / (input_ + "partition-2.attempt-41/batch-0.parquet");
  fs::create_directory(path);
  EXPECT_EQ(capture->OnInput(0, batch_).message(), path + ": cannot create: File exists");
}

// Lets files grow to `bytes` only, as a full disk would; works for root too.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_;
  void (*handler_)(int);
};

TEST_F(CaptureWriter, AFullDiskIsAnErrorThatNamesTheFileAndCommitsNothing) {
  const auto capture = Make(41);
  ASSERT_TRUE(capture->OnInput(0, batch_).ok());
  const std::string aside = folder_ / (input_ + "partition-2.attempt-41/");
  {
    const FileSizeLimit limit(100);
    EXPECT_EQ(capture->OnInput(0, batch_).message(),
              aside + "batch-1.parquet: cannot write: File too large");
    EXPECT_TRUE(capture->Finish(CaptureEnd::kFailed).ok());
  }
  EXPECT_FALSE(ReadPartitionMeta(aside + "partition.meta").ValueOrDie().complete());
  EXPECT_FALSE(Exists(input_ + "partition-2"));
}

TEST_F(CaptureWriter, ARecordWhoseLastLineCannotBeWrittenIsNotCommitted) {
  const auto capture = Make(41);
  {
    const FileSizeLimit limit(100);
    EXPECT_THAT(capture->Finish(CaptureEnd::kSucceeded).message(),
                HasSubstr("partition.meta: cannot write"));
  }
  EXPECT_FALSE(Exists(input_ + "partition-2"));
}

TEST_F(CaptureWriter, ACommitThatFailsIsAnErrorThatNamesTheFolder) {
  const auto capture = Make(41);
  std::ofstream(folder_ / (input_ + "partition-2")) << "in the way";
  EXPECT_EQ(capture->Finish(CaptureEnd::kSucceeded).message(),
            (folder_ / (input_ + "partition-2.attempt-41")) +
                ": cannot rename to partition-2: Not a directory");
}

TEST_F(CaptureWriter, SaysWhatIsWrongWithACapture) {
  capture_.erase("path");
  EXPECT_EQ(MakeDumpCapture(spec_, capture_, Context(1)).status().message(),
            "capture: member \"path\" is missing");
  EXPECT_FALSE(MakeDumpCapture(spec_, nlohmann::json(), Context(1)).ok());
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << "mine";
  EXPECT_THAT(MakeDumpCapture(spec_, CaptureJson(folder / "file"), Context(1)).status().message(),
              HasSubstr("loreId-5/input-0: cannot create: Not a directory"));
}

// Whether an attempt that is kept back until its end is in the dump, whole or aside.
class KeptBack : public CaptureWriter {
 protected:
  std::string Kept(const std::string& when, CaptureEnd end, std::optional<int64_t> median_ms) {
    capture_["ringBytes"] = 1 << 20;
    capture_["when"] = when;
    TaskContext context = Context(++attempt_);
    int asked = 0;
    context.median_task_ms = [&] {
      ++asked;
      return median_ms;
    };
    const auto capture = MakeDumpCapture(spec_, capture_, context).ValueOrDie();
    EXPECT_TRUE(capture->OnInput(0, batch_).ok());
    EXPECT_FALSE(Exists(Aside()));
    EXPECT_TRUE(capture->Finish(end).ok());
    EXPECT_EQ(asked, when.starts_with("slow") && end == CaptureEnd::kSucceeded ? 1 : 0);
    if (Exists(Aside())) return "aside";
    const std::string whole = input_ + "partition-2";
    if (!Exists(whole)) return "not";
    fs::remove_all(folder_ / whole);
    return "whole";
  }

 private:
  std::string Aside() const { return input_ + "partition-2.attempt-" + std::to_string(attempt_); }
  int64_t attempt_ = 0;
};

TEST_F(KeptBack, IsWrittenOfTasksThatFail) {
  EXPECT_EQ(Kept("failure", CaptureEnd::kFailed, 0), "aside");
  EXPECT_EQ(Kept("failure", CaptureEnd::kSucceeded, 0), "not");
}

TEST_F(KeptBack, LimitsLeaveTheLastBatches) {
  capture_["ringBytes"] = 1 << 20;
  capture_["when"] = "failure";
  capture_["maxRows"] = 3;
  const TaskContext context = Context(77);  // outlives the capture
  const auto capture = MakeDumpCapture(spec_, capture_, context).ValueOrDie();
  for (int i = 0; i < 5; ++i) {
    const std::string rows = fmt::format(R"([[{},"a"],[{},"b"]])", 2 * i, 2 * i + 1);
    ASSERT_TRUE(capture->OnInput(0, ToBatch(BatchOf(kLongAndText, rows))).ok());
  }
  ASSERT_TRUE(capture->Finish(CaptureEnd::kFailed).ok());
  const auto record =
      OperatorDump::Open(folder_ / "loreId-5").ValueOrDie().Attempt(2, 77).ValueOrDie();
  EXPECT_EQ(record.inputs[0].meta.limit, "maxRows");
  BatchReader reader(record.inputs[0], arrow::default_memory_pool());
  for (const char* rows : {R"([[6,"a"],[7,"b"]])", R"([[8,"a"],[9,"b"]])"}) {
    const auto batch = reader.Next().ValueOrDie();
    ASSERT_NE(batch, nullptr);
    EXPECT_TRUE(batch->Equals(*BatchOf(kLongAndText, rows))) << batch->ToString();
  }
  EXPECT_EQ(reader.Next().ValueOrDie(), nullptr);
}

TEST_F(KeptBack, WhatALimitHasCutTellsTheFailureAllTheSame) {
  capture_["ringBytes"] = 1 << 20;
  capture_["when"] = "failure";
  capture_["maxRows"] = 3;
  const TaskContext context = Context(77);
  const auto capture = MakeDumpCapture(spec_, capture_, context).ValueOrDie();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(capture->OnInput(0, batch_).ok());
  capture->OnFailure({.raised = SparkError("DIVIDE_BY_ZERO", {}, ErrorPrefix(spec_) + "by zero")});
  ASSERT_TRUE(capture->Finish(CaptureEnd::kFailed).ok());
  const auto record =
      OperatorDump::Open(folder_ / "loreId-5").ValueOrDie().Attempt(2, 77).ValueOrDie();
  EXPECT_EQ(record.inputs[0].meta.end, StreamEnd::kTruncated);
  EXPECT_TRUE(record.HoldsWhatWasWanted(record.inputs[0])) << "it goes up to the failure";
  const RaisedError failure = record.Failure().value();
  EXPECT_EQ(failure.condition, "DIVIDE_BY_ZERO");
  EXPECT_EQ(failure.here, true);
}

TEST_F(KeptBack, ADigestIsOfAllRows) {
  capture_["ringBytes"] = 1;
  capture_["when"] = "failure";
  capture_["maxRows"] = 2;
  capture_["data"] = false;
  const TaskContext context = Context(77);
  const auto capture = MakeDumpCapture(spec_, capture_, context).ValueOrDie();
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(capture->OnInput(0, batch_).ok());
  ASSERT_TRUE(capture->Finish(CaptureEnd::kFailed).ok());
  const auto record =
      OperatorDump::Open(folder_ / "loreId-5").ValueOrDie().Attempt(2, 77).ValueOrDie();
  EXPECT_EQ(record.inputs[0].meta.end, StreamEnd::kFailed);
  EXPECT_EQ(record.inputs[0].meta.digest.rows, 60);
}

TEST_F(KeptBack, IsWrittenOfTasksThatTakeLong) {
  EXPECT_EQ(Kept("slow:3x", CaptureEnd::kFailed, 0), "aside");
  EXPECT_EQ(Kept("slow:3x", CaptureEnd::kSucceeded, 3600000), "not");
  EXPECT_EQ(Kept("slow:3x", CaptureEnd::kSucceeded, std::nullopt), "not");
  EXPECT_EQ(Kept("slow:3x", CaptureEnd::kSucceeded, 0), "whole");
}

TEST_F(KeptBack, IsWrittenOfAllWhereNothingElseIsSaid) {
  EXPECT_EQ(Kept("always", CaptureEnd::kSucceeded, 3600000), "whole");
}

TEST_F(CaptureWriter, GivesItsMemoryBack) {
  arrow::ProxyMemoryPool pool(arrow::default_memory_pool());
  TaskContext context = Context(41);
  context.pool = &pool;
  const auto capture = MakeDumpCapture(spec_, capture_, context).ValueOrDie();
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(capture->OnInput(0, batch_).ok());
  EXPECT_EQ(pool.bytes_allocated(), 0);
  EXPECT_GT(pool.max_memory(), 0);
}

}  // namespace
}  // namespace reprise
