// The kinds of native operators, as the rows of operators.def list them.
#pragma once

#include <string_view>
#include <vector>

namespace reprise {

/// Kinds that stand for no node of Spark's, or that are asked for by name.
inline constexpr std::string_view kRowInputKind = "row_input";
inline constexpr std::string_view kColumnInputKind = "column_input";
inline constexpr std::string_view kBatchInputKind = "batch_input";
inline constexpr std::string_view kArrowInputKind = "arrow_input";
inline constexpr std::string_view kPythonBatchesKind = "python_batches";
inline constexpr std::string_view kPythonGroupsKind = "python_groups";
inline constexpr std::string_view kShuffleReadKind = "shuffle_read";
inline constexpr std::string_view kBroadcastReadKind = "broadcast_read";
inline constexpr std::string_view kParquetScanKind = "parquet_scan";
inline constexpr std::string_view kOrcScanKind = "orc_scan";
inline constexpr std::string_view kCsvScanKind = "csv_scan";
inline constexpr std::string_view kJsonScanKind = "json_scan";
inline constexpr std::string_view kLineScanKind = "line_scan";
inline constexpr std::string_view kShuffleWriteKind = "shuffle_write";
inline constexpr std::string_view kTakeOrderedKind = "take_ordered";
inline constexpr std::string_view kParquetWriteKind = "parquet_write";
inline constexpr std::string_view kRecordKind = "record";
inline constexpr std::string_view kGuestProjectKind = "guest_project";
/// Of a dump alone: several connected operators (operators/fragment_spec.h).
inline constexpr std::string_view kFragmentKind = "fragment";

/// One kind of operator.
struct OperatorKind {
  std::string_view name;
  int input_count = 0;
  std::string_view reads;    ///< of a leaf, in words: "blocks rows", "nothing"; else ""
  std::string_view metrics;  ///< names, in words
};

const std::vector<OperatorKind>& OperatorKinds();

/// The kind of that name, or nullptr.
const OperatorKind* FindKind(std::string_view name);

/// Whether a leaf of that kind reads what a task brings as "files", "rows", "columns", "blocks",
/// "batches", "arrow" or "nothing". False for kinds that are no leaves or not known.
bool LeafReads(std::string_view kind, std::string_view input);

/// The words of a text, which spaces separate.
std::vector<std::string_view> WordsOf(std::string_view text);

}  // namespace reprise
