// Purpose: group rows by keys and compute sums, counts, minima, maxima and averages of each group.
// Input:   one: rows, or the buffers of an earlier aggregate.  Output: one row a group, in order of
// first appearance. Example: keys [k], aggregates [sum(v)] over (k, v) = (b, 1), (a, 2), (b, 3)
// gives (b, 4), (a, 2).
//
// A batch is worked off column by column: first every row's group number (group_table.h), then each
// aggregate in one tight loop over group numbers and values (accumulator.h).
//
// Where memory is short, a partial aggregate lets the groups that it has leave, and starts again:
// the aggregate behind the exchange merges what comes of a key in pieces, which leave in the order
// of their rows, as `first` and collected lists need them. Others write their groups' buffers to
// disk, in partitions by the hash of the keys, and merge them partition by partition at the end
// (spilled_groups.h); then groups leave in another order. As in Spark, which merges spilled buffers
// as well, sums of floating-point numbers may then be added in another order.
//
// Of an input in which the rows of a group stand together, groups leave as soon as there is a batch
// of them that are complete. So their order is kept, and little memory is needed.
#include "operators/aggregate/hash_aggregate.h"

#include <algorithm>

#include "base/selected_rows.h"
#include "expressions/deferred_values.h"
#include "expressions/row_error.h"
#include "operators/aggregate/aggregate_plan.h"
#include "operators/aggregate/group_states.h"
#include "operators/aggregate/spilled_groups.h"
#include "operators/evaluation_pieces.h"
#include "operators/spec_members.h"
#include "plan/value_form.h"

namespace reprise {

namespace {

class HashAggregate final : public Operator {
 public:
  HashAggregate(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
                const TaskContext& context, AggregatePlan plan)
      : Operator(std::move(spec), std::move(inputs), context),
        state_pool_(context.pool),
        plan_(std::move(plan)),
        input_pieces_(plan_.input_may_widen, /*may_retry=*/false),
        result_pieces_(plan_.results_may_widen),
        spilled_(plan_.buffer_schema, context) {
    mutable_metrics().extra.assign(1, 0);
  }

  // Makes the state, which can fail only for types that Make should have refused.
  Status Init() {
    std::vector<DataType> key_types;
    for (const auto& key : plan_.keys) key_types.push_back(key->type());
    std::vector<const AggregateSpec*> specs;
    for (const PlannedAggregate& aggregate : plan_.aggregates) specs.push_back(&aggregate.spec);
    ARROW_ASSIGN_OR_RAISE(states_, GroupStates::Make(key_types, std::move(specs), &state_pool_));
    next_group_ = complete_groups_ = 0;
    return Status::OK();
  }

  int64_t SpillableBytes() const override {
    // What is spilled leaves in another order.
    if (plan_.is_sorted) return 0;
    if (states_ == nullptr || !states_->is_keyed() || level_ > SpilledGroups::kLevelMax) return 0;
    return next_group_ == states_->group_count() ? 0 : state_pool_.bytes_allocated();
  }

  // Called while it consumes, while it merges a partition, or between two output batches: groups
  // that have left already are not written.
  Result<int64_t> Spill() override {
    const int64_t before = state_pool_.bytes_allocated();
    ARROW_ASSIGN_OR_RAISE(const int64_t written, spilled_.Write(*states_, next_group_, level_));
    CountSpilled(written);
    RETURN_NOT_OK(Init());
    return before - state_pool_.bytes_allocated();
  }

 private:
  Result<std::optional<Batch>> NextBatch() override {
    RETURN_NOT_OK(due_.status());
    if (result_pieces_.has_more()) return NextResults();
    while (next_group_ == LeavingGroups() || !is_leaving_) {
      ARROW_ASSIGN_OR_RAISE(const bool more, ComputeGroups());
      mutable_metrics().extra[0] = state_pool_.max_memory();
      if (!more) return std::nullopt;
      is_leaving_ = true;
    }
    const int32_t begin = next_group_;
    const int32_t end = std::min(LeavingGroups(), begin + states_->CountWithin(bounds(), begin));
    auto batch = plan_.has_results ? ResultBatch(begin, end) : BufferBatch(begin, end);
    next_group_ = end;
    // All groups have left: the memory is wanted by others while the task goes on.
    if (batch.ok() && end == LeavingGroups()) RETURN_NOT_OK(StartAgain());
    return batch;
  }

