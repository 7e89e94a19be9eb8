// RangeExec -> range: numbers that are made where they are needed.
//
// Input:   RangeExec's `range` (start, end, step) and `slices`, the number of its partitions.
// Output:  {"start":long,"end":long,"step":long,"slices":int}
// Example: Range (0, 100, step=1, splits=4)  ->  {"start":0,"end":100,"step":1,"slices":4}
//
// More numbers than a long counts, and steps of which a thousand are more, are left to Spark, whose
// generated code and whose iterators then give different numbers.
#include <limits>

#include "rules/operator_table.h"

namespace reprise {

namespace {

constexpr int64_t kStepMax = std::numeric_limits<int64_t>::max() / 1000;

std::optional<int64_t> IntegerOf(const PlanValue* value) {
  if (value == nullptr || !value->is(PlanValue::Kind::kInteger)) return std::nullopt;
  return value->integer;
}

}  // namespace

Judgement JudgeRange(const OperatorQuestion& question) {
  const PlanValue* range = question.node.argument("range");
  const auto slices = IntegerOf(question.node.argument("slices"));
  if (range == nullptr || range->object == nullptr || !slices) {
    return Refused("its bounds are not part of the plan");
  }
  const auto start = IntegerOf(range->object->argument("start"));
  const auto end = IntegerOf(range->object->argument("end"));
  const auto step = IntegerOf(range->object->argument("step"));
  if (!start || !end || !step || *step == 0) return Refused("its bounds are not part of the plan");
  const auto output = BindingOf(question.node.output);
  if (!output.ok()) return Refused("output " + output.status().message());
  if (output->fields().size() != 1 || !output->fields()[0].type.is(TypeKind::kLong)) {
    return Refused("its output is not one column of longs");
  }
  const __int128 distance = static_cast<__int128>(*end) - *start;
  if (distance / *step >= std::numeric_limits<int64_t>::max()) {
    return Refused("it has more numbers than a long counts");
  }
  if (*step > kStepMax || *step < -kStepMax) {
    return Refused("a thousand of its steps are more than a long counts");
  }
  Judgement judgement;
  judgement.native.emplace();
  NativeOperator& native = *judgement.native;
  native.reads_files = true;
  native.output = output->fields();
  native.arguments = {{"start", *start}, {"end", *end}, {"step", *step}, {"slices", *slices}};
  native.arguments_text = fmt::format("({}, {}, step={}, splits={})", *start, *end, *step, *slices);
  return judgement;
}

}  // namespace reprise
