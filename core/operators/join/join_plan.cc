#include "operators/join/join_plan.h"

#include "expressions/row_error.h"
#include "operators/spec_members.h"

namespace reprise {

namespace {

Result<JoinPlan::Keys> MakeKeys(const std::vector<ExpressionSpec>& specs,
                                const std::vector<Field>& input) {
  JoinPlan::Keys keys;
  for (const ExpressionSpec& spec : specs) {
    ARROW_ASSIGN_OR_RAISE(auto key, MakeExpression(spec, input));
    keys.push_back(std::move(key));
  }
  return keys;
}

// By column of the probe side.
std::vector<int> ProbeReads(const JoinSpec& join, size_t left_count, size_t right_count) {
  std::vector<int> reads(join.build_left ? right_count : left_count, 0);
  for (const ExpressionSpec& key : join.build_left ? join.right_keys : join.left_keys) {
    CountColumns(key, &reads);
  }
  std::vector<int> of_both(left_count + right_count, 0);
  if (join.condition) CountColumns(*join.condition, &of_both);
  for (const int column : join.guest_reads) ++of_both[static_cast<size_t>(column)];
  const size_t first = join.build_left ? left_count : 0;
  for (size_t i = 0; i < reads.size(); ++i) reads[i] += of_both[first + i];
  return reads;
}

Result<arrow::ArrayVector> EvaluateAll(const JoinPlan::Keys& keys, const Batch& batch,
                                       arrow::MemoryPool* pool) {
  EvalInput input(batch, pool);
  arrow::ArrayVector columns;
  for (const auto& key : keys) {
    ARROW_ASSIGN_OR_RAISE(auto column, EvaluateToArray(*key, input));
    columns.push_back(std::move(column));
  }
  return columns;
}

}  // namespace

Result<JoinPlan> JoinPlan::Make(const OperatorSpec& spec, JoinSpec join,
                                const TaskContext& context) {
  JoinPlan plan;
  plan.build_fields = spec.inputs[static_cast<size_t>(join.build_input())];
  plan.probe_fields = spec.inputs[static_cast<size_t>(join.probe_input())];
  plan.output_fields = spec.output;
  ARROW_ASSIGN_OR_RAISE(auto left_keys, MakeKeys(join.left_keys, spec.inputs[0]));
  ARROW_ASSIGN_OR_RAISE(auto right_keys, MakeKeys(join.right_keys, spec.inputs[1]));
  plan.build_keys = std::move(join.build_left ? left_keys : right_keys);
  plan.probe_keys = std::move(join.build_left ? right_keys : left_keys);
  if (join.condition || join.guest) {
    ARROW_ASSIGN_OR_RAISE(plan.condition, JoinCondition::Make(spec, join, context));
  }
  plan.probe_reads = ProbeReads(join, spec.inputs[0].size(), spec.inputs[1].size());
  plan.join = std::move(join);
  return plan;
}

std::vector<DataType> JoinPlan::key_types() const {
  std::vector<DataType> types;
  for (const auto& key : build_keys) types.push_back(key->type());
  return types;
}

Result<arrow::ArrayVector> EvaluateKeys(const JoinPlan::Keys& keys, const Batch& batch,
                                        arrow::MemoryPool* pool) {
  auto columns = EvaluateAll(keys, batch, pool);
  if (columns.ok()) return columns;
  return FindRowError(batch, columns.status(),
                      [&](const Batch& rows) { return EvaluateAll(keys, rows, pool).status(); })
      .status;
}

}  // namespace reprise
