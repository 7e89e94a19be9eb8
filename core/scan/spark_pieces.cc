#include "scan/spark_pieces.h"

#include <utility>

#include "base/trace.h"
#include "operators/row_input.h"
#include "vocabulary/kinds.h"

namespace reprise {

namespace {

/// RowInput takes its source; this one goes on with the next piece.
class LentRows final : public RowSource {
 public:
  explicit LentRows(RowSource* rows) : rows_(rows) {}
  Result<Filled> Fill(uint8_t* rows, int64_t capacity, int32_t* lengths,
                      int32_t rows_max) override {
    return rows_->Fill(rows, capacity, lengths, rows_max);
  }

 private:
  RowSource* const rows_;
};

}  // namespace

SparkPieces::SparkPieces(std::unique_ptr<PieceSource> source, const OperatorSpec& spec,
                         const TaskContext& context)
    : source_(std::move(source)), rows_spec_(spec), context_(context) {
  rows_spec_.kind = kRowInputKind;
  rows_spec_.arguments = nlohmann::json::object();
}

Status SparkPieces::Begin(int32_t file, const std::string& path, int64_t start, int64_t length) {
  if (source_ == nullptr) {
    return Status::NotImplemented(path, ": at byte ", start,
                                  " stands what only Spark reads: replay it with --engine spark");
  }
  RETURN_NOT_OK(source_->Read(file, start, length));
  ARROW_ASSIGN_OR_RAISE(
      rows_, MakeRowInput(rows_spec_, std::make_unique<LentRows>(source_.get()), context_));
  return Status::OK();
}

Result<std::optional<Batch>> SparkPieces::Next(int64_t* own_time_ns) {
  const int64_t begin = MonotonicNs();
  const int64_t own = rows_->metrics().own_time_ns;
  auto batch = rows_->Next();
  *own_time_ns += rows_->metrics().own_time_ns - own - (MonotonicNs() - begin);
  if (batch.ok() && !*batch) rows_.reset();
  return batch;
}

}  // namespace reprise
