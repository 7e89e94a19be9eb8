#include "dump/unpacked.h"

#include <cstdlib>
#include <filesystem>

#include "dump/dump_path.h"
#include "dump/pack.h"
#include "dump/store.h"

namespace reprise {

namespace fs = std::filesystem;

Result<Unpacked> Unpacked::Of(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return Unpacked(path);
  std::string folder = (fs::temp_directory_path(error) / "reprise-XXXXXX").string();
  if (error || mkdtemp(folder.data()) == nullptr) {
    return Status::IOError(path, ": no folder can be made to unpack it in: set TMPDIR");
  }
  Unpacked unpacked(Within(folder, "dump"));
  unpacked.temporary_ = folder;
  ARROW_ASSIGN_OR_RAISE(const PackReport report, UnpackDump(path, unpacked.folder_));
  if (report.operators.size() == 1) {
    unpacked.folder_ = Within(unpacked.folder_, OperatorFolder(report.operators[0]));
  }
  return unpacked;
}

Unpacked::Unpacked(Unpacked&& other) noexcept
    : folder_(std::move(other.folder_)), temporary_(std::exchange(other.temporary_, "")) {}

Unpacked::~Unpacked() {
  if (temporary_.empty()) return;
  std::error_code ignored;
  fs::remove_all(temporary_, ignored);
}

}  // namespace reprise
