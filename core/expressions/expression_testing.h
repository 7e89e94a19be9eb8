// What the tests of expressions share: columns from lists, short specifications, evaluation.
#pragma once

#include <arrow/array/array_dict.h>
#include <arrow/builder.h>
#include <arrow/util/decimal.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "expressions/expression.h"

namespace reprise {

using nlohmann::json;

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <typename Builder, typename T>
inline std::shared_ptr<arrow::Array> Build(Builder builder,
                                           const std::vector<std::optional<T>>& values) {
  for (const auto& value : values) {
    EXPECT_TRUE((value ? builder.Append(*value) : builder.AppendNull()).ok());
  }
  return *builder.Finish();
}
inline std::shared_ptr<arrow::Array> Longs(const std::vector<std::optional<int64_t>>& values) {
  return Build(arrow::Int64Builder(), values);
}
inline std::shared_ptr<arrow::Array> Ints(const std::vector<std::optional<int32_t>>& values) {
  return Build(arrow::Int32Builder(), values);
}
inline std::shared_ptr<arrow::Array> Bytes(const std::vector<std::optional<int8_t>>& values) {
  return Build(arrow::Int8Builder(), values);
}
inline std::shared_ptr<arrow::Array> Doubles(const std::vector<std::optional<double>>& values) {
  return Build(arrow::DoubleBuilder(), values);
}
inline std::shared_ptr<arrow::Array> Booleans(const std::vector<std::optional<bool>>& values) {
  return Build(arrow::BooleanBuilder(), values);
}
inline std::shared_ptr<arrow::Array> Strings(
    const std::vector<std::optional<std::string>>& values) {
  return Build(arrow::StringBuilder(), values);
}
inline std::shared_ptr<arrow::Array> Dates(const std::vector<std::optional<int32_t>>& values) {
  return Build(arrow::Date32Builder(), values);
}
inline std::shared_ptr<arrow::Array> Instants(const std::vector<std::optional<int64_t>>& micros,
                                              const char* zone = "UTC") {
  return Build(arrow::TimestampBuilder(arrow::timestamp(arrow::TimeUnit::MICRO, zone),
                                       arrow::default_memory_pool()),
               micros);
}
inline std::shared_ptr<arrow::Array> Decimals(
    int precision, int scale, const std::vector<std::optional<std::string>>& values) {
  if (precision <= 18) {
    arrow::Decimal64Builder builder(arrow::decimal64(precision, scale));
    for (const auto& value : values) {
      EXPECT_TRUE(
          (value ? builder.Append(arrow::Decimal64(std::stoll(*value))) : builder.AppendNull())
              .ok());
    }
    return *builder.Finish();
  }
  arrow::Decimal128Builder builder(arrow::decimal128(precision, scale));
  for (const auto& value : values) {
    EXPECT_TRUE((value ? builder.Append(arrow::Decimal128(*value)) : builder.AppendNull()).ok());
  }
  return *builder.Finish();
}

/// Dictionary-encoded strings.
inline std::shared_ptr<arrow::Array> DictionaryOf(
    const std::vector<std::optional<std::string>>& values,
    const std::vector<std::optional<int32_t>>& indices) {
  return *arrow::DictionaryArray::FromArrays(arrow::dictionary(arrow::int32(), arrow::utf8()),
                                             Ints(indices), Strings(values));
}

inline ExpressionSpec Col(int index, const char* type) {
  return {"column", ParseDataType(type), true, {{"index", index}}, {}};
}
inline ExpressionSpec Lit(json value, const char* type) {
  return {"literal", ParseDataType(type), true, {{"value", std::move(value)}}, {}};
}
inline ExpressionSpec Call(const char* function, const char* type,
                           std::vector<ExpressionSpec> arguments,
                           json attributes = json::object()) {
  return {function, ParseDataType(type), true, std::move(attributes), std::move(arguments)};
}
inline const json kAnsi = {{"ansi", true}};
inline const json kLegacy = {{"ansi", false}};

inline Batch BatchOf(const std::vector<std::shared_ptr<arrow::Array>>& columns) {
  Batch batch;
  arrow::FieldVector fields;
  for (size_t i = 0; i < columns.size(); ++i) {
    const bool dictionary = columns[i]->type_id() == arrow::Type::DICTIONARY;
    fields.push_back(
        arrow::field(fmt::format("c{}", i), dictionary ? arrow::utf8() : columns[i]->type()));
  }
  batch.schema = arrow::schema(fields);
  batch.columns = columns;
  batch.row_count = columns.empty() ? 0 : columns[0]->length();
  return batch;
}

inline std::vector<Field> FieldsOf(const Batch& batch) {
  std::vector<Field> fields;
  for (const auto& field : batch.schema->fields()) {
    fields.push_back({field->name(), *FromArrow(*field->type()), true});
  }
  return fields;
}

inline Result<std::shared_ptr<arrow::Array>> Evaluate(const ExpressionSpec& spec,
                                                      const Batch& batch) {
  ARROW_ASSIGN_OR_RAISE(auto expression, MakeExpression(spec, FieldsOf(batch)));
  EvalInput input(batch, arrow::default_memory_pool());
  ARROW_ASSIGN_OR_RAISE(auto array, EvaluateToArray(*expression, input));
  RETURN_NOT_OK(array->Validate());
  EXPECT_EQ(array->length(), batch.selected_count());
  ARROW_ASSIGN_OR_RAISE(array, DecodeDictionary(array, arrow::default_memory_pool()));
  // Spark's strings are any bytes.
  auto bytes = array;
  if (array->type_id() == arrow::Type::STRING) {
    ARROW_ASSIGN_OR_RAISE(bytes, array->View(arrow::binary()));
  }
  RETURN_NOT_OK(bytes->ValidateFull());
  return array;
}
inline Result<std::shared_ptr<arrow::Array>> Evaluate(
    const ExpressionSpec& spec, const std::vector<std::shared_ptr<arrow::Array>>& columns) {
  return Evaluate(spec, BatchOf(columns));
}

inline void ExpectValues(const ExpressionSpec& spec,
                         const std::vector<std::shared_ptr<arrow::Array>>& columns,
                         const std::shared_ptr<arrow::Array>& expected) {
  auto actual = Evaluate(spec, columns);
  ASSERT_TRUE(actual.ok()) << actual.status();
  EXPECT_TRUE((*actual)->Equals(expected, arrow::EqualOptions().nans_equal(true)))
      << spec.function << ": " << (*actual)->ToString() << " instead of " << expected->ToString();
}

inline std::string ConditionOf(const ExpressionSpec& spec,
                               const std::vector<std::shared_ptr<arrow::Array>>& columns) {
  auto actual = Evaluate(spec, columns);
  if (actual.ok()) return "no error: " + (*actual)->ToString();
  const SparkErrorDetail* detail = SparkErrorOf(actual.status());
  return detail ? detail->condition() : actual.status().message();
}

inline std::vector<int32_t> SelectRows(const ExpressionSpec& condition, const Batch& batch) {
  auto predicate = Predicate::Make(condition, FieldsOf(batch), Conjunction::kOfFilter);
  EXPECT_TRUE(predicate.ok()) << predicate.status();
  auto selection = (*predicate)->Select(batch, arrow::default_memory_pool());
  EXPECT_TRUE(selection.ok()) << selection.status();
  Batch selected = batch;
  if (*selection) selected.selection = *selection;
  std::vector<int32_t> rows;
  for (int64_t i = 0; i < selected.selected_count(); ++i) {
    rows.push_back(selected.has_selection() ? selected.selected()[i] : static_cast<int32_t>(i));
  }
  return rows;
}

/// Condition and parameters of the error, "CAST_OVERFLOW value=128 …", without the configuration
/// key.
inline std::string ErrorOf(const ExpressionSpec& spec,
                           const std::vector<std::shared_ptr<arrow::Array>>& columns) {
  auto actual = Evaluate(spec, columns);
  if (actual.ok()) return "no error: " + (*actual)->ToString();
  const SparkErrorDetail* detail = SparkErrorOf(actual.status());
  if (detail == nullptr) return actual.status().message();
  std::string text = detail->condition();
  for (const auto& [name, value] : detail->parameters()) {
    if (value != "\"spark.sql.ansi.enabled\"") text += " " + name + "=" + value;
  }
  return text;
}

}  // namespace reprise
