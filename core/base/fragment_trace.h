// What a fragment holds while it is traced.
#pragma once

#include <memory>

#include "base/trace_file.h"

namespace reprise {

/// Records the ranges of one fragment of a task and hands them to the file of the process at the
/// end. Used by one thread at a time.
class FragmentTrace {
 public:
  FragmentTrace(std::shared_ptr<TraceFile> file, const TraceTask& task);
  /// Ends it, if that has not been done.
  ~FragmentTrace();
  FragmentTrace(const FragmentTrace&) = delete;
  FragmentTrace& operator=(const FragmentTrace&) = delete;

  TraceRecorder* recorder() { return recorder_.get(); }

  /// What follows runs on the calling thread: its ranges go to the lane of that thread, where they
  /// are properly nested.
  void MoveToThisThread();

  /// Nothing is recorded any more. Status::IOError as TraceFile::End says.
  Status End();

 private:
  const std::shared_ptr<TraceFile> file_;
  const TraceTask task_;
  std::unique_ptr<TraceRecorder> recorder_;
  std::thread::id thread_;
};

}  // namespace reprise
