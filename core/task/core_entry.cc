#include "task/core_entry.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <unordered_map>

#include "base/trace.h"

namespace reprise {

namespace {

// How often a waiting task looks whether it is cancelled.
constexpr auto kCancelledInterval = std::chrono::milliseconds(100);

constexpr TraceRange kWaitRange = {"wait for concurrentTasks", "wait"};
constexpr TraceRange kRowsRange = {"rows from Spark", "jvm", {"rows"}};
constexpr TraceRange kBlockRange = {"block from Spark", "jvm", {"bytes"}};
constexpr TraceRange kBatchRange = {"batch of another fragment", "jvm", {"rows"}};
constexpr TraceRange kColumnsRange = {"columns from Spark", "jvm", {"rows"}};
constexpr TraceRange kArrowRange = {"rows of Python", "jvm", {"rows"}};
constexpr TraceRange kGuestRange = {"guests of Spark", "jvm", {"rows"}};
constexpr TraceRange kAcquireRange = {"ask Spark for memory", "memory", {"bytes", "granted"}};
constexpr TraceRange kReleaseRange = {"give memory back", "memory", {"bytes"}};

// The tasks that are inside, each with the number of its fragments that are.
struct InsideTasks {
  std::mutex mutex;
  std::condition_variable left;
  std::unordered_map<int64_t, int> fragments;
};

InsideTasks& Inside() {
  // Never destroyed: tasks of a JVM that exits may still run.
  static auto* inside = new InsideTasks();
  return *inside;
}

Result<RowSource::Filled> FillOutside(RowSource& source, CoreEntry* entry, const TraceRange& what,
                                      uint8_t* rows, int64_t capacity, int32_t* lengths,
                                      int32_t rows_max) {
  return entry->Read([&] {
    TraceScope range(entry->trace(), what);
    auto filled = source.Fill(rows, capacity, lengths, rows_max);
    if (filled.ok()) range.Count(filled->rows);
    return filled;
  });
}

class OutsideRows final : public RowSource {
 public:
  OutsideRows(std::unique_ptr<RowSource> source, CoreEntry* entry)
      : source_(std::move(source)), entry_(entry) {}
  Result<Filled> Fill(uint8_t* rows, int64_t capacity, int32_t* lengths,
                      int32_t rows_max) override {
    return FillOutside(*source_, entry_, kRowsRange, rows, capacity, lengths, rows_max);
  }

 private:
  std::unique_ptr<RowSource> source_;
  CoreEntry* entry_;
};

// The next of what a source gives, read outside. `count` tells the range how much it is.
template <typename Source, typename Count>
auto NextOutside(Source& source, CoreEntry* entry, const TraceRange& of, Count&& count) {
  return entry->Read([&] {
    TraceScope range(entry->trace(), of);
    auto next = source.Next();
    if (next.ok()) count(*next, range);
    return next;
  });
}

// Of a source of columns: 0 rows, or fewer, where there is no batch.
void CountRows(int64_t rows, TraceScope& range) { range.Count(std::max<int64_t>(0, rows)); }

class OutsideBlocks final : public BlockSource {
 public:
  OutsideBlocks(std::unique_ptr<BlockSource> source, CoreEntry* entry)
      : source_(std::move(source)), entry_(entry) {}
  Result<std::shared_ptr<arrow::Buffer>> Next(arrow::MemoryPool* pool) override {
    return entry_->Read([&] {
      TraceScope range(entry_->trace(), kBlockRange);
      auto block = source_->Next(pool);
      if (block.ok() && *block != nullptr) range.Count((*block)->size());
      return block;
    });
  }

 private:
  std::unique_ptr<BlockSource> source_;
  CoreEntry* entry_;
};

class OutsideBatches final : public BatchSource {
 public:
  OutsideBatches(std::unique_ptr<BatchSource> source, CoreEntry* entry)
      : source_(std::move(source)), entry_(entry) {}
  Result<std::optional<Batch>> Next() override {
    return NextOutside(*source_, entry_, kBatchRange, [](const auto& batch, TraceScope& range) {
      if (batch) range.Count(batch->selected_count());
    });
  }

 private:
  std::unique_ptr<BatchSource> source_;
  CoreEntry* entry_;
};

class OutsideArrow final : public ArrowSource {
 public:
  OutsideArrow(std::unique_ptr<ArrowSource> source, CoreEntry* entry)
      : source_(std::move(source)), entry_(entry) {}
  Result<std::optional<ForeignColumns>> Next() override {
    return NextOutside(*source_, entry_, kArrowRange, [](const auto& columns, TraceScope& range) {
      if (columns) range.Count(columns->rows);
    });
  }
  Result<std::optional<Batch>> Kept() override { return source_->Kept(); }

