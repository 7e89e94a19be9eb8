#include "rules/scan_columns.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "plan/field_ids.h"
#include "plan/nested_type.h"
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
  bool has_unknown_ids = false;

  void LookAtMetadata(const Json& metadata) {
    has_field_ids = has_field_ids || HasFieldId(metadata);
    has_unknown_ids = has_unknown_ids || (HasFieldId(metadata) && !HasKnownFieldId(metadata));
  }

 private:
  bool LookAtFields(const Json& fields) {
    if (!fields.is_array() || fields.empty()) return false;
    for (const Json& field : fields) {
      const Json metadata = field.value("metadata", Json::object());
      // Fields that Spark takes out of variants stand there as a struct's.
      if (metadata.contains("__VARIANT_METADATA_KEY")) return false;
      LookAtMetadata(metadata);
      if (!Look(field.value("type", Json()))) return false;
    }
    return true;
  }
};

Json MetadataOf(const StructField& field) { return Json::parse(field.metadata, nullptr, false); }

/// Whether what is found is read.
bool Look(const StructField& field, TypeCheck* check) {
  if (!field.metadata.empty()) check->LookAtMetadata(MetadataOf(field));
  const bool is_tree = field.type.is(TypeKind::kOther) && field.type.text.starts_with('{');
  return is_tree ? check->Look(Json::parse(field.type.text, nullptr, false))
                 : check->LookAtFlat(field.type);
}

/// Spark's vectorized reader fails to fill in decimals whose digits are no long, and before 4.0
/// those whose type has more digits than a long has.
bool IsFilledInBySpark(const OperatorQuestion& question, const ExpressionSpec& literal) {
  if (!literal.type.is(TypeKind::kDecimal)) return true;
  if (question.is_before_spark_4() && !literal.type.is_short_decimal()) return false;
  const std::string digits = literal.attributes.at("value").get<std::string>();
  int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc();
}

/// The literal that a column's default value is; null where that is null.
Result<Json> DefaultOf(const OperatorQuestion& question, const StructField& field,
                       const PlanValue& value) {
  if (!IsNativeType(field.type) || field.type.is(TypeKind::kBinary)) {
    return Status::NotImplemented("column ", field.name, " of type ", TypeText(field.type),
                                  " has a default value, which is not read natively");
  }
  const Binding no_columns;
  ExpressionTranslator translator(no_columns, nullptr, nullptr, question.spark_version);
  const auto literal = translator.Translate(value);
  if (!literal || literal->function != "literal" || literal->type != field.type) {
    return Status::NotImplemented("column ", field.name,
                                  " has a default value that is not part of the plan");
  }
  if (literal->attributes.at("value").is_null()) return Json();
  if (!IsFilledInBySpark(question, *literal)) {
    return Status::NotImplemented("column ", field.name,
                                  " has a default value of more digits than ",
                                  "Spark's reader fills in");
  }
  return ToJson(*literal);
}

}  // namespace

std::vector<std::string> ReasonsAgainstColumn(const StructField& field, const Config& config) {
  std::vector<std::string> reasons;
  TypeCheck check;
  const bool is_read = Look(field, &check);
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
  if (check.has_unknown_ids) {
    reasons.push_back(
        fmt::format("column {} has a field id (parquet.field.id) that is no integer from 0 to {}",
                    field.name, std::numeric_limits<int32_t>::max()));
  }
  return reasons;
}

bool HasFieldIds(const StructField& field) {
  TypeCheck check;
  Look(field, &check);
  return check.has_field_ids;
}

int32_t FieldIdOf(const StructField& field) {
  return field.metadata.empty() ? kNoFieldId : FieldIdOf(MetadataOf(field));
}

Result<Json> DefaultsOf(const OperatorQuestion& question, const PlanType& columns,
                        const PlanValue* values) {
  Json defaults = Json::array();
  bool has_any = false;
  for (size_t i = 0; i < columns.fields.size(); ++i) {
    Json& one = defaults.emplace_back();
    if (!HasDefault(columns.fields[i])) continue;
    const bool is_there = values != nullptr && i < values->items.size();
    ARROW_ASSIGN_OR_RAISE(
        one, DefaultOf(question, columns.fields[i], is_there ? values->items[i] : PlanValue{}));
    has_any = has_any || !one.is_null();
  }
  return has_any ? std::move(defaults) : Json();
}

}  // namespace reprise
