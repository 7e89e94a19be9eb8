// Puts a join's output batches together from rows of its two sides.
#pragma once

#include <optional>

#include "base/value_errors.h"
#include "operators/gather.h"
#include "operators/join/join_condition.h"

namespace reprise {

/// The columns of one side of a join, and which of them leave, ascending.
struct JoinSide {
  std::vector<Field> fields;
  std::vector<int> leaving;
};

/// Makes batches of the left columns and then the right ones, as far as they leave.
class JoinOutput {
 public:
  JoinOutput(std::shared_ptr<arrow::Schema> schema, JoinSide build, JoinSide probe, bool build_left)
      : schema_(std::move(schema)),
        build_(std::move(build)),
        probe_(std::move(probe)),
        build_left_(build_left) {}

  /// A row for each of `count` pairs from `begin` on; a side without a row is null there.
  Result<Batch> Pairs(const Batch& probe, const arrow::ArrayVector& build, const RowPairs& pairs,
                      int64_t begin, int64_t count, arrow::MemoryPool* pool) const;

  /// The probe batch's own columns, without a copy, under `selection` (null: all its rows), beside
  /// the build rows at `build_rows`, one a physical row. Where that is below 0 the build side is
  /// null if `missing` says so, else the row is not selected.
  Result<Batch> InPlace(const Batch& probe, std::shared_ptr<arrow::Buffer> selection,
                        const arrow::ArrayVector& build, std::span<const int32_t> build_rows,
                        Missing missing, arrow::MemoryPool* pool) const;

  /// The probe batch's columns that leave, without the build side's, as they are.
  Batch ProbeAlone(Batch probe) const;

  /// The selected rows of `probe` alone, without a copy; the build side is null.
  Result<Batch> ProbeRows(const Batch& probe, arrow::MemoryPool* pool) const;

  /// Build rows alone; the probe side is null.
  Result<Batch> BuildRows(const arrow::ArrayVector& build, std::span<const int32_t> rows,
                          arrow::MemoryPool* pool) const;

 private:
  /// Errors of the probe side's columns as those of the output's.
  std::shared_ptr<const ValueErrors> Errors(ValueErrors of_probe) const;
  /// `first`: the output's column at which the probe side's begin.
  std::shared_ptr<const ValueErrors> Errors(ValueErrors of_probe, int first) const;
  Batch Assemble(arrow::ArrayVector probe, arrow::ArrayVector build, int64_t row_count) const;

  std::shared_ptr<arrow::Schema> schema_;
  JoinSide build_;
  JoinSide probe_;
  bool build_left_;
};

}  // namespace reprise
