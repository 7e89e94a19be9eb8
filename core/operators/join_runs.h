// JoinRuns: what a join that has spilled puts out, in the order of its probe side again.
#pragma once

#include <memory>
#include <vector>

#include "operators/join_partitions.h"
#include "operators/sorted_runs.h"

namespace reprise {

/// Takes batches in runs, each in the order of a column of row numbers (nulls last), and merges
/// them. Of a row that occurs in several runs the earlier one's comes first.
class JoinRuns {
 public:
  /// `number_column` of `fields` has the numbers, of type long. `place` must outlive the object.
  static Result<std::unique_ptr<JoinRuns>> Make(const std::vector<Field>& fields, int number_column,
                                                const JoinSpillPlace* place);

  /// Adds the next rows of the run at hand.
  Status Write(const Batch& batch);
  /// What comes next is another run.
  Status EndRun();

  /// After the last run: the next `rows_max` rows at most, or nothing at the end.
  Result<std::optional<Batch>> Next(int64_t rows_max);

 private:
  using Files = std::vector<std::unique_ptr<SpillFile>>;

  JoinRuns(SortKeys keys, std::shared_ptr<arrow::Schema> schema, const JoinSpillPlace* place)
      : keys_(std::move(keys)), schema_(std::move(schema)), place_(*place) {}

  Status WriteSlices(const Batch& batch, std::unique_ptr<SpillFile>* file);
  Status MergeLevel(size_t level);
  std::unique_ptr<RunMerger> MakeMerger() const {
    return std::make_unique<RunMerger>(&keys_, schema_, place_.context.pool);
  }

  SortKeys keys_;
  std::shared_ptr<arrow::Schema> schema_;
  const JoinSpillPlace& place_;
  std::unique_ptr<SpillFile> run_;  // the one at hand
  std::vector<Files> levels_;       // runs of each were merged so often
  std::unique_ptr<RunMerger> merger_;
};

}  // namespace reprise
