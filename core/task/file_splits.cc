#include "task/file_splits.h"

#include "transitions/partition_values.h"

namespace reprise {

Result<std::vector<FileSplit>> FileSplitsOf(const TaskLeaf& leaf, const OperatorSpec& spec) {
  std::vector<Field> partition_columns;
  if (const auto json = spec.arguments.find("partitionColumns"); json != spec.arguments.end()) {
    ARROW_ASSIGN_OR_RAISE(partition_columns, FieldsFromJson(*json));
  }
  std::vector<FileSplit> splits;
  splits.reserve(leaf.files.size());
  for (const TaskFile& file : leaf.files) {
    auto values = DecodePartitionValues(file.partition_values, partition_columns);
    if (!values.ok()) return WithPrefix(values.status(), file.path + ": ");
    splits.push_back({file.path, file.start, file.length, std::move(*values), file.is_for_spark});
  }
  return splits;
}

}  // namespace reprise
