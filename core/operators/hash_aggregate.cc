// Purpose: group rows by keys and compute sums, counts, minima, maxima and averages of each group.
// Input:   one: rows, or the buffers of an earlier aggregate.  Output: one row a group, in order of
// first appearance. Example: keys [k], aggregates [sum(v)] over (k, v) = (b, 1), (a, 2), (b, 3)
// gives (b, 4), (a, 2).
//
// A batch is worked off column by column: first every row's group number (group_table.h), then each
// aggregate in one tight loop over group numbers and values (accumulator.h).
//
// Where memory is short, a partial aggregate lets the groups that it has leave, and starts again:
// the aggregate behind the exchange merges what comes of a key in pieces. Others write their
// groups' buffers to disk, in partitions by the hash of the keys, and merge them partition by
// partition at the end (spilled_groups.h); then groups leave in another order. As in Spark, which
// merges spilled buffers as well, sums of floating-point numbers may then be added in another
// order.
#include "operators/hash_aggregate.h"

#include <algorithm>

#include "operators/aggregate_inputs.h"
#include "operators/aggregate_spec.h"
#include "operators/group_states.h"
#include "operators/spilled_groups.h"

namespace reprise {

namespace {

struct Aggregate {
  AggregateSpec spec;
  size_t filter = 0;
  std::vector<AggregateInputs::Argument> arguments;
};

// Everything that Make derives from the spec.
struct Plan {
  std::vector<std::unique_ptr<Expression>> keys;
  std::vector<Aggregate> aggregates;
  AggregateInputs inputs{{}};
  std::shared_ptr<arrow::Schema> buffer_schema;  // [keys…, buffers of each aggregate]
  bool may_flush = false;  // whoever reads the output merges what it gets of a key in pieces
  bool has_results = false;
  std::shared_ptr<arrow::Schema> result_schema;  // [keys…, result of each aggregate]
  std::vector<std::unique_ptr<Expression>> results;
};

class HashAggregate final : public Operator {
 public:
  HashAggregate(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
                const TaskContext& context, Plan plan)
      : Operator(std::move(spec), std::move(inputs), context),
        state_pool_(context.pool),
        plan_(std::move(plan)),
        spilled_(plan_.buffer_schema, context) {
    mutable_metrics().extra.assign(1, 0);
  }

  // Makes the state, which can fail only for types that Make should have refused.
  Status Init() {
    std::vector<DataType> key_types;
    for (const auto& key : plan_.keys) key_types.push_back(key->type());
    std::vector<const AggregateSpec*> specs;
    for (const Aggregate& aggregate : plan_.aggregates) specs.push_back(&aggregate.spec);
    ARROW_ASSIGN_OR_RAISE(states_, GroupStates::Make(key_types, std::move(specs), &state_pool_));
    next_group_ = 0;
    return Status::OK();
  }

  int64_t SpillableBytes() const override {
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
    while (next_group_ == states_->group_count() || !is_leaving_) {
      ARROW_ASSIGN_OR_RAISE(const bool more, ComputeGroups());
      mutable_metrics().extra[0] = state_pool_.max_memory();
      if (!more) return std::nullopt;
      is_leaving_ = true;
    }
    const int32_t begin = next_group_;
    const int64_t rows = std::max<int64_t>(1, context().batch_rows_target);
    const auto end = static_cast<int32_t>(std::min<int64_t>(states_->group_count(), begin + rows));
    auto batch = plan_.has_results ? ResultBatch(begin, end) : BufferBatch(begin, end);
    next_group_ = end;
    // All groups have left: the memory is wanted by others while the task goes on.
    if (batch.ok() && end == states_->group_count()) RETURN_NOT_OK(StartAgain());
    return batch;
  }

  Status StartAgain() {
    is_leaving_ = false;
    return Init();
  }

  // Makes states_ some groups that are complete; false where there are no more.
  Result<bool> ComputeGroups() {
    if (!at_input_end_) {
      RETURN_NOT_OK(Consume());
      return FinishLevel();
    }
    // What was spilled between two batches.
    if (spilled_.has_written()) spilled_.EndLevel();
    auto partition = spilled_.Take();
    if (!partition) return false;
    RETURN_NOT_OK(StartAgain());
    level_ = partition->level + 1;
    RETURN_NOT_OK(Merge(*partition->file));
    return FinishLevel();
  }

