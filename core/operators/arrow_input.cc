// arrow_input: rows that come back from another Arrow implementation, beside those that they were
// computed of.
//
// Input: an ArrowSource. Output: the first columns of the batches that were put aside, then the
// columns of the source. Example: kept [1, 2] and [3], columns [a, b, c] give (1, a), (2, b),
// (3, c).
//
// The time that the source takes is Python's, or that of the fragment below: it is not own time.
//
// Who computes the columns may ask for all rows before it gives any. So what was put aside goes to
// disk where memory is short, in its order, and what comes later behind it.
#include "operators/arrow_input.h"

#include <deque>

#include "base/trace.h"
#include "exchange/spill_file.h"
#include "operators/spec_members.h"
#include "transitions/foreign_columns.h"

namespace reprise {

namespace {

class ArrowInput final : public Operator {
 public:
  ArrowInput(OperatorSpec spec, std::unique_ptr<ArrowSource> source, const TaskContext& context,
             int64_t kept)
      : Operator(std::move(spec), {}, context), source_(std::move(source)), kept_columns_(kept) {
    for (auto i = static_cast<size_t>(kept); i < this->spec().output.size(); ++i) {
      types_.push_back(this->spec().output[i].type);
    }
  }

  int64_t SpillableBytes() const override {
    TakeWaiting();
    int64_t bytes = 0;
    for (const Batch& batch : waiting_) bytes += PlainBytes(batch);
    return bytes;
  }

  Result<int64_t> Spill() override {
    TakeWaiting();
    RETURN_NOT_OK(lost_);
    if (waiting_.empty()) return 0;
    const int64_t freed = SpillableBytes();
    if (!spilled_) {
      ARROW_ASSIGN_OR_RAISE(
          spilled_, SpillFile::Make(SpillStorageOf(context()), waiting_.front().schema, pool()));
      reader_ = spilled_->Read(pool());
    }
    const int64_t before = spilled_->bytes();
    while (!waiting_.empty()) {
      RETURN_NOT_OK(spilled_->Write(waiting_.front()));
      waiting_.pop_front();
    }
    CountSpilled(spilled_->bytes() - before);
    return freed;
  }

 private:
  Result<std::optional<Batch>> NextBatch() override {
    while (given_ == rows_) {
      ARROW_ASSIGN_OR_RAISE(const bool has_more, ReadColumns());
      if (!has_more) return std::nullopt;
    }
    int64_t count = rows_ - given_;
    Batch output{output_schema(), {}, 0, nullptr};
    if (kept_columns_ > 0) {
      RETURN_NOT_OK(ReadKept());
      count = std::min(count, kept_->row_count - kept_given_);
      for (int64_t i = 0; i < kept_columns_; ++i) {
        output.columns.push_back(kept_->columns[static_cast<size_t>(i)]->Slice(kept_given_, count));
      }
      kept_given_ += count;
    }
    for (const auto& column : columns_) output.columns.push_back(column->Slice(given_, count));
    output.row_count = count;
    given_ += count;
    return output;
  }

  /// The next columns of the source; false at the end.
  Result<bool> ReadColumns() {
    const int64_t start = MonotonicNs();
    auto next = [this] {
      const ComputingScope waits(context().memory, this, /*computes=*/false);
      return source_->Next();
    }();
    mutable_metrics().own_time_ns -= MonotonicNs() - start;
    RETURN_NOT_OK(next);
    if (!next->has_value()) {
      columns_.clear();
      RETURN_NOT_OK(CheckEnd());
      return false;
    }
    ARROW_ASSIGN_OR_RAISE(columns_, CopyForeign(**next, types_, pool()));
    rows_ = (*next)->rows;
    given_ = 0;
    return true;
  }

  Status ReadKept() {
    while (!kept_ || kept_given_ == kept_->row_count) {
      ARROW_ASSIGN_OR_RAISE(kept_, NextKept());
      kept_given_ = 0;
      if (!kept_) return Status::Invalid("there are more rows than were given away");
      if (kept_->has_selection() || std::ssize(kept_->columns) < kept_columns_) {
        return Status::Invalid("the rows that were put aside are not those of the plan");
      }
    }
    return Status::OK();
  }

  // Takes over what the source has put aside.
  void TakeWaiting() const {
    while (lost_.ok()) {
      auto next = source_->Kept();
      if (!next.ok()) lost_ = next.status();
      if (!next.ok() || !next->has_value()) return;
      waiting_.push_back(**std::move(next));
    }
  }

  // What was spilled came before what waits.
  Result<std::optional<Batch>> NextKept() {
    if (reader_) {
      ARROW_ASSIGN_OR_RAISE(std::optional<Batch> batch, reader_->Next());
      if (batch) return batch;
    }
    TakeWaiting();
    RETURN_NOT_OK(lost_);
    if (waiting_.empty()) return std::nullopt;
    Batch first = std::move(waiting_.front());
    waiting_.pop_front();
    return first;
  }

  Status CheckEnd() {
    if (kept_columns_ == 0) return Status::OK();
    if (kept_ && kept_given_ < kept_->row_count) {
      return Status::Invalid("there are ", kept_->row_count - kept_given_,
                             " rows fewer than were given away");
    }
    ARROW_ASSIGN_OR_RAISE(const auto more, NextKept());
    if (more) return Status::Invalid("there are fewer rows than were given away");
    return Status::OK();
  }

  const std::unique_ptr<ArrowSource> source_;
  const int64_t kept_columns_;
  std::vector<DataType> types_;  // of the source's columns
  arrow::ArrayVector columns_;
  int64_t rows_ = 0;
  int64_t given_ = 0;  // of these rows
  std::optional<Batch> kept_;
  // What was put aside, as far as this has taken it over: asking how much it is does so.
  mutable std::deque<Batch> waiting_;
  mutable Status lost_;  // why the source gives no more of it
  std::unique_ptr<SpillFile> spilled_;
  std::unique_ptr<SpillReader> reader_;
  int64_t kept_given_ = 0;
};

}  // namespace

Result<std::unique_ptr<Operator>> MakeArrowInput(OperatorSpec spec,
                                                 std::unique_ptr<ArrowSource> source,
                                                 const TaskContext& context) {
  if (!spec.inputs.empty()) {
    return Status::Invalid(ErrorPrefix(spec), "arrow_input is a leaf, but its spec has ",
                           spec.inputs.size(), " inputs");
  }
  RETURN_NOT_OK(ToArrowSchema(spec.output));
  ARROW_ASSIGN_OR_RAISE(const int64_t kept, IntegerMember(spec.arguments, "kept"));
  if (kept < 0 || kept > std::ssize(spec.output)) {
    return Status::Invalid(ErrorPrefix(spec), "\"kept\" is ", kept, " of ", spec.output.size(),
                           " columns");
  }
  return std::make_unique<ArrowInput>(std::move(spec), std::move(source), context, kept);
}

}  // namespace reprise
