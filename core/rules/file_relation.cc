#include "rules/file_relation.h"

#include <algorithm>
#include <utility>

#include "plan/plan_text.h"
#include "rules/source_options.h"

namespace reprise {

bool IsSet(const PlanValue* value) { return value != nullptr && !value->is_null(); }

const PlanValue* ArgumentOf(const PlanValue* object, std::string_view name) {
  return object != nullptr && object->object != nullptr ? object->object->argument(name) : nullptr;
}

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

std::vector<std::string> ReasonsAgainstOutput(const OperatorQuestion& question,
                                              const PlanType& columns,
                                              const PlanType& partition_columns) {
  const size_t read = columns.fields.size() + partition_columns.fields.size();
  if (question.node.output.size() < read) return {"its output has fewer columns than it reads"};
  // Of a part that is left to Spark, Spark says where that part begins, not where the split does.
  for (const PlanValue& metadata : question.node.output.subspan(read)) {
    const auto attribute = AttributeOf(metadata);
    if (!attribute || !attribute->name.starts_with("file_block_")) continue;
    return {fmt::format("the place of a split in its file (_metadata.{}) is not read natively",
                        attribute->name)};
  }
  return {};
}

void WriteColumns(const PlanType& columns, NativeOperator* native) {
  std::vector<Field> read;
  for (const StructField& field : columns.fields) {
    const Field& given = native->output[read.size()];
    read.push_back({std::string(field.name), given.type, given.nullable});
  }
  const std::vector<Field> constants(native->output.begin() + std::ssize(read),
                                     native->output.end());
  native->arguments["columns"] = ToJson(read);
  native->arguments["partitionColumns"] = ToJson(constants);
}

std::vector<std::string> ReasonsAgainstForgiving(const Config& config, const PlanValue* options) {
  struct Forgiving {
    std::string_view option;
    SparkKey key;
  };
  constexpr Forgiving kForgiving[] = {
      {"ignoreCorruptFiles", "spark.sql.files.ignoreCorruptFiles"},
      {"ignoreMissingFiles", "spark.sql.files.ignoreMissingFiles"},
  };
  std::vector<std::string> reasons;
  for (const auto& [option, key] : kForgiving) {
    const PlanValue* set = FindOption(options, option);
    const std::string_view value = set == nullptr ? config.spark(key, "false") : set->text;
    if (!EqualIgnoringCase(value, "false")) {
      reasons.push_back(fmt::format("{} is not supported natively", option));
    }
  }
  return reasons;
}

nlohmann::json PruningOf(const OperatorQuestion& question, const PlanValue* filters,
                         const Binding& output) {
  auto pruning = nlohmann::json::array();
  if (filters == nullptr) return pruning;
  for (const PlanValue& filter : filters->items) {
    ExpressionTranslator translator(output, nullptr, nullptr, question.spark_version);
    const auto spec = translator.Translate(filter);
    if (spec && spec->type.is(TypeKind::kBoolean)) pruning.push_back(ToJson(*spec));
  }
  return pruning;
}

bool HasSelectiveFilter(const PlanValue* filters) {
  return filters != nullptr && std::ranges::any_of(filters->items, [](const PlanValue& filter) {
           return filter.object == nullptr ||
                  ShortClassName(filter.object->class_name) != "IsNotNull";
         });
}

bool AreLocal(const PlanValue& paths) {
  return std::ranges::all_of(paths.items,
                             [](const PlanValue& path) { return path.text.starts_with("file:"); });
}

std::vector<ShownValue> ShownScan(const PlanValue& paths, size_t columns,
                                  const PlanValue* filters) {
  const auto items = paths.items;
  return {{"", items.size() == 1 ? std::string(items[0].text)
                                 : fmt::format("({} paths){}", items.size(), ValueText(paths))},
          {fmt::format(", columns={}, pruning=", columns),
           filters != nullptr ? ValueText(*filters) : "[]"}};
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

bool HasDefault(const StructField& field) {
  return field.metadata.find("\"EXISTS_DEFAULT\"") != std::string_view::npos;
}

std::optional<std::string> ReasonAgainstDefault(const StructField& field) {
  if (!HasDefault(field)) return std::nullopt;
  return fmt::format("column {} has a default value, which is not read natively", field.name);
}

}  // namespace reprise
