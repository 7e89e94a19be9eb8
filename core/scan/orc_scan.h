// Reads ORC files: the leaf operator of kind "orc_scan".
//
// Input:   the file splits that Spark has given to the task.
// Output:  the columns asked for, then the partition columns, in batches that never cross a stripe.
// Example: columns [l_orderkey long], one split of a file of two stripes: the rows of those stripes
//          that begin in the split.
//
// A file or stripe that the core does not read as Spark does is read by Spark: columns of other
// types than are asked for, timestamps of another time zone, old calendars, encryption, codecs
// that few use, and what is damaged.
//
// Spec arguments:
//   "columns":[FIELD…]           read from the file, matched by name; missing ones are null
//   "partitionColumns":[FIELD…]  constants of each split
//   "fileColumns":[FIELD…]       of the table's files: files whose columns have no names have them
//                                in this order
//   "pruning":[EXPR…]            conjuncts over the output; groups of rows in which, by their
//                                statistics, one of them holds for no row are skipped
//   "caseSensitive":bool         spark.sql.caseSensitive
//   "zone":{"id":TEXT,"epoch":INT}  the JVM's time zone, and the seconds since 1970 at which 2015
//                                began there
#pragma once

#include <memory>
#include <vector>

#include "operators/operator.h"
#include "scan/file_split.h"

namespace reprise {

class FileStore;
class PieceSource;

/// Makes the scan of `splits`, in their order. Values are those of Spark's OrcColumnarBatchReader.
/// `store` has the files that do not lie on a local file system, `pieces` what Spark reads; both
/// may be null, and then what needs them is an error. Status::Invalid for a spec or a split that is
/// not well formed.
Result<std::unique_ptr<Operator>> MakeOrcScan(OperatorSpec spec, std::vector<FileSplit> splits,
                                              const TaskContext& context,
                                              std::unique_ptr<FileStore> store,
                                              std::unique_ptr<PieceSource> pieces);

}  // namespace reprise