  // How many groups of states_ leave before it starts again.
  int32_t LeavingGroups() const {
    return plan_.is_sorted && !at_input_end_ ? complete_groups_ : states_->group_count();
  }

  Status StartAgain() {
    is_leaving_ = false;
    return Init();
  }

  // Makes states_ some groups that are complete; false where there are no more. What was spilled
  // comes before what is read after it: of a key's pieces the first rows' is the first.
  Result<bool> ComputeGroups() {
    // What was spilled between two batches.
    if (spilled_.has_written()) spilled_.EndLevel();
    if (auto partition = spilled_.Take()) {
      RETURN_NOT_OK(StartAgain());
      level_ = partition->level + 1;
      RETURN_NOT_OK(Merge(*partition->file));
      return FinishLevel();
    }
    if (at_input_end_) return false;
    level_ = 0;
    RETURN_NOT_OK(Consume());
    return FinishLevel();
  }

  // Where groups were spilled, those in memory may have the same keys. True also where it leaves
  // nothing in memory: NextBatch asks again.
  Result<bool> FinishLevel() {
    if (!spilled_.has_written()) return true;
    if (SpillableBytes() > 0) RETURN_NOT_OK(SpillRest());
    spilled_.EndLevel();
    return true;
  }

  // Until the end of the input, or until the groups have to leave early.
  Status Consume() {
    while (true) {
      if (!batch_) {
        ARROW_ASSIGN_OR_RAISE(batch_, Pull());
        if (!batch_) break;
      }
      if (batch_->selected_count() > 0) {
        const int64_t growth = GrowthBytes(*batch_);
        if (plan_.is_sorted) {
          ARROW_ASSIGN_OR_RAISE(const bool ends, EndGroups(growth));
          if (ends) return Status::OK();
        } else if (plan_.may_flush && states_->group_count() > 0 &&
                   (states_->is_full() || !TryReserve(growth))) {
          return Status::OK();
        }
        RETURN_NOT_OK(SpillIfFull());
        RETURN_NOT_OK(Reserve(growth));
        RETURN_NOT_OK(AddPieces(*batch_));
      }
      batch_.reset();
    }
    at_input_end_ = true;
    return Status::OK();
  }

  // Of sorted input, where the groups so far are to leave before batch_: adds what batch_ has of
  // the last of them, so that all are complete, and keeps the rest in batch_. False where they are
  // not to leave yet, or the last one may go on after batch_.
  Result<bool> EndGroups(int64_t growth) {
    const int32_t groups = states_->group_count();
    if (groups == 0 ||
        (groups < context().batch_rows_target &&
         state_pool_.bytes_allocated() < context().batch_bytes_target && TryReserve(growth))) {
      return false;
    }
    const int64_t rows = batch_->selected_count();
    int64_t of_last = 0;
    {
      EvalInput input(*batch_, pool());
      const Result<const int32_t*> evaluated = FindGroups(input);
      if (!evaluated.ok()) return false;  // told when the rows before the error are added
      const int32_t* found = *evaluated;
      // The keys that are new have no rows yet, and are forgotten with the rest.
      while (of_last < rows && found[of_last] < groups) ++of_last;
    }
    if (of_last == rows) return false;
    if (of_last > 0) RETURN_NOT_OK(AddPieces(SelectedRows(*batch_, 0, of_last)));
    batch_ = SelectedRows(*batch_, of_last, rows);
    complete_groups_ = groups;
    return true;
  }

  Status SpillIfFull() {
    return states_->is_full() && SpillableBytes() > 0 ? SpillRest() : Status::OK();
  }

  int64_t GrowthBytes(const Batch& batch) const {
    return states_->GrowthBytes(batch.selected_count(), CopyBytes(batch));
  }

  Status Merge(const SpillFile& file) {
    const auto reader = file.Read(pool());
    while (true) {
      ARROW_ASSIGN_OR_RAISE(auto batch, reader->Next());
      if (!batch) return Status::OK();
      RETURN_NOT_OK(context().CheckCancelled());
      RETURN_NOT_OK(SpillIfFull());
      RETURN_NOT_OK(Reserve(GrowthBytes(*batch)));
      RETURN_NOT_OK(states_->MergeColumns(batch->columns, batch->row_count));
    }
  }

  Result<const int32_t*> FindGroups(EvalInput& input) {
    ARROW_ASSIGN_OR_RAISE(const auto keys, KeysOf(input));
    return states_->FindGroups(keys, input.row_count());
  }

