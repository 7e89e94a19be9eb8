// Purpose: put columns beside the input's that only Spark can compute.
// Input:   one, any columns.  Output: its columns, then the guests'; as many rows. A value that
// Spark cannot compute is an error in its place (value_errors.h), and fails where it is used.
// Example: guest length(reverse(b)) over b = ["x", "yz"] gives b and [1, 2].
//
// The first rows of a task are evaluated few at a time: a guest may be slow, and a limit above may
// be full after a row. Of guests that are tried only the rows in doubt go to Spark.
#include "operators/guest_project.h"

#include <algorithm>

#include "base/selected_rows.h"
#include "expressions/expression.h"
#include "expressions/scatter.h"
#include "operators/guest_trials.h"
#include "operators/guest_values.h"
#include "operators/sort.h"
#include "operators/spec_members.h"

namespace reprise {

namespace {

constexpr int64_t kFirstRows = 64;
constexpr size_t kGuestRows = 0;  // among its own metrics

class GuestProject final : public Operator {
 public:
  GuestProject(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
               const TaskContext& context, std::vector<int> reads,
               std::unique_ptr<GuestValues> values, std::unique_ptr<GuestTrials> trials)
      : Operator(std::move(spec), std::move(inputs), context),
        reads_(std::move(reads)),
        values_(std::move(values)),
        trials_(std::move(trials)) {
    mutable_metrics().extra.assign(1, 0);
  }

  /// With these guests: see SharedKey in join/join_operator.cc.
  std::optional<int64_t> broadcast_id() const override { return inputs()[0]->broadcast_id(); }

 private:
  bool hands_on(int /*index*/, int column) const override {
    return std::ranges::find(reads_, column) == reads_.end();
  }

  Result<std::optional<Batch>> NextBatch() override {
    while (!piece_ || given_ == piece_->selected_count()) {
      piece_.reset();
      while (!rest_.has_more()) {
        ARROW_ASSIGN_OR_RAISE(std::optional<Batch> batch, Pull());
        if (!batch.has_value()) return std::nullopt;
        if (batch->selected_count() > 0) rest_.Start(*std::move(batch));
      }
      RETURN_NOT_OK(Begin());
    }
    const int64_t first = given_;
    GuestValues::Results results;
    if (values_->left() > 0) {
      ARROW_ASSIGN_OR_RAISE(results, values_->Next());
    }
    if (tried_) {
      RETURN_NOT_OK(PutAmongTried(&results));
    } else {
      given_ += results.columns.row_count;
    }
    return WithResults(first, std::move(results));
  }

  /// Computes what is sure of the next rows, and hands the others to the guests.
  Status Begin() {
    const BatchBounds most = bounds();
    ARROW_ASSIGN_OR_RAISE(piece_,
                          rest_.Next({std::min(most.rows, rows_at_once_), most.bytes}, pool()));
    rows_at_once_ = std::min(rows_at_once_ * 4, most.rows);
    given_ = 0;
    tried_.reset();
    Batch read{nullptr, {}, piece_->row_count, piece_->selection};
    for (const int column : reads_) read.columns.push_back(piece_->columns[column]);
    if (trials_ == nullptr || !trials_->pays()) return GiveToSpark(read);
    ARROW_ASSIGN_OR_RAISE(tried_, trials_->Try(*piece_, pool()));
    const std::vector<int32_t>& doubted = tried_->doubted;
    if (doubted.empty()) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(read.selection, SelectionAt(read, doubted, pool()));
    return GiveToSpark(read);
  }

  Status GiveToSpark(const Batch& rows) {
    mutable_metrics().extra[kGuestRows] += rows.selected_count();
    return values_->Begin(rows);
  }

