#include <stdio.h>

#include <cerrno>
#include <filesystem>

#include "dump/file.h"
#include "dump/store.h"

namespace reprise {

namespace {

namespace fs = std::filesystem;

class GrowingLocalFile : public GrowingFile {
 public:
  explicit GrowingLocalFile(LineFile file) : file_(std::move(file)) {}
  Status Append(std::string_view line) override { return file_.Append(line); }
  Status Close() override { return file_.Close(); }

 private:
  LineFile file_;
};

class LocalFiles : public DumpStore {
 public:
  Result<Entry> Look(const std::string& path) override {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) return Entry::kAbsent;
    if (error) return SystemError(path, "look at", error.value());
    return fs::is_directory(status) ? Entry::kFolder : Entry::kFile;
  }

  Result<std::vector<std::string>> List(const std::string& folder) override {
    std::vector<std::string> names;
    std::error_code error;
    fs::directory_iterator entries(folder, error);
    if (error) return SystemError(folder, "list", error.value());
    for (const fs::directory_iterator end; entries != end; entries.increment(error)) {
      if (error) break;
      names.push_back(entries->path().filename().string());
    }
    if (error) return SystemError(folder, "list", error.value());
    return names;
  }

  Status CreateFolders(const std::string& folder) override {
    std::error_code error;
    fs::create_directories(folder, error);
    return error ? SystemError(folder, "create", error.value()) : Status::OK();
  }

  Result<bool> CreateFolder(const std::string& folder) override {
    std::error_code error;
    const bool created = fs::create_directory(folder, error);
    if (error) return SystemError(folder, "create", error.value());
    return created;
  }

  Result<std::string> Read(const std::string& file) override { return ReadWholeFile(file); }

  Status WriteNew(const std::string& file, std::string_view bytes) override {
    return WriteNewFile(file, bytes);
  }

  Result<std::unique_ptr<GrowingFile>> CreateGrowing(const std::string& path) override {
    ARROW_ASSIGN_OR_RAISE(LineFile file, LineFile::Create(path));
    return std::make_unique<GrowingLocalFile>(std::move(file));
  }

  Result<bool> RenameFolder(const std::string& from, const std::string& to) override {
    if (::rename(from.c_str(), to.c_str()) == 0) return true;
    if (errno == EEXIST || errno == ENOTEMPTY) return false;
    return SystemError(from, "rename to " + fs::path(to).filename().string(), errno);
  }

  Status RemoveFolder(const std::string& folder) override {
    std::error_code error;
    fs::remove_all(folder, error);
    return error ? SystemError(folder, "remove", error.value()) : Status::OK();
  }
};

}  // namespace

std::shared_ptr<DumpStore> LocalStore() {
  static const auto store = std::make_shared<LocalFiles>();
  return store;
}

}  // namespace reprise
