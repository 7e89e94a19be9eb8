// Reads Parquet files: the leaf operator of kind "parquet_scan".
//
// Input:   the file splits that Spark has given to the task.
// Output:  the columns asked for, then the partition columns, in batches that never cross a row
// group. Example: columns [l_orderkey long], one split of a file of 100,000 rows in one row group:
// four
//          batches, of 32768, 32768, 32768 and 1696 rows.
//
// Spec arguments:
//   "columns":[FIELD…]           read from the file, matched by name; missing ones are null
//   "defaults":[EXPR|null…]      one for each column: the literal that is its value in files that
//                                lack it; none if absent
//   "fieldIds":[N…]              one for each column: its id, by which it is found, or -1; so are
//                                fields of structs that have one (nested_type.h); all by name if
//                                absent
//   "needsFieldIds":bool         files without any field id are errors; false if absent
//   "partitionColumns":[FIELD…]  constants of each split
//   "pruning":[EXPR…]            conjuncts over the output; row groups in which, by their
//   statistics,
//                                one of them holds for no row are skipped; rows are never dropped
//   "caseSensitive":bool         spark.sql.caseSensitive
//   "nullStructs":bool           structs without a field in the file are null, not structs of
//   nulls:
//                                spark.sql.legacy.parquet.returnNullStructIfAllFieldsMissing;
//                                false if absent
//   "widens":bool                files may have narrower types than the columns; true if absent
//   "datetimeRebaseMode", "int96RebaseMode": "CORRECTED" (if absent) | "LEGACY" | "EXCEPTION", for
//                                files that no Spark wrote: spark.sql.parquet.*RebaseModeInRead
#pragma once

#include <memory>
#include <vector>

#include "operators/operator.h"
#include "scan/file_split.h"
#include "scan/file_store.h"
#include "scan/piece_source.h"

namespace reprise {

/// Makes the scan of `splits`, in their order. Values and errors are those of Spark's vectorized
/// reader (VectorizedParquetRecordReader); errors of files carry Spark's FAILED_READ_FILE
/// conditions. `store` has the files that do not lie on a local file system; without one they
/// cannot be read. `pieces` reads the splits whose ids and names cross (parquet_fields.h), and
/// those that fail; it may be null. Status::Invalid for a spec or a split that is not well formed.
Result<std::unique_ptr<Operator>> MakeParquetScan(OperatorSpec spec, std::vector<FileSplit> splits,
                                                  const TaskContext& context,
                                                  std::unique_ptr<FileStore> store = nullptr,
                                                  std::unique_ptr<PieceSource> pieces = nullptr);

/// What the scan counts beside the base figures: row groups read, row groups skipped by statistics,
/// compressed bytes of the column chunks read. The order of OperatorMetrics::extra.
const std::vector<Metric>& ParquetScanMetrics();

}  // namespace reprise
