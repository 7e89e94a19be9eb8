// Purpose: put columns beside the input's that only Spark can compute.
// Input:   one, any columns.  Output: its columns, then the guests'; as many rows. A value that
// Spark cannot compute is an error in its place (value_errors.h), and fails where it is used.
// Example: guest length(reverse(b)) over b = ["x", "yz"] gives b and [1, 2].
//
// The first rows of a task are evaluated few at a time: a guest may be slow, and a limit above may
// be full after a row.
#include "operators/guest_project.h"

#include <algorithm>

#include "expressions/expression.h"
#include "operators/guest_values.h"
#include "operators/sort.h"
#include "operators/spec_members.h"

namespace reprise {

namespace {

constexpr int64_t kFirstRows = 64;

class GuestProject final : public Operator {
 public:
  GuestProject(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
               const TaskContext& context, std::vector<int> reads,
               std::unique_ptr<GuestValues> values)
      : Operator(std::move(spec), std::move(inputs), context),
        reads_(std::move(reads)),
        values_(std::move(values)) {}

  /// With these guests: see SharedKey in join/join_operator.cc.
  std::optional<int64_t> broadcast_id() const override { return inputs()[0]->broadcast_id(); }

 private:
  bool hands_on(int /*index*/, int column) const override {
    return std::ranges::find(reads_, column) == reads_.end();
  }

  Result<std::optional<Batch>> NextBatch() override {
    while (values_->left() == 0) {
      piece_.reset();
      while (!rest_.has_more()) {
        ARROW_ASSIGN_OR_RAISE(std::optional<Batch> batch, Pull());
        if (!batch.has_value()) return std::nullopt;
        if (batch->selected_count() > 0) rest_.Start(*std::move(batch));
      }
      RETURN_NOT_OK(Begin());
    }
    const int64_t first = piece_->selected_count() - values_->left();
    ARROW_ASSIGN_OR_RAISE(GuestValues::Results results, values_->Next());
    return WithResults(first, std::move(results));
  }

  /// Hands the next rows to the guests.
  Status Begin() {
    const BatchBounds most = bounds();
    ARROW_ASSIGN_OR_RAISE(piece_,
                          rest_.Next({std::min(most.rows, rows_at_once_), most.bytes}, pool()));
    rows_at_once_ = std::min(rows_at_once_ * 4, most.rows);
    Batch read{nullptr, {}, piece_->row_count, piece_->selection};
    for (const int column : reads_) read.columns.push_back(piece_->columns[column]);
    return values_->Begin(read);
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
  BatchCutter rest_;
  std::optional<Batch> piece_;  // that the guests are evaluating
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
  return std::make_unique<GuestProject>(std::move(spec), std::move(inputs), context,
                                        std::move(reads), std::move(values));
}

}  // namespace reprise
