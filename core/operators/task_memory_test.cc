#include "operators/task_memory.h"

#include <gtest/gtest.h>

#include <memory>

#include "operators/operator_testing.h"

namespace reprise {
namespace {

using testing::BatchOf;
using testing::Fields;
using testing::SourceOf;

constexpr int64_t kMiB = int64_t{1} << 20;

// Grants up to `limit` bytes in all.
struct LimitedManager final : MemoryManager {
  explicit LimitedManager(int64_t bytes) : limit(bytes) {}
  int64_t Acquire(int64_t bytes) override {
    ++calls;
    if (on_acquire) on_acquire();
    const int64_t granted = std::min(bytes, limit - used);
    used += granted;
    return granted;
  }
  void Release(int64_t bytes) override { used -= bytes; }

  int64_t limit;
  int64_t used = 0;
  int calls = 0;
  std::function<void()> on_acquire;
};

// Holds memory until it is asked to spill.
class Holder final : public MemoryUser {
 public:
  Holder(std::string name, TaskMemory* memory, std::vector<std::string>* order = nullptr)
      : name_(std::move(name)), memory_(memory), order_(order) {
    memory_->Register(this);
  }
  ~Holder() override {
    memory_->Unregister(this);
    Drop();
  }

  Status Hold(int64_t bytes) {
    Drop();
    RETURN_NOT_OK(memory_->Allocate(bytes, &bytes_));
    size_ = bytes;
    return Status::OK();
  }

  int64_t SpillableBytes() const override { return size_; }
  Result<int64_t> Spill() override {
    if (order_ != nullptr) order_->push_back(name_);
    if (!failure.ok()) return failure;
    if (spill_buffer > 0) {
      uint8_t* buffer = nullptr;
      RETURN_NOT_OK(memory_->Allocate(spill_buffer, &buffer));
      memory_->Free(buffer, spill_buffer);
    }
    const int64_t freed = size_;
    Drop();
    return freed;
  }
  std::string MemoryName() const override { return name_; }

  Status failure;
  int64_t spill_buffer = 0;

