// Reads CSV files: the leaf operator of kind "csv_scan" (scan/text_scan.h).
//
// Example: columns [price decimal(5,2)] at position 1 of 2, a line "apple,12.5": a row (12.50).
//
// In doubt are lines with too few or too many values, quotes within quotes, a text that is no
// number of the usual form, … (csv_tokens.h, expressions/plain_text.h).
//
// Spec arguments, beside those of all text (TextScanArguments):
//   "positions":[INT…]           of each column, the place of its value in a line
//   "width":INT                  the number of values in a line
//   "separator", "quote", "escape": of one byte, or empty: none
//   "header":bool                the first line of a file that is not blank is none of its rows
//   "nullValue", "emptyValue"    what stands for null; what a pair of quotes stands for
#pragma once

#include <memory>
#include <vector>

#include "operators/operator.h"

namespace reprise {

class FileStore;
class PieceSource;
struct FileSplit;

/// As MakeTextScan. Status::Invalid for a spec or a split that is not well formed.
Result<std::unique_ptr<Operator>> MakeCsvScan(OperatorSpec spec, std::vector<FileSplit> splits,
                                              const TaskContext& context,
                                              std::unique_ptr<FileStore> store,
                                              std::unique_ptr<PieceSource> pieces);

}  // namespace reprise
