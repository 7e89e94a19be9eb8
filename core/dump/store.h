// Where a dump lies: what its writer needs of a file system.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace reprise {

/// A new file that grows by whole lines, each of them out of this process when Append returns.
class GrowingFile {
 public:
  virtual ~GrowingFile() = default;
  virtual Status Append(std::string_view line) = 0;
  virtual Status Close() = 0;
};

/// A file system. Every error is a Status::IOError "PATH: cannot ACTION: reason".
class DumpStore {
 public:
  enum class Entry { kAbsent, kFolder, kFile };

  virtual ~DumpStore() = default;
  virtual Result<Entry> Look(const std::string& path) = 0;
  /// The names of what is in a folder.
  virtual Result<std::vector<std::string>> List(const std::string& folder) = 0;
  /// Makes the folder and those above it, where they are absent.
  virtual Status CreateFolders(const std::string& folder) = 0;
  /// Makes the folder; false where it exists already.
  virtual Result<bool> CreateFolder(const std::string& folder) = 0;
  virtual Result<std::string> Read(const std::string& file) = 0;
  /// Writes a file that must not exist yet.
  virtual Status WriteNew(const std::string& file, std::string_view bytes) = 0;
  virtual Result<std::unique_ptr<GrowingFile>> CreateGrowing(const std::string& file) = 0;
  /// True when the folder `from` is now `to`, false where `to` exists already and is not empty.
  virtual Result<bool> RenameFolder(const std::string& from, const std::string& to) = 0;
  virtual Status RemoveFolder(const std::string& folder) = 0;
};

/// Files of this machine.
std::shared_ptr<DumpStore> LocalStore();

/// The path of what is called `name` in a folder.
inline std::string Within(std::string_view folder, std::string_view name) {
  return fmt::format("{}/{}", folder, name);
}

/// A folder in a store.
struct DumpPlace {
  std::shared_ptr<DumpStore> store;
  std::string path;  ///< without slashes at its end
};

/// The place of a dump path given as Hadoop writes it: file:/a/b, /a/b, hdfs://host/a/b. Nothing is
/// decoded, as in Hadoop's Path. Status::Invalid for a relative path, a file: URI with a host, and
/// a scheme that there is no file system for.
Result<DumpPlace> OpenDumpPlace(std::string_view uri);

/// Opens the file system of a URI of another scheme than file; Status::Invalid where there is none.
using StoreOpener = std::function<Result<std::shared_ptr<DumpStore>>(const std::string& uri)>;

/// Says who opens other file systems than this machine's. Without one they are not supported.
/// Called once, before any dump.
void SetStoreOpener(StoreOpener opener);

}  // namespace reprise
