#include "operators/join_condition.h"

#include <algorithm>
#include <functional>

#include "operators/gather.h"
#include "operators/spec_members.h"

namespace reprise {

namespace {

// Renumbers the columns that the expression reads: `columns` lists them in their new order.
void CompactColumns(ExpressionSpec* expression, std::vector<int>* columns) {
  const int column = PlainColumn(*expression);
  if (column >= 0) {
    const auto found = std::ranges::find(*columns, column);
    expression->attributes["index"] = found - columns->begin();
    if (found == columns->end()) columns->push_back(column);
  }
  for (ExpressionSpec& argument : expression->arguments) CompactColumns(&argument, columns);
}

Result<std::shared_ptr<arrow::Buffer>> RealPairs(const RowPairs& pairs, arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(
      std::unique_ptr<arrow::ResizableBuffer> buffer,
      arrow::AllocateResizableBuffer(pairs.size() * static_cast<int64_t>(sizeof(int32_t)), pool));
  int32_t* out = reinterpret_cast<int32_t*>(buffer->mutable_data());
  int64_t count = 0;
  for (int64_t i = 0; i < pairs.size(); ++i) {
    out[count] = static_cast<int32_t>(i);
    count += pairs.build[i] >= 0;
  }
  RETURN_NOT_OK(buffer->Resize(count * static_cast<int64_t>(sizeof(int32_t)), false));
  return std::shared_ptr<arrow::Buffer>(std::move(buffer));
}

}  // namespace

Result<std::unique_ptr<JoinCondition>> JoinCondition::Make(const ExpressionSpec& condition,
                                                           const std::vector<Field>& left,
                                                           const std::vector<Field>& right,
                                                           bool build_left) {
  std::vector<Field> all = left;
  all.insert(all.end(), right.begin(), right.end());
  // Checks the indices and types before they are renumbered.
  ARROW_ASSIGN_OR_RAISE(const auto checked, MakeExpression(condition, all));
  auto made = std::make_unique<JoinCondition>();
  made->can_fail_ = checked->can_fail();
  ExpressionSpec compact = condition;
  std::vector<int> columns;
  CompactColumns(&compact, &columns);
  std::vector<Field> fields;
  const int left_count = static_cast<int>(left.size());
  for (int column : columns) {
    fields.push_back(all[static_cast<size_t>(column)]);
    const bool is_left = column < left_count;
    made->sources_.push_back({is_left == build_left, is_left ? column : column - left_count});
  }
  ARROW_ASSIGN_OR_RAISE(made->schema_, ToArrowSchema(fields));
  ARROW_ASSIGN_OR_RAISE(made->predicate_, Predicate::Make(compact, fields));
  return made;
}

Result<std::shared_ptr<arrow::Buffer>> JoinCondition::Select(const Batch& probe,
                                                             const arrow::ArrayVector& build,
                                                             const RowPairs& pairs,
                                                             arrow::MemoryPool* pool) const {
  Batch batch{schema_, {}, pairs.size(), nullptr};
  for (const Source& source : sources_) {
    const auto& column = source.is_build ? build[source.index] : probe.columns[source.index];
    const auto rows = source.is_build ? pairs.build_rows() : pairs.probe_rows();
    ARROW_ASSIGN_OR_RAISE(auto gathered, GatherRows(*column, rows, Missing::kUndefined, pool));
    batch.columns.push_back(std::move(gathered));
  }
  ARROW_ASSIGN_OR_RAISE(auto real, RealPairs(pairs, pool));
  const bool all_real = real->size() == pairs.size() * static_cast<int64_t>(sizeof(int32_t));
  if (!all_real) batch.selection = real;
  ARROW_ASSIGN_OR_RAISE(auto selected, predicate_->Select(batch, pool));
  return selected != nullptr ? selected : real;
}

}  // namespace reprise
