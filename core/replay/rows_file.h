// Rows of a Parquet or Arrow file, with the columns of an operator's output.
#pragma once

#include <string>
#include <vector>

#include "dump/dump_input.h"
#include "plan/data_type.h"

namespace reprise {

/// The batches of a file .parquet, .arrow or .feather, whose columns are found by their names and
/// cast to those of `schema`. Status::Invalid for another kind of file, a column that is missing,
/// double or besides, or a value that cannot be cast without loss; all errors name the file.
Result<BatchSource> OpenRowsFile(const std::string& path, const std::vector<Field>& schema,
                                 arrow::MemoryPool* pool);

}  // namespace reprise
