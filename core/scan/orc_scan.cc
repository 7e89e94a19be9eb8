#include "scan/orc_scan.h"

#include <algorithm>
#include <utility>

#include "operators/spec_members.h"
#include "scan/file_errors.h"
#include "scan/file_store.h"
#include "scan/orc_file.h"
#include "scan/partition_columns.h"
#include "scan/piece_source.h"
#include "scan/row_group_pruner.h"
#include "scan/spark_pieces.h"
#include "vocabulary/metrics.h"

namespace reprise {

namespace {

/// The spec's arguments, decoded.
struct OrcArguments {
  OrcProjection projection;
  std::vector<Field> partition_columns;
  std::vector<ExpressionSpec> pruning;
};

Result<OrcArguments> DecodeArguments(const OperatorSpec& spec) {
  const nlohmann::json& arguments = spec.arguments;
  if (!arguments.is_object()) return Status::Invalid("\"arguments\" is not an object");
  OrcArguments decoded;
  OrcProjection& projection = decoded.projection;
  ARROW_ASSIGN_OR_RAISE(auto columns, FieldsArgument(arguments, "columns"));
  ARROW_ASSIGN_OR_RAISE(auto file_columns, FieldsArgument(arguments, "fileColumns"));
  ARROW_ASSIGN_OR_RAISE(decoded.partition_columns, FieldsArgument(arguments, "partitionColumns"));
  ARROW_ASSIGN_OR_RAISE(decoded.pruning, PruningArgument(arguments));
  ARROW_ASSIGN_OR_RAISE(const bool case_sensitive, BooleanMember(arguments, "caseSensitive"));
  if (const auto zone = arguments.find("zone"); zone != arguments.end()) {
    ARROW_ASSIGN_OR_RAISE(projection.zone.id, StringMember(*zone, "id"));
    ARROW_ASSIGN_OR_RAISE(projection.zone.epoch, IntegerMember(*zone, "epoch"));
  }
  RETURN_NOT_OK(CheckScanOutput(spec.output, columns, decoded.partition_columns));
  ARROW_ASSIGN_OR_RAISE(
      projection.columns,
      OrcColumns::Make(std::move(columns), std::move(file_columns), case_sensitive));
  return decoded;
}

class OrcScan final : public Operator {
 public:
  OrcScan(OperatorSpec spec, OrcArguments arguments, std::vector<FileSplit> splits,
          std::unique_ptr<FileStore> store, std::unique_ptr<PieceSource> pieces,
          const TaskContext& context)
      : Operator(std::move(spec), {}, context),
        splits_(std::move(splits)),
        arguments_(std::move(arguments)),
        pruner_(arguments_.pruning, this->spec().output),
        store_(std::move(store)),
        pieces_(std::move(pieces), this->spec(), this->context()) {
    mutable_metrics().extra.assign(ExtraMetrics(this->spec().kind).size(), 0);
  }

 protected:
  Result<std::optional<Batch>> NextBatch() override {
    while (true) {
      if (pieces_.is_begun()) {
        ARROW_ASSIGN_OR_RAISE(auto batch, pieces_.Next(&mutable_metrics().own_time_ns));
        if (batch && failure_.ok()) return batch;
      } else if (!failure_.ok()) {
        return failure_;
      } else if (file_ != nullptr && file_->rows_left() > 0) {
        ARROW_ASSIGN_OR_RAISE(auto batch, ReadRows());
        if (batch) return batch;
      } else if (next_stripe_ < stripes_.size()) {
        RETURN_NOT_OK(StartStripe());
      } else if (next_split_ < splits_.size()) {
        RETURN_NOT_OK(Open());
      } else {
        return std::nullopt;
      }
    }
  }

 private:
  // As operators.def has them.
  enum Figure { kRowGroupsRead, kRowGroupsSkipped, kBytesRead, kSparkBytesRead };

  int64_t& figure(Figure which) { return mutable_metrics().extra[which]; }
  const FileSplit& split() const { return splits_[next_split_ - 1]; }

  Status Open() {
    const FileSplit& split = splits_[next_split_++];
    constants_.Clear();
    file_.reset();
    stripes_.clear();
    next_stripe_ = 0;
    counted_bytes_ = 0;
    if (split.is_for_spark) return LeaveToSpark(split);
    auto file = OrcFile::Open(split.path, store_.get(), arguments_.projection, context());
    if (!file.ok()) {
      RETURN_NOT_OK(AboutFile(file.status()));
      return LeaveToSpark(split);
    }
    if ((*file)->is_for_spark()) return LeaveToSpark(split);
    file_ = std::move(*file);
    if (!file_->CanSkip(pruner_)) stripes_ = file_->StripesOf(split.start, split.length);
    CountBytes();
    return Status::OK();
  }

