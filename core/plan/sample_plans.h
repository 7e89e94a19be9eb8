// Short ways to write plan documents in tests, as the plug-in would write them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace reprise::sample {

using Json = nlohmann::json;

inline const std::string kExpressions = "org.apache.spark.sql.catalyst.expressions.";
inline const std::string kExecution = "org.apache.spark.sql.execution.";

inline Json ExprId(int64_t id) {
  return {{"class", kExpressions + "ExprId"},
          {"args", {{"id", id}, {"jvmId", {{"opaque", "java.util.UUID"}}}}}};
}

inline Json Expression(const std::string& name, const std::string& type, std::vector<Json> children,
                       Json arguments = Json::object()) {
  return {{"class", kExpressions + name},
          {"type", type},
          {"nullable", true},
          {"args", std::move(arguments)},
          {"children", std::move(children)}};
}

inline Json Column(const std::string& name, int64_t id, const std::string& type) {
  return Expression("AttributeReference", type, {},
                    {{"name", name},
                     {"dataType", {{"type", type}}},
                     {"nullable", true},
                     {"metadata", {{"opaque", "org.apache.spark.sql.types.Metadata"}}},
                     {"exprId", ExprId(id)},
                     {"qualifier", Json::array()}});
}

inline Json Literal(Json value, const std::string& type) {
  return Expression("Literal", type, {},
                    {{"value", std::move(value)}, {"dataType", {{"type", type}}}});
}

inline Json Alias(Json child, const std::string& name, int64_t id) {
  const std::string type = child["type"];
  return Expression("Alias", type, {std::move(child)},
                    {{"name", name}, {"exprId", ExprId(id)}, {"qualifier", Json::array()}});
}

inline Json EvalContext(const std::string& mode) {
  return {{"evalContext",
           {{"class", kExpressions + "NumericEvalContext"},
            {"args", {{"evalMode", {{"enum", mode}}}, {"allowDecimalPrecisionLoss", true}}}}}};
}

inline Json Arithmetic(const std::string& name, const std::string& type, Json left, Json right,
                       const std::string& mode = "ANSI") {
  return Expression(name, type, {std::move(left), std::move(right)}, EvalContext(mode));
}

/// A node of the package org.apache.spark.sql.execution; nodes are numbered when they stand in a
/// Document.
inline Json Node(const std::string& name, std::vector<Json> output, Json arguments,
                 std::vector<Json> children) {
  const size_t dot = name.rfind('.');
  std::string short_name = dot == std::string::npos ? name : name.substr(dot + 1);
  if (short_name.ends_with("Exec")) short_name.resize(short_name.size() - 4);
  return {{"class", kExecution + name},
          {"name", short_name},
          {"output", std::move(output)},
          {"args", std::move(arguments)},
          {"children", std::move(children)}};
}

/// Gives numbers in pre-order to all nodes that have none, those inside arguments included.
inline void NumberNodes(Json* json, int64_t* next) {
  if (json->is_object() && json->contains("output") && !json->contains("id")) {
    (*json)["id"] = (*next)++;
  }
  if (json->is_structured()) {
    for (auto& item : *json) NumberNodes(&item, next);
  }
}

inline Json Document(Json root) {
  int64_t next = 1;
  NumberNodes(&root, &next);
  return {{"version", 1}, {"spark", "4.1.3"}, {"root", std::move(root)}};
}

/// Rows of an RDD: a leaf that has no native implementation.
inline Json Rows(std::vector<Json> output) {
  return Node("RDDScanExec", std::move(output), Json::object(), {});
}

inline Json Filter(Json condition, Json child) {
  Json output = child["output"];
  return Node("FilterExec", output, {{"condition", std::move(condition)}}, {std::move(child)});
}

inline Json Project(std::vector<Json> expressions, std::vector<Json> output, Json child) {
  return Node("ProjectExec", std::move(output), {{"projectList", std::move(expressions)}},
              {std::move(child)});
}

inline Json Struct(const std::vector<std::pair<std::string, std::string>>& fields) {
  Json list = Json::array();
  for (const auto& [name, type] : fields) {
    list.push_back(
        {{"name", name}, {"type", type}, {"nullable", true}, {"metadata", Json::object()}});
  }
  return {{"type", {{"type", "struct"}, {"fields", std::move(list)}}}};
}

/// A scan of Parquet files under `path`; columns are (name, exprId, type).
inline Json ParquetScan(const std::string& path,
                        const std::vector<std::tuple<std::string, int64_t, std::string>>& columns,
                        std::vector<Json> data_filters = {}) {
  std::vector<std::pair<std::string, std::string>> fields;
  std::vector<Json> output;
  for (const auto& [name, id, type] : columns) {
    fields.emplace_back(name, type);
    output.push_back(Column(name, id, type));
  }
  const Json relation = {
      {"class", kExecution + "datasources.HadoopFsRelation"},
      {"args",
       {{"location",
         {{"class", kExecution + "datasources.InMemoryFileIndex"},
          {"args", {{"rootPaths", {path}}}}}},
        {"partitionSchema", Struct({})},
        {"dataSchema", Struct(fields)},
        {"bucketSpec", nullptr},
        {"fileFormat", {{"opaque", kExecution + "datasources.parquet.ParquetFileFormat"}}},
        {"options", {{"map", Json::array()}}}}}};
  return Node("FileSourceScanExec", output,
              {{"relation", relation},
               {"stream", nullptr},
               {"output", output},
               {"requiredSchema", Struct(fields)},
               {"partitionFilters", Json::array()},
               {"optionalBucketSet", nullptr},
               {"optionalNumCoalescedBuckets", nullptr},
               {"dataFilters", std::move(data_filters)},
               {"tableIdentifier", nullptr},
               {"disableBucketedScan", false}},
              {});
}

}  // namespace reprise::sample
