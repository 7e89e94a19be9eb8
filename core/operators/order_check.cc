#include "operators/order_check.h"

#include "base/check.h"
#include "base/selected_rows.h"
#include "operators/asserted_rows.h"
#include "operators/sort_keys.h"
#include "operators/spec_members.h"

namespace reprise {

namespace {

class OrderCheck final : public Operator {
 public:
  OrderCheck(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> checked,
             const TaskContext& context, std::string prefix, SortKeys keys, std::string order)
      : Operator(std::move(spec), std::move(checked), context),
        prefix_(std::move(prefix)),
        keys_(std::move(keys)),
        order_(std::move(order)) {}

  std::optional<int64_t> broadcast_id() const override { return inputs()[0]->broadcast_id(); }

 private:
  Result<std::optional<Batch>> NextBatch() override {
    ARROW_ASSIGN_OR_RAISE(auto batch, Pull());
    if (batch && batch->selected_count() > 0) RETURN_NOT_OK(Look(*batch));
    return batch;
  }

  Status Look(const Batch& batch) {
    rows_.Clear(/*release=*/false);
    RETURN_NOT_OK(keys_.Append(batch, 0, kPool, &rows_));
    const auto& items = rows_.items();
    if (last_row_ && KeyedRows::Compare(last_, last_.items()[0], rows_, items[0]) > 0) {
      RETURN_NOT_OK(Fail(*last_row_, SelectedRows(batch, 0, 1), rows_seen_));
    }
    for (int64_t i = 1; i < items.size(); ++i) {
      if (KeyedRows::Compare(rows_, items[i - 1], rows_, items[i]) <= 0) continue;
      RETURN_NOT_OK(
          Fail(SelectedRows(batch, i - 1, i), SelectedRows(batch, i, i + 1), rows_seen_ + i));
    }
    rows_seen_ += items.size();
    // Only the row itself is kept: the batch may be large.
    ARROW_ASSIGN_OR_RAISE(
        auto last, ToRecordBatch(SelectedRows(batch, items.size() - 1, items.size()), kPool));
    last_row_ = ToBatch(last);
    last_row_->schema = batch.schema;
    last_.Clear(/*release=*/false);
    return keys_.Append(*last_row_, 0, kPool, &last_);
  }

  /// Fails, unless the rows cannot be shown. `number`: of the later row.
  Status Fail(const Batch& before, const Batch& after, int64_t number) const {
    const std::vector<bool> masked(spec().output.size(), false);
    const AssertedRows rows(spec().output, masked);
    ARROW_ASSIGN_OR_RAISE(const std::string first, rows.RowText(before, 0, number - 1));
    ARROW_ASSIGN_OR_RAISE(const std::string second, rows.RowText(after, 0, number));
    REPRISE_CHECK(false,
                  "{}its rows are not in the order [{}] that the plan promises\n  {}\n  {}\n"
                  "  partition: {}",
                  prefix_, order_, first, second, context().partition);
    return Status::OK();
  }

  // A check takes nothing of what the task may have.
  static inline arrow::MemoryPool* const kPool = arrow::default_memory_pool();

  const std::string prefix_;  // of errors: names the operator that is checked
  const SortKeys keys_;
  const std::string order_;  // for people
  KeyedRows rows_{kPool};
  KeyedRows last_{kPool};  // of the last row of the batch before
  std::optional<Batch> last_row_;
  int64_t rows_seen_ = 0;
};

struct CheckedOrder {
  nlohmann::json ordering = nlohmann::json::array();  // as SortKeys reads it
  std::string text;
};

Result<CheckedOrder> ReadOrder(const nlohmann::json& ordering, const OperatorSpec& spec) {
  if (!ordering.is_array()) return Status::Invalid("\"ordering\" is no array");
  CheckedOrder order;
  for (const nlohmann::json& json : ordering) {
    ARROW_ASSIGN_OR_RAISE(const int64_t column, IntegerMember(json, "column"));
    ARROW_ASSIGN_OR_RAISE(const bool ascending, BooleanMember(json, "ascending"));
    ARROW_ASSIGN_OR_RAISE(const bool nulls_first, BooleanMember(json, "nullsFirst"));
    if (column < 0 || column >= std::ssize(spec.output)) {
      return Status::Invalid("\"ordering\" names column ", column, " of ", spec.output.size());
    }
    const Field& field = spec.output[column];
    if (field.type.is(TypeKind::kOther) || field.type.is(TypeKind::kNull)) break;
    const ExpressionSpec value{"column", field.type, field.nullable, {{"index", column}}, {}};
    order.ordering.push_back(
        {{"expression", ToJson(value)}, {"ascending", ascending}, {"nullsFirst", nulls_first}});
    order.text += fmt::format("{}{} {} NULLS {}", order.text.empty() ? "" : ", ", field.name,
                              ascending ? "ASC" : "DESC", nulls_first ? "FIRST" : "LAST");
  }
  return order;
}

}  // namespace

Result<std::unique_ptr<Operator>> MakeOrderCheck(const nlohmann::json& ordering,
                                                 const OperatorSpec& spec,
                                                 std::unique_ptr<Operator> checked,
                                                 const TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(const CheckedOrder order, ReadOrder(ordering, spec));
  if (order.ordering.empty()) return checked;
  ARROW_ASSIGN_OR_RAISE(SortKeys keys, SortKeys::Make(order.ordering, spec.output));
  OperatorSpec check = spec;
  check.name = "order check of " + spec.name;
  check.kind = kOrderCheckKind;
  check.inputs = {spec.output};
  check.arguments = nlohmann::json::object();
  std::vector<std::unique_ptr<Operator>> inputs;
  inputs.push_back(std::move(checked));
  return std::make_unique<OrderCheck>(std::move(check), std::move(inputs), context,
                                      ErrorPrefix(spec), std::move(keys), order.text);
}

}  // namespace reprise
