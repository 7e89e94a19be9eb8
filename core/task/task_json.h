// What the plug-in says of a task.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/task_settings.h"
#include "base/trace_file.h"
#include "transitions/cache_encoder.h"

namespace reprise {

/// A part of a file that a leaf reads.
struct TaskFile {
  std::string path;  ///< a URI or a local path, as Spark has it
  int64_t start = 0;
  int64_t length = 0;
  std::string partition_values;  ///< an UnsafeRow in base64; empty: a row without fields
  bool is_for_spark = false;     ///< as in FileSplit
};

/// A leaf's input: files, one of the sources that the task was opened with, or nothing.
struct TaskLeaf {
  enum class Kind { kNothing, kFiles, kRows, kColumns, kBlocks, kBatches, kArrow };
  Kind kind = Kind::kFiles;
  int source = 0;  ///< its number; not for files
  std::optional<int64_t>
      broadcast;  ///< for blocks or rows of a broadcast: unique in the process for what they hold
  std::vector<TaskFile> files;
  std::optional<int> store;   ///< the source that has those of the files that are not local
  std::optional<int> pieces;  ///< the source that gives what only Spark reads of the files
  /// {"files":[…]} as it came: what a dump says that the leaf read; null where nothing is known.
  nlohmann::json read;

  /// The member that says the kind: "files", "rows", "columns", "blocks", "batches" or "arrow";
  /// "nothing" without one.
  std::string_view kind_name() const;
};

/// `taskJson` of Native.open.
struct TaskDescription {
  int stage = 0;
  int partition = 0;
  int64_t attempt = 0;
  TaskSettings settings;
  std::optional<TraceProcess> trace;  ///< where the process traces to; absent: nowhere
  std::vector<TaskLeaf> leaves;
  std::optional<CacheLayout> cache;  ///< the rows leave as batches of a cached table
};

/// Reads
///   {"stage":3,"partition":7,"attempt":41,
///    "settings":{"spark.reprise.memory.debug":"true"},     base/task_settings.h
///    "process":{"application":"app-1","executor":"1","startMs":0,      which traces
///               "traces":"/local/folder"},
///    "leaves":[
///     {"files":[{"path":"file:///…","start":0,"length":1234,"partitionValues":"base64",
///                "forSpark":true}],"store":0,"pieces":1} |
///     {"rows":0,"broadcast":18,"files":[…]} | {"columns":0} | {"blocks":0,"broadcast":17} |
///     {"batches":0} | {"arrow":0} | {}],
///    "cache":{"rows":10000,"compressed":true}}
/// The "files" of rows are those that Spark reads the rows from.
/// "traces" is where the process traces to if the directory for traces is not a local one.
/// "settings", "partitionValues", "forSpark", "store", "pieces", "broadcast" and "cache" may be
/// absent, "process" where the settings name no directory for traces, and "traces". Anything
/// missing, mistyped or negative is Status::Invalid that names it.
Result<TaskDescription> ParseTask(std::string_view json);

}  // namespace reprise
