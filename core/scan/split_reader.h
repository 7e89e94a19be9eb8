// Goes through the row groups of a task's splits, in their order, and has what comes next of remote
// files fetched meanwhile: the ends of the next files, and the chunks of the next row groups.
//
// Example: two splits of three row groups each, of which statistics skip the second: Next starts
//          row groups 0 and 2 of the first, then those of the second, whose file was opened, and
//          whose chunks were asked for, while the first was decoded.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "operators/operator.h"
#include "scan/file_split.h"
#include "scan/file_store.h"
#include "scan/parquet_row_groups.h"

namespace reprise {

class RemoteFile;
class RowGroupPruner;

class SplitReader {
 public:
  /// `store` has the files that are not local; null: there is no Spark to read them. All else must
  /// outlive the reader.
  SplitReader(const std::vector<FileSplit>& splits, const ParquetProjection& projection,
              const RowGroupPruner& pruner, std::unique_ptr<FileStore> store,
              const TaskContext& context);
  ~SplitReader();

  /// Starts the next row group that has to be read. False after the last. Errors of a split come
  /// when it is its turn, and are then about split().
  Result<bool> Next();

  /// What is left of the split at hand is not to be read.
  void LeaveSplit();

  /// The file of the row group at hand; null before the first and after the last.
  ParquetRowGroups* file() const { return file_.get(); }
  /// Its split, or the one that could not be read, by its position.
  size_t split() const { return split_; }

  int64_t row_groups_skipped() const { return row_groups_skipped_; }

 private:
  /// A split whose file is open, or cannot be opened.
  struct OpenSplit {
    std::shared_ptr<ParquetRowGroups> file;
    Status error;
    std::vector<int> row_groups;  // that have to be read
    int64_t skipped = 0;
    size_t position = 0;  // among all splits
    size_t next = 0;      // of row_groups
  };
  struct OpeningFile {
    size_t split = 0;
    std::shared_ptr<RemoteFile> file;
  };

  Result<std::shared_ptr<RemoteFile>> OpenRemote(const std::string& path);
  Result<std::shared_ptr<ParquetRowGroups>> FileOf(size_t split);
  Status OpenInto(OpenSplit* open);
  void OpenNext();
  bool NextIsAtHand();
  void OpenAhead();
  void FetchAhead();

  const std::vector<FileSplit>& splits_;
  const ParquetProjection& projection_;
  const RowGroupPruner& pruner_;
  const TaskContext& context_;
  const std::unique_ptr<FileStore> store_;  // outlives its files
  std::deque<OpeningFile> opening_;         // of splits that are not open yet
  std::deque<OpenSplit> open_;              // the one at hand first
  size_t next_split_ = 0;                   // to be opened
  std::shared_ptr<ParquetRowGroups> last_file_;
  std::string last_path_;
  std::shared_ptr<ParquetRowGroups> file_;
  size_t split_ = 0;
  int64_t row_groups_skipped_ = 0;
  bool reads_ahead_ = false;
};

}  // namespace reprise
