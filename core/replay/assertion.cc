#include "replay/assertion.h"

#include <arrow/array/array_primitive.h>
#include <arrow/scalar.h>

#include "sql/sql_predicate.h"

namespace reprise {

Result<std::unique_ptr<Assertion>> Assertion::Make(const std::string& sql,
                                                   const std::vector<Field>& output) {
  auto spec = ParseSqlPredicate(sql, output);
  if (!spec.ok()) {
    return WithPrefix(spec.status(), "the assertion \"" + sql + "\" cannot be read at ");
  }
  ARROW_ASSIGN_OR_RAISE(auto predicate, MakeExpression(*spec, output));
  return std::unique_ptr<Assertion>(new Assertion(output, std::move(predicate)));
}

Status Assertion::Check(const Batch& batch, arrow::MemoryPool* pool,
                        AssertionOutcome* outcome) const {
  if (!outcome->error.empty()) return Status::OK();
  EvalInput input(batch, pool);
  const auto evaluated = EvaluateToArray(*predicate_, input);
  if (!evaluated.ok()) {
    outcome->error = evaluated.status().message();
    return Status::OK();
  }
  const auto& holds = static_cast<const arrow::BooleanArray&>(**evaluated);
  for (int64_t i = 0; i < holds.length(); ++i) {
    if (holds.IsNull(i) || holds.Value(i)) continue;
    if (++outcome->failing > static_cast<int64_t>(AssertionOutcome::kSampleRows)) continue;
    ARROW_ASSIGN_OR_RAISE(FailingRow row, Sample(input, i, outcome->rows + i));
    outcome->sample.push_back(std::move(row));
  }
  outcome->rows += holds.length();
  return Status::OK();
}

Result<FailingRow> Assertion::Sample(EvalInput& input, int64_t position, int64_t row) const {
  FailingRow sample{row, {}};
  for (int i = 0; i < static_cast<int>(output_.size()); ++i) {
    ARROW_ASSIGN_OR_RAISE(const auto column, input.column(i));
    ARROW_ASSIGN_OR_RAISE(const auto value, column->GetScalar(position));
    sample.values.emplace_back(output_[i].name, value->ToString());
  }
  return sample;
}

}  // namespace reprise
