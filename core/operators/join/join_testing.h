// What the tests of joins share: specs, and running a join over given batches.
#pragma once

#include "operators/operator_testing.h"

namespace reprise::testing {

/// The fields of an output: left and right, left alone, or left and a boolean.
inline std::vector<Field> JoinOutputFields(const std::string& type, const std::vector<Field>& left,
                                           const std::vector<Field>& right) {
  std::vector<Field> output = left;
  if (type == "existence") output.push_back({"exists", ParseDataType("boolean"), false});
  if (type == "semi" || type == "anti" || type == "existence") return output;
  output.insert(output.end(), right.begin(), right.end());
  return output;
}

/// A hash join on the first `key_count` columns of both sides; without keys a nested-loop join.
inline OperatorSpec JoinSpecOf(const std::string& type, const std::string& build_side,
                               const std::vector<Field>& left, const std::vector<Field>& right,
                               int key_count, const std::optional<ExpressionSpec>& condition = {}) {
  OperatorSpec spec;
  spec.kind = key_count > 0 ? "hash_join" : "nested_loop_join";
  spec.name = "RepriseJoin";
  spec.inputs = {left, right};
  spec.output = JoinOutputFields(type, left, right);
  spec.arguments = {{"joinType", type}, {"buildSide", build_side}, {"condition", nullptr}};
  if (condition) spec.arguments["condition"] = ToJson(*condition);
  if (key_count == 0) return spec;
  spec.arguments["nullAware"] = false;
  spec.arguments["leftKeys"] = spec.arguments["rightKeys"] = nlohmann::json::array();
  for (int i = 0; i < key_count; ++i) {
    spec.arguments["leftKeys"].push_back(ToJson(ColumnOf(left, i)));
    spec.arguments["rightKeys"].push_back(ToJson(ColumnOf(right, i)));
  }
  return spec;
}

/// The join, made but not run.
inline Result<std::unique_ptr<Operator>> MadeJoin(const OperatorSpec& spec, std::vector<Batch> left,
                                                  std::vector<Batch> right,
                                                  const TaskContext& context) {
  auto inputs = SourceOf(spec.inputs[0], std::move(left), context);
  inputs.push_back(std::move(SourceOf(spec.inputs[1], std::move(right), context)[0]));
  return MakeOperator(spec, std::move(inputs), context);
}

inline Result<std::shared_ptr<arrow::RecordBatch>> RunJoin(const OperatorSpec& spec,
                                                           std::vector<Batch> left,
                                                           std::vector<Batch> right,
                                                           const TaskContext& context = {}) {
  ARROW_ASSIGN_OR_RAISE(auto made, MadeJoin(spec, std::move(left), std::move(right), context));
  return Drain(made.get());
}

}  // namespace reprise::testing
