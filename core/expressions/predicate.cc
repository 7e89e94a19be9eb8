#include "expressions/expression.h"

namespace reprise {

namespace {

void CollectConjuncts(const ExpressionSpec& condition, std::vector<ExpressionSpec>* conjuncts) {
  if (condition.function != "and") {
    conjuncts->push_back(condition);
    return;
  }
  for (const auto& argument : condition.arguments) CollectConjuncts(argument, conjuncts);
}

}  // namespace

Result<std::unique_ptr<Predicate>> Predicate::Make(const ExpressionSpec& condition,
                                                   const std::vector<Field>& input) {
  if (!condition.type.is(TypeKind::kBoolean)) {
    return Status::Invalid("a condition must be boolean, but ", condition.function, " is ",
                           condition.type.ToString());
  }
  std::vector<ExpressionSpec> specs;
  CollectConjuncts(condition, &specs);
  auto predicate = std::make_unique<Predicate>();
  for (const auto& spec : specs) {
    ARROW_ASSIGN_OR_RAISE(auto conjunct, MakeExpression(spec, input));
    if (!conjunct->type().is(TypeKind::kBoolean)) {
      return Status::Invalid("a condition must be boolean, but ", spec.function, " is ",
                             spec.type.ToString());
    }
    predicate->conjuncts_.push_back(std::move(conjunct));
  }
  return predicate;
}

Result<std::shared_ptr<arrow::Buffer>> Predicate::Select(const Batch& batch,
                                                         arrow::MemoryPool* pool) const {
  RowSet rows{nullptr, batch.row_count};
  if (batch.has_selection()) rows = {batch.selected().data(), batch.selected_count()};
  const int64_t bytes = rows.count * static_cast<int64_t>(sizeof(int32_t));
  ARROW_ASSIGN_OR_RAISE(std::unique_ptr<arrow::ResizableBuffer> buffer,
                        arrow::AllocateResizableBuffer(bytes, pool));
  int32_t* out = reinterpret_cast<int32_t*>(buffer->mutable_data());
  for (const auto& conjunct : conjuncts_) {
    if (rows.count == 0) break;
    ARROW_ASSIGN_OR_RAISE(int64_t count, conjunct->Select(batch, rows, pool, out));
    // All rows of a batch without selection still qualify: the next conjunct keeps the faster,
    // dense way.
    if (rows.indices == nullptr && count == rows.count) continue;
    rows = {out, count};
  }
  if (rows.indices == nullptr) return nullptr;
  RETURN_NOT_OK(buffer->Resize(rows.count * static_cast<int64_t>(sizeof(int32_t)),
                               /*shrink_to_fit=*/false));
  return std::shared_ptr<arrow::Buffer>(std::move(buffer));
}

}  // namespace reprise
