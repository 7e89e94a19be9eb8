// What the hash aggregate's tests share: specs of aggregates in Spark's layout, and operators made
// of them.
#pragma once

#include "operators/aggregate/aggregate_spec.h"
#include "operators/operator_testing.h"

namespace reprise::testing {

/// One aggregate function, as Spark would type it.
struct Function {
  std::string name;
  std::string input_type;  // JSON name; "" for count
  bool ansi = true;

  std::string result() const {
    const DataType type = ParseDataType(input_type);
    if (name == "count") return "long";
    if (IsCollect()) {
      return fmt::format(R"({{"type":"array","elementType":"{}","containsNull":false}})",
                         input_type);
    }
    if (name == "min" || name == "max" || IsFirstLast()) return input_type;
    if (type.is(TypeKind::kDecimal)) {
      return name == "sum" ? JsonName(Decimal(std::min(38, type.precision + 10), type.scale))
                           : JsonName(Decimal(std::min(38, type.precision + 4),
                                              std::min(38, type.scale + 4)));
    }
    return name == "avg" || type.is_floating() ? "double" : "long";
  }

  bool IsMoment() const { return name.starts_with("var_") || name.starts_with("stddev_"); }
  bool IsCollect() const { return name.starts_with("collect_"); }
  bool IsFirstLast() const { return name.starts_with("first") || name.starts_with("last"); }

  std::vector<Field> buffer() const {
    AggregateSpec spec;
    spec.function = name == "count" ? AggregateFunction::kCount
                    : name == "sum" ? AggregateFunction::kSum
                    : name == "avg" ? AggregateFunction::kAvg
                    : IsMoment()    ? AggregateFunction::kVarPop
                    : IsFirstLast() ? AggregateFunction::kFirst
                    : IsCollect()   ? AggregateFunction::kCollectList
                                    : AggregateFunction::kMin;
    spec.input_type = ParseDataType(input_type);
    spec.result = ParseDataType(result());
    std::vector<Field> fields;
    for (const DataType& type : BufferTypes(spec)) {
      fields.push_back({fmt::format("{}{}", name, fields.size()), type, true});
    }
    return fields;
  }

  nlohmann::json Json(const std::string& mode) const {
    nlohmann::json json = {{"function", name},
                           {"mode", mode},
                           {"buffer", ToJson(buffer())},
                           {"result", result()},
                           {"ansi", ansi}};
    if (name != "count") json["inputType"] = input_type;
    return json;
  }

  /// Over input rows: partial or complete.
  nlohmann::json Over(const std::string& mode, const std::vector<ExpressionSpec>& inputs,
                      const ExpressionSpec* filter = nullptr) const {
    nlohmann::json json = Json(mode);
    json["inputs"] = nlohmann::json::array();
    for (const auto& input : inputs) json["inputs"].push_back(ToJson(input));
    json["filter"] = filter == nullptr ? nlohmann::json() : ToJson(*filter);
    return json;
  }

  /// Over buffers: partial_merge or final.
  nlohmann::json OverBuffer(const std::string& mode, int index) const {
    nlohmann::json json = Json(mode);
    json["bufferIndex"] = index;
    return json;
  }
};

/// A hash aggregate over an input of these fields. With `evaluates` the results are the keys and
/// the functions' results as they are; else keys and buffers.
inline OperatorSpec AggregateOperator(const std::vector<Field>& input, std::vector<int> keys,
                                      const std::vector<nlohmann::json>& aggregates,
                                      bool evaluates) {
  OperatorSpec spec{"hash_aggregate", "RepriseHashAggregate",  7, "", "", {},
                    {input},          nlohmann::json::object()};
  spec.arguments["keys"] = nlohmann::json::array();
  for (const int key : keys) {
    spec.arguments["keys"].push_back(ToJson(ColumnOf(input, key)));
    spec.output.push_back(input[key]);
  }
  spec.arguments["aggregates"] = aggregates;
  for (const nlohmann::json& aggregate : aggregates) {
    if (evaluates) {
      spec.output.push_back(
          {"result", ParseDataType(aggregate["result"].get<std::string>()), true});
      continue;
    }
    for (const Field& field : Good(FieldsFromJson(aggregate["buffer"])))
      spec.output.push_back(field);
  }
  if (evaluates) {
    spec.arguments["results"] = nlohmann::json::array();
    for (size_t i = 0; i < spec.output.size(); ++i) {
      spec.arguments["results"].push_back(ToJson(ColumnOf(spec.output, static_cast<int>(i))));
    }
  }
  return spec;
}

/// Runs an aggregate over batches.
inline Result<std::shared_ptr<arrow::RecordBatch>> RunAggregate(OperatorSpec spec,
                                                                std::vector<Batch> batches,
                                                                const TaskContext& context = {}) {
  const std::vector<Field> input = spec.inputs[0];
  ARROW_ASSIGN_OR_RAISE(
      auto aggregate,
      MakeOperator(std::move(spec), SourceOf(input, std::move(batches), context), context));
  return Drain(aggregate.get());
}

/// The results of a function over a column, by key, where there is one: complete; and partial per
/// batch, then partial_merge, then final. Both must be the same.
inline Result<std::shared_ptr<arrow::RecordBatch>> Compute(const Function& function,
                                                           const std::vector<Field>& input,
                                                           std::vector<int> keys, int column,
                                                           const std::vector<Batch>& batches) {
  std::vector<int> key_positions;
  for (size_t i = 0; i < keys.size(); ++i) key_positions.push_back(static_cast<int>(i));
  const auto partial =
      AggregateOperator(input, keys, {function.Over("partial", {ColumnOf(input, column)})}, false);
  std::vector<Batch> buffers;
  for (const Batch& batch : batches) {
    ARROW_ASSIGN_OR_RAISE(auto rows, RunAggregate(partial, {batch}));
    buffers.push_back(ToBatch(rows));
  }
  const int index = static_cast<int>(keys.size());
  const auto merge = AggregateOperator(partial.output, key_positions,
                                       {function.OverBuffer("partial_merge", index)}, false);
  ARROW_ASSIGN_OR_RAISE(auto merged, RunAggregate(merge, buffers));
  const auto final_spec =
      AggregateOperator(merge.output, key_positions, {function.OverBuffer("final", index)}, true);
  ARROW_ASSIGN_OR_RAISE(auto final_rows, RunAggregate(final_spec, {ToBatch(merged)}));
  const auto complete =
      AggregateOperator(input, keys, {function.Over("complete", {ColumnOf(input, column)})}, true);
  ARROW_ASSIGN_OR_RAISE(auto complete_rows, RunAggregate(complete, batches));
  if (!complete_rows->Equals(*final_rows, false,
                             arrow::EqualOptions::Defaults().nans_equal(true))) {
    return Status::Invalid("complete gives ", complete_rows->ToString(), " final gives ",
                           final_rows->ToString());
  }
  return complete_rows;
}

}  // namespace reprise::testing
