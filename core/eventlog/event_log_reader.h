// The lines of an event log, one event each, in the order in which Spark wrote them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eventlog/event_log_files.h"
#include "eventlog/log_codec.h"

namespace reprise {

/// One line without its line end. Valid until the next line is read; at least kLinePaddingBytes
/// bytes after it can be read (not written), as the parser wants.
struct LogLine {
  std::string_view text;
  int64_t number = 0;  ///< within its file, from 1
  bool ended = true;   ///< false: the last line of a file, with no line end: it may be torn
};

inline constexpr size_t kLinePaddingBytes = 64;

/// What is wrong at a place of a log.
struct LogDamage {
  std::string file;
  int64_t line = 0;  ///< 0: the file itself
  std::string what;

  /// "events_1_app line 12: …"
  std::string ToString() const;
};

/// The damages of a log: the first kKept with their texts, and how many there are.
class LogDamages {
 public:
  static constexpr size_t kKept = 100;

  void Add(LogDamage damage) {
    if (kept_.size() < kKept) kept_.push_back(std::move(damage));
    ++count_;
  }
  const std::vector<LogDamage>& kept() const { return kept_; }
  int64_t count() const { return count_; }

 private:
  std::vector<LogDamage> kept_;
  int64_t count_ = 0;
};

/// Status::Invalid unless the log's first file begins as event logs do, or as far as it goes could.
/// Damage is no reason: one event within the first lines is enough.
Status ExpectEventLog(const EventLogFiles& log);

/// Reads one file after the other through one buffer, which grows to the longest line.
class EventLogReader {
 public:
  explicit EventLogReader(EventLogFiles log);

  /// The next line; nothing at the log's end. Damage within a file (a torn end, an undecodable
  /// chunk, a line above 512 MiB) is noted and read past. Status::IOError where a file can't be
  /// read.
  Result<std::optional<LogLine>> Next();

  /// Notes that the line that Next gave last is damaged.
  void Damaged(std::string what);
  const LogDamages& damages() const { return damages_; }

  const EventLogFiles& log() const { return log_; }
  /// Bytes of the files read so far, of log().bytes.
  int64_t position() const { return bytes_before_ + (file_ ? file_->position() : 0); }
  /// The codec of the newest file: "none", "zstd", …
  std::string_view codec() const { return codec_; }
  /// Bytes of text read so far.
  int64_t text_bytes() const { return text_bytes_; }

 private:
  Result<bool> NextFile();
  Result<size_t> Fill();
  Status SkipLongLine();
  std::string FileName() const;

  EventLogFiles log_;
  size_t next_file_ = 0;
  std::unique_ptr<LogBytes> file_;
  std::string_view codec_ = "none";
  int64_t bytes_before_ = 0;
  int64_t line_ = 0;
  int64_t text_bytes_ = 0;

  std::unique_ptr<char[]> buffer_;  // capacity_ bytes and the padding; text in [begin_, end_)
  size_t capacity_;
  size_t begin_ = 0;
  size_t end_ = 0;
  LogDamages damages_;
};

}  // namespace reprise