 private:
  void Drop() {
    if (bytes_ != nullptr) memory_->Free(bytes_, size_);
    bytes_ = nullptr;
    size_ = 0;
  }
  std::string name_;
  TaskMemory* memory_;
  std::vector<std::string>* order_;
  uint8_t* bytes_ = nullptr;
  int64_t size_ = 0;
};

TaskMemory::Options OverCommit(int64_t bytes) { return {.over_commit_bytes = bytes}; }

TEST(TaskMemory, AsksForMemoryInChunksAndGivesItBack) {
  LimitedManager manager(100 * kMiB);
  {
    TaskMemory memory(&manager);
    std::vector<uint8_t*> buffers(64);
    for (uint8_t*& buffer : buffers) ASSERT_TRUE(memory.Allocate(16 << 10, &buffer).ok());
    EXPECT_EQ(memory.bytes_allocated(), kMiB);
    EXPECT_EQ(manager.calls, 1);
    EXPECT_EQ(manager.used, kMiB);
    for (uint8_t* buffer : buffers) memory.Free(buffer, 16 << 10);

    uint8_t* large = nullptr;
    ASSERT_TRUE(memory.Allocate(20 * kMiB, &large).ok());
    EXPECT_EQ(manager.used, 20 * kMiB);
    ASSERT_TRUE(memory.Reallocate(20 * kMiB, 30 * kMiB, &large).ok());
    EXPECT_EQ(manager.used, 30 * kMiB);
    EXPECT_EQ(memory.max_memory(), 30 * kMiB);
    memory.Free(large, 30 * kMiB);
    EXPECT_EQ(manager.used, kMiB) << "what is not used goes back, but for a chunk";
    EXPECT_EQ(memory.bytes_allocated(), 0);
  }
  EXPECT_EQ(manager.used, 0);
}

TEST(TaskMemory, AsksForLargerPiecesTheMoreItHas) {
  LimitedManager manager(1000 * kMiB);
  TaskMemory memory(&manager);
  std::vector<uint8_t*> buffers(2048);
  for (uint8_t*& buffer : buffers) ASSERT_TRUE(memory.Allocate(100 << 10, &buffer).ok());
  EXPECT_LE(manager.calls, 50) << "200 MiB in pieces of up to 8 MiB";
  EXPECT_LE(manager.used - memory.bytes_allocated(), 8 * kMiB);
  for (uint8_t* buffer : buffers) memory.Free(buffer, 100 << 10);
}

TEST(TaskMemory, GetsTheLastByteThatThereIs) {
  LimitedManager manager(10 * kMiB);
  TaskMemory memory(&manager, OverCommit(0));
  std::vector<uint8_t*> buffers(10 * 1024);
  for (uint8_t*& buffer : buffers) ASSERT_TRUE(memory.Allocate(1 << 10, &buffer).ok());
  EXPECT_EQ(manager.used, 10 * kMiB);
  uint8_t* one_more = nullptr;
  EXPECT_TRUE(memory.Allocate(1, &one_more).IsOutOfMemory());
  for (uint8_t* buffer : buffers) memory.Free(buffer, 1 << 10);
}

TEST(TaskMemory, AsksSeldomForWhatWasRefused) {
  LimitedManager manager(4 * kMiB);
  TaskMemory memory(&manager, OverCommit(8 * kMiB));
  std::vector<uint8_t*> buffers(128);
  for (uint8_t*& buffer : buffers) ASSERT_TRUE(memory.Allocate(64 << 10, &buffer).ok());
  EXPECT_LE(manager.calls, 4 + 2 * 5) << "not twice for each of the 64 that were over-committed";
  // What others give back is had again.
  manager.limit = 100 * kMiB;
  uint8_t* large = nullptr;
  ASSERT_TRUE(memory.Allocate(2 * kMiB, &large).ok());
  EXPECT_EQ(memory.granted(), memory.bytes_allocated());
  manager.calls = 0;
  for (uint8_t* buffer : buffers) memory.Free(buffer, 64 << 10);
  ASSERT_TRUE(memory.Reallocate(2 * kMiB, 12 * kMiB, &large).ok());
  EXPECT_EQ(manager.calls, 1) << "it was enough in between";
  memory.Free(large, 12 * kMiB);
}

TEST(TaskMemory, SpillsTheLargestThatIsNotComputingFirst) {
  LimitedManager manager(10 * kMiB);
  TaskMemory memory(&manager, OverCommit(0));
  std::vector<std::string> order;
  Holder small("small", &memory, &order), large("large", &memory, &order);
  Holder computing("computing", &memory, &order);
  ASSERT_TRUE(small.Hold(2 * kMiB).ok());
  ASSERT_TRUE(large.Hold(3 * kMiB).ok());
  ASSERT_TRUE(computing.Hold(5 * kMiB).ok());

  const ComputingScope scope(&memory, &computing);
  uint8_t* buffer = nullptr;
  ASSERT_TRUE(memory.Allocate(kMiB, &buffer).ok());
  EXPECT_EQ(order, std::vector<std::string>{"large"});
  EXPECT_EQ(memory.spilled_bytes(), 3 * kMiB);
  ASSERT_TRUE(memory.Reallocate(kMiB, 4 * kMiB, &buffer).ok());
  EXPECT_EQ(order, (std::vector<std::string>{"large", "small"}));
  memory.Free(buffer, 4 * kMiB);
}

TEST(TaskMemory, OverCommitsALittleAndThenFails) {
  LimitedManager manager(4 * kMiB);
  TaskMemory memory(&manager, OverCommit(2 * kMiB));
  Holder only("RepriseSort (LORE id 7)", &memory);
  const ComputingScope scope(&memory, &only);
  ASSERT_TRUE(only.Hold(6 * kMiB).ok());
  EXPECT_EQ(memory.granted(), 4 * kMiB);
  uint8_t* buffer = nullptr;
  const Status status = memory.Allocate(1, &buffer);
  EXPECT_TRUE(status.IsOutOfMemory());
  EXPECT_EQ(status.message(),
            "RepriseSort (LORE id 7) wants 1 bytes; the task has 6291456 bytes, 4194304 bytes were "
            "granted by Spark and nothing more can be spilled. More memory for a task: raise "
            "spark.memory.offHeap.size (with spark.memory.offHeap.enabled=true; else "
            "spark.executor.memory), or let fewer tasks run at once (spark.executor.cores)");
  EXPECT_EQ(memory.bytes_allocated(), 6 * kMiB);
}

TEST(TaskMemory, ReserveSpillsTheCallerToo) {
  LimitedManager manager(8 * kMiB);
  TaskMemory memory(&manager, OverCommit(0));
  std::vector<std::string> order;
  Holder caller("caller", &memory, &order), other("other", &memory, &order);
  ASSERT_TRUE(caller.Hold(5 * kMiB).ok());
  ASSERT_TRUE(other.Hold(2 * kMiB).ok());
  const ComputingScope scope(&memory, &caller);
  ASSERT_TRUE(memory.Reserve(&caller, 4 * kMiB).ok());
  EXPECT_EQ(order, std::vector<std::string>{"caller"});
  ASSERT_TRUE(memory.Reserve(&caller, 8 * kMiB).ok());
  EXPECT_EQ(order, (std::vector<std::string>{"caller", "other"}));
  const Status status = memory.Reserve(&caller, 9 * kMiB);
  EXPECT_TRUE(status.IsOutOfMemory());
  EXPECT_EQ(
      status.message().substr(0, 89),
      "caller wants 9437184 bytes; the task has 0 bytes, 8388608 bytes were granted by Spark and")
      << status.message();
}

TEST(TaskMemory, AFailedSpillIsTheAllocationsError) {
  LimitedManager manager(2 * kMiB);
  TaskMemory memory(&manager, OverCommit(kMiB));
  Holder full("RepriseSort", &memory);
  ASSERT_TRUE(full.Hold(2 * kMiB).ok());
  full.failure = Status::IOError("no space left");
  uint8_t* buffer = nullptr;
  EXPECT_EQ(memory.Allocate(kMiB, &buffer).ToString(),
            "IOError: RepriseSort, spilling: no space left");
  EXPECT_EQ(memory.bytes_allocated(), 2 * kMiB);
}

TEST(TaskMemory, SpillingMayOverCommitTwiceAndSpillsNobodyElse) {
  LimitedManager manager(4 * kMiB);
  TaskMemory memory(&manager, OverCommit(kMiB));
  std::vector<std::string> order;
  Holder first("first", &memory, &order), second("second", &memory, &order);
  ASSERT_TRUE(first.Hold(3 * kMiB).ok());
  ASSERT_TRUE(second.Hold(kMiB).ok());
  first.spill_buffer = kMiB;
  uint8_t* buffer = nullptr;
  ASSERT_TRUE(memory.Allocate(kMiB, &buffer).ok());
  EXPECT_EQ(order, std::vector<std::string>{"first"});
  memory.Free(buffer, kMiB);
}

TEST(TaskMemory, ASpillThatSparkAsksForGivesMemoryBack) {
  LimitedManager manager(8 * kMiB);
  TaskMemory memory(&manager, OverCommit(0));
  std::vector<std::string> order;
  Holder waiting("waiting", &memory, &order), computing("computing", &memory, &order);
  ASSERT_TRUE(waiting.Hold(3 * kMiB).ok());
  ASSERT_TRUE(computing.Hold(4 * kMiB).ok());
  const ComputingScope scope(&memory, &computing);
  EXPECT_EQ(*memory.SpillFor(2 * kMiB), 3 * kMiB);
  EXPECT_EQ(manager.used, 4 * kMiB);
  EXPECT_EQ(*memory.SpillFor(2 * kMiB), 0);
  EXPECT_EQ(order, std::vector<std::string>{"waiting"});
}

TEST(TaskMemory, ASpillOutOfAcquireFreesNothing) {
  LimitedManager manager(8 * kMiB);
  TaskMemory memory(&manager, OverCommit(0));
  Holder waiting("waiting", &memory);
  ASSERT_TRUE(waiting.Hold(3 * kMiB).ok());
  int64_t freed = -1;
  manager.on_acquire = [&] { freed = *memory.SpillFor(kMiB); };
  uint8_t* buffer = nullptr;
  ASSERT_TRUE(memory.Allocate(kMiB, &buffer).ok());
  EXPECT_EQ(freed, 0);
  EXPECT_EQ(waiting.SpillableBytes(), 3 * kMiB);
  memory.Free(buffer, kMiB);
}

TEST(TaskMemory, AnotherThreadAsksNobody) {
  LimitedManager manager(8 * kMiB);
  TaskMemory memory(&manager, OverCommit(kMiB));
  uint8_t* buffer = nullptr;
  uint8_t* refused = nullptr;
  Status granted, failed;
  std::thread([&] {
    granted = memory.Allocate(kMiB, &buffer);
    failed = memory.Allocate(1, &refused);
  }).join();
  EXPECT_TRUE(granted.ok());
  EXPECT_TRUE(failed.IsOutOfMemory());
  EXPECT_EQ(manager.calls, 0);
  memory.Free(buffer, kMiB);
  std::thread([&] {
    const TaskThreadScope scope(&memory);
    granted = memory.Allocate(2 * kMiB, &buffer);
  }).join();
  EXPECT_TRUE(granted.ok());
  EXPECT_EQ(manager.used, 2 * kMiB);
  memory.Free(buffer, 2 * kMiB);
}

TEST(TaskMemory, WithoutAManagerNothingIsRefused) {
  TaskMemory memory(nullptr, OverCommit(0));
  Holder user("user", &memory);
  EXPECT_TRUE(user.Hold(100 * kMiB).ok());
  EXPECT_TRUE(memory.Reserve(&user, int64_t{1} << 50).ok());
  EXPECT_EQ(*memory.SpillFor(1), 0);
  EXPECT_EQ(memory.max_memory(), 100 * kMiB);
}

// Keeps a buffer for every batch that it passes on, and never frees the last.
class Leaking final : public Operator {
 public:
  Leaking(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
          const TaskContext& context)
      : Operator(std::move(spec), std::move(inputs), context) {}
  static inline uint8_t* leaked = nullptr;
  bool spilled = false;

