// What the unit tests that `reprise shrink` writes are made of: a task of an operator, its rows,
// and what comes out.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "operators/operator_testing.h"
#include "replay/assertion.h"

namespace reprise::testing {

/// A column of texts or bytes as they are; nothing: null. `type` as in Values.
inline std::shared_ptr<arrow::Array> BytesValues(
    const std::string& type, std::initializer_list<std::optional<std::string_view>> values) {
  const auto builder = Good(arrow::MakeBuilder(Good(ToArrow(ParseDataType(type)))));
  for (const auto& value : values) {
    const Status added = value ? static_cast<arrow::BinaryBuilder*>(builder.get())->Append(*value)
                               : builder->AppendNull();
    if (!added.ok()) throw std::runtime_error(added.ToString());
  }
  return Good(builder->Finish());
}

/// A task of the operator of a dump: give it batches, then run it.
class DumpedTask {
 public:
  /// `operator_json`: the member "operator" of plan.meta.
  DumpedTask(std::string_view operator_json, int partition)
      : spec_(Good(OperatorSpecFromJson(nlohmann::json::parse(operator_json)))),
        batches_(spec_.inputs.size()) {
    context_.partition = partition;
  }

  /// The next batch of an input, which has `rows` rows.
  void Give(size_t input, int64_t rows, arrow::ArrayVector columns) {
    batches_.at(input).push_back(
        {Good(ToArrowSchema(spec_.inputs[input])), std::move(columns), rows, nullptr});
  }

  /// All that it puts out. Fails as the operator fails.
  Result<std::shared_ptr<arrow::RecordBatch>> Run() const {
    std::vector<std::unique_ptr<Operator>> inputs;
    for (size_t i = 0; i < batches_.size(); ++i) {
      inputs.push_back(std::make_unique<GivenBatches>(spec_.inputs[i], batches_[i], context_));
    }
    ARROW_ASSIGN_OR_RAISE(const auto made, MakeOperator(spec_, std::move(inputs), context_));
    return Drain(made.get());
  }

  /// Rows with the columns of its output.
  std::shared_ptr<arrow::RecordBatch> Rows(int64_t rows, arrow::ArrayVector columns) const {
    return arrow::RecordBatch::Make(Good(ToArrowSchema(spec_.output)), rows, std::move(columns));
  }

  const std::vector<Field>& output() const { return spec_.output; }

 private:
  OperatorSpec spec_;
  TaskContext context_;
  std::vector<std::vector<Batch>> batches_;
};

/// The rows as texts, in an order that does not depend on theirs.
inline std::vector<std::string> RowTexts(const arrow::RecordBatch& rows) {
  std::vector<std::string> texts;
  for (int64_t row = 0; row < rows.num_rows(); ++row) {
    std::string text;
    for (int column = 0; column < rows.num_columns(); ++column) {
      const auto value = Good(rows.column(column)->GetScalar(row));
      text += (column > 0 ? ", " : "") + rows.column_name(column) + "=" + value->ToString();
    }
    texts.push_back(std::move(text));
  }
  std::ranges::sort(texts);
  return texts;
}

/// The first rows that make the predicate false, and its own error.
inline std::vector<std::string> RowsThatFail(const std::string& predicate,
                                             const arrow::RecordBatch& rows,
                                             const std::vector<Field>& columns) {
  AssertionOutcome outcome;
  const auto assertion = Good(Assertion::Make(predicate, columns));
  const Status checked = assertion->Check({rows.schema(), rows.columns(), rows.num_rows(), nullptr},
                                          arrow::default_memory_pool(), &outcome);
  if (!checked.ok()) throw std::runtime_error(checked.ToString());
  std::vector<std::string> texts;
  for (const FailingRow& row : outcome.sample) {
    std::string text;
    for (const auto& [name, value] : row.values)
      text += (text.empty() ? "" : ", ") + name + "=" + value;
    texts.push_back(std::move(text));
  }
  if (!outcome.error.empty()) texts.push_back(outcome.error);
  return texts;
}

}  // namespace reprise::testing
