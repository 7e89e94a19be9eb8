// Reads a column of arrays, maps or structs, in the bytes that Spark's rows keep them in.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "scan/parquet_column_decoder.h"
#include "scan/parquet_nested_leaf.h"
#include "scan/parquet_nested_match.h"

namespace reprise {

class NestedPart;

/// A nested column of a row group: the leaf columns below it, put together.
class NestedColumn final : public ColumnDecoder {
 public:
  /// Starts to read a leaf column of the file as `type`; where that is null, its levels only.
  using StartLeaf =
      std::function<Result<std::unique_ptr<NestedLeaf>>(int leaf, const DataType* type)>;

  static Result<std::unique_ptr<NestedColumn>> Make(const NestedMatch& match,
                                                    const StartLeaf& start_leaf,
                                                    arrow::MemoryPool* pool);
  ~NestedColumn() override;

  Result<int64_t> RowsWithin(int64_t rows, int64_t bytes) override;
  Result<std::shared_ptr<arrow::Array>> Read(int64_t rows) override;

 private:
  NestedColumn(std::vector<std::unique_ptr<NestedLeaf>> leaves, std::unique_ptr<NestedPart> whole);

  std::vector<std::unique_ptr<NestedLeaf>> leaves_;
  std::unique_ptr<NestedPart> whole_;  // refers to them
};

}  // namespace reprise
