// Rows that offend an assertion: counted, the first of them kept as text.
#pragma once

#include <string>
#include <vector>

#include "base/batch.h"
#include "plan/data_type.h"

namespace reprise {

class AssertedRows {
 public:
  static constexpr size_t kSampleRows = 5;

  /// `masked[i]`: the values of column i are not shown. `columns` must outlive this object.
  AssertedRows(const std::vector<Field>& columns, std::vector<bool> masked)
      : columns_(columns), masked_(std::move(masked)) {}

  /// Notes the selected row number `position` of `batch`, which is row `number` of the partition.
  /// `after`: a line about the row before it; empty: none.
  Status Note(const Batch& batch, int64_t position, int64_t number, const std::string& after = "");

  /// "row 17: a int = 3, b string = 'x', c date = null, d string masked"
  Result<std::string> RowText(const Batch& batch, int64_t position, int64_t number) const;

  int64_t count() const { return count_; }
  /// A line each.
  const std::vector<std::string>& sample() const { return sample_; }

 private:
  const std::vector<Field>& columns_;
  const std::vector<bool> masked_;
  int64_t count_ = 0;
  std::vector<std::string> sample_;
};

}  // namespace reprise