 private:
  std::unique_ptr<ArrowSource> source_;
  CoreEntry* entry_;
};

class OutsideColumns final : public ColumnSource {
 public:
  OutsideColumns(std::unique_ptr<ColumnSource> source, CoreEntry* entry)
      : source_(std::move(source)), entry_(entry) {}
  Result<int64_t> Next() override {
    return NextOutside(*source_, entry_, kColumnsRange, CountRows);
  }
  // What is there is copied at once: nobody waits for anything.
  Result<int64_t> CopyFixed(int column, int64_t first, int64_t count, int width, uint8_t* values,
                            uint8_t* nulls) override {
    return source_->CopyFixed(column, first, count, width, values, nulls);
  }
  Result<int64_t> CopyBytes(int column, int64_t first, int64_t count, uint8_t* values,
                            int64_t capacity, int32_t* lengths) override {
    return source_->CopyBytes(column, first, count, values, capacity, lengths);
  }
  Status Raise() override { return source_->Raise(); }

 private:
  std::unique_ptr<ColumnSource> source_;
  CoreEntry* entry_;
};

class OutsideCache final : public CacheSource {
 public:
  OutsideCache(std::unique_ptr<CacheSource> source, CoreEntry* entry)
      : source_(std::move(source)), entry_(entry) {}
  Result<int64_t> Next() override {
    return NextOutside(*source_, entry_, kColumnsRange, CountRows);
  }
  Status Raise() override { return source_->Raise(); }
  Result<std::shared_ptr<arrow::Buffer>> Column(int column, arrow::MemoryPool* pool) override {
    return source_->Column(column, pool);
  }

 private:
  std::unique_ptr<CacheSource> source_;
  CoreEntry* entry_;
};

class OutsideGuests final : public GuestRows {
 public:
  OutsideGuests(std::unique_ptr<GuestRows> guests, CoreEntry* entry)
      : guests_(std::move(guests)), entry_(entry) {}
  Status Begin(const EncodedRows& rows) override { return guests_->Begin(rows); }
  Result<Filled> Fill(uint8_t* rows, int64_t capacity, int32_t* lengths,
                      int32_t rows_max) override {
    return FillOutside(*guests_, entry_, kGuestRange, rows, capacity, lengths, rows_max);
  }
  Result<std::vector<std::pair<int, Status>>> Failures() override { return guests_->Failures(); }

 private:
  std::unique_ptr<GuestRows> guests_;
  CoreEntry* entry_;
};

class OutsideGroups final : public GuestGroups {
 public:
  OutsideGroups(std::unique_ptr<GuestGroups> groups, CoreEntry* entry)
      : groups_(std::move(groups)), entry_(entry) {}
  Status Clear() override { return groups_->Clear(); }
  Status Update(const EncodedRows& rows, const int32_t* groups) override {
    return Add(rows, [&] { return groups_->Update(rows, groups); });
  }
  Status Merge(const EncodedRows& rows, const int32_t* groups) override {
    return Add(rows, [&] { return groups_->Merge(rows, groups); });
  }
  Status Begin(int32_t begin, int32_t end, bool results) override {
    return groups_->Begin(begin, end, results);
  }
  Result<Filled> Fill(uint8_t* rows, int64_t capacity, int32_t* lengths,
                      int32_t rows_max) override {
    return FillOutside(*groups_, entry_, kGuestRange, rows, capacity, lengths, rows_max);
  }

 private:
  template <typename Added>
  Status Add(const EncodedRows& rows, Added&& add) {
    return entry_->Read([&] {
      TraceScope range(entry_->trace(), kGuestRange);
      range.Count(rows.row_count);
      return add();
    });
  }

  std::unique_ptr<GuestGroups> groups_;
  CoreEntry* entry_;
};

class OutsidePieces final : public PieceSource {
 public:
  OutsidePieces(std::unique_ptr<PieceSource> source, CoreEntry* entry)
      : source_(std::move(source)), entry_(entry) {}
  Status Read(int32_t file, int64_t start, int64_t length) override {
    return source_->Read(file, start, length);
  }
  Result<Filled> Fill(uint8_t* rows, int64_t capacity, int32_t* lengths,
                      int32_t rows_max) override {
    return FillOutside(*source_, entry_, kRowsRange, rows, capacity, lengths, rows_max);
  }

