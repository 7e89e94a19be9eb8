// The last bytes of files that were read lately, where Parquet has its footer: of small files that
// is all of them. Kept by the process, for tasks that read other splits of a file, or the file
// again.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "scan/file_store.h"

namespace reprise {

/// Bytes up to the end of a file of that version.
struct FileTail {
  FileVersion version;
  std::shared_ptr<const std::string> bytes;
};

/// Keeps at most `bytes_max` bytes, those that were used last. Any thread may call it.
class FileTails {
 public:
  explicit FileTails(int64_t bytes_max) : bytes_max_(bytes_max) {}

  /// The process's own.
  static FileTails& OfProcess();

  /// What is known of the file at `location`; nothing where `bytes` is null.
  FileTail Find(const std::string& location);

  /// Keeps a tail in place of what was known of the file.
  void Keep(const std::string& location, FileTail tail);

  int64_t bytes() const;

 private:
  struct Kept {
    std::string location;
    FileTail tail;
  };

  void Forget(std::list<Kept>::iterator kept);

  const int64_t bytes_max_;
  mutable std::mutex mutex_;
  std::list<Kept> kept_;  // the last used first
  std::unordered_map<std::string, std::list<Kept>::iterator> by_location_;
  int64_t bytes_ = 0;
};

}  // namespace reprise
