#include "operators/output_check.h"

#include "base/selected_rows.h"

namespace reprise {

namespace {

OperatorSpec CheckOf(std::string_view what, const OperatorSpec& spec) {
  OperatorSpec check = spec;
  check.name = fmt::format("{} of {}", what, spec.name);
  check.kind = kOutputCheckKind;
  check.inputs = {spec.output};
  check.arguments = nlohmann::json::object();
  return check;
}

std::vector<std::unique_ptr<Operator>> OnlyInput(std::unique_ptr<Operator> checked) {
  std::vector<std::unique_ptr<Operator>> inputs;
  inputs.push_back(std::move(checked));
  return inputs;
}

}  // namespace

OutputCheck::OutputCheck(std::string_view what, const OperatorSpec& spec,
                         std::unique_ptr<Operator> checked, const TaskContext& context)
    : Operator(CheckOf(what, spec), OnlyInput(std::move(checked)), context) {}

Result<std::optional<Batch>> OutputCheck::NextBatch() {
  ARROW_ASSIGN_OR_RAISE(auto batch, Pull());
  if (!batch) {
    RETURN_NOT_OK(LookBack(rows_));
    return batch;
  }
  const int64_t first = rows_;
  rows_ += batch->selected_count();
  RETURN_NOT_OK(Look(WithoutErrors(*batch), first));
  return batch;
}

Status LateRows::Look(const Batch& batch,
                      const std::function<Status(const Batch&, int64_t)>& found) {
  if (batch.selected_count() == 0) return Status::OK();
  rows_.Clear(/*release=*/false);
  RETURN_NOT_OK(keys_.Append(batch, 0, pool_, &rows_));
  const auto& items = rows_.items();
  if (last_row_ && KeyedRows::Compare(last_, last_.items()[0], rows_, items[0]) > 0) {
    RETURN_NOT_OK(found(*last_row_, 0));
  }
  for (int64_t i = 1; i < items.size(); ++i) {
    if (KeyedRows::Compare(rows_, items[i - 1], rows_, items[i]) <= 0) continue;
    RETURN_NOT_OK(found(SelectedRows(batch, i - 1, i), i));
  }
  return KeepLast(SelectedRows(batch, items.size() - 1, items.size()));
}

Status LateRows::KeepLast(const Batch& row) {
  ARROW_ASSIGN_OR_RAISE(const auto last, ToRecordBatch(row, pool_));
  last_row_ = ToBatch(last);
  last_row_->schema = row.schema;
  return last_.Assign(rows_, rows_.items()[rows_.items().size() - 1]);
}

}  // namespace reprise
