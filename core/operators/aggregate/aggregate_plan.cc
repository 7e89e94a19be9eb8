#include "operators/aggregate/aggregate_plan.h"

#include <algorithm>

#include "expressions/widening.h"

namespace reprise {

namespace {

Result<PlannedAggregate> PlanAggregate(AggregateSpec spec, AggregateInputs* inputs) {
  PlannedAggregate aggregate;
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

// How often a function's updateExpressions have its argument where every row comes by it.
int UsesOfArgument(const AggregateSpec& spec, const ExpressionSpec& argument) {
  switch (spec.function) {
    case AggregateFunction::kFirst:
    case AggregateFunction::kCollectList:  // an ImperativeAggregate, which has none
    case AggregateFunction::kCollectSet:
    case AggregateFunction::kGuest:  // of columns as they are
      return 0;
    case AggregateFunction::kCount:
      return argument.nullable ? 1 : 0;
    case AggregateFunction::kSum:
      return spec.input_type.is(TypeKind::kDecimal) && argument.nullable ? 2 : 1;
    case AggregateFunction::kMin:
    case AggregateFunction::kMax:
    case AggregateFunction::kLast:
      return 1;
    default:
      return 2;
  }
}

// What the arguments have in common, as Spark's update expressions have them. Generated code
// evaluates that before any filter; elsewhere a filter is a condition around an update.
Result<std::vector<CommonSubexpression>> CommonsOf(const HashAggregateSpec& spec,
                                                   const std::vector<Field>& input) {
  std::vector<ExpressionSpec> arguments;
  std::vector<bool> is_filtered;
  for (const AggregateSpec& aggregate : spec.aggregates) {
    if (spec.commons == Commons::kNone) break;
    if (aggregate.filter && spec.commons == Commons::kOfUnfiltered) continue;
    for (const ExpressionSpec& argument : aggregate.inputs) {
      const auto uses = static_cast<size_t>(UsesOfArgument(aggregate, argument));
      arguments.insert(arguments.end(), uses, argument);
      is_filtered.resize(arguments.size(), aggregate.filter.has_value());
    }
  }
  return MakeCommonSubexpressions(arguments, input, [&](size_t i) { return !is_filtered[i]; });
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

// Keys, or what is aggregated. Buffers are columns.
bool InputMayWiden(const HashAggregateSpec& spec) {
  return std::ranges::any_of(spec.keys, MayWiden) ||
         std::ranges::any_of(spec.aggregates, [](const AggregateSpec& aggregate) {
           return std::ranges::any_of(aggregate.inputs, MayWiden) ||
                  (aggregate.filter && MayWiden(*aggregate.filter));
         });
}

}  // namespace

Result<AggregatePlan> MakeAggregatePlan(HashAggregateSpec spec, const std::vector<Field>& input,
                                        std::vector<DataType>* output) {
  AggregatePlan plan;
  plan.inputs = AggregateInputs(input);
  plan.may_flush = MayFlush(spec);
  plan.is_sorted = spec.sorted && !spec.keys.empty();
  plan.input_may_widen = InputMayWiden(spec);
  ARROW_ASSIGN_OR_RAISE(plan.buffer_schema, ToArrowSchema(BufferFields(spec)));
  for (const ExpressionSpec& key : spec.keys) {
    ARROW_ASSIGN_OR_RAISE(auto expression, MakeExpression(key, input));
    plan.keys.push_back(std::move(expression));
    if (!spec.results.has_value()) output->push_back(key.type);
  }
  if (spec.results.has_value()) {
    plan.has_results = true;
    plan.is_deferred = spec.deferred;
    plan.results_may_widen = std::ranges::any_of(*spec.results, MayWiden);
    const std::vector<Field> fields = ResultFields(spec);
    ARROW_ASSIGN_OR_RAISE(plan.result_schema, ToArrowSchema(fields));
    for (const ExpressionSpec& result : *spec.results) {
      ARROW_ASSIGN_OR_RAISE(auto expression, MakeExpression(result, fields));
      output->push_back(expression->type());
      plan.results.push_back(std::move(expression));
    }
  }
  ARROW_ASSIGN_OR_RAISE(auto commons, CommonsOf(spec, input));
  plan.inputs.SetCommons(std::move(commons));
  for (AggregateSpec& aggregate : spec.aggregates) {
    if (!plan.has_results) {
      for (const DataType& type : BufferTypes(aggregate)) output->push_back(type);
    }
    ARROW_ASSIGN_OR_RAISE(auto planned, PlanAggregate(std::move(aggregate), &plan.inputs));
    plan.aggregates.push_back(std::move(planned));
  }
  return plan;
}

}  // namespace reprise
