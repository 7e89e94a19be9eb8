// Reads CSV files: the leaf operator of kind "csv_scan".
//
// Input:   the file splits that Spark has given to the task.
// Output:  the columns asked for, then the partition columns.
// Example: columns [price decimal(5,2)] at position 1 of 2, a line "apple,12.5": a row (12.50).
//
// Lines of which there is doubt what Spark's parser makes of them (csv_tokens.h, csv_values.h: too
// few or too many values, a text that is no number of the usual form, quotes within quotes, …) are
// read by Spark's parser, with what stands around them; so is a file that is compressed or cannot
// be read. The more a file has of them the larger the parts that are left to Spark, so that no file
// is read in many small ones.
//
// Spec arguments:
//   "columns":[FIELD…]           read from the file
//   "positions":[INT…]           of each, the place of its value in a line
//   "width":INT                  the number of values in a line
//   "partitionColumns":[FIELD…]  constants of each split
//   "separator", "quote", "escape": of one byte, or empty: none
//   "header":bool                the first line of a file that is not blank is none of its rows
//   "nullValue", "emptyValue"    what stands for null; what a pair of quotes stands for
//   "zone"                       of timestamps that name none (expressions/zone_rules.h)
#pragma once

#include <memory>
#include <vector>

#include "operators/operator.h"
#include "scan/file_split.h"
#include "scan/file_store.h"
#include "scan/piece_source.h"

namespace reprise {

/// Makes the scan of `splits`, in their order. `store` has the files that do not lie on a local
/// file system, `pieces` what Spark reads; both may be null, and then a file or line that needs
/// them is an error. Status::Invalid for a spec or a split that is not well formed.
Result<std::unique_ptr<Operator>> MakeCsvScan(OperatorSpec spec, std::vector<FileSplit> splits,
                                              const TaskContext& context,
                                              std::unique_ptr<FileStore> store,
                                              std::unique_ptr<PieceSource> pieces);

}  // namespace reprise
