#include "cli/operator_folders.h"

#include <filesystem>

#include "dump/dump_path.h"
#include "dump/reader.h"

namespace reprise {

namespace fs = std::filesystem;

namespace {

bool IsOperator(const std::string& path) {
  std::error_code error;
  return fs::exists(fs::path(path) / kPlanMetaName, error);
}

}  // namespace

bool IsWholeDump(const std::string& path) {
  if (IsOperator(path)) return false;
  const auto operators = ListOperators(path);
  return operators.ok() && !operators->empty();
}

Result<std::vector<std::string>> OperatorFolders(const std::string& path) {
  if (IsOperator(path)) return std::vector<std::string>{path};
  const auto operators = ListOperators(path);
  std::error_code error;
  // Of a damaged operator's folder, Open knows better what is missing.
  if (!operators.ok() && fs::is_directory(path, error)) {
    return OperatorDump::Open(path).status();
  }
  RETURN_NOT_OK(operators.status());
  if (operators->empty()) {
    return Status::Invalid(path, " is empty; expected a dump with folders loreId-N");
  }
  std::vector<std::string> folders;
  for (const int64_t id : *operators) {
    folders.push_back((fs::path(path) / OperatorFolder(id)).string());
  }
  return folders;
}

}  // namespace reprise
