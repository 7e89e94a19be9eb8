#include "rules/scan_columns.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "plan/plan_text.h"
#include "rules/expression_translation.h"
#include "rules/file_relation.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

bool IsInterval(const DataType& type) {
  return type.is(TypeKind::kOther) && type.text.starts_with("interval ");
}

// Where spark.sql.preserveCharVarcharTypeInfo has it so.
bool IsText(const DataType& type) {
  return type.is(TypeKind::kOther) &&
         (type.text.starts_with("char(") || type.text.starts_with("varchar("));
}

bool IsFlat(const DataType& type) { return IsNativeType(type) || IsInterval(type) || IsText(type); }

/// Looks through a type, as Spark's DataType.json writes it.
class TypeCheck {
 public:
  /// False where a part cannot be read.
  bool Look(const Json& type) {
    if (type.is_string()) return LookAtFlat(ParseDataType(type.get_ref<const std::string&>()));
    if (!type.is_object()) return false;
    is_nested = true;
    const Json name = type.value("type", Json());
    if (name == "array") return Look(type.value("elementType", Json()));
    if (name == "map") {
      return Look(type.value("keyType", Json())) && Look(type.value("valueType", Json()));
    }
    return name == "struct" && LookAtFields(type.value("fields", Json()));
  }

  bool LookAtFlat(const DataType& type) {
    has_instants = has_instants || type.is(TypeKind::kTimestamp);
    return IsFlat(type);
  }

  bool is_nested = false;
  bool has_instants = false;
  bool has_field_ids = false;

 private:
  bool LookAtFields(const Json& fields) {
    if (!fields.is_array() || fields.empty()) return false;
    for (const Json& field : fields) {
      const Json metadata = field.value("metadata", Json::object());
      // Fields that Spark takes out of variants stand there as a struct's.
      if (metadata.contains("__VARIANT_METADATA_KEY")) return false;
      has_field_ids = has_field_ids || metadata.contains("parquet.field.id");
      if (!Look(field.value("type", Json()))) return false;
    }
    return true;
  }
};

}  // namespace

std::vector<std::string> ReasonsAgainstColumn(const StructField& field, const Config& config) {
  std::vector<std::string> reasons;
  TypeCheck check;
  const bool is_tree = field.type.is(TypeKind::kOther) && field.type.text.starts_with('{');
  const bool is_read = is_tree ? check.Look(Json::parse(field.type.text, nullptr, false))
                               : check.LookAtFlat(field.type);
  if (!is_read) {
    reasons.push_back(
        fmt::format("column {} of type {} is not read natively", field.name, TypeText(field.type)));
  }
  if (is_read && check.is_nested &&
      !config.spark_boolean("spark.sql.parquet.enableNestedColumnVectorizedReader", true)) {
    reasons.push_back(
        fmt::format("column {}: Spark's row by row reader is asked for "
                    "(spark.sql.parquet.enableNestedColumnVectorizedReader=false), which has other "
                    "rules for types",
                    field.name));
  }
  if (check.has_instants &&
      config.spark_boolean("spark.sql.parquet.int96TimestampConversion", false)) {
    reasons.push_back(
        fmt::format("column {} is converted to another time zone "
                    "(spark.sql.parquet.int96TimestampConversion), which is not supported natively",
                    field.name));
  }
  if (auto reason = ReasonAgainstDefault(field)) reasons.push_back(*std::move(reason));
  const bool has_field_ids =
      check.has_field_ids || field.metadata.find("\"parquet.field.id\"") != std::string_view::npos;
  if (has_field_ids && config.spark_boolean("spark.sql.parquet.fieldId.read.enabled", false)) {
    reasons.push_back(
        fmt::format("column {} is found by its field id (spark.sql.parquet.fieldId.read.enabled), "
                    "which is not supported natively",
                    field.name));
  }
  return reasons;
}

}  // namespace reprise
