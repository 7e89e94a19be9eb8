#include "operators/window/window_keys.h"

namespace reprise {

Result<WindowKeys> WindowKeys::Make(const WindowSpec& spec, const std::vector<Field>& input) {
  WindowKeys keys;
  std::vector<ExpressionSpec> order;
  for (const OrderKeySpec& key : spec.ordering) order.push_back(key.expression);
  ARROW_ASSIGN_OR_RAISE(keys.partition_, RowChanges::Make(spec.partition, input));
  ARROW_ASSIGN_OR_RAISE(keys.order_, RowChanges::Make(order, input));
  return keys;
}

Result<WindowKeys::Columns> WindowKeys::Evaluate(EvalInput& input) const {
  Columns columns;
  ARROW_ASSIGN_OR_RAISE(columns.partition, partition_.Evaluate(input));
  ARROW_ASSIGN_OR_RAISE(columns.order, order_.Evaluate(input));
  return columns;
}

Result<WindowMarks> WindowKeys::Mark(const Columns& columns, int64_t row_count,
                                     arrow::MemoryPool* pool) {
  WindowMarks marks;
  marks.partitions.resize(static_cast<size_t>(row_count));
  RETURN_NOT_OK(partition_.Mark(columns.partition, row_count, pool, marks.partitions.data()));
  marks.peers = marks.partitions;
  RETURN_NOT_OK(order_.Mark(columns.order, row_count, pool, marks.peers.data()));
  return marks;
}

}  // namespace reprise
