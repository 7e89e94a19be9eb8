// The scans of files, by their kinds.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "operators/operator.h"
#include "scan/file_split.h"
#include "scan/file_store.h"

namespace reprise {

class PieceSource;

/// Whether operators of the kind read the splits of files.
bool IsScanKind(std::string_view kind);

/// Makes the scan of `splits` that a spec of such a kind is. `store` has the files that do not lie
/// on a local file system, `pieces` what Spark reads of them; both may be null.
Result<std::unique_ptr<Operator>> MakeScan(OperatorSpec spec, std::vector<FileSplit> splits,
                                           const TaskContext& context,
                                           std::unique_ptr<FileStore> store,
                                           std::unique_ptr<PieceSource> pieces);

}  // namespace reprise
