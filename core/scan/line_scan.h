// Reads text files, a row a line: the leaf operator of kind "line_scan" (scan/text_scan.h).
//
// Example: column [value string], a line "a,b": a row ('a,b'), whatever its bytes are.
//
// Spec arguments: those of all text (TextScanArguments), with one column of strings or none.
#pragma once

#include <memory>
#include <vector>

#include "operators/operator.h"

namespace reprise {

class FileStore;
class PieceSource;
struct FileSplit;

/// As MakeTextScan. Status::Invalid for a spec or a split that is not well formed.
Result<std::unique_ptr<Operator>> MakeLineScan(OperatorSpec spec, std::vector<FileSplit> splits,
                                               const TaskContext& context,
                                               std::unique_ptr<FileStore> store,
                                               std::unique_ptr<PieceSource> pieces);

}  // namespace reprise
