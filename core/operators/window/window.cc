// Purpose: add columns computed over the other rows of a row's partition (OVER …).
// Input:   one, sorted by the keys of partition and order.  Output: its columns, and one a
// function. Example: sum(v) over partition k up to the current row, of (k, v) = (a, 1), (a, 2), (b,
// 3): gives 1, 3, 3.
//
// Rows wait in a queue until their partition is complete, or, where all functions are running ones,
// until their peers are; then the functions are computed over all that are, many partitions at a
// time. In memory stays what the functions look at; the rows themselves may be spilled.
#include "operators/window/window.h"

#include <arrow/array/concatenate.h>

#include <algorithm>
#include <limits>

#include "base/selected_rows.h"
#include "expressions/row_error.h"
#include "operators/sort.h"
#include "operators/window/batch_queue.h"
#include "operators/window/window_plan.h"
#include "plan/value_form.h"

namespace reprise {

namespace {

class Window final : public Operator {
 public:
  Window(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
         const TaskContext& context, WindowPlan plan, std::shared_ptr<arrow::Schema> input_schema)
      : Operator(std::move(spec), std::move(inputs), context),
        plan_(std::move(plan)),
        queue_(std::move(input_schema), {context, [this](int64_t bytes) { CountSpilled(bytes); }}),
        values_(plan_.values.size()) {}

  int64_t SpillableBytes() const override { return queue_.bytes(); }
  Result<int64_t> Spill() override { return queue_.Spill(); }

 private:
  Result<std::optional<Batch>> NextBatch() override {
    while (leaving_ == 0) {
      RETURN_NOT_OK(due_.status());
      RETURN_NOT_OK(Collect());
      const int32_t complete = CompleteRows();
      if (complete > 0) RETURN_NOT_OK(ComputeUpTo(complete));
      if (complete == 0 && at_end_ && !due_.is_due()) return std::nullopt;
    }
    return NextLeaving();
  }

  /// Rows whose partition, or peers, can get no more.
  int32_t CompleteRows() const {
    if (at_end_ && !ends_in_error_) return row_count_;
    const std::vector<int32_t>& begins = plan_.is_running ? peers_ : partitions_;
    return begins.empty() ? 0 : begins.back();
  }

  Status Collect() {
    while (!at_end_ && (CompleteRows() == 0 ||
                        (row_count_ < bounds().rows && queue_.bytes() < bounds().bytes))) {
      ARROW_ASSIGN_OR_RAISE(std::optional<Batch> batch, Pull());
      if (!batch) {
        at_end_ = true;
      } else if (batch->selected_count() > 0) {
        RETURN_NOT_OK(Add(*std::move(batch)));
      }
    }
    return Status::OK();
  }

  Status Add(Batch batch) {
    RETURN_NOT_OK(Reserve(CopyBytes(batch)));
    auto added = Evaluated(batch);
    if (!added.ok()) {
      // Partitions before the one that has the error leave first.
      const Status first = due_.Cut(&batch, added.status(),
                                    [this](const Batch& rows) { return Evaluated(rows).status(); });
      if (!first.ok() && !IsOfRow(first)) return first;
      at_end_ = ends_in_error_ = true;
      if (!first.ok()) {
        due_.Set(first);
        return Status::OK();
      }
      added = Evaluated(batch);
    }
    ARROW_ASSIGN_OR_RAISE(AddedRows rows, std::move(added));
    return AddRows(std::move(rows));
  }

  struct AddedRows {
    Batch dense;  // without a selection
    WindowColumns columns;
  };

  Result<AddedRows> Evaluated(const Batch& batch) const {
    EvalInput input(batch, pool());
    AddedRows added;
    ARROW_ASSIGN_OR_RAISE(added.columns, plan_.Evaluate(input));
    added.dense = {batch.schema, {}, input.row_count(), nullptr};
    for (int i = 0; i < static_cast<int>(batch.columns.size()); ++i) {
      ARROW_ASSIGN_OR_RAISE(auto column, input.column(i));
      added.dense.columns.push_back(std::move(column));
    }
    return added;
  }

