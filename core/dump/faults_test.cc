// Every operation of a dump's writer fails once, or is the last one of its process: whatever is
// left is a whole record or is said not to be one, and what Spark tries again is recorded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dump/begin.h"
#include "dump/capture_writer.h"
#include "dump/reader.h"
#include "dump/sample_dump.h"
#include "dump/store.h"

namespace reprise {
namespace {

using testing::HasSubstr;

enum class Fault {
  kOnce,         // one operation does nothing and fails
  kDiskFull,     // of one write half is done, and then no write succeeds any more
  kProcessDies,  // one operation is done by half, and nothing is done afterwards
};

constexpr std::string_view kScheme = "faulty:";

// Files of this machine under another scheme, of whose operations number `at` fails.
class FaultyStore : public DumpStore {
 public:
  FaultyStore(Fault fault, int at) : fault_(fault), at_(at) {}
  void Mend() { at_ = INT_MAX; }
  bool has_failed() const { return count_ > at_; }

  Result<Entry> Look(const std::string& path) override {
    RETURN_NOT_OK(Check(path, "look at", false));
    return local_->Look(OnDisk(path));
  }
  Result<std::vector<std::string>> List(const std::string& path) override {
    RETURN_NOT_OK(Check(path, "list", false));
    return local_->List(OnDisk(path));
  }
  Status CreateFolders(const std::string& path) override {
    RETURN_NOT_OK(Check(path, "create", true));
    return local_->CreateFolders(OnDisk(path));
  }
  Result<bool> CreateFolder(const std::string& path) override {
    RETURN_NOT_OK(Check(path, "create", true));
    return local_->CreateFolder(OnDisk(path));
  }
  Result<std::string> Read(const std::string& path) override {
    RETURN_NOT_OK(Check(path, "read", false));
    return local_->Read(OnDisk(path));
  }
  Status WriteNew(const std::string& path, std::string_view bytes) override {
    const Status status = Check(path, "write", true);
    if (!status.ok() && half_) {
      (void)local_->WriteNew(OnDisk(path), bytes.substr(0, bytes.size() / 2));
    }
    RETURN_NOT_OK(status);
    return local_->WriteNew(OnDisk(path), bytes);
  }
  Result<std::unique_ptr<GrowingFile>> CreateGrowing(const std::string& path) override {
    RETURN_NOT_OK(Check(path, "create", true));
    ARROW_ASSIGN_OR_RAISE(auto file, local_->CreateGrowing(OnDisk(path)));
    return std::make_unique<Growing>(this, path, std::move(file));
  }
  Result<bool> RenameFolder(const std::string& from, const std::string& to) override {
    RETURN_NOT_OK(Check(from, "rename", true));
    return local_->RenameFolder(OnDisk(from), OnDisk(to));
  }
  Status RemoveFolder(const std::string& path) override {
    RETURN_NOT_OK(Check(path, "remove", true));
    return local_->RemoveFolder(OnDisk(path));
  }

 private:
  static std::string OnDisk(const std::string& path) { return path.substr(kScheme.size()); }

  class Growing : public GrowingFile {
   public:
    Growing(FaultyStore* store, std::string path, std::unique_ptr<GrowingFile> file)
        : store_(store), path_(std::move(path)), file_(std::move(file)) {}
    Status Append(std::string_view line) override {
      const Status status = store_->Check(path_, "write", true);
      if (!status.ok() && store_->half_) (void)file_->Append(line.substr(0, line.size() / 2));
      RETURN_NOT_OK(status);
      return file_->Append(line);
    }
    Status Close() override {
      RETURN_NOT_OK(store_->Check(path_, "close", false));
      return file_->Close();
    }

   private:
    FaultyStore* store_;
    std::string path_;
    std::unique_ptr<GrowingFile> file_;
  };

  Status Check(const std::string& path, std::string_view action, bool writes) {
    half_ = false;
    if (fault_ == Fault::kDiskFull && !writes) return Status::OK();
    const int number = count_++;
    const bool fails = fault_ == Fault::kOnce ? number == at_ : number >= at_;
    if (!fails) return Status::OK();
    half_ = number == at_ && fault_ != Fault::kOnce;
    return Status::IOError(path, ": cannot ", action, ": No space left on device");
  }

  std::shared_ptr<DumpStore> local_ = LocalStore();
  Fault fault_;
  int at_;
  int count_ = 0;
  bool half_ = false;
};

class DumpFaults : public testing::TestWithParam<Fault> {
 protected:
  void TearDown() override { SetStoreOpener({}); }

  // What the driver does.
  Status Begin() { return BeginDump(BeginRequest(spec_, capture_, 1)); }

