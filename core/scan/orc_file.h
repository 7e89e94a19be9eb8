// An open ORC file with the columns of a projection found in it.
//
// Input:   a file, local or in a store.
// Output:  the columns of its stripes, batch by batch, without the groups of rows that their
//          statistics rule out.
// What the core does not read as Spark does it leaves to Spark: a whole file, or a stripe.
#pragma once

#include <arrow/array.h>
#include <arrow/io/interfaces.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "operators/operator.h"
#include "scan/orc_columns.h"
#include "scan/orc_match.h"
#include "scan/orc_tail.h"

namespace reprise {

class FileStore;
class RemoteFile;
class RowGroupPruner;

/// The time zone of Spark's JVM, in which it reads timestamps.
struct OrcZone {
  std::string id;
  int64_t epoch = 0;  ///< there, 2015-01-01 00:00: in seconds since 1970
};

/// What of every file a scan reads.
struct OrcProjection {
  OrcColumns columns;
  OrcZone zone;
  InstantRebase instants;
};

class OrcFile {
 public:
  /// `store` has the file if it is not local. `projection` and `context` must outlive the file.
  /// Errors are about the file; who calls says which it is.
  static Result<std::unique_ptr<OrcFile>> Open(const std::string& location, FileStore* store,
                                               const OrcProjection& projection,
                                               const TaskContext& context);
  ~OrcFile();

  /// The file is to be read by Spark as a whole: nothing else may be called then.
  bool is_for_spark() const { return is_for_spark_; }

  /// The stripes that a split owns: those that begin in it.
  std::vector<int> StripesOf(int64_t start, int64_t length) const;
  const OrcStripe& stripe(int number) const { return tail_.stripes[number]; }

  /// Whether the statistics of the file rule out all of it. Columns of the output beyond the
  /// projection's (partition columns) are not known.
  bool CanSkip(const RowGroupPruner& pruner) const;

  /// Starts to read a stripe. False where Spark is to read it.
  Result<bool> Start(int stripe, const RowGroupPruner& pruner);

  /// Groups of rows of the stripe that are read, and that are not.
  int64_t groups_read() const { return groups_read_; }
  int64_t groups_skipped() const { return groups_skipped_; }

  /// Rows that come one after the other and have not been read yet; 0: the stripe has ended.
  int64_t rows_left();
  /// About how many bytes a row has in the columns that are read; 1 at least.
  int64_t row_bytes() const { return row_bytes_; }
  /// How much of the file has been read.
  int64_t bytes_read() const { return bytes_read_; }

  /// Reads no more of the stripe.
  void End();

  /// The next `rows` rows (at most rows_left()) of the projection's columns.
  Result<std::vector<std::shared_ptr<arrow::Array>>> Read(int64_t rows);

 private:
  struct Rows {
    int64_t begin = 0;
    int64_t end = 0;
  };

  struct StoredBytes {
    OrcStoredStream stream;
    std::shared_ptr<arrow::Buffer> bytes;
  };
  using StoredStreams = std::vector<StoredBytes>;  // in the order in which they lie

  OrcFile(const OrcProjection& projection, const TaskContext& context)
      : projection_(projection), context_(context) {}

  bool FindColumns();
  void EstimateRows();
  double BytesOf(const OrcMatch& part) const;
  /// Whether the statistics of the columns of `rows` rows rule them out; `statistics_of` gives
  /// those of a column that is in the file, null: not known.
  bool AreRuledOut(const RowGroupPruner& pruner, int64_t rows,
                   const std::function<const std::string*(size_t column)>& statistics_of) const;
  Result<OrcStripeFooter> FooterOf(const OrcStripe& stripe);
  bool IsRead(const OrcStripeFooter& footer) const;
  Status ReadIndexes(const OrcStripe& stripe, const OrcStripeFooter& footer);
  bool AreIndexed() const;
  void ChooseRows(const OrcStripe& stripe, const RowGroupPruner& pruner);
  bool IsAsked(const OrcStoredStream& stream) const;
  OrcColumnSource SourceOf(const OrcMatch& part, int64_t rows, const OrcStripeFooter& footer) const;
  Result<std::unique_ptr<OrcColumn>> MakeColumn(const OrcMatch& part, int64_t rows,
                                                const OrcStripeFooter& footer) const;
  Status ReadStreams(StoredStreams* streams);
  Status MakeColumns(const OrcStripe& stripe, const OrcStripeFooter& footer);
  Status SeekTo(int64_t row);
  Result<std::shared_ptr<arrow::Buffer>> ReadRange(int64_t start, int64_t bytes);
  OrcStream StreamOf(std::shared_ptr<arrow::Buffer> stored) const;

  const OrcProjection& projection_;
  const TaskContext& context_;
  std::shared_ptr<arrow::io::RandomAccessFile> file_;
  std::shared_ptr<RemoteFile> remote_;  // file_, if it is one
  OrcTail tail_;
  bool is_for_spark_ = false;
  std::vector<OrcMatch> columns_in_file_;
  std::vector<uint32_t> numbers_;  // of the types of all that is read, ascending
  int64_t row_bytes_ = 1;
  int64_t bytes_read_ = 0;

  // Of the stripe at hand.
  std::map<uint32_t, std::vector<OrcIndexEntry>> indexes_;  // by number; absent: not known
  StoredStreams streams_;
  std::vector<std::unique_ptr<OrcColumn>> columns_;  // null: the file lacks it
  std::vector<Rows> rows_;                           // what is left to read, ascending
  int64_t row_ = 0;                                  // where the columns are
  int64_t groups_read_ = 0;
  int64_t groups_skipped_ = 0;
};

}  // namespace reprise
