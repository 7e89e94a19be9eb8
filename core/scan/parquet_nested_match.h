// Finds a nested column that a scan asks for in a file's schema.
#pragma once

#include <parquet/schema.h>

#include <string>
#include <vector>

#include "plan/nested_type.h"

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

/// How a scan finds columns in files.
struct ColumnMatching {
  bool case_sensitive = false;
  /// Structs of which a file has no field that is asked for are null, all of them, instead of
  /// structs of nulls: spark.sql.legacy.parquet.returnNullStructIfAllFieldsMissing, and always
  /// before Spark 4.1.
  bool null_structs = false;
};

/// The children of `group` that are named so.
Result<std::vector<const parquet::schema::Node*>> ChildrenNamed(
    const parquet::schema::GroupNode& group, const std::string& name, bool case_sensitive);

/// The error of several children that a name does not tell apart.
Status AmbiguousColumnError(const std::string& path, const std::string& name,
                            const std::vector<const parquet::schema::Node*>& matches);

/// The error of a column that is missing, or a part of one, although it is not nullable.
Status MissingColumnError(const std::string& path, const std::string& name);

/// The column at `node`, which stands at the top level of the schema and has been asked for as
/// `type`, as Spark's ParquetReadSupport.clipParquetSchema and ParquetToSparkSchemaConverter find
/// it: fields of structs by name, lists of two and of three levels, repeated fields that are not
/// annotated, maps by their place. kMissing where by null_structs nothing of it is in the file.
/// `path` is the file's, for errors, which are of the condition FAILED_READ_FILE.NO_HINT.
Result<NestedMatch> MatchNested(const parquet::SchemaDescriptor& schema,
                                const parquet::schema::Node& node, const NestedType& type,
                                const ColumnMatching& matching, const std::string& path);

/// The leaf columns that are read for it.
std::vector<int> LeavesOf(const NestedMatch& match);

}  // namespace reprise
