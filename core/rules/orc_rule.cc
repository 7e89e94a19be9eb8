// FileSourceScanExec over OrcFileFormat -> orc_scan: reads the file splits that Spark gives to each
// task.
//
// Input:   the relation's options and settings; the schemas; the data filters.
// Output:
// {"columns":[FIELD…],"partitionColumns":[FIELD…],"fileColumns":[FIELD…],"pruning":[EXPR…],"caseSensitive":bool,"zone":…}
#include <algorithm>

#include "plan/nested_type.h"
#include "plan/plan_text.h"
#include "rules/file_relation.h"

namespace reprise {

namespace {

/// Types that the core reads of ORC; others are read by Spark, whose columns enter natively.
bool IsFlat(const DataType& type) { return IsNativeType(type) && !type.is(TypeKind::kNull); }

bool IsReadNatively(const DataType& type) {
  const auto tree = ParseNestedType(type);
  if (!tree || tree->parts.empty()) return IsFlat(type);
  return ConsistsOf(*tree, [](const NestedType& leaf) {
    return leaf.form == NestedType::Form::kPlain && IsFlat(leaf.type);
  });
}

bool HasInstants(const DataType& type) {
  const auto tree = ParseNestedType(type);
  if (!tree) return type.is(TypeKind::kTimestamp);
  return !ConsistsOf(*tree,
                     [](const NestedType& leaf) { return !leaf.type.is(TypeKind::kTimestamp); });
}

class OrcTranslation {
 public:
  explicit OrcTranslation(const OperatorQuestion& question)
      : question_(question),
        relation_(*question.node.argument("relation")->object),
        file_schema_(SchemaOf(relation_.argument("dataSchema"))),
        columns_(SchemaOf(question.node.argument("requiredSchema"))),
        partition_columns_(SchemaOf(relation_.argument("partitionSchema"))),
        filters_(question.node.argument("dataFilters")) {}

  Judgement Run() {
    if (file_schema_ == nullptr || columns_ == nullptr || partition_columns_ == nullptr) {
      return Refused("the schemas that it reads are not known");
    }
    CheckScan();
    CheckSettings();
    for (const StructField& field : columns_->fields) CheckColumn(field);
    Refuse(ReasonsAgainstPartitions(*partition_columns_));
    if (judgement_.reasons.empty()) Write();
    return std::move(judgement_);
  }

 private:
  void Refuse(std::string reason) { judgement_.reasons.push_back(std::move(reason)); }
  void Refuse(std::vector<std::string> reasons) {
    for (std::string& reason : reasons) Refuse(std::move(reason));
  }

  bool HasInstants() const {
    return std::ranges::any_of(columns_->fields, [](const StructField& field) {
      return reprise::HasInstants(field.type);
    });
  }

  void CheckScan() {
    Refuse(ReasonsAgainstRelation(question_, relation_));
    Refuse(ReasonsAgainstOutput(question_, *columns_, *partition_columns_));
    const PlanValue* paths = ArgumentOf(relation_.argument("location"), "rootPaths");
    if (paths == nullptr || paths->items.empty()) Refuse("the place of the files is not known");
  }

  void CheckSettings() {
    Refuse(ReasonsAgainstForgiving(question_.config, relation_.argument("options")));
    const PlanValue* changed = relation_.argument("orcSettings");
    if (changed == nullptr) return Refuse("the settings of its reader are not part of the plan");
    for (const PlanValue& setting : changed->items) {
      Refuse(fmt::format("setting {} is not supported natively", setting.text));
    }
  }

  void CheckColumn(const StructField& field) {
    if (!IsReadNatively(field.type)) {
      Refuse(fmt::format("column {} of type {} is not read natively", field.name,
                         TypeText(field.type)));
    }
    if (auto reason = ReasonAgainstDefault(field)) Refuse(*std::move(reason));
  }

  void Write() {
    auto output = BindingOf(question_.node.output);
    if (!output.ok()) return Refuse("output " + output.status().message());
    const PlanValue& paths = *ArgumentOf(relation_.argument("location"), "rootPaths");
    NativeOperator native;
    native.kind = kOrcScanKind;
    native.reads_files = true;
    native.replays_unlike_spark = HasSelectiveFilter(filters_) || !AreLocal(paths);
    native.output = output->fields();
    std::vector<Field> file_columns;
    for (const StructField& field : file_schema_->fields) {
      file_columns.push_back({std::string(field.name), field.type, true});
    }
    WriteColumns(*columns_, &native);
    native.arguments["fileColumns"] = ToJson(file_columns);
    native.arguments["pruning"] = PruningOf(question_, filters_, *output);
    native.arguments["caseSensitive"] =
        question_.config.spark_boolean("spark.sql.caseSensitive", false);
    if (HasInstants()) {
      const PlanValue* id = relation_.argument("jvmTimeZoneId");
      const PlanValue* epoch = relation_.argument("jvmEpoch");
      if (id == nullptr || epoch == nullptr) {
        return Refuse("the time zone of the JVM is not part of the plan");
      }
      native.arguments["zone"] = {{"id", id->text}, {"epoch", epoch->integer}};
    }
    native.shown_values = ShownScan(paths, question_.node.output.size(), filters_);
    judgement_.native = std::move(native);
  }

  const OperatorQuestion& question_;
  const PlanObject& relation_;
  const PlanType* file_schema_;
  const PlanType* columns_;
  const PlanType* partition_columns_;
  const PlanValue* filters_;
  Judgement judgement_;
};

}  // namespace

Judgement JudgeOrcScan(const OperatorQuestion& question) { return OrcTranslation(question).Run(); }

}  // namespace reprise
