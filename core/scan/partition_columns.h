// Columns of a scan that its splits give: the same value in each row of a split.
#pragma once

#include <arrow/array.h>

#include <memory>
#include <vector>

#include "plan/spec.h"

namespace reprise {

struct FileSplit;

/// Status::Invalid, naming the file, for a split without exactly a value for each of the columns,
/// of its type, or with a negative place.
Status CheckSplit(const FileSplit& split, const std::vector<Field>& partition_columns);

/// `rows` times the value. Strings are a dictionary of one.
Result<std::shared_ptr<arrow::Array>> ConstantColumn(const std::shared_ptr<arrow::Scalar>& value,
                                                     int64_t rows, arrow::MemoryPool* pool);

/// The constants of the split at hand, made once for as many rows as its batches have.
class ConstantColumns {
 public:
  /// Another split begins.
  void Clear() { columns_.clear(); }
  /// Appends `rows` rows of the split's constants.
  Status AppendTo(std::vector<std::shared_ptr<arrow::Array>>* columns, const FileSplit& split,
                  int64_t rows, arrow::MemoryPool* pool);

 private:
  std::vector<std::shared_ptr<arrow::Array>> columns_;
  int64_t rows_ = 0;
};

/// The fields of argument `name`. Status::Invalid where there are none.
Result<std::vector<Field>> FieldsArgument(const nlohmann::json& arguments, const char* name);

/// Whether `output` has the types of `columns` and then `partition_columns`; Status::Invalid where
/// not, Status::NotImplemented for a type without an Arrow form.
Status CheckScanOutput(const std::vector<Field>& output, const std::vector<Field>& columns,
                       const std::vector<Field>& partition_columns);

}  // namespace reprise
