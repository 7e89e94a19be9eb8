#include "scan/scans.h"

#include "scan/csv_scan.h"
#include "scan/json_scan.h"
#include "scan/line_scan.h"
#include "scan/orc_scan.h"
#include "scan/parquet_scan.h"
#include "scan/piece_source.h"
#include "vocabulary/kinds.h"

namespace reprise {

bool IsScanKind(std::string_view kind) {
  return kind == kParquetScanKind || kind == kOrcScanKind || kind == kCsvScanKind ||
         kind == kJsonScanKind || kind == kLineScanKind;
}

Result<std::unique_ptr<Operator>> MakeScan(OperatorSpec spec, std::vector<FileSplit> splits,
                                           const TaskContext& context,
                                           std::unique_ptr<FileStore> store,
                                           std::unique_ptr<PieceSource> pieces) {
  if (spec.kind == kParquetScanKind) {
    return MakeParquetScan(std::move(spec), std::move(splits), context, std::move(store),
                           std::move(pieces));
  }
  const auto make = spec.kind == kOrcScanKind    ? MakeOrcScan
                    : spec.kind == kCsvScanKind  ? MakeCsvScan
                    : spec.kind == kJsonScanKind ? MakeJsonScan
                                                 : MakeLineScan;
  return make(std::move(spec), std::move(splits), context, std::move(store), std::move(pieces));
}

}  // namespace reprise
