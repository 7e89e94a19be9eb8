// Finds the fields of a struct, or the columns of a scan, among the fields of a file's group.
#pragma once

#include <parquet/schema.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "plan/nested_type.h"

namespace reprise {

/// How a scan finds columns in files.
struct ColumnMatching {
  bool case_sensitive = false;
  /// Structs of which a file has no field that is asked for are null, all of them, instead of
  /// structs of nulls: spark.sql.legacy.parquet.returnNullStructIfAllFieldsMissing, and always
  /// before Spark 4.1.
  bool null_structs = false;
  /// Columns, and fields of structs, that have an id are found by it:
  /// spark.sql.parquet.fieldId.read.enabled. One for each column, or kNoFieldId; empty: all are
  /// found by their names.
  std::vector<int32_t> field_ids;
  /// Files without any id are errors: not where spark.sql.parquet.fieldId.read.ignoreMissing.
  bool needs_field_ids = false;

  bool by_ids() const { return !field_ids.empty(); }
};

/// A field that is asked for.
struct WantedField {
  std::string name;
  int32_t id = kNoFieldId;
};

/// The fields of a group that one that is asked for is; none where the group lacks it.
using FoundField = std::vector<const parquet::schema::Node*>;

/// What of `group` each of `wanted` is, as Spark's ParquetReadSupport.clipParquetGroupFields finds
/// it: by its id, where matching.by_ids() and it has one, else by name, ignoring case unless
/// matching.case_sensitive. Several by one id, or by one name in another case, are an error of the
/// condition FAILED_READ_FILE.NO_HINT; `path` is the file's. Several of exactly the same name are
/// given as they are.
///
/// Status::NotImplemented where ids and names cross: a name that is asked for is another field's
/// than its id, or two are one field. Spark goes by names there when it looks for types and for
/// statistics, so that its answer may depend on what it filters by.
Result<std::vector<FoundField>> FindFields(const parquet::schema::GroupNode& group,
                                           const std::vector<WantedField>& wanted,
                                           const ColumnMatching& matching, const std::string& path);

/// The error of FAILED_READ_FILE.NO_HINT for a file of which no field has an id.
Status CheckHasFieldIds(const parquet::schema::GroupNode& schema, const std::string& path);

/// The error of a column that is missing, or a part of one, although it is not nullable.
Status MissingColumnError(const std::string& path, const std::string& name);

}  // namespace reprise