  Status AddPieces(const Batch& batch) {
    input_pieces_.Start(batch);
    while (input_pieces_.has_more()) {
      RETURN_NOT_OK(
          input_pieces_.Next(bounds(), pool(), [this](const Batch& rows) { return Add(rows); }));
    }
    return Status::OK();
  }

  Status Add(const Batch& batch) {
    EvalInput input(batch, pool());
    const Result<const int32_t*> evaluated = Evaluate(input);
    if (!evaluated.ok()) return AddUpToError(batch, evaluated.status());
    const int32_t* groups = *evaluated;
    for (size_t i = 0; i < plan_.aggregates.size(); ++i) {
      const PlannedAggregate& aggregate = plan_.aggregates[i];
      Accumulator& accumulator = states_->accumulator(i);
      RETURN_NOT_OK(aggregate.spec.merges() ? MergeBatch(input, groups, aggregate, accumulator)
                                            : UpdateBatch(aggregate, accumulator));
    }
    return Status::OK();
  }

  // Evaluates keys and arguments; gives the group of each row.
  Result<const int32_t*> Evaluate(EvalInput& input) {
    ARROW_ASSIGN_OR_RAISE(const int32_t* groups, FindGroups(input));
    RETURN_NOT_OK(plan_.inputs.Evaluate(input, groups));
    return groups;
  }

  Result<arrow::ArrayVector> KeysOf(EvalInput& input) const {
    arrow::ArrayVector keys;
    for (const auto& key : plan_.keys) {
      ARROW_ASSIGN_OR_RAISE(auto column, EvaluateToArray(*key, input));
      keys.push_back(std::move(column));
    }
    return keys;
  }

  // To add the rows before the first that fails may fail too, as a sum that overflows does.
  Status AddUpToError(const Batch& batch, const Status& error) {
    const RowError first = FindRowError(batch, error, [this](const Batch& rows) {
      EvalInput input(rows, pool());
      RETURN_NOT_OK(KeysOf(input));
      return plan_.inputs.EvaluateInOrder(input);
    });
    if (first.row > 0) RETURN_NOT_OK(Add(SelectedRows(batch, 0, first.row)));
    if (first.row < batch.selected_count()) {
      RETURN_NOT_OK(AddInOrder(SelectedRows(batch, first.row, first.row + 1)));
    }
    return first.status;
  }

  // As Spark adds a row that fails: one function after the other, so that a sum that overflows
  // comes before the arguments of those behind it.
  Status AddInOrder(const Batch& row) {
    EvalInput input(row, pool());
    ARROW_ASSIGN_OR_RAISE(const int32_t* groups, FindGroups(input));
    RETURN_NOT_OK(EvaluateCommons(plan_.inputs.commons(), input, /*all=*/true));
    for (size_t i = 0; i < plan_.aggregates.size(); ++i) {
      const PlannedAggregate& aggregate = plan_.aggregates[i];
      Accumulator& accumulator = states_->accumulator(i);
      if (aggregate.spec.merges()) {
        RETURN_NOT_OK(MergeBatch(input, groups, aggregate, accumulator));
        continue;
      }
      RETURN_NOT_OK(plan_.inputs.EvaluateFor(input, groups, aggregate.filter, aggregate.arguments));
      RETURN_NOT_OK(UpdateBatch(aggregate, accumulator));
    }
    return Status::OK();
  }

  Status UpdateBatch(const PlannedAggregate& aggregate, Accumulator& accumulator) {
    std::vector<Column> columns;
    for (const auto& argument : aggregate.arguments) {
      columns.push_back(plan_.inputs.column(argument));
    }
    return accumulator.Update(plan_.inputs.rows(aggregate.filter), columns);
  }

  static Status MergeBatch(EvalInput& input, const int32_t* groups,
                           const PlannedAggregate& aggregate, Accumulator& accumulator) {
    arrow::ArrayVector buffers;
    for (size_t i = 0; i < aggregate.spec.buffer.size(); ++i) {
      ARROW_ASSIGN_OR_RAISE(auto column,
                            input.column(aggregate.spec.buffer_index + static_cast<int>(i)));
      buffers.push_back(std::move(column));
    }
    return accumulator.Merge({groups, input.row_count()}, buffers);
  }

