// Rows of a Parquet or Arrow file, with the columns of an operator's output.
#pragma once

#include <arrow/record_batch.h>

#include <memory>
#include <string>
#include <vector>

#include "dump/dump_input.h"
#include "plan/data_type.h"

namespace reprise {

/// A file .parquet, .arrow or .feather beside an operator's output. Its columns are found by their
/// names, and cast to the types in which those of the output travel. Where the file holds arrays,
/// maps, structs or intervals as Arrow's, and the output as bytes of Spark's rows, both are given
/// as text.
class RowsFile : public std::enable_shared_from_this<RowsFile> {
 public:
  /// Status::Invalid for another kind of file, or a column that is missing, double or besides; all
  /// errors name the file.
  static Result<std::shared_ptr<const RowsFile>> Open(const std::string& path,
                                                      const std::vector<Field>& output,
                                                      arrow::MemoryPool* pool);

  /// The file's batches, from the first on. Status::Invalid for a value that cannot be cast without
  /// loss.
  Result<BatchSource> Rows() const;

  /// A batch of the output, in the form of Rows().
  Result<std::shared_ptr<arrow::RecordBatch>> Comparable(
      const std::shared_ptr<arrow::RecordBatch>& batch) const;

 private:
  struct Column {
    int position = 0;  ///< in the file
    std::shared_ptr<arrow::DataType> type;
    bool as_text = false;  ///< what `type` holds
  };

  RowsFile() = default;
  Status SetColumns(const arrow::Schema& file);
  Result<std::shared_ptr<arrow::RecordBatch>> Fitted(const arrow::RecordBatch& batch) const;

  std::string path_;
  std::vector<Field> output_;
  std::vector<Column> columns_;  // as those of the output
  arrow::MemoryPool* pool_ = nullptr;
};

}  // namespace reprise