  /// Makes of the results of some rows in doubt those of all rows up to the last of them, or up to
  /// the piece's end where no more are in doubt; these are given then.
  Status PutAmongTried(GuestValues::Results* results) {
    const auto& doubted = tried_->doubted;
    const auto answered = doubted.end() - values_->left();
    const auto asked = answered - results->columns.row_count;
    const bool is_last = answered == doubted.end() && results->failures.empty();
    const int64_t end = is_last ? piece_->selected_count() : *(answered - 1) + 1;
    std::vector<int32_t> sure;
    std::vector<int32_t> from_spark;
    auto next = asked;
    for (int64_t row = given_; row < end; ++row) {
      const bool is_sure = next == answered || *next != row;
      (is_sure ? sure : from_spark).push_back(static_cast<int32_t>(row - given_));
      if (!is_sure) ++next;
    }
    Batch all{nullptr, {}, end - given_, nullptr};
    for (size_t i = 0; i < tried_->columns.size(); ++i) {
      auto column = tried_->columns[i]->Slice(given_, all.row_count);
      if (!from_spark.empty()) {
        const Piece pieces[] = {{{column, nullptr}, sure, /*dense=*/true},
                                {{results->columns.columns[i], nullptr}, from_spark}};
        const Field& guest = spec().output[spec().output.size() - tried_->columns.size() + i];
        ARROW_ASSIGN_OR_RAISE(column, Scatter(guest.type, pieces, all.row_count, pool()));
      }
      all.columns.push_back(std::move(column));
    }
    given_ = end;
    results->columns = std::move(all);
    return Status::OK();
  }

  /// The piece's rows from `first` on with their results.
  Result<Batch> WithResults(int64_t first, GuestValues::Results results) {
    const Batch& made = results.columns;
    const int64_t count = made.row_count;
    ARROW_ASSIGN_OR_RAISE(const Batch rows, PieceOf(*piece_, first, count, pool()));
    Batch output{output_schema(), {}, count, nullptr};
    EvalInput input(rows, pool());
    for (size_t i = 0; i < rows.columns.size(); ++i) {
      ARROW_ASSIGN_OR_RAISE(auto column, input.column(static_cast<int>(i)));
      output.columns.push_back(std::move(column));
    }
    output.columns.insert(output.columns.end(), made.columns.begin(), made.columns.end());
    ValueErrors errors = ErrorsByPlace(rows);
    const auto of_input = static_cast<int>(rows.columns.size());
    for (auto& [guest, failure] : results.failures) {
      errors.push_back({static_cast<int32_t>(count - 1), of_input + guest, std::move(failure)});
    }
    output.errors = ToBatchErrors(std::move(errors));
    return output;
  }

  const std::vector<int> reads_;
  const std::unique_ptr<GuestValues> values_;
  const std::unique_ptr<GuestTrials> trials_;  // null where there are none
  BatchCutter rest_;
  std::optional<Batch> piece_;                // that the guests are evaluating
  std::optional<GuestTrials::Values> tried_;  // of the piece, where it was tried
  int64_t given_ = 0;                         // of the piece's rows
  int64_t rows_at_once_ = kFirstRows;
};

}  // namespace

Result<std::unique_ptr<Operator>> MakeGuestProject(OperatorSpec spec,
                                                   std::vector<std::unique_ptr<Operator>> inputs,
                                                   const TaskContext& context) {
  const std::vector<Field>& input = spec.inputs[0];
  if (spec.output.size() <= input.size()) {
    return Status::Invalid("its output has ", spec.output.size(), " columns, its input ",
                           input.size(), ", so that no guest is left");
  }
  RETURN_NOT_OK(CheckInputFirst(spec));
  ARROW_ASSIGN_OR_RAISE(std::vector<int> reads,
                        ColumnNumbersMember(spec.arguments, "reads", input.size()));
  ARROW_ASSIGN_OR_RAISE(const int64_t number, IntegerMember(spec.arguments, "guest"));
  std::vector<Field> read;
  for (const int column : reads) read.push_back(input[static_cast<size_t>(column)]);
  const std::vector<Field> made(spec.output.begin() + std::ssize(input), spec.output.end());
  ARROW_ASSIGN_OR_RAISE(auto values, GuestValues::Make(read, made, number, context));
  std::unique_ptr<GuestTrials> trials;
  if (spec.arguments.contains("trials")) {
    ARROW_ASSIGN_OR_RAISE(const auto expressions, ExpressionsMember(spec.arguments, "trials"));
    ARROW_ASSIGN_OR_RAISE(trials, GuestTrials::Make(expressions, input, made));
  }
  return std::make_unique<GuestProject>(std::move(spec), std::move(inputs), context,
                                        std::move(reads), std::move(values), std::move(trials));
}

}  // namespace reprise
