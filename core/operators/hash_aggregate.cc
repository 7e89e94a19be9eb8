// Purpose: group rows by keys and compute sums, counts, minima, maxima and averages of each group.
// Input:   one: rows, or the buffers of an earlier aggregate.  Output: one row a group, in order of
// first appearance. Example: keys [k], aggregates [sum(v)] over (k, v) = (b, 1), (a, 2), (b, 3)
// gives (b, 4), (a, 2).
//
// A batch is worked off column by column: first every row's group number (group_table.h), then each
// aggregate in one tight loop over group numbers and values (accumulator.h).
#include "operators/hash_aggregate.h"

#include "operators/accumulator.h"
#include "operators/aggregate_inputs.h"
#include "operators/aggregate_spec.h"
#include "operators/group_table.h"
#include "operators/pool_vector.h"
#include "operators/spec_members.h"

namespace reprise {

namespace {

struct Aggregate {
  AggregateSpec spec;
  size_t filter = 0;
  std::vector<AggregateInputs::Argument> arguments;
  std::unique_ptr<Accumulator> accumulator;
};

// Everything that Make derives from the spec.
struct Plan {
  std::vector<std::unique_ptr<Expression>> keys;
  std::vector<Aggregate> aggregates;
  AggregateInputs inputs{{}};
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
        groups_(&state_pool_) {
    mutable_metrics().extra.assign(1, 0);
  }

  // Makes the state, which can fail only for types that Make should have refused.
  Status Init() {
    std::vector<DataType> key_types;
    for (const auto& key : plan_.keys) key_types.push_back(key->type());
    const bool keyed = !key_types.empty();
    if (keyed) {
      ARROW_ASSIGN_OR_RAISE(table_, MakeGroupTable(key_types, &state_pool_));
    }
    for (Aggregate& aggregate : plan_.aggregates) {
      aggregate.accumulator = MakeAccumulator(aggregate.spec, keyed, &state_pool_);
    }
    return Status::OK();
  }

 private:
  Result<std::optional<Batch>> NextBatch() override {
    if (!consumed_) {
      RETURN_NOT_OK(Consume());
      consumed_ = true;
    }
    if (next_group_ == group_count_) {
      ReleaseState();
      return std::nullopt;
    }
    const int32_t begin = next_group_;
    next_group_ = static_cast<int32_t>(
        std::min<int64_t>(group_count_, begin + std::max<int64_t>(1, context().batch_rows_target)));
    return plan_.has_results ? ResultBatch(begin, next_group_) : BufferBatch(begin, next_group_);
  }

  Status Consume() {
    if (table_ == nullptr) RETURN_NOT_OK(GrowTo(1));
    while (true) {
      ARROW_ASSIGN_OR_RAISE(std::optional<Batch> batch, Pull());
      if (!batch.has_value()) break;
      if (batch->selected_count() > 0) RETURN_NOT_OK(Add(*batch));
    }
    mutable_metrics().extra[0] = state_pool_.max_memory();
    return Status::OK();
  }

  Status Add(const Batch& batch) {
    EvalInput input(batch, pool());
    const int32_t* groups = nullptr;
    if (table_ != nullptr) {
      RETURN_NOT_OK(FindGroups(input));
      groups = groups_.data();
    }
    RETURN_NOT_OK(plan_.inputs.Evaluate(input, groups));
    for (Aggregate& aggregate : plan_.aggregates) {
      RETURN_NOT_OK(aggregate.spec.merges() ? MergeBatch(input, groups, &aggregate)
                                            : UpdateBatch(&aggregate));
    }
    return Status::OK();
  }

  Status FindGroups(EvalInput& input) {
    arrow::ArrayVector keys;
    for (const auto& key : plan_.keys) {
      ARROW_ASSIGN_OR_RAISE(auto column, EvaluateToArray(*key, input));
      keys.push_back(std::move(column));
    }
    RETURN_NOT_OK(groups_.ResizeUninitialised(input.row_count()));
    RETURN_NOT_OK(table_->Map(keys, input.row_count(), groups_.data()));
    return GrowTo(table_->group_count());
  }

  Status GrowTo(int32_t group_count) {
    if (group_count == group_count_) return Status::OK();
    for (Aggregate& aggregate : plan_.aggregates) {
      RETURN_NOT_OK(aggregate.accumulator->Grow(group_count));
    }
    group_count_ = group_count;
    return Status::OK();
  }

  Status UpdateBatch(Aggregate* aggregate) {
    std::vector<Column> columns;
    for (const auto& argument : aggregate->arguments) {
      columns.push_back(plan_.inputs.column(argument));
    }
    return aggregate->accumulator->Update(plan_.inputs.rows(aggregate->filter), columns);
  }

  Status MergeBatch(EvalInput& input, const int32_t* groups, Aggregate* aggregate) {
    arrow::ArrayVector buffers;
    for (size_t i = 0; i < aggregate->spec.buffer.size(); ++i) {
      ARROW_ASSIGN_OR_RAISE(auto column,
                            input.column(aggregate->spec.buffer_index + static_cast<int>(i)));
      buffers.push_back(std::move(column));
    }
    return aggregate->accumulator->Merge({groups, input.row_count()}, buffers);
  }

  Result<arrow::ArrayVector> KeyColumns(int32_t begin, int32_t end) const {
    if (table_ == nullptr) return arrow::ArrayVector{};
    return table_->Keys(begin, end, pool());
  }

  Result<std::optional<Batch>> BufferBatch(int32_t begin, int32_t end) const {
    ARROW_ASSIGN_OR_RAISE(arrow::ArrayVector columns, KeyColumns(begin, end));
    for (const Aggregate& aggregate : plan_.aggregates) {
      ARROW_ASSIGN_OR_RAISE(auto buffers, aggregate.accumulator->Buffers(begin, end, pool()));
      columns.insert(columns.end(), buffers.begin(), buffers.end());
    }
    return Batch{output_schema(), std::move(columns), end - begin, nullptr};
  }

  Result<std::optional<Batch>> ResultBatch(int32_t begin, int32_t end) const {
    ARROW_ASSIGN_OR_RAISE(arrow::ArrayVector columns, KeyColumns(begin, end));
    for (const Aggregate& aggregate : plan_.aggregates) {
      ARROW_ASSIGN_OR_RAISE(auto result, aggregate.accumulator->Results(begin, end, pool()));
      columns.push_back(std::move(result));
    }
    const Batch evaluated{plan_.result_schema, std::move(columns), end - begin, nullptr};
    EvalInput input(evaluated, pool());
    Batch output{output_schema(), {}, end - begin, nullptr};
    for (const auto& result : plan_.results) {
      ARROW_ASSIGN_OR_RAISE(auto column, EvaluateToArray(*result, input));
      output.columns.push_back(std::move(column));
    }
    return output;
  }

  // All groups have left: the memory is wanted by others while the task goes on.
  void ReleaseState() {
    table_.reset();
    groups_.Release();
    for (Aggregate& aggregate : plan_.aggregates) aggregate.accumulator.reset();
  }

  arrow::ProxyMemoryPool
      state_pool_;  // counts the state's memory; outlives what is allocated from it
  Plan plan_;
  std::unique_ptr<GroupTable> table_;  // null: no keys
  PoolVector<int32_t> groups_;         // group number of each row of the batch at hand
  int32_t group_count_ = 0;
  int32_t next_group_ = 0;
  bool consumed_ = false;
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

Result<Plan> MakePlan(HashAggregateSpec spec, const std::vector<Field>& input,
                      std::vector<DataType>* output) {
  Plan plan;
  plan.inputs = AggregateInputs(input);
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