  Status AddRows(AddedRows rows) {
    const int64_t count = rows.dense.row_count;
    if (count > std::numeric_limits<int32_t>::max() - row_count_) {
      return Status::CapacityError("a partition has more than 2^31 rows");
    }
    ARROW_ASSIGN_OR_RAISE(const WindowMarks marks,
                          plan_.keys.Mark(rows.columns.keys, count, pool()));
    for (int64_t row = 0; row < count; ++row) {
      const auto number = static_cast<int32_t>(row_count_ + row);
      if (marks.partitions[static_cast<size_t>(row)] != 0) partitions_.push_back(number);
      if (marks.peers[static_cast<size_t>(row)] != 0) peers_.push_back(number);
    }
    row_count_ += static_cast<int32_t>(count);
    for (size_t i = 0; i < values_.size(); ++i) {
      values_[i].push_back(std::move(rows.columns.values[i]));
    }
    queue_.Push(std::move(rows.dense));
    return Status::OK();
  }

  /// Lets the first `complete` rows leave, or those before the first that has an error.
  Status ComputeUpTo(int32_t complete) {
    RETURN_NOT_OK(JoinValues());
    const WindowRows rows = RowsUpTo(complete);
    auto results = Compute(rows, complete);
    if (!results.ok()) {
      RETURN_NOT_OK(FindError(rows, results.status(), &complete));
      if (complete == 0) return Status::OK();
      results = Compute(rows, complete);
    }
    ARROW_ASSIGN_OR_RAISE(results_, std::move(results));
    leaving_ = complete;
    left_ = 0;
    return due_.is_due() ? Status::OK() : Forget(rows);
  }

  /// The first row with an error, whose error is due then.
  Status FindError(const WindowRows& rows, Status error, int32_t* complete) {
    if (!IsOfRow(error)) return error;
    int32_t good = 0;
    int32_t failing = *complete;
    while (failing - good > 1) {
      const int32_t middle = good + (failing - good) / 2;
      const Status status = Compute(rows, middle).status();
      if (!status.ok() && !IsOfRow(status)) return status;
      if (!status.ok()) error = status;
      (status.ok() ? good : failing) = middle;
    }
    due_.Set(std::move(error));
    *complete = good;
    return Status::OK();
  }

  Status JoinValues() {
    for (arrow::ArrayVector& pieces : values_) {
      if (pieces.size() == 1) continue;
      for (auto& piece : pieces) {
        ARROW_ASSIGN_OR_RAISE(piece, DecodeDictionary(piece, pool()));
      }
      ARROW_ASSIGN_OR_RAISE(auto joined, arrow::Concatenate(pieces, pool()));
      pieces = {std::move(joined)};
    }
    return Status::OK();
  }

  WindowRows RowsUpTo(int32_t complete) const {
    WindowRows rows;
    const auto up_to = [&](const std::vector<int32_t>& begins) {
      std::vector<int32_t> before(begins.begin(), std::ranges::lower_bound(begins, complete));
      before.push_back(complete);
      return before;
    };
    rows.partitions = up_to(partitions_);
    rows.peers = up_to(peers_);
    rows.count = complete;
    rows.rows_before = rows_before_;
    rows.peers_before = peers_before_;
    if (plan_.order_key) rows.order_key = values_[*plan_.order_key][0]->Slice(0, complete);
    return rows;
  }

  Result<arrow::ArrayVector> Compute(const WindowRows& rows, int32_t wanted) {
    arrow::ArrayVector results;
    for (size_t i = 0; i < plan_.functions.size(); ++i) {
      arrow::ArrayVector inputs;
      for (const size_t value : plan_.values_of[i]) {
        inputs.push_back(values_[value][0]->Slice(0, rows.count));
      }
      ARROW_ASSIGN_OR_RAISE(auto result,
                            plan_.functions[i]->Compute(rows, inputs, wanted, context()));
      results.push_back(std::move(result));
    }
    return results;
  }

