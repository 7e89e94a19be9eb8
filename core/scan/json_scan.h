// Reads files of JSON with a document a line: the leaf operator of kind "json_scan"
// (scan/text_scan.h).
//
// Example: columns [price decimal(5,2)], a line {"name":"apple","price":12.5}: a row (12.50).
//
// In doubt are lines that are no object of RFC 8259, that name a column twice, and values of
// another kind than their column's or of an unusual form (expressions/plain_text.h).
//
// Spec arguments: those of all text (TextScanArguments); columns are found by their names.
#pragma once

#include <memory>
#include <vector>

#include "operators/operator.h"

namespace reprise {

class FileStore;
class PieceSource;
struct FileSplit;

/// As MakeTextScan. Status::Invalid for a spec or a split that is not well formed.
Result<std::unique_ptr<Operator>> MakeJsonScan(OperatorSpec spec, std::vector<FileSplit> splits,
                                               const TaskContext& context,
                                               std::unique_ptr<FileStore> store,
                                               std::unique_ptr<PieceSource> pieces);

}  // namespace reprise
