#include "scan/parquet_scan.h"

#include <algorithm>
#include <utility>

#include "scan/partition_columns.h"
#include "scan/row_group_pruner.h"
#include "scan/split_reader.h"
#include "vocabulary/kinds.h"

namespace reprise {

namespace {

/// The spec's arguments, decoded.
struct ScanArguments {
  ParquetProjection projection;
  std::vector<Field> partition_columns;
  std::vector<ExpressionSpec> pruning;
};

Result<RebaseMode> RebaseArgument(const nlohmann::json& arguments, const char* name) {
  const auto found = arguments.find(name);
  if (found == arguments.end()) return RebaseMode::kCorrected;
  if (!found->is_string()) return Status::Invalid("argument \"", name, "\" is not a string");
  return ParseRebaseMode(found->get<std::string>());
}

/// A boolean that may be absent.
Result<bool> FlagArgument(const nlohmann::json& arguments, const char* name, bool otherwise) {
  const auto found = arguments.find(name);
  if (found == arguments.end()) return otherwise;
  if (!found->is_boolean()) return Status::Invalid("argument \"", name, "\" is not a boolean");
  return found->get<bool>();
}

Result<ScanArguments> DecodeArguments(const nlohmann::json& arguments) {
  if (!arguments.is_object()) return Status::Invalid("\"arguments\" is not an object");
  ScanArguments decoded;
  ARROW_ASSIGN_OR_RAISE(decoded.projection.columns, FieldsArgument(arguments, "columns"));
  ARROW_ASSIGN_OR_RAISE(decoded.partition_columns, FieldsArgument(arguments, "partitionColumns"));
  ARROW_ASSIGN_OR_RAISE(decoded.pruning, PruningArgument(arguments));
  const auto case_sensitive = arguments.find("caseSensitive");
  if (case_sensitive == arguments.end() || !case_sensitive->is_boolean()) {
    return Status::Invalid("argument \"caseSensitive\" is missing or not a boolean");
  }
  decoded.projection.matching.case_sensitive = case_sensitive->get<bool>();
  ARROW_ASSIGN_OR_RAISE(decoded.projection.widens, FlagArgument(arguments, "widens", true));
  ARROW_ASSIGN_OR_RAISE(decoded.projection.matching.null_structs,
                        FlagArgument(arguments, "nullStructs", false));
  ARROW_ASSIGN_OR_RAISE(decoded.projection.rebase.datetime,
                        RebaseArgument(arguments, "datetimeRebaseMode"));
  ARROW_ASSIGN_OR_RAISE(decoded.projection.rebase.int96,
                        RebaseArgument(arguments, "int96RebaseMode"));
  return decoded;
}

class ParquetScan : public Operator {
 public:
  ParquetScan(OperatorSpec spec, std::vector<FileSplit> splits, ScanArguments arguments,
              std::unique_ptr<FileStore> store, const TaskContext& context)
      : Operator(std::move(spec), {}, context),
        splits_(std::move(splits)),
        arguments_(std::move(arguments)),
        pruner_(arguments_.pruning, this->spec().output),
        reader_(splits_, arguments_.projection, pruner_, std::move(store), this->context()) {
    mutable_metrics().extra.assign(ParquetScanMetrics().size(), 0);
  }

 protected:
  Result<std::optional<Batch>> NextBatch() override {
    while (reader_.file() == nullptr || reader_.file()->rows_left() == 0) {
      ARROW_ASSIGN_OR_RAISE(const bool more, NextRowGroup());
      if (!more) return std::nullopt;
    }
    ParquetRowGroups& file = *reader_.file();
    const int64_t rows_in_bytes = bounds().bytes / file.row_bytes();
    const int64_t target = std::clamp<int64_t>(rows_in_bytes, 1, bounds().rows);
    Batch batch;
    batch.schema = output_schema();
    ARROW_ASSIGN_OR_RAISE(batch.row_count,
                          file.RowsWithin(std::min(file.rows_left(), target), bounds().bytes));
    ARROW_ASSIGN_OR_RAISE(batch.columns, file.Read(batch.row_count));
    RETURN_NOT_OK(
        constants_.AppendTo(&batch.columns, splits_[reader_.split()], batch.row_count, pool()));
    return batch;
  }

 private:
  enum Figure { kRowGroupsRead, kRowGroupsSkipped, kBytesRead };  // as ParquetScanMetrics

  int64_t& figure(Figure which) { return mutable_metrics().extra[which]; }

  /// False after the last.
  Result<bool> NextRowGroup() {
    ARROW_ASSIGN_OR_RAISE(const bool more, reader_.Next());
    figure(kRowGroupsSkipped) = reader_.row_groups_skipped();
    if (!more) return false;
    ++figure(kRowGroupsRead);
    figure(kBytesRead) += reader_.file()->chunk_bytes();
    if (std::exchange(constants_of_, reader_.split()) != reader_.split()) constants_.Clear();
    return true;
  }

  const std::vector<FileSplit> splits_;
  const ScanArguments arguments_;
  const RowGroupPruner pruner_;
  SplitReader reader_;
  ConstantColumns constants_;
  std::optional<size_t> constants_of_;  // which split's
};

}  // namespace

Result<std::unique_ptr<Operator>> MakeParquetScan(OperatorSpec spec, std::vector<FileSplit> splits,
                                                  const TaskContext& context,
                                                  std::unique_ptr<FileStore> store) {
  ARROW_ASSIGN_OR_RAISE(auto arguments, DecodeArguments(spec.arguments));
  RETURN_NOT_OK(
      CheckScanOutput(spec.output, arguments.projection.columns, arguments.partition_columns));
  for (const auto& split : splits) RETURN_NOT_OK(CheckSplit(split, arguments.partition_columns));
  arguments.projection.instants = context.rebase_instants;
  return std::make_unique<ParquetScan>(std::move(spec), std::move(splits), std::move(arguments),
                                       std::move(store), context);
}

const std::vector<Metric>& ParquetScanMetrics() { return ExtraMetrics(kParquetScanKind); }

}  // namespace reprise
