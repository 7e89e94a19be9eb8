#include "replay/recorded_splits.h"

#include <filesystem>

#include "operators/spec_members.h"
#include "scan/file_location.h"
#include "transitions/partition_values.h"

namespace reprise {

namespace {

namespace fs = std::filesystem;

Status CheckFile(const std::string& path, const nlohmann::json& file) {
  ARROW_ASSIGN_OR_RAISE(const std::string local, LocalPath(path));
  std::error_code error;
  const auto size = fs::file_size(local, error);
  if (error) {
    return Status::Invalid("the scan read ", path,
                           ", which cannot be looked at here: ", error.message(),
                           "; a scan is replayed where its files are");
  }
  const auto recorded = file.value("size", static_cast<int64_t>(size));
  if (recorded == static_cast<int64_t>(size)) return Status::OK();
  return Status::Invalid("the scan read ", path, ", which had ", recorded, " bytes and now has ",
                         size, ": it is another file");
}

}  // namespace

Result<std::vector<FileSplit>> RecordedSplits(const nlohmann::json& leaf,
                                              const OperatorSpec& spec) {
  std::vector<Field> partition_columns;
  if (const auto json = spec.arguments.find("partitionColumns"); json != spec.arguments.end()) {
    ARROW_ASSIGN_OR_RAISE(partition_columns, FieldsFromJson(*json));
  }
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* files, ArrayMember(leaf, "files"));
  std::vector<FileSplit> splits;
  for (const auto& file : *files) {
    FileSplit split;
    ARROW_ASSIGN_OR_RAISE(split.path, StringMember(file, "path"));
    ARROW_ASSIGN_OR_RAISE(split.start, IntegerMember(file, "start"));
    ARROW_ASSIGN_OR_RAISE(split.length, IntegerMember(file, "length"));
    RETURN_NOT_OK(CheckFile(split.path, file));
    auto values = DecodePartitionValues(file.value("partitionValues", ""), partition_columns);
    if (!values.ok()) return WithPrefix(values.status(), split.path + ": ");
    split.partition_values = std::move(*values);
    split.is_for_spark = file.value("forSpark", false);
    splits.push_back(std::move(split));
  }
  return splits;
}

}  // namespace reprise
