// partition.meta: what one attempt recorded of one partition of a stream, batch by batch, as sealed
// JSON lines.
//
//   {"format":"reprise-dump","version":1,"kind":"partition","loreId":10,"stream":0,"partition":3,"stage":2,"attempt":41,
//    "batchRows":32768,"check":…}
//   {"batch":0,"file":"batch-0.parquet","rows":32768,"bytes":73211,"checksum":"16 hex","check":…}
//   one a batch
//   {"end":"exhausted","digest":{…},"check":…}                      last; absent while the attempt
//   runs or has died; of a failed one with "error" (raised_error.h)
//
// Every line's checksum is seeded with that of the line before, so that lines cannot be lost,
// swapped or mixed.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "checksums/digest.h"
#include "dump/raised_error.h"
#include "dump/store.h"

namespace reprise {

/// How the record of a stream ended.
enum class StreamEnd {
  kExhausted,  ///< the stream said that it has no more batches
  kStopped,    ///< its consumer asked for no more: the record is a prefix
  kFailed,     ///< the task failed: the record is not whole
  kTruncated,  ///< a limit of the capture was reached: batches that came after, or before, are
               ///< missing
};

std::string_view Name(StreamEnd end);

struct PartitionHeader {
  int64_t lore_id = 0;
  int stream = 0;  ///< as in RddMeta
  int partition = 0;
  int stage = 0;
  int64_t attempt = 0;
  int64_t batch_rows = 0;  ///< TaskContext::batch_rows_target
  nlohmann::json leaf;     ///< of a leaf operator's output: what the task read; else null
};

struct BatchEntry {
  std::string file;  ///< "batch-0.parquet"
  int64_t rows = 0;
  int64_t bytes = 0;
  uint64_t checksum = 0;  ///< XXH3-64 of the file
};

struct PartitionMeta {
  PartitionHeader header;
  std::vector<BatchEntry> batches;
  std::optional<StreamEnd> end;  ///< absent: the attempt is running, or its process died
  std::string limit;             ///< of kTruncated: "maxRows", "maxBytes" or "ring"
  StreamDigest digest;           ///< of all rows that passed; set where `end` is
  /// With what the attempt has failed; absent where it has not, or where an older version wrote the
  /// record. Of kFailed, and of kTruncated where the batches up to the failure are there.
  std::optional<RaisedError> error;
  bool digest_only = false;  ///< the rows were counted, but not recorded: there are no batches
  bool torn = false;         ///< the last line was cut: the file ends in the middle of it

  /// Whether every batch that passed is there.
  bool complete() const {
    return end && *end != StreamEnd::kFailed && *end != StreamEnd::kTruncated;
  }
  /// The attempt has failed, and the record goes up to there.
  bool attempt_failed() const { return end == StreamEnd::kFailed || error; }
  int64_t rows() const;
  int64_t bytes() const;
  /// Rows that passed, recorded or counted only.
  int64_t passed_rows() const { return digest_only ? digest.rows : rows(); }
};

/// "batch-7.parquet"
std::string BatchFileName(int64_t batch);

/// Writes partition.meta line by line; each line is in the file when the method returns.
class PartitionMetaWriter {
 public:
  PartitionMetaWriter() = default;
  static Result<PartitionMetaWriter> Create(DumpStore* store, const std::string& path,
                                            const PartitionHeader& header);
  Status AddBatch(const BatchEntry& batch);
  /// `limit`: of kTruncated, which one. `error`: PartitionMeta::error.
  Status End(StreamEnd end, const StreamDigest& digest, std::string_view limit = {},
             const std::optional<RaisedError>& error = std::nullopt);

 private:
  Status AddLine(const nlohmann::ordered_json& line);

  std::unique_ptr<GrowingFile> file_;
  int64_t batches_ = 0;
  uint64_t check_ = 0;
};

/// Reads and verifies a partition.meta. A file that stops between or within lines is read up to
/// there, without `end`; anything else that is wrong is an error that names the file, the line and
/// what was expected.
Result<PartitionMeta> ReadPartitionMeta(const std::string& path);

}  // namespace reprise
