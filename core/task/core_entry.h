// Who may compute: the limit on the tasks that are inside the core at once.
#pragma once

#include <cstdint>
#include <functional>

#include "base/trace.h"
#include "operators/task_memory.h"
#include "task/task_source.h"

namespace reprise {

/// One fragment's way into the core. Of all tasks of the process at most `limit` (0: any number)
/// are inside at once; fragments of one task count once, on whichever threads they run.
///
/// A fragment is inside from Begin to Leave, which surround each call of the plug-in, but not while
/// it waits for what is outside: the plug-in's rows, blocks and batches, and Spark's memory
/// manager. Before its first row, block or batch has come it is not inside either. Whoever is
/// inside waits for nobody, so that the limit cannot be the cause of a deadlock. Used by one thread
/// at a time.
class CoreEntry {
 public:
  /// `task`: Spark's task attempt id. `cancelled` is asked while it waits; may be empty.
  /// `reads_by_itself`: not all it reads comes from the plug-in.
  /// `trace` records what is waited for and what is read; may be null.
  CoreEntry(int64_t task, int64_t limit, bool reads_by_itself, std::function<bool()> cancelled,
            TraceRecorder* trace = nullptr);
  ~CoreEntry();
  CoreEntry(const CoreEntry&) = delete;
  CoreEntry& operator=(const CoreEntry&) = delete;

  /// A call of the plug-in begins: enters, unless nothing to work on has come yet.
  Status Begin() { return may_begin_inside_ ? Enter() : Status::OK(); }
  /// Waits until the task may be inside. Status::Cancelled where the task is cancelled meanwhile.
  Status Enter();
  /// Does nothing where the fragment is outside.
  void Leave();

  /// Runs `function`, which gives a Result, outside; with what it gives, the fragment is inside.
  template <typename Function>
  auto Read(Function&& function) {
    Leave();
    auto result = function();
    const Status entered = Enter();
    if (result.ok() && !entered.ok()) result = entered;
    return result;
  }

  /// Runs `function` outside; the fragment is inside again afterwards, if it was before and the
  /// task is not cancelled meanwhile.
  template <typename Function>
  auto Outside(Function&& function) {
    const bool was_inside = is_inside_;
    Leave();
    auto result = function();
    if (was_inside) (void)Enter();
    return result;
  }

  TraceRecorder* trace() const { return trace_; }

  /// Time that Enter has waited.
  int64_t waited_ns() const { return waited_ns_; }

 private:
  const int64_t task_;
  const int64_t limit_;
  const std::function<bool()> cancelled_;
  TraceRecorder* const trace_;
  bool may_begin_inside_;
  bool is_inside_ = false;
  int64_t waited_ns_ = 0;
};

/// The same source, which is read outside. `entry` must outlive it.
TaskSource OutsideCore(TaskSource source, CoreEntry* entry);

/// The same manager, which is asked outside: it may wait for memory that other tasks have.
std::unique_ptr<MemoryManager> OutsideCore(std::shared_ptr<MemoryManager> manager,
                                           CoreEntry* entry);

}  // namespace reprise
