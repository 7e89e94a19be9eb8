// The memory of a fragment in its task: counted, asked for from Spark, and made free by spilling.
#pragma once

#include <arrow/memory_pool.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/status.h"
#include "base/trace.h"

namespace reprise {

/// Where a task's memory comes from. jni/ implements it over Spark's TaskMemoryManager.
class MemoryManager {
 public:
  virtual ~MemoryManager() = default;
  /// Asks for `bytes` more and says how many of them were granted: 0 to `bytes`. May wait for other
  /// tasks, and may ask other users of the task's memory to spill; never the one that asks.
  virtual int64_t Acquire(int64_t bytes) = 0;
  /// Gives back what was granted.
  virtual void Release(int64_t bytes) = 0;
};

/// One that uses memory of a task, and may be able to move it to disk: the operators.
class MemoryUser {
 public:
  virtual ~MemoryUser() = default;

  /// What Spill would free, in bytes, about; 0: nothing. Asked for only while not computing.
  virtual int64_t SpillableBytes() const { return 0; }

  /// Moves state to disk and gives its memory back to the pool. Returns the bytes freed. Called
  /// only while not computing: between two batches, while it waits for an input, or in its own
  /// Reserve.
  virtual Result<int64_t> Spill() { return 0; }

  /// How messages name it: "RepriseHashAggregate (LORE id 5)".
  virtual std::string MemoryName() const = 0;

 protected:
  MemoryUser() = default;

 private:
  friend class TaskMemory;
  friend class ComputingScope;
  bool is_computing_ = false;
};

/// The pool that everything in a fragment allocates from. It is granted memory by a MemoryManager
/// in pieces of 1 to 8 MiB, an eighth of what it has, so that an allocation is rarely a call into
/// Spark, and gives back what has not been used. Once it was granted less than it asked for, it
/// asks for no more than it needs: Spark may spill others for what it cannot grant.
///
/// An allocation uses what is granted; else more is asked for; else users that are not computing
/// spill, the largest first; else, up to `over_commit_bytes`, it is allowed nevertheless: batches
/// on their way between operators cannot be spilled. What was refused is asked for again only when
/// 1 MiB more is missing, or before an allocation is refused. Beyond that it is
/// Status::OutOfMemory. A call
/// on another thread than the task's (see TaskThreadScope) asks nobody: it may only over-commit,
/// and the task's thread asks for it at its next allocation.
///
/// Must outlive all that is allocated from it.
class TaskMemory final : public arrow::MemoryPool {
 public:
  struct Options {
    int64_t over_commit_bytes = int64_t{32} << 20;
    /// Whether to remember for every allocation by whom it was made (LeaksByUser): slow.
    bool tracks_users = false;
    /// For tests: memory is asked for whenever some is missing, and each request of so many is
    /// denied; what is missing then is asked for again once others have spilled. 0: none.
    int64_t deny_every = 0;
    /// Gives the memory; null: Arrow's default pool. Must outlive this object.
    arrow::MemoryPool* parent = nullptr;
    /// Records what spilling takes; must live until Detach.
    TraceRecorder* trace = nullptr;
  };

  /// `manager` is null where there is no limit, and must outlive this object.
  explicit TaskMemory(MemoryManager* manager) : TaskMemory(manager, Options()) {}
  TaskMemory(MemoryManager* manager, Options options);
  /// Gives back all that was granted.
  ~TaskMemory() override;

  using arrow::MemoryPool::Allocate;
  using arrow::MemoryPool::Free;
  using arrow::MemoryPool::Reallocate;
  Status Allocate(int64_t size, int64_t alignment, uint8_t** out) override;
  Status Reallocate(int64_t old_size, int64_t new_size, int64_t alignment, uint8_t** ptr) override;
  void Free(uint8_t* buffer, int64_t size, int64_t alignment) override;
  int64_t bytes_allocated() const override { return allocated_; }
  int64_t max_memory() const override { return peak_; }
  int64_t total_bytes_allocated() const override { return total_; }
  int64_t num_allocations() const override { return allocations_; }
  std::string backend_name() const override { return parent_->backend_name(); }

  /// Makes room for `bytes` more, as `user` is about to grow by so much: asks the manager, then
  /// spills users that are not computing, `user` among them, the largest first, then asks again.
  /// Status::OutOfMemory where that does not do, and over-committing would not either; it says how
  /// much was wanted and granted, and which settings of Spark give more.
  Status Reserve(MemoryUser* user, int64_t bytes);

  /// Spills, the largest first, until about `bytes` are free, and gives what is not used back to
  /// the manager: Spark wants the memory for another. Returns what was given back. 0 where this
  /// thread is within Acquire or a Spill of this object already.
  Result<int64_t> SpillFor(int64_t bytes);

  /// The task is over: gives back all that was granted, and has no manager any more. Frees may
  /// still come.
  void Detach();

