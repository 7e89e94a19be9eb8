// The trace file of a process: what its tasks have recorded, in Chrome's trace event format.
//
// The file is a JSON array of events, one a line, which Perfetto (ui.perfetto.dev) and
// chrome://tracing load. It is closed ("]") after every task; should the process die while it
// writes, the bracket is missing, which both accept.
//
//   [
//   {"ph":"M","pid":2,"name":"process_name","args":{"name":"executor 1"}},
//   {"ph":"M","pid":2,"tid":1,"name":"thread_name","args":{"name":"task slot 1"}},
//   {"ph":"X","pid":2,"tid":1,"ts":1520.25,"dur":90.5,"cat":"task","name":"task 3.7",
//    "args":{"stage":3,"partition":7,"attempt":41}},
//   {"ph":"X",…,"cat":"operator","name":"RepriseFilter [loreId=5]",
//    "args":{"loreId":5,…,"rows":4096,"bytes":65536,"batch":0}}
//   ]
//
// `ts` and `dur` are microseconds; `ts` counts from the start of the application, so that the files
// of several executors line up as well as their clocks do.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/status.h"
#include "base/trace.h"

namespace reprise {

/// Where and as whom a process traces.
struct TraceProcess {
  std::string directory;    ///< a local path; made where it is absent
  std::string application;  ///< Spark's id of it
  std::string executor;     ///< Spark's id of the process: "1", or "driver"
  int64_t start_ms = 0;     ///< when the application started, since 1970
};

/// A task attempt.
struct TraceTask {
  int stage = 0;
  int partition = 0;
  int64_t attempt = 0;     ///< unique in the application
  int64_t events_max = 0;  ///< what is kept of it
};

/// Makes the directory where it is absent. Status::IOError where it is not a directory, cannot be
/// made or cannot be written to.
Status PrepareTraceDirectory(const std::string& directory);

/// Gathers the ranges of the tasks of a process. Ranges are drawn in lanes, one for each task that
/// runs at the same time (and for each further thread on which Spark runs a part of a task), which
/// later tasks use again. All methods may be called by any thread.
class TraceFile {
 public:
  /// The file that `process` traces to, `directory`/trace-APPLICATION-EXECUTOR.json: one object for
  /// each path. Cannot fail: what is wrong with the path is found when it is written to.
  static std::shared_ptr<TraceFile> OfProcess(const TraceProcess& process);

  /// A file at a path of one's own, which is replaced. `name` is the process's.
  TraceFile(std::string path, std::string name, int pid, int64_t start_ms);

  /// Writes the file without a task, to find out whether that can be done. Status::IOError.
  Status Start() { return Append({}, ""); }

  /// A fragment of `task` begins; it counts as one of those whose ranges are written together.
  std::unique_ptr<TraceRecorder> Begin(const TraceTask& task);

  /// The lane of the calling thread for a task that has begun.
  int LaneHere(const TraceTask& task);

  /// A fragment ends. With the last one of a task, all that the task has recorded is appended to
  /// the file. Status::IOError where it cannot be written: then the file is as it was before, and
  /// the task's ranges are lost.
  Status End(const TraceTask& task, std::unique_ptr<TraceRecorder> recorder);

  const std::string& path() const { return path_; }

 private:
  struct Lane {
    int number;
    int64_t start_ns;
  };
  struct OpenTask {
    int fragments = 0;
    std::map<std::thread::id, Lane> lanes;
    std::shared_ptr<std::atomic<int64_t>> left;
    std::vector<std::unique_ptr<TraceRecorder>> ended;
  };

  const Lane& LaneOfThread(OpenTask* task);
  std::string TextOf(const TraceTask& task, const OpenTask& open, int64_t end_ns) const;
  std::string Microseconds(int64_t ns) const;
  std::string ProcessText() const;
  std::string LaneText(int lane) const;
  Status Append(const OpenTask& open, const std::string& text);

  const std::string path_;
  const std::string name_;
  const int pid_;
  const int64_t start_ms_;

  std::mutex tasks_mutex_;
  std::map<int64_t, OpenTask> tasks_;  // by attempt
  std::set<int> lanes_in_use_;

  std::mutex file_mutex_;
  bool is_begun_ = false;          // by this object
  std::set<int> lanes_described_;  // in the file
};

}  // namespace reprise
