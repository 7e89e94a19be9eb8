// The dump of an operator as a script of Spark's SQL.
#pragma once

#include <optional>
#include <string>

#include "dump/reader.h"

namespace reprise {

/// What one task of an operator read.
struct DumpSqlOptions {
  std::optional<int> partition;  ///< absent: the first that is committed
  int64_t values_max = 100;      ///< inputs of so many rows stand in the statement as literals
  /// A folder for input-N.parquet, the inputs that SQL cannot read as they lie in the dump, because
  /// columns are called alike or hold bytes of Spark's rows. "": those are literals too, or an
  /// error.
  std::string tables;
};

/// A script for `spark-sql -f`: the settings that the operator was recorded with, and one statement
/// that reads the inputs from the dump's files, or from literals, and gives what the operator gave.
/// Each statement ends in ";" and a line's end. Status::NotImplemented where Spark's SQL has no
/// form for the operator, with what to do; Status::Invalid where an input cannot be read.
Result<std::string> SqlOfDump(const OperatorDump& dump, const DumpSqlOptions& options);

}  // namespace reprise