  // Where groups were spilled, those in memory may have the same keys. True also where it leaves
  // nothing in memory: NextBatch asks again.
  Result<bool> FinishLevel() {
    if (!at_input_end_ || !spilled_.has_written()) return true;
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
        if (plan_.may_flush && states_->group_count() > 0 && !TryReserve(growth)) {
          return Status::OK();
        }
        RETURN_NOT_OK(Reserve(growth));
        RETURN_NOT_OK(Add(*batch_));
      }
      batch_.reset();
    }
    at_input_end_ = true;
    return Status::OK();
  }

  int64_t GrowthBytes(const Batch& batch) const {
    const int64_t growth = states_->GrowthBytes(batch.selected_count());
    return growth == 0 ? 0 : growth + ByteSize(batch);
  }

  Status Merge(const SpillFile& file) {
    const auto reader = file.Read(pool());
    while (true) {
      ARROW_ASSIGN_OR_RAISE(auto batch, reader->Next());
      if (!batch) return Status::OK();
      if (context().cancelled && context().cancelled()) {
        return Status::Cancelled("the task was cancelled");
      }
      RETURN_NOT_OK(Reserve(GrowthBytes(*batch)));
      RETURN_NOT_OK(states_->MergeColumns(batch->columns, batch->row_count));
    }
  }

  Status Add(const Batch& batch) {
    EvalInput input(batch, pool());
    arrow::ArrayVector keys;
    for (const auto& key : plan_.keys) {
      ARROW_ASSIGN_OR_RAISE(auto column, EvaluateToArray(*key, input));
      keys.push_back(std::move(column));
    }
    ARROW_ASSIGN_OR_RAISE(const int32_t* groups, states_->FindGroups(keys, input.row_count()));
    RETURN_NOT_OK(plan_.inputs.Evaluate(input, groups));
    for (size_t i = 0; i < plan_.aggregates.size(); ++i) {
      const Aggregate& aggregate = plan_.aggregates[i];
      Accumulator& accumulator = states_->accumulator(i);
      RETURN_NOT_OK(aggregate.spec.merges() ? MergeBatch(input, groups, aggregate, accumulator)
                                            : UpdateBatch(aggregate, accumulator));
    }
    return Status::OK();
  }

  Status UpdateBatch(const Aggregate& aggregate, Accumulator& accumulator) {
    std::vector<Column> columns;
    for (const auto& argument : aggregate.arguments) {
      columns.push_back(plan_.inputs.column(argument));
    }
    return accumulator.Update(plan_.inputs.rows(aggregate.filter), columns);
  }

