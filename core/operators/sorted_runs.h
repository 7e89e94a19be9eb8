// Sorted runs in spill files, merged.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "exchange/spill_file.h"
#include "operators/interleave.h"
#include "operators/sort_keys.h"

namespace reprise {

/// Merges runs of rows that are sorted by the same keys. Of equal rows those of the earlier run
/// come first. Holds one batch of each run.
class RunMerger {
 public:
  RunMerger(const SortKeys* keys, std::shared_ptr<arrow::Schema> schema, arrow::MemoryPool* pool)
      : keys_(keys), schema_(std::move(schema)), pool_(pool) {}

  /// Adds the next run, before the first Next.
  void Add(std::unique_ptr<SpillFile> file);

  /// The next `rows_max` rows at most, or nothing at the end.
  Result<std::optional<Batch>> Next(int64_t rows_max);

 private:
  struct Run {
    Run(std::unique_ptr<SpillFile> spilled, arrow::MemoryPool* pool)
        : file(std::move(spilled)), reader(file->Read(pool)), keyed(pool) {}
    std::unique_ptr<SpillFile> file;
    std::unique_ptr<SpillReader> reader;
    KeyedRows keyed;
    int64_t position = 0;  // in the batch
    int32_t slot = -1;     // of the batch among those of the result being made
    std::optional<Batch> batch;
  };

  Status Advance(Run* run);
  bool IsAfter(int32_t left, int32_t right) const;
  Status Start();

  const SortKeys* keys_;
  std::shared_ptr<arrow::Schema> schema_;
  arrow::MemoryPool* pool_;
  std::vector<std::unique_ptr<Run>> runs_;
  std::vector<int32_t> heap_;  // of runs that have rows, the first row's on top
  bool is_started_ = false;
};

}  // namespace reprise