  // What a task does, which records one partition of a join.
  Status RunTask(int64_t attempt) {
    TaskContext context;
    context.attempt = attempt;
    ARROW_ASSIGN_OR_RAISE(const auto capture, MakeDumpCapture(spec_, capture_, context));
    if (capture == nullptr) return Status::OK();
    const Status status = Record(capture.get());
    const Status finished =
        capture->Finish(status.ok() ? CaptureEnd::kSucceeded : CaptureEnd::kFailed);
    return status.ok() ? finished : status;
  }

  Status Record(Capture* capture) {
    for (const Batch& batch : batches_) {
      RETURN_NOT_OK(capture->OnInput(0, batch));
      RETURN_NOT_OK(capture->OnInput(1, batch));
      RETURN_NOT_OK(capture->OnOutput(batch));
    }
    RETURN_NOT_OK(capture->OnInputEnd(0));
    RETURN_NOT_OK(capture->OnInputEnd(1));
    return capture->OnOutputEnd();
  }

  // Every row of every stream, read as a replay does.
  static Status ReadBack(const std::string& folder, int64_t rows) {
    ARROW_ASSIGN_OR_RAISE(const auto dump, OperatorDump::Open(folder));
    ARROW_ASSIGN_OR_RAISE(const PartitionRecord record, dump.Partition(0));
    std::vector<StreamRecord> streams = record.inputs;
    streams.push_back(*record.output);
    EXPECT_EQ(streams.size(), 3u);
    for (const StreamRecord& stream : streams) {
      BatchReader reader(stream, arrow::default_memory_pool());
      int64_t read = 0;
      while (true) {
        ARROW_ASSIGN_OR_RAISE(const auto batch, reader.Next());
        if (batch == nullptr) break;
        read += batch->num_rows();
      }
      EXPECT_EQ(read, rows) << stream.folder << " is taken for whole";
    }
    return Status::OK();
  }

  OperatorSpec spec_ = PassSpec(kLongAndText, 5, 2);
  nlohmann::json capture_;
  std::vector<Batch> batches_ = {ToBatch(BatchOf(kLongAndText, R"([[1,"x"],[2,null],[3,"z"]])")),
                                 ToBatch(BatchOf(kLongAndText, R"([[4,"y"],[5,"w"]])"))};
};

TEST_P(DumpFaults, LeaveAWholeRecordOrSayThatItIsNone) {
  constexpr int kOperationsMax = 1000;
  constexpr int kRows = 5;
  int failing = 0;
  int whole = 0;
  for (int at = 0; at < kOperationsMax; ++at) {
    SCOPED_TRACE(at);
    const TemporaryFolder folder;
    capture_ = CaptureJson("");
    capture_["path"] = std::string(kScheme) + (folder / "dump");
    auto store = std::make_shared<FaultyStore>(GetParam(), at);
    SetStoreOpener([&](const std::string&) { return store; });
    const Status begun = Begin();
    const Status status = begun.ok() ? RunTask(41) : begun;
    if (!store->has_failed()) {
      EXPECT_TRUE(status.ok()) << status.ToString();
      break;
    }
    ++failing;
    if (!status.ok()) {
      EXPECT_THAT(status.message(), HasSubstr("No space left on device"));
    }
    const std::string dumped = folder / "dump/loreId-5";
    const bool is_whole = ReadBack(dumped, kRows).ok();
    if (is_whole) ++whole;
    EXPECT_TRUE(is_whole || !status.ok()) << "nothing was said, and there is no record";
    if (GetParam() == Fault::kProcessDies) continue;
    // Spark tries the task again; where the driver could not begin, the user runs the query again.
    store->Mend();
    const Status begun_again = begun.ok() ? begun : Begin();
    if (!begun_again.ok()) {
      EXPECT_THAT(begun_again.message(), HasSubstr(folder.path()));
      continue;
    }
    const Status again = RunTask(42);
    EXPECT_TRUE(again.ok()) << again.ToString();
    EXPECT_TRUE(ReadBack(dumped, kRows).ok()) << ReadBack(dumped, kRows).ToString();
  }
  EXPECT_GT(failing, 20);
  EXPECT_GT(whole, 0);
}

std::string NameOf(const testing::TestParamInfo<Fault>& fault) {
  constexpr const char* kNames[] = {"Once", "DiskFull", "ProcessDies"};
  return kNames[static_cast<int>(fault.param)];
}

INSTANTIATE_TEST_SUITE_P(Faults, DumpFaults,
                         testing::Values(Fault::kOnce, Fault::kDiskFull, Fault::kProcessDies),
                         NameOf);

}  // namespace
}  // namespace reprise
