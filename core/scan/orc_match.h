// Finds the columns that a scan asks for among the types of an ORC file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plan/nested_type.h"
#include "plan/spec.h"
#include "scan/orc_tail.h"

namespace reprise {

/// A column that is asked for, or a part of one, as it is in a file.
struct OrcMatch {
  enum class Form { kMissing, kFlat, kArray, kMap, kStruct };

  Form form = Form::kMissing;
  DataType type;                ///< in which its values travel
  uint32_t stored = 0;          ///< the number of its type; not of kMissing
  std::vector<OrcMatch> parts;  ///< element; key and value; fields
};

/// What a scan asks every file for.
class OrcColumns {
 public:
  /// Nothing.
  OrcColumns() = default;
  /// `file_columns`: those of the table's files; files without names have them so. Status::Invalid
  /// for a column of a type that is not read of ORC files.
  static Result<OrcColumns> Make(std::vector<Field> columns, std::vector<Field> file_columns,
                                 bool case_sensitive);

  const std::vector<Field>& fields() const { return columns_; }

  /// The columns among `types`, as ORC's SchemaEvolution has it: those of the rows by name, or by
  /// place where they have none, and those of structs by name. Nothing where Spark reads another
  /// type as theirs, finds them otherwise or has an error of its own.
  std::optional<std::vector<OrcMatch>> In(const std::vector<OrcType>& types) const;

 private:
  std::vector<Field> columns_;
  std::vector<NestedType> types_;  // of columns_
  std::vector<Field> file_columns_;
  std::vector<NestedType> file_types_;  // of file_columns_
  bool case_sensitive_ = false;
};

/// Whether columns of the type are read of ORC natively: flat ones, and what is made of these.
bool IsOrcColumnType(const DataType& type);

/// Calls `see(match)` for a match and all of its parts that are in the file.
template <typename See>
void ForStored(const OrcMatch& match, See&& see) {
  if (match.form == OrcMatch::Form::kMissing) return;
  see(match);
  for (const OrcMatch& part : match.parts) ForStored(part, see);
}

}  // namespace reprise