 private:
  std::unique_ptr<PieceSource> source_;
  CoreEntry* entry_;
};

class OutsideManager final : public MemoryManager {
 public:
  OutsideManager(std::shared_ptr<MemoryManager> manager, CoreEntry* entry)
      : manager_(std::move(manager)), entry_(entry) {}
  int64_t Acquire(int64_t bytes) override {
    return entry_->Outside([&] {
      TraceScope range(entry_->trace(), kAcquireRange);
      const int64_t granted = manager_->Acquire(bytes);
      range.Count(bytes, granted);
      return granted;
    });
  }
  // Spark's lock may be held by another thread of the task that waits for memory.
  void Release(int64_t bytes) override {
    entry_->Outside([&] {
      TraceScope range(entry_->trace(), kReleaseRange);
      range.Count(bytes);
      manager_->Release(bytes);
      return true;
    });
  }

 private:
  std::shared_ptr<MemoryManager> manager_;
  CoreEntry* entry_;
};

}  // namespace

CoreEntry::CoreEntry(int64_t task, int64_t limit, bool reads_by_itself,
                     std::function<bool()> cancelled, TraceRecorder* trace)
    : task_(task),
      limit_(limit),
      cancelled_(std::move(cancelled)),
      trace_(trace),
      may_begin_inside_(reads_by_itself) {}

CoreEntry::~CoreEntry() { Leave(); }

Status CoreEntry::Enter() {
  if (limit_ == 0 || is_inside_) return Status::OK();
  InsideTasks& inside = Inside();
  std::unique_lock lock(inside.mutex);
  const auto may_enter = [&] {
    return inside.fragments.contains(task_) ||
           static_cast<int64_t>(inside.fragments.size()) < limit_;
  };
  if (!may_enter()) {
    const TraceScope waits(trace_, kWaitRange);
    const int64_t start = MonotonicNs();
    while (!inside.left.wait_for(lock, kCancelledInterval, may_enter)) {
      lock.unlock();
      const bool is_cancelled = cancelled_ && cancelled_();
      lock.lock();
      if (!is_cancelled) continue;
      waited_ns_ += MonotonicNs() - start;
      return Status::Cancelled("the task was cancelled while it waited to enter the core");
    }
    waited_ns_ += MonotonicNs() - start;
  }
  ++inside.fragments[task_];
  is_inside_ = true;
  may_begin_inside_ = true;
  return Status::OK();
}

void CoreEntry::Leave() {
  if (!is_inside_) return;
  is_inside_ = false;
  InsideTasks& inside = Inside();
  {
    const std::lock_guard lock(inside.mutex);
    const auto own = inside.fragments.find(task_);
    if (--own->second > 0) return;
    inside.fragments.erase(own);
  }
  inside.left.notify_one();
}

TaskSource OutsideCore(TaskSource source, CoreEntry* entry) {
  if (auto* rows = std::get_if<std::unique_ptr<RowSource>>(&source)) {
    return std::unique_ptr<RowSource>(std::make_unique<OutsideRows>(std::move(*rows), entry));
  }
  if (auto* blocks = std::get_if<std::unique_ptr<BlockSource>>(&source)) {
    return std::unique_ptr<BlockSource>(std::make_unique<OutsideBlocks>(std::move(*blocks), entry));
  }
  if (auto* batches = std::get_if<std::unique_ptr<BatchSource>>(&source)) {
    return std::unique_ptr<BatchSource>(
        std::make_unique<OutsideBatches>(std::move(*batches), entry));
  }
  if (auto* arrow = std::get_if<std::unique_ptr<ArrowSource>>(&source)) {
    return std::unique_ptr<ArrowSource>(std::make_unique<OutsideArrow>(std::move(*arrow), entry));
  }
  if (auto* columns = std::get_if<std::unique_ptr<ColumnSource>>(&source)) {
    return std::unique_ptr<ColumnSource>(
        std::make_unique<OutsideColumns>(std::move(*columns), entry));
  }
  if (auto* cache = std::get_if<std::unique_ptr<CacheSource>>(&source)) {
    return std::unique_ptr<CacheSource>(std::make_unique<OutsideCache>(std::move(*cache), entry));
  }
  if (auto* guests = std::get_if<std::unique_ptr<GuestRows>>(&source)) {
    return std::unique_ptr<GuestRows>(std::make_unique<OutsideGuests>(std::move(*guests), entry));
  }
  if (auto* groups = std::get_if<std::unique_ptr<GuestGroups>>(&source)) {
    return std::unique_ptr<GuestGroups>(std::make_unique<OutsideGroups>(std::move(*groups), entry));
  }
  if (auto* pieces = std::get_if<std::unique_ptr<PieceSource>>(&source)) {
    return std::unique_ptr<PieceSource>(std::make_unique<OutsidePieces>(std::move(*pieces), entry));
  }
  return source;
}

std::unique_ptr<MemoryManager> OutsideCore(std::shared_ptr<MemoryManager> manager,
                                           CoreEntry* entry) {
  if (!manager) return nullptr;
  return std::make_unique<OutsideManager>(std::move(manager), entry);
}

}  // namespace reprise