 private:
  int64_t SpillableBytes() const override { return 1; }
  Result<int64_t> Spill() override {
    spilled = true;
    CountSpilled(77);
    return 1;
  }
  Result<std::optional<Batch>> NextBatch() override {
    if (leaked == nullptr) RETURN_NOT_OK(pool()->Allocate(4096, &leaked));
    return Pull();
  }
};

TEST(TaskMemory, LeaksAreReportedByOperator) {
  TaskMemory memory(nullptr, {.tracks_users = true});
  TaskContext context;
  context.pool = &memory;
  context.memory = &memory;
  const auto fields = Fields({"a integer"});
  uint8_t* own = nullptr;
  ASSERT_TRUE(memory.Allocate(64, &own).ok());
  {
    Leaking leaking({"leaking", "RepriseLeaking", 9, "", "", fields, {fields}, {}},
                    SourceOf(fields, {BatchOf(fields, {"[1]"})}, context), context);
    ASSERT_TRUE(testing::Drain(&leaking).ok());
    EXPECT_FALSE(leaking.spilled);
  }
  using Leaks = std::vector<std::pair<std::string, int64_t>>;
  EXPECT_EQ(memory.LeaksByUser(),
            (Leaks{{"RepriseLeaking (LORE id 9)", 4096}, {"no operator", 64}}));
  memory.Free(Leaking::leaked, 4096);
  memory.Free(own, 64);
  EXPECT_EQ(memory.LeaksByUser(), Leaks{});
}

// Allocates more than the manager grants while its consumer waits for it.
class Greedy final : public Operator {
 public:
  Greedy(OperatorSpec spec, const TaskContext& context) : Operator(std::move(spec), {}, context) {}