  /// Of rows that have been computed, keeps what the rows behind them need.
  Status Forget(const WindowRows& rows) {
    const int32_t count = rows.count;
    const bool goes_on = count < row_count_ && !std::ranges::binary_search(partitions_, count);
    const int32_t last = rows.partitions[rows.partitions.size() - 2];
    const auto peers_of_last = rows.peers.end() - 1 - std::ranges::lower_bound(rows.peers, last);
    rows_before_ = goes_on ? count - last + (last == 0 ? rows_before_ : 0) : 0;
    peers_before_ = goes_on ? peers_of_last + (last == 0 ? peers_before_ : 0) : 0;
    for (const auto& function : plan_.functions) {
      if (plan_.is_running) RETURN_NOT_OK(function->Advance());
    }
    for (std::vector<int32_t>* begins : {&partitions_, &peers_}) {
      begins->erase(begins->begin(), std::ranges::lower_bound(*begins, count));
      for (int32_t& begin : *begins) begin -= count;
    }
    if (goes_on) partitions_.insert(partitions_.begin(), 0);
    row_count_ -= count;
    for (arrow::ArrayVector& pieces : values_) {
      if (row_count_ == 0) {
        pieces.clear();
      } else {
        pieces[0] = pieces[0]->Slice(count);
      }
    }
    return Status::OK();
  }

  Result<std::optional<Batch>> NextLeaving() {
    ARROW_ASSIGN_OR_RAISE(Batch batch, queue_.Pop());
    if (batch.row_count > leaving_) {
      queue_.PutBack(SelectedRows(batch, leaving_, batch.row_count));
      batch = SelectedRows(batch, 0, leaving_);
    }
    for (const auto& result : results_) {
      batch.columns.push_back(result->Slice(left_, batch.row_count));
    }
    batch.schema = output_schema();
    left_ += batch.row_count;
    leaving_ -= batch.row_count;
    if (leaving_ == 0) results_.clear();
    return batch;
  }

  WindowPlan plan_;
  BatchQueue queue_;  // of rows that have not left
  // Of the rows in the queue but those that leave: how many, where partitions and peers begin, and
  // what functions look at.
  int32_t row_count_ = 0;
  std::vector<int32_t> partitions_;
  std::vector<int32_t> peers_;
  std::vector<arrow::ArrayVector> values_;
  int64_t rows_before_ = 0;  // of the first row's partition, that are forgotten
  int64_t peers_before_ = 0;
  arrow::ArrayVector results_;  // of the rows that leave
  int64_t leaving_ = 0;
  int64_t left_ = 0;
  bool at_end_ = false;
  bool ends_in_error_ = false;
  DueError due_;
};

}  // namespace

Result<std::unique_ptr<Operator>> MakeWindow(OperatorSpec spec,
                                             std::vector<std::unique_ptr<Operator>> inputs,
                                             const TaskContext& context) {
  const std::vector<Field>& input = spec.inputs[0];
  ARROW_ASSIGN_OR_RAISE(const WindowSpec window, ReadWindowSpec(spec.arguments, input));
  if (spec.output.size() != input.size() + window.functions.size()) {
    return Status::Invalid("its output has ", spec.output.size(), " columns, its input ",
                           input.size(), " and there are ", window.functions.size(), " functions");
  }
  RETURN_NOT_OK(CheckInputFirst(spec));
  for (size_t i = 0; i < window.functions.size(); ++i) {
    const Field& output = spec.output[input.size() + i];
    const DataType& result = window.functions[i].result;
    if (HaveSameForm(output.type, result)) continue;
    return Status::Invalid("output column ", input.size() + i, " (", output.name, ") is ",
                           output.type.ToString(), ", the function yields ", result.ToString());
  }
  ARROW_ASSIGN_OR_RAISE(WindowPlan plan, WindowPlan::Make(window, input, context.pool));
  ARROW_ASSIGN_OR_RAISE(auto schema, ToArrowSchema(input));
  return std::make_unique<Window>(std::move(spec), std::move(inputs), context, std::move(plan),
                                  std::move(schema));
}

}  // namespace reprise
