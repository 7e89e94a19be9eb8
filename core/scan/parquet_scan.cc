#include "scan/parquet_scan.h"

#include <algorithm>
#include <utility>

#include "expressions/leaves.h"
#include "operators/spec_members.h"
#include "scan/partition_columns.h"
#include "scan/row_group_pruner.h"
#include "scan/spark_pieces.h"
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

/// One value for each column, of an array that may be absent.
Result<const nlohmann::json*> OfColumns(const nlohmann::json& arguments, const char* name,
                                        size_t columns) {
  static const nlohmann::json kAbsent = nlohmann::json::array();
  if (!arguments.contains(name)) return &kAbsent;
  ARROW_ASSIGN_OR_RAISE(const auto* values, ArrayMember(arguments, name));
  if (values->size() == columns) return values;
  return Status::Invalid("argument \"", name, "\" has ", values->size(), " values for ", columns,
                         " columns");
}

Status DecodeDefaults(const nlohmann::json& arguments, ParquetProjection* projection) {
  const auto& columns = projection->columns;
  ARROW_ASSIGN_OR_RAISE(const auto* values, OfColumns(arguments, "defaults", columns.size()));
  for (size_t i = 0; i < values->size(); ++i) {
    auto& value = projection->defaults.emplace_back();
    if ((*values)[i].is_null()) continue;
    ARROW_ASSIGN_OR_RAISE(const auto spec, ExpressionSpecFromJson((*values)[i]));
    ARROW_ASSIGN_OR_RAISE(const auto expression, MakeExpression(spec, {}));
    const auto* literal = dynamic_cast<const Literal*>(expression.get());
    if (literal == nullptr || literal->type() != columns[i].type) {
      return Status::Invalid("the default value of column ", columns[i].name,
                             " is no literal of type ", columns[i].type.ToString());
    }
    if (literal->value()->is_valid) value = literal->value();
  }
  return Status::OK();
}

Status DecodeMatching(const nlohmann::json& arguments, ParquetProjection* projection) {
  ColumnMatching& matching = projection->matching;
  ARROW_ASSIGN_OR_RAISE(matching.case_sensitive, BooleanMember(arguments, "caseSensitive"));
  ARROW_ASSIGN_OR_RAISE(matching.null_structs, FlagArgument(arguments, "nullStructs", false));
  ARROW_ASSIGN_OR_RAISE(matching.needs_field_ids, FlagArgument(arguments, "needsFieldIds", false));
  ARROW_ASSIGN_OR_RAISE(const auto* ids,
                        OfColumns(arguments, "fieldIds", projection->columns.size()));
  for (const auto& id : *ids) {
    if (!id.is_number_integer()) return Status::Invalid("argument \"fieldIds\" has other than ids");
    matching.field_ids.push_back(id.get<int32_t>());
  }
  return Status::OK();
}

Result<ScanArguments> DecodeArguments(const nlohmann::json& arguments) {
  if (!arguments.is_object()) return Status::Invalid("\"arguments\" is not an object");
  ScanArguments decoded;
  ARROW_ASSIGN_OR_RAISE(decoded.projection.columns, FieldsArgument(arguments, "columns"));
  ARROW_ASSIGN_OR_RAISE(decoded.partition_columns, FieldsArgument(arguments, "partitionColumns"));
  ARROW_ASSIGN_OR_RAISE(decoded.pruning, PruningArgument(arguments));
  RETURN_NOT_OK(DecodeDefaults(arguments, &decoded.projection));
  RETURN_NOT_OK(DecodeMatching(arguments, &decoded.projection));
  ARROW_ASSIGN_OR_RAISE(decoded.projection.widens, FlagArgument(arguments, "widens", true));
  ARROW_ASSIGN_OR_RAISE(decoded.projection.rebase.datetime,
                        RebaseArgument(arguments, "datetimeRebaseMode"));
  ARROW_ASSIGN_OR_RAISE(decoded.projection.rebase.int96,
                        RebaseArgument(arguments, "int96RebaseMode"));
  return decoded;
}

class ParquetScan : public Operator {
 public:
  ParquetScan(OperatorSpec spec, std::vector<FileSplit> splits, ScanArguments arguments,
              std::unique_ptr<FileStore> store, std::unique_ptr<PieceSource> pieces,
              const TaskContext& context)
      : Operator(std::move(spec), {}, context),
        splits_(std::move(splits)),
        arguments_(std::move(arguments)),
        pruner_(arguments_.pruning, this->spec().output),
        reader_(splits_, arguments_.projection, pruner_, std::move(store), this->context()),
        pieces_(std::move(pieces), this->spec(), this->context()) {
    mutable_metrics().extra.assign(ParquetScanMetrics().size(), 0);
  }

 protected:
  Result<std::optional<Batch>> NextBatch() override {
    while (true) {
      if (pieces_.is_begun()) {
        ARROW_ASSIGN_OR_RAISE(auto batch, pieces_.Next(&mutable_metrics().own_time_ns));
        if (batch && failure_.ok()) return batch;
        continue;
      }
      RETURN_NOT_OK(failure_);
      auto batch = ReadRows();
      if (batch.ok()) return batch;
      RETURN_NOT_OK(LeaveToSpark(batch.status()));
    }
  }

 private:
  enum Figure { kRowGroupsRead, kRowGroupsSkipped, kBytesRead };  // as ParquetScanMetrics

  int64_t& figure(Figure which) { return mutable_metrics().extra[which]; }

  Result<std::optional<Batch>> ReadRows() {
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
    given_of_ = reader_.split();
    return batch;
  }

  /// Of the split at hand, which could not be read: Spark reads it. Where rows of it have left
  /// already Spark is only to fail at it, too.
  Status LeaveToSpark(const Status& status) {
    if (!pieces_.AreToTellOf(status)) return status;
    const size_t number = reader_.split();
    const FileSplit& split = splits_[number];
    if (given_of_ == number) failure_ = status;
    reader_.LeaveSplit();
    return pieces_.Begin(static_cast<int32_t>(number), split.path, split.start, split.length);
  }

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
  SparkPieces pieces_;
  ConstantColumns constants_;
  std::optional<size_t> constants_of_;  // which split's
  std::optional<size_t> given_of_;      // the split whose rows have left last
  Status failure_;                      // of that split, unless Spark tells of another one
};

}  // namespace

Result<std::unique_ptr<Operator>> MakeParquetScan(OperatorSpec spec, std::vector<FileSplit> splits,
                                                  const TaskContext& context,
                                                  std::unique_ptr<FileStore> store,
                                                  std::unique_ptr<PieceSource> pieces) {
  ARROW_ASSIGN_OR_RAISE(auto arguments, DecodeArguments(spec.arguments));
  RETURN_NOT_OK(
      CheckScanOutput(spec.output, arguments.projection.columns, arguments.partition_columns));
  for (const auto& split : splits) RETURN_NOT_OK(CheckSplit(split, arguments.partition_columns));
  arguments.projection.instants = context.rebase_instants;
  return std::make_unique<ParquetScan>(std::move(spec), std::move(splits), std::move(arguments),
                                       std::move(store), std::move(pieces), context);
}

const std::vector<Metric>& ParquetScanMetrics() { return ExtraMetrics(kParquetScanKind); }

}  // namespace reprise