  static Status MergeBatch(EvalInput& input, const int32_t* groups, const Aggregate& aggregate,
                           Accumulator& accumulator) {
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

  Result<std::optional<Batch>> ResultBatch(int32_t begin, int32_t end) const {
    ARROW_ASSIGN_OR_RAISE(auto columns, states_->Results(begin, end, pool()));
    const Batch evaluated{plan_.result_schema, std::move(columns), end - begin, nullptr};
    EvalInput input(evaluated, pool());
    Batch output{output_schema(), {}, end - begin, nullptr};
    for (const auto& result : plan_.results) {
      ARROW_ASSIGN_OR_RAISE(auto column, EvaluateToArray(*result, input));
      output.columns.push_back(std::move(column));
    }
    return output;
  }

  arrow::ProxyMemoryPool
      state_pool_;  // counts the state's memory; outlives what is allocated from it
  Plan plan_;
  std::unique_ptr<GroupStates> states_;
  std::optional<Batch> batch_;  // of the input, not added yet
  int32_t next_group_ = 0;      // groups before it have left
  bool is_leaving_ = false;     // the groups in states_ are complete
  bool at_input_end_ = false;
  SpilledGroups spilled_;
  int level_ = 0;  // into partitions of which the groups in states_ would be spilled
};

Result<Aggregate> PlanAggregate(AggregateSpec spec, AggregateInputs* inputs) {
  Aggregate aggregate;
  if (!spec.merges()) {
    ARROW_ASSIGN_OR_RAISE(aggregate.filter, inputs->AddFilter(spec.filter));
    for (const ExpressionSpec& input : spec.inputs) {
      ARROW_ASSIGN_OR_RAISE(
          auto argument,
          inputs->AddArgument(aggregate.filter, input, spec.function != AggregateFunction::kCount));
      aggregate.arguments.push_back(argument);
    }
  }
  aggregate.spec = std::move(spec);
  return aggregate;
}

// The results' own input: keys and the aggregates' results.
std::vector<Field> ResultFields(const HashAggregateSpec& spec) {
  std::vector<Field> fields;
  for (const ExpressionSpec& key : spec.keys) {
    fields.push_back({fmt::format("key{}", fields.size()), key.type, key.nullable});
  }
  for (size_t i = 0; i < spec.aggregates.size(); ++i) {
    fields.push_back({fmt::format("result{}", i), spec.aggregates[i].result, true});
  }
  return fields;
}

// Keys and the buffers of all aggregates.
std::vector<Field> BufferFields(const HashAggregateSpec& spec) {
  std::vector<Field> fields;
  for (const ExpressionSpec& key : spec.keys) {
    fields.push_back({fmt::format("key{}", fields.size()), key.type, key.nullable});
  }
  for (const AggregateSpec& aggregate : spec.aggregates) {
    for (const DataType& type : BufferTypes(aggregate)) {
      fields.push_back({fmt::format("buffer{}", fields.size()), type, true});
    }
  }
  return fields;
}

// Only functions of mode partial are sure to be merged by key again; without any function a partial
// aggregate looks like the one in the middle of DISTINCT, which must not let a key leave twice.
bool MayFlush(const HashAggregateSpec& spec) {
  return !spec.results.has_value() && !spec.keys.empty() && !spec.aggregates.empty() &&
         std::ranges::all_of(spec.aggregates, [](const AggregateSpec& aggregate) {
           return aggregate.mode == AggregateMode::kPartial;
         });
}

Result<Plan> MakePlan(HashAggregateSpec spec, const std::vector<Field>& input,
                      std::vector<DataType>* output) {
  Plan plan;
  plan.inputs = AggregateInputs(input);
  plan.may_flush = MayFlush(spec);
  ARROW_ASSIGN_OR_RAISE(plan.buffer_schema, ToArrowSchema(BufferFields(spec)));
  for (const ExpressionSpec& key : spec.keys) {
    ARROW_ASSIGN_OR_RAISE(auto expression, MakeExpression(key, input));
    plan.keys.push_back(std::move(expression));
    if (!spec.results.has_value()) output->push_back(key.type);
  }
  if (spec.results.has_value()) {
    plan.has_results = true;
    const std::vector<Field> fields = ResultFields(spec);
    ARROW_ASSIGN_OR_RAISE(plan.result_schema, ToArrowSchema(fields));
    for (const ExpressionSpec& result : *spec.results) {
      ARROW_ASSIGN_OR_RAISE(auto expression, MakeExpression(result, fields));
      output->push_back(expression->type());
      plan.results.push_back(std::move(expression));
    }
  }
  for (AggregateSpec& aggregate : spec.aggregates) {
    if (!plan.has_results) {
      for (const DataType& type : BufferTypes(aggregate)) output->push_back(type);
    }
    ARROW_ASSIGN_OR_RAISE(auto planned, PlanAggregate(std::move(aggregate), &plan.inputs));
    plan.aggregates.push_back(std::move(planned));
  }
  return plan;
}

}  // namespace

Result<std::unique_ptr<Operator>> MakeHashAggregate(OperatorSpec spec,
                                                    std::vector<std::unique_ptr<Operator>> inputs,
                                                    const TaskContext& context) {
  const std::vector<Field>& input = spec.inputs[0];
  ARROW_ASSIGN_OR_RAISE(HashAggregateSpec read, ReadHashAggregateSpec(spec.arguments, input));
  std::vector<DataType> output;
  ARROW_ASSIGN_OR_RAISE(Plan plan, MakePlan(std::move(read), input, &output));
  if (output.size() != spec.output.size()) {
    return Status::Invalid("the aggregate yields ", output.size(), " columns, but its output has ",
                           spec.output.size());
  }
  for (size_t i = 0; i < output.size(); ++i) {
    if (output[i] != spec.output[i].type) {
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
