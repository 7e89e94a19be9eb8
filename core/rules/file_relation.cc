#include "rules/file_relation.h"

#include "plan/plan_text.h"

namespace reprise {

bool IsSet(const PlanValue* value) { return value != nullptr && !value->is_null(); }

const PlanType* SchemaOf(const PlanValue* value) {
  return value != nullptr && value->is(PlanValue::Kind::kType) && value->data_type->is_struct
             ? value->data_type
             : nullptr;
}

std::vector<std::string> ReasonsAgainstRelation(const OperatorQuestion& question,
                                                const PlanObject& relation) {
  std::vector<std::string> reasons;
  if (IsSet(question.node.argument("stream"))) {
    reasons.emplace_back("streams are not run natively");
  }
  const PlanValue* disabled = question.node.argument("disableBucketedScan");
  const bool buckets_off = disabled != nullptr && disabled->boolean;
  if (IsSet(relation.argument("bucketSpec")) && !buckets_off &&
      question.config.spark_boolean("spark.sql.sources.bucketing.enabled", true)) {
    reasons.emplace_back("bucketed tables are not read natively");
  }
  return reasons;
}

std::vector<std::string> ReasonsAgainstPartitions(const PlanType& partition_schema) {
  std::vector<std::string> reasons;
  for (const StructField& field : partition_schema.fields) {
    if (IsNativeType(field.type)) continue;
    reasons.push_back(fmt::format("partition column {} of type {} is not read natively", field.name,
                                  TypeText(field.type)));
  }
  return reasons;
}

std::optional<std::string> ReasonAgainstDefault(const StructField& field) {
  if (field.metadata.find("\"EXISTS_DEFAULT\"") == std::string_view::npos) return std::nullopt;
  return fmt::format("column {} has a default value, which is not read natively", field.name);
}

}  // namespace reprise