  // OK where Spark is to say what is wrong with the file.
  Status AboutFile(const Status& status) const {
    return pieces_.AreToTellOf(status) ? Status::OK() : AsDataError(status);
  }

  Status AsDataError(const Status& status) const {
    return IsAboutFile(status) ? DataError(split().path, status.message()) : status;
  }

  Status StartStripe() {
    const int stripe = stripes_[next_stripe_++];
    has_given_ = false;
    const auto is_started = file_->Start(stripe, pruner_);
    CountBytes();
    if (is_started.ok() && *is_started) {
      figure(kRowGroupsRead) += file_->groups_read();
      figure(kRowGroupsSkipped) += file_->groups_skipped();
      return Status::OK();
    }
    RETURN_NOT_OK(AboutFile(is_started.status()));
    return LeaveStripe();
  }

  // Nothing where Spark is to read the stripe.
  Result<std::optional<Batch>> ReadRows() {
    const int64_t rows_in_bytes = bounds().bytes / file_->row_bytes();
    const int64_t target = std::clamp<int64_t>(rows_in_bytes, 1, bounds().rows);
    Batch batch;
    batch.schema = output_schema();
    batch.row_count = std::min(file_->rows_left(), target);
    auto columns = file_->Read(batch.row_count);
    if (!columns.ok()) {
      RETURN_NOT_OK(AboutFile(columns.status()));
      // Its rows have left in part: so Spark's reader is only to fail at it, too.
      if (has_given_) failure_ = AsDataError(columns.status());
      RETURN_NOT_OK(LeaveStripe());
      return std::nullopt;
    }
    has_given_ = true;
    batch.columns = std::move(*columns);
    RETURN_NOT_OK(constants_.AppendTo(&batch.columns, split(), batch.row_count, pool()));
    return batch;
  }

  // Of the stripe that was started last; Spark knows it by where it begins.
  Status LeaveStripe() {
    file_->End();
    const OrcStripe& stripe = file_->stripe(stripes_[next_stripe_ - 1]);
    figure(kSparkBytesRead) += stripe.index_bytes + stripe.data_bytes + stripe.footer_bytes;
    return BeginPiece(stripe.start, 1);
  }

  Status LeaveToSpark(const FileSplit& split) {
    figure(kSparkBytesRead) += split.length;
    return BeginPiece(split.start, split.length);
  }

  Status BeginPiece(int64_t start, int64_t length) {
    return pieces_.Begin(static_cast<int32_t>(next_split_ - 1), split().path, start, length);
  }

  void CountBytes() {
    figure(kBytesRead) += file_->bytes_read() - std::exchange(counted_bytes_, file_->bytes_read());
  }

  const std::vector<FileSplit> splits_;
  const OrcArguments arguments_;
  const RowGroupPruner pruner_;
  const std::unique_ptr<FileStore> store_;  // outlives file_
  SparkPieces pieces_;
  size_t next_split_ = 0;
  std::unique_ptr<OrcFile> file_;  // of the split before; null: it is Spark's
  std::vector<int> stripes_;       // of that split
  size_t next_stripe_ = 0;
  bool has_given_ = false;     // rows of the stripe before
  Status failure_;             // of that stripe, unless Spark tells of another one
  int64_t counted_bytes_ = 0;  // of file_
  ConstantColumns constants_;
};

}  // namespace

Result<std::unique_ptr<Operator>> MakeOrcScan(OperatorSpec spec, std::vector<FileSplit> splits,
                                              const TaskContext& context,
                                              std::unique_ptr<FileStore> store,
                                              std::unique_ptr<PieceSource> pieces) {
  ARROW_ASSIGN_OR_RAISE(auto arguments, DecodeArguments(spec));
  for (const auto& split : splits) RETURN_NOT_OK(CheckSplit(split, arguments.partition_columns));
  arguments.projection.instants = context.rebase_instants;
  return std::make_unique<OrcScan>(std::move(spec), std::move(arguments), std::move(splits),
                                   std::move(store), std::move(pieces), context);
}

}  // namespace reprise