 private:
  Result<std::optional<Batch>> NextBatch() override {
    ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateBuffer(2 * kMiB, pool()));
    return std::nullopt;
  }
};

TEST(TaskMemory, AnOperatorThatWaitsForItsInputSpills) {
  LimitedManager manager(kMiB);
  TaskMemory memory(&manager);
  TaskContext context;
  context.pool = &memory;
  context.memory = &memory;
  const auto fields = Fields({"a integer"});
  std::vector<std::unique_ptr<Operator>> inputs;
  inputs.push_back(std::make_unique<Greedy>(
      OperatorSpec{"greedy", "RepriseGreedy", 0, "", "", fields, {}, {}}, context));
  Leaking::leaked = reinterpret_cast<uint8_t*>(1);
  Leaking consumer({"leaking", "RepriseLeaking", 9, "", "", fields, {fields}, {}},
                   std::move(inputs), context);
  ASSERT_TRUE(consumer.Next().ok());
  Leaking::leaked = nullptr;
  EXPECT_TRUE(consumer.spilled);
  EXPECT_EQ(consumer.metrics().spilled_disk_bytes, 77);
  EXPECT_EQ(memory.spilled_disk_bytes(), 77);
  EXPECT_EQ(memory.spilled_bytes(), 1);
}

TEST(TaskMemory, ATraceShowsWhoSpills) {
  LimitedManager manager(4 * kMiB);
  TraceRecorder trace(std::make_shared<std::atomic<int64_t>>(100));
  TaskMemory memory(&manager, {.trace = &trace});
  Holder one("one", &memory);
  Holder other("other", &memory);
  ASSERT_TRUE(one.Hold(3 * kMiB).ok());
  ASSERT_TRUE(trace.events().empty());
  ASSERT_TRUE(memory.Reserve(&other, 2 * kMiB).ok());
  ASSERT_EQ(trace.events().size(), 1);
  const TraceEvent& spill = trace.events()[0];
  EXPECT_EQ(spill.range->name, "spill one");
  EXPECT_EQ(spill.range->category, "spill");
  EXPECT_EQ(spill.figures, (std::array<int64_t, 3>{3 * kMiB, 0, kNoTraceFigure}));
}

}  // namespace
}  // namespace reprise