  Result<std::optional<Batch>> BufferBatch(int32_t begin, int32_t end) const {
    ARROW_ASSIGN_OR_RAISE(auto columns, states_->Columns(begin, end, pool()));
    return Batch{output_schema(), std::move(columns), end - begin, nullptr};
  }

  Result<std::optional<Batch>> ResultBatch(int32_t begin, int32_t end) {
    ARROW_ASSIGN_OR_RAISE(auto columns, states_->Results(begin, end, pool()));
    result_pieces_.Start({plan_.result_schema, std::move(columns), end - begin, nullptr});
    return NextResults();
  }

  Result<std::optional<Batch>> NextResults() {
    return result_pieces_.Next(bounds(), pool(), [this](const Batch& rows) {
      return due_.UpTo(rows, [this](const Batch& some) { return ResultsOf(some); });
    });
  }

  Result<std::optional<Batch>> ResultsOf(const Batch& evaluated) const {
    EvalInput input(evaluated, pool());
    Batch output{output_schema(), {}, evaluated.row_count, nullptr};
    ValueErrors errors;
    for (const auto& result : plan_.results) {
      const auto number = static_cast<int>(output.columns.size());
      ARROW_ASSIGN_OR_RAISE(auto column, plan_.is_deferred
                                             ? EvaluateDeferred(*result, input, number, &errors)
                                             : EvaluateToArray(*result, input));
      output.columns.push_back(std::move(column));
    }
    output.errors = ToBatchErrors(Named(std::move(errors)));
    return output;
  }

  arrow::ProxyMemoryPool
      state_pool_;  // counts the state's memory; outlives what is allocated from it
  AggregatePlan plan_;
  std::unique_ptr<GroupStates> states_;
  EvaluationPieces input_pieces_;
  EvaluationPieces result_pieces_;
  std::optional<Batch> batch_;   // of the input, not added yet
  int32_t next_group_ = 0;       // groups before it have left
  int32_t complete_groups_ = 0;  // of sorted input, before its end
  bool is_leaving_ = false;      // the groups in states_ are complete
  bool at_input_end_ = false;
  SpilledGroups spilled_;
  int level_ = 0;  // into partitions of which the groups in states_ would be spilled
  DueError due_;   // of a group's results
};

// Each guest once.
Status TakeGuests(const nlohmann::json& arguments, const TaskContext& context,
                  HashAggregateSpec* spec) {
  for (AggregateSpec& aggregate : spec->aggregates) {
    if (aggregate.function != AggregateFunction::kGuest) continue;
    if (!context.take_guest_groups) {
      return Status::NotImplemented("one of its functions is Spark's, and there is no Spark here");
    }
    ARROW_ASSIGN_OR_RAISE(const int64_t first, IntegerMember(arguments, "guest"));
    const int64_t number = first + aggregate.guest_number;
    aggregate.guest = context.take_guest_groups(number);
    if (aggregate.guest == nullptr) {
      return Status::Invalid("the task has no guest function ", number, " left");
    }
  }
  return Status::OK();
}

}  // namespace

Result<std::unique_ptr<Operator>> MakeHashAggregate(OperatorSpec spec,
                                                    std::vector<std::unique_ptr<Operator>> inputs,
                                                    const TaskContext& context) {
  const std::vector<Field>& input = spec.inputs[0];
  ARROW_ASSIGN_OR_RAISE(HashAggregateSpec read, ReadHashAggregateSpec(spec.arguments, input));
  RETURN_NOT_OK(TakeGuests(spec.arguments, context, &read));
  std::vector<DataType> output;
  ARROW_ASSIGN_OR_RAISE(AggregatePlan plan, MakeAggregatePlan(std::move(read), input, &output));
  if (output.size() != spec.output.size()) {
    return Status::Invalid("the aggregate yields ", output.size(), " columns, but its output has ",
                           spec.output.size());
  }
  for (size_t i = 0; i < output.size(); ++i) {
    if (!HaveSameForm(output[i], spec.output[i].type)) {
      return Status::Invalid("output column ", i, " (", spec.output[i].name, ") is ",
                             spec.output[i].type.ToString(), ", the aggregate yields ",
                             output[i].ToString());
    }
  }
  auto made =
      std::make_unique<HashAggregate>(std::move(spec), std::move(inputs), context, std::move(plan));
  RETURN_NOT_OK(made->Init());
  return made;
}

}  // namespace reprise
