#include "operators/order_check.h"

#include "base/check.h"
#include "base/selected_rows.h"
#include "operators/asserted_rows.h"
#include "operators/output_check.h"
#include "operators/spec_members.h"

namespace reprise {

namespace {

class OrderCheck final : public OutputCheck {
 public:
  OrderCheck(const OperatorSpec& of, std::unique_ptr<Operator> checked, const TaskContext& context,
             SortKeys keys, std::string order, std::vector<bool> masked)
      : OutputCheck("order check", of, std::move(checked), context),
        prefix_(ErrorPrefix(of)),
        // A check takes nothing of what the task may have.
        late_(std::move(keys), arrow::default_memory_pool()),
        order_(std::move(order)),
        masked_(std::move(masked)) {}

 private:
  Status Look(const Batch& batch, int64_t first) override {
    return late_.Look(batch, [&](const Batch& before, int64_t position) {
      return Fail(before, SelectedRows(batch, position, position + 1), first + position);
    });
  }

  /// Fails, unless the rows cannot be shown. `number`: of the later row.
  Status Fail(const Batch& before, const Batch& after, int64_t number) const {
    const AssertedRows rows(spec().output, masked_);
    ARROW_ASSIGN_OR_RAISE(const std::string first, rows.RowText(before, 0, number - 1));
    ARROW_ASSIGN_OR_RAISE(const std::string second, rows.RowText(after, 0, number));
    REPRISE_CHECK(false,
                  "{}its rows are not in the order [{}] that the plan promises\n  {}\n  {}\n"
                  "  partition: {}",
                  prefix_, order_, first, second, context().partition);
    return Status::OK();
  }

  const std::string prefix_;  // of errors: names the operator that is checked
  LateRows late_;
  const std::string order_;  // for people
  const std::vector<bool> masked_;
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
                                                 std::vector<bool> masked,
                                                 const TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(const CheckedOrder order, ReadOrder(ordering, spec));
  if (order.ordering.empty()) return checked;
  ARROW_ASSIGN_OR_RAISE(SortKeys keys, SortKeys::Make(order.ordering, spec.output));
  return std::make_unique<OrderCheck>(spec, std::move(checked), context, std::move(keys),
                                      order.text, std::move(masked));
}

}  // namespace reprise
