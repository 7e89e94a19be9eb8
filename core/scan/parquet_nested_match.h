// Finds a nested column that a scan asks for in a file's schema.
#pragma once

#include <parquet/schema.h>

#include <string>
#include <vector>

#include "plan/nested_type.h"
#include "scan/parquet_fields.h"

namespace reprise {

/// Where the values of a part of a nested column are among the levels of a leaf column below it.
struct NestedPlace {
  int16_t present = 0;     ///< definition level from which on a value is not null
  int16_t slot = 0;        ///< definition level from which on there is a value, or a null
  int16_t repetition = 0;  ///< a level that repeats deeper is of the value before
};

/// A part of a nested column, as it is in a file.
struct NestedMatch {
  enum class Form { kMissing, kLeaf, kArray, kMap, kStruct };

  Form form = Form::kMissing;
  DataType type;  ///< in which its values travel
  NestedPlace place;
  int leaf = -1;                   ///< of kLeaf: the file's leaf column
  int witness = -1;                ///< of a struct without parts in the file: a leaf column that is
                                   ///< read to know which structs are null
  std::vector<NestedMatch> parts;  ///< element; key and value; fields
};

/// The column at `node`, which stands at the top level of the schema and has been asked for as
/// `type`, as Spark's ParquetReadSupport.clipParquetSchema and ParquetToSparkSchemaConverter find
/// it: fields of structs by FindFields, lists of two and of three levels, repeated fields that are
/// not annotated, maps by their place. kMissing where by null_structs nothing of it is in the file.
/// `path` is the file's, for errors, which are of the condition FAILED_READ_FILE.NO_HINT.
Result<NestedMatch> MatchNested(const parquet::SchemaDescriptor& schema,
                                const parquet::schema::Node& node, const NestedType& type,
                                const ColumnMatching& matching, const std::string& path);

/// The leaf columns that are read for it.
std::vector<int> LeavesOf(const NestedMatch& match);

}  // namespace reprise
