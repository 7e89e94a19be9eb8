// JoinRuns: what a join that has spilled puts out, in the order of its probe side again.
#pragma once

#include <memory>
#include <vector>

#include "operators/join/join_table.h"
#include "operators/sorted_runs.h"

namespace reprise {

/// Takes batches in runs, each in the order of a column of row numbers (nulls last), and merges
/// them. A row occurs in several runs where the rows with its key came in chunks.
class JoinRuns {
 public:
  /// `number_column` of `fields` has the numbers, of type long. `chains` is the order of the rows
  /// with a key, of which each run has a later chunk. `place` must outlive the object.
  static Result<std::unique_ptr<JoinRuns>> Make(const std::vector<Field>& fields, int number_column,
                                                ChainOrder chains, const SpillPlace* place);

  /// Adds the next rows of the run at hand.
  Status Write(const Batch& batch);
  /// What comes next is another run.
  Status EndRun();

  /// After the last run: the next rows, as many as are within `bounds`, or nothing at the end.
  Result<std::optional<Batch>> Next(const BatchBounds& bounds);

 private:
  JoinRuns(SortKeys keys, const std::shared_ptr<arrow::Schema>& schema, ChainOrder chains,
           const SpillPlace* place)
      : keys_(std::move(keys)),
        pool_(place->context.pool),
        runs_(&keys_, schema, place,
              chains == ChainOrder::kLatestFirst ? EqualRows::kOfLaterRunFirst
                                                 : EqualRows::kOfEarlierRunFirst) {}

  const SortKeys keys_;
  arrow::MemoryPool* pool_;
  SortedRuns runs_;
  std::unique_ptr<SpillFile> run_;  // the one at hand
};

}  // namespace reprise