  /// Makes room for `bytes` more without spilling and without over-committing; false where Spark
  /// does not grant it.
  bool TryReserve(int64_t bytes);

  /// Gives back what is granted and not used.
  void ReleaseUnused() override;

  void Register(MemoryUser* user) { users_.push_back(user); }
  void Unregister(MemoryUser* user) { std::erase(users_, user); }

  int64_t granted() const { return granted_; }
  /// What a batch may take, of `bytes` at most: once Spark has granted less than was asked for,
  /// only a share of what is granted, so that there is room for more than a few batches.
  int64_t BatchBytes(int64_t bytes) const;
  /// What was freed by spilling so far.
  int64_t spilled_bytes() const { return spilled_; }
  /// What spilling has written to disk so far.
  int64_t spilled_disk_bytes() const { return spilled_disk_; }
  /// Spill of `user`, recorded in the trace.
  Result<int64_t> SpillTraced(MemoryUser* user);
  void CountSpilledToDisk(int64_t bytes) { spilled_disk_ += bytes; }

  /// The bytes that have not been freed, by the name of the user that was computing when they were
  /// allocated, the most first. Empty unless Options::tracks_users.
  std::vector<std::pair<std::string, int64_t>> LeaksByUser() const;
  /// The most bytes at once that were allocated while a user computed, by its name. Empty unless
  /// Options::tracks_users.
  std::map<std::string, int64_t> PeaksByUser() const;

 private:
  friend class ComputingScope;
  friend class TaskThreadScope;

  bool OnTaskThread() const { return task_thread_.load() == std::this_thread::get_id(); }
  int64_t Missing(int64_t bytes) const { return allocated_ + bytes - granted_; }
  Status Claim(int64_t bytes);
  Status Cover(int64_t bytes);
  void Unclaim(int64_t bytes);
  void AcquireMissing(int64_t bytes);
  int64_t PieceBytes() const;
  Status SpillUntil(const std::function<bool()>& enough);
  MemoryUser* LargestSpillable(const std::vector<MemoryUser*>& except) const;
  Status SpillOne(MemoryUser* user);
  Status OutOfMemory(const std::string& who, int64_t bytes) const;
  void Track(uint8_t* buffer, int64_t size);
  void Untrack(uint8_t* buffer);

  std::atomic<MemoryManager*> manager_;
  const Options options_;
  arrow::MemoryPool* const parent_;
  std::atomic<int64_t> allocated_ = 0;
  std::atomic<int64_t> granted_ = 0;
  std::atomic<int64_t> peak_ = 0;
  std::atomic<int64_t> total_ = 0;
  std::atomic<int64_t> allocations_ = 0;
  std::atomic<std::thread::id> task_thread_;
  // The rest is the task thread's alone.
  int64_t spilled_ = 0;
  int64_t spilled_disk_ = 0;
  std::vector<MemoryUser*> users_;
  std::atomic<MemoryUser*> computing_ = nullptr;
  bool is_acquiring_ = false;
  bool is_short_ = false;  // less was granted than was asked for, the last time
  std::atomic<bool> was_short_ = false;
  int64_t requests_ = 0;  // counted where some are denied
  // What was missing in spite of asking and spilling, since memory was last enough.
  std::atomic<int64_t> refused_ = 0;
  bool is_spilling_ = false;
  // By whom each allocation was made, where that is tracked.
  mutable std::mutex tracking_mutex_;
  std::set<std::string> names_;
  std::unordered_map<const uint8_t*, std::pair<const std::string*, int64_t>> tracked_;
  struct Held {
    int64_t bytes = 0;
    int64_t peak = 0;
  };
  std::unordered_map<const std::string*, Held> held_;
};

/// While it lives, `user` computes (or, with `computes` false, waits for an input): its state is
/// not (is) safe to spill, and allocations count as its own. `memory` may be null.
class ComputingScope {
 public:
  ComputingScope(TaskMemory* memory, MemoryUser* user, bool computes = true);
  ~ComputingScope();
  ComputingScope(const ComputingScope&) = delete;
  ComputingScope& operator=(const ComputingScope&) = delete;

 private:
  TaskMemory* const memory_;
  MemoryUser* const user_;
  const bool was_computing_;
  MemoryUser* before_ = nullptr;
};

/// While it lives, this thread is the task's: it may ask the manager, and spill. A new TaskMemory
/// is on the thread that made it.
class TaskThreadScope {
 public:
  explicit TaskThreadScope(TaskMemory* memory)
      : memory_(memory), before_(memory->task_thread_.exchange(std::this_thread::get_id())) {}
  ~TaskThreadScope() { memory_->task_thread_ = before_; }
  TaskThreadScope(const TaskThreadScope&) = delete;
  TaskThreadScope& operator=(const TaskThreadScope&) = delete;

 private:
  TaskMemory* const memory_;
  const std::thread::id before_;
};

}  // namespace reprise
