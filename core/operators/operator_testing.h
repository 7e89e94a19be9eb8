// What the operators' tests share: batches from JSON text, a source of batches, specs of
// expressions.
#pragma once

#include <arrow/json/from_string.h>
#include <arrow/table.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "exchange/column_testing.h"
#include "operators/operator.h"
#include "operators/registry.h"

namespace reprise::testing {

/// Fields from "name type" texts, types as in JSON: Fields({"a integer", "b decimal(15,2)"}).
inline std::vector<Field> Fields(const std::vector<std::string>& texts) {
  std::vector<Field> fields;
  for (const std::string& text : texts) {
    const size_t space = text.find(' ');
    fields.push_back({text.substr(0, space), ParseDataType(text.substr(space + 1)), true});
  }
  return fields;
}

/// A dictionary-encoded string column.
inline std::shared_ptr<arrow::Array> Encoded(const std::string& codes,
                                             const std::string& dictionary) {
  return Good(arrow::DictionaryArray::FromArrays(
      arrow::dictionary(arrow::int32(), arrow::utf8()),
      Good(arrow::json::ArrayFromJSONString(arrow::int32(), codes)),
      Good(arrow::json::ArrayFromJSONString(arrow::utf8(), dictionary))));
}

inline Batch BatchOfArrays(const std::vector<Field>& fields, arrow::ArrayVector columns) {
  const int64_t rows = columns.empty() ? 0 : columns[0]->length();
  return {Good(ToArrowSchema(fields)), std::move(columns), rows, nullptr};
}

/// A batch from one JSON text a column.
inline Batch BatchOf(const std::vector<Field>& fields, const std::vector<std::string>& columns) {
  arrow::ArrayVector arrays;
  for (size_t i = 0; i < fields.size(); ++i) {
    arrays.push_back(Values(JsonName(fields[i].type), columns[i]));
  }
  return BatchOfArrays(fields, std::move(arrays));
}

inline Batch WithSelection(Batch batch, std::vector<int32_t> rows) {
  batch.selection = arrow::Buffer::FromVector(std::move(rows));
  return batch;
}

/// Hands out given batches.
class GivenBatches final : public Operator {
 public:
  GivenBatches(std::vector<Field> fields, std::vector<Batch> batches, const TaskContext& context)
      : Operator({"source", "BatchSource", 0, "", "", std::move(fields), {}, {}}, {}, context),
        batches_(std::move(batches)) {}

 private:
  Result<std::optional<Batch>> NextBatch() override {
    if (next_ == batches_.size()) return std::nullopt;
    return batches_[next_++];
  }

  std::vector<Batch> batches_;
  size_t next_ = 0;
};

inline std::vector<std::unique_ptr<Operator>> SourceOf(const std::vector<Field>& fields,
                                                       std::vector<Batch> batches,
                                                       const TaskContext& context) {
  std::vector<std::unique_ptr<Operator>> inputs;
  inputs.push_back(std::make_unique<GivenBatches>(fields, std::move(batches), context));
  return inputs;
}

inline ExpressionSpec ColumnOf(const std::vector<Field>& fields, int index) {
  return {"column", fields[index].type, true, {{"index", index}}, {}};
}

inline ExpressionSpec Literal(const std::string& type, nlohmann::json value) {
  return {"literal", ParseDataType(type), value.is_null(), {{"value", std::move(value)}}, {}};
}

inline ExpressionSpec Call(std::string function, const std::string& type,
                           std::vector<ExpressionSpec> arguments) {
  return {std::move(function), ParseDataType(type), true, {{"ansi", true}}, std::move(arguments)};
}

/// Pulls everything and gives it as one record batch, selections applied, dictionaries decoded.
inline Result<std::shared_ptr<arrow::RecordBatch>> Drain(Operator* op) {
  std::vector<std::shared_ptr<arrow::RecordBatch>> batches;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(std::optional<Batch> batch, op->Next());
    if (!batch.has_value()) break;
    ARROW_ASSIGN_OR_RAISE(auto records, ToRecordBatch(*batch, arrow::default_memory_pool()));
    RETURN_NOT_OK(records->ValidateFull());
    batches.push_back(std::move(records));
  }
  if (batches.empty()) return arrow::RecordBatch::MakeEmpty(op->output_schema());
  ARROW_ASSIGN_OR_RAISE(auto table, arrow::Table::FromRecordBatches(batches));
  return table->CombineChunksToBatch();
}

/// Compares a column with JSON text, bit by bit where the text can say so.
inline void ExpectColumn(const arrow::RecordBatch& batch, int column, const std::string& json) {
  const auto expected = Good(arrow::json::ArrayFromJSONString(batch.column(column)->type(), json));
  EXPECT_TRUE(
      batch.column(column)->Equals(*expected, arrow::EqualOptions::Defaults().nans_equal(true)))
      << "column " << column << " is " << batch.column(column)->ToString() << "\nexpected "
      << expected->ToString();
}

}  // namespace reprise::testing
