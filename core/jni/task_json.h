// What the plug-in says of a task.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace reprise {

/// A part of a file that a leaf reads.
struct TaskFile {
  std::string path;  ///< a URI or a local path, as Spark has it
  int64_t start = 0;
  int64_t length = 0;
  std::string partition_values;  ///< an UnsafeRow in base64; empty: a row without fields
};

/// A leaf's input: files, or the row source number `row_source`.
struct TaskLeaf {
  bool is_rows = false;
  int row_source = 0;
  std::vector<TaskFile> files;
};

/// `taskJson` of Native.open.
struct TaskDescription {
  int stage = 0;
  int partition = 0;
  int64_t attempt = 0;
  int64_t batch_rows = 32768;
  bool memory_debug = false;  ///< whether memory that is not given back fails the task
  std::vector<TaskLeaf> leaves;
};

/// Reads
///   {"stage":3,"partition":7,"attempt":41,"batchRows":32768,"memoryDebug":false,"leaves":[
///     {"files":[{"path":"file:///…","start":0,"length":1234,"partitionValues":"base64"}]} |
///     {"rows":0}]}
/// "batchRows", "memoryDebug" and "partitionValues" may be absent. Anything missing, mistyped or
/// negative is Status::Invalid that names it.
Result<TaskDescription> ParseTask(std::string_view json);

}  // namespace reprise
