// Specifications: what the rules hand to the operators, and what a dump's plan.meta holds. One
// operator with its expressions bound to its inputs; nothing in it refers to Spark's objects.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/status.h"
#include "plan/data_type.h"

namespace reprise {

/// A bound expression: a function name of expressions/ with its arguments.
///
/// JSON:
/// {"function":"multiply","type":"decimal(25,4)","nullable":true,"attributes":{…},"arguments":[…]}
/// `attributes` and `arguments` may be absent. Two functions are leaves:
///   {"function":"column","type":…,"attributes":{"index":3}}          column 3 of the operator's
///   input
///   {"function":"literal","type":…,"attributes":{"value":V}}         V: null, boolean, integer;
///   float and double as
///       number or "NaN" | "Infinity" | "-Infinity" | "-0.0"; decimal as its unscaled integer in a
///       string; string as string; binary as base64; date in days; timestamp in microseconds
struct ExpressionSpec {
  std::string function;
  DataType type;
  bool nullable = true;
  nlohmann::json attributes = nlohmann::json::object();
  std::vector<ExpressionSpec> arguments;
};

/// One operator, ready to be made.
///
/// JSON: {"kind":"filter","name":"RepriseFilter","lore_id":5,"fingerprint":"…16
/// hex…","occurrence":"Filter#0",
///        "output":[{"name":…,"type":…,"nullable":…}],"inputs":[[fields…]],"arguments":{…}}
/// `arguments` is particular to the kind and documented in the operator's own file.
struct OperatorSpec {
  std::string kind;         ///< name in vocabulary/operators.def
  std::string name;         ///< as users see it
  int64_t lore_id = 0;      ///< 0: not tagged
  std::string fingerprint;  ///< structural hash, 16 hexadecimal digits; empty: not tagged
  std::string occurrence;   ///< "Filter#0": the Spark operator's name and its number among those of
                            ///< that name
  std::vector<Field> output;
  std::vector<std::vector<Field>> inputs;
  nlohmann::json arguments = nlohmann::json::object();
};

/// What a dump has behind the columns of an exchange's rows: to which partition each goes. Named as
/// Spark's function.
inline Field PartitionColumn() { return {"spark_partition_id", {TypeKind::kInteger}, false}; }
/// Whether it is an exchange whose output has that column.
bool TellsPartitions(const OperatorSpec& spec);

nlohmann::json ToJson(const Field& field);
nlohmann::json ToJson(const std::vector<Field>& fields);
nlohmann::json ToJson(const ExpressionSpec& expression);
nlohmann::json ToJson(const OperatorSpec& spec);

/// Readers of the same. A missing or mistyped member is Status::Invalid that names it.
Result<std::vector<Field>> FieldsFromJson(const nlohmann::json& json);
Result<ExpressionSpec> ExpressionSpecFromJson(const nlohmann::json& json);
Result<OperatorSpec> OperatorSpecFromJson(const nlohmann::json& json);

/// As SQL-like text for people: "(l_commitdate < l_receiptdate)"; columns are named after `input`.
std::string ToString(const ExpressionSpec& expression, const std::vector<Field>& input);

}  // namespace reprise
