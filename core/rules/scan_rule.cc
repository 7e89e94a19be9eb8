// FileSourceScanExec over ParquetFileFormat, and BatchScanExec over ParquetScan -> parquet_scan:
// reads the file splits that Spark gives to each task.
//
// Input:   the relation's root paths, format and options; the schemas read; the data filters.
// Output:
// {"columns":[FIELD…],"partitionColumns":[FIELD…],"pruning":[EXPR…],"caseSensitive":bool,"datetimeRebaseMode":…}
//          ("defaults", "fieldIds" … where the table has them: scan/parquet_scan.h)
// Example: a scan of [l_orderkey#1 long] with data filter (l_orderkey#1 > 5)  ->
//          {"columns":[l_orderkey],"partitionColumns":[],"pruning":[greater(column 0, literal
//          5)],…}
//
// A data filter that cannot be translated is only not used to skip row groups: Spark keeps the
// filter above the scan.
#include <algorithm>

#include "plan/plan_text.h"
#include "rules/class_names.h"
#include "rules/file_relation.h"
#include "rules/operator_table.h"
#include "rules/scan_columns.h"
#include "rules/source_options.h"

namespace reprise {

namespace {

using ValueKind = PlanValue::Kind;

constexpr std::string_view kParquetScan =
    "org.apache.spark.sql.execution.datasources.v2.parquet.ParquetScan";
/// An option of the data source, which stands for a setting of the session.
struct ReaderOption {
  std::string_view option;
  SparkKey key;
};
constexpr ReaderOption kRebaseModes[] = {
    {"datetimeRebaseMode", "spark.sql.parquet.datetimeRebaseModeInRead"},
    {"int96RebaseMode", "spark.sql.parquet.int96RebaseModeInRead"},
};
constexpr std::string_view kDefaultRebaseMode = "CORRECTED";
constexpr SparkKey kFieldIdKeys[] = {"spark.sql.parquet.fieldId.read.enabled",
                                     "spark.sql.parquet.fieldId.read.ignoreMissing"};
/// LegacyBehaviorPolicy.withName, which knows no other letter case.
constexpr std::string_view kRebaseModeNames[] = {"CORRECTED", "LEGACY", "EXCEPTION"};

/// What the two kinds of scans say in common.
struct ScanParts {
  const PlanValue* paths = nullptr;            // rootPaths
  const PlanType* data_schema = nullptr;       // columns to read from the files
  const PlanType* partition_schema = nullptr;  // columns of the splits
  const PlanValue* options = nullptr;          // map
  const PlanValue* data_filters = nullptr;
  const PlanValue* defaults = nullptr;  // values of columns that files lack
  bool leaves_splits = false;           // Spark's own reader may read some of its splits
  bool has_metadata = false;  // what is left of the output is of the files' metadata (_metadata)
};

class ScanTranslation {
 public:
  ScanTranslation(const OperatorQuestion& question, const ScanParts& parts)
      : question_(question), node_(question.node), config_(question.config), parts_(parts) {}

  Judgement Run();
  void Refuse(std::string reason) { judgement_.reasons.push_back(std::move(reason)); }
  void Refuse(std::vector<std::string> reasons) {
    for (std::string& reason : reasons) Refuse(std::move(reason));
  }

 private:
  std::string_view Option(const ReaderOption& option, std::string_view otherwise) const;
  void CheckPaths();
  void CheckSettings();
  void CheckReader();
  void CheckSchemas();
  void CheckFieldIds();
  void Write();
  void WriteFieldIds();

  const OperatorQuestion& question_;
  const PlanNode& node_;
  const Config& config_;
  ScanParts parts_;
  Judgement judgement_;
};

/// The option, or else the session's setting.
std::string_view ScanTranslation::Option(const ReaderOption& option,
                                         std::string_view otherwise) const {
  const PlanValue* set = FindOption(parts_.options, option.option);
  return set == nullptr ? config_.spark(option.key, otherwise) : std::string_view(set->text);
}

void ScanTranslation::CheckPaths() {
  if (parts_.paths == nullptr || parts_.paths->items.empty()) {
    return Refuse("the place of the files is not known");
  }
}

void ScanTranslation::CheckSettings() {
  Refuse(ReasonsAgainstForgiving(config_, parts_.options));
  for (const ReaderOption& option : kRebaseModes) {
    const std::string_view mode = Option(option, kDefaultRebaseMode);
    if (std::ranges::find(kRebaseModeNames, mode) == std::end(kRebaseModeNames)) {
      Refuse(fmt::format("{} is \"{}\", which Spark does not know", option.option, mode));
    }
  }
  if (parts_.options == nullptr) return;
  for (size_t i = 0; i + 1 < parts_.options->items.size(); i += 2) {
    const std::string_view name = parts_.options->items[i].text;
    if (name.starts_with("parquet.crypto.") || name.starts_with("parquet.encryption.")) {
      Refuse("encrypted files are not read natively");
    }
  }
}

/// Spark has two readers, which take other types for others and treat them otherwise
/// (ParquetUtils.isBatchReadSupportedForSchema): the native scan does as the vectorized one.
void ScanTranslation::CheckReader() {
  if (!config_.spark_boolean("spark.sql.parquet.enableVectorizedReader", true)) {
    return Refuse(
        "Spark's row by row reader is asked for (spark.sql.parquet.enableVectorizedReader=false), "
        "which has other rules for types");
  }
}

void ScanTranslation::CheckSchemas() {
  if (parts_.data_schema == nullptr || parts_.partition_schema == nullptr) {
    return Refuse("the schemas that it reads are not known");
  }
  CheckReader();
  for (const StructField& field : parts_.data_schema->fields) {
    Refuse(ReasonsAgainstColumn(field, config_));
  }
  CheckFieldIds();
  Refuse(ReasonsAgainstPartitions(*parts_.partition_schema));
  const size_t columns = parts_.data_schema->fields.size() + parts_.partition_schema->fields.size();
  if (node_.output.size() < columns) Refuse("its output has fewer columns than it reads");
  if (node_.output.size() > columns && !parts_.has_metadata) {
    Refuse("its output has more columns than it reads");
  }
}

/// Where ids and names of a file's fields cross, Spark's own reader has to read it.
void ScanTranslation::CheckFieldIds() {
  if (!std::ranges::any_of(parts_.data_schema->fields, HasFieldIds)) return;
  for (const SparkKey key : kFieldIdKeys) {
    if (FindOption(parts_.options, key.text()) == nullptr) continue;
    Refuse(fmt::format("option {} is not supported natively", key.text()));
  }
  if (config_.spark_boolean(kFieldIdKeys[0], false) && !parts_.leaves_splits) {
    Refuse(
        fmt::format("columns are found by their field ids ({}), which is not supported natively "
                    "in Spark's second interface of sources",
                    kFieldIdKeys[0].text()));
  }
}

void ScanTranslation::WriteFieldIds() {
  const auto& fields = parts_.data_schema->fields;
  if (!std::ranges::any_of(fields, HasFieldIds)) return;
  auto& arguments = judgement_.native->arguments;
  if (config_.spark_boolean(kFieldIdKeys[0], false)) {
    for (const StructField& field : fields) arguments["fieldIds"].push_back(FieldIdOf(field));
  }
  // Spark asks for them whether it goes by them or not.
  if (!config_.spark_boolean(kFieldIdKeys[1], false)) arguments["needsFieldIds"] = true;
}

void ScanTranslation::Write() {
  auto output = BindingOf(node_.output);
  if (!output.ok()) return Refuse("output " + output.status().message());
  const auto& fields = output->fields();
  const auto& data_fields = parts_.data_schema->fields;
  const auto& partition_fields = parts_.partition_schema->fields;
  std::vector<Field> columns;
  std::vector<Field> partition_columns;
  bool has_nested = false;
  for (size_t i = 0; i < fields.size(); ++i) {
    const bool is_data = i < data_fields.size();
    const size_t constant = is_data ? 0 : i - data_fields.size();
    if (!is_data && constant >= partition_fields.size()) {
      partition_columns.push_back(fields[i]);  // of the file's metadata
      continue;
    }
    const StructField& named = is_data ? data_fields[i] : partition_fields[constant];
    if (named.type != fields[i].type) {
      return Refuse(fmt::format("output column {} has type {}, but {} is read", fields[i].name,
                                TypeText(fields[i].type), TypeText(named.type)));
    }
    has_nested = has_nested || fields[i].type.text.starts_with('{');
    (is_data ? columns : partition_columns)
        .push_back({std::string(named.name), fields[i].type, fields[i].nullable});
  }
  const auto defaults = DefaultsOf(question_, *parts_.data_schema, parts_.defaults);
  if (!defaults.ok()) return Refuse(defaults.status().message());
  judgement_.native.emplace();
  NativeOperator& native = *judgement_.native;
  native.reads_files = true;
  native.replays_unlike_spark = HasSelectiveFilter(parts_.data_filters) || !AreLocal(*parts_.paths);
  native.output = fields;
  native.arguments["columns"] = ToJson(columns);
  native.arguments["partitionColumns"] = ToJson(partition_columns);
  if (!defaults->is_null()) native.arguments["defaults"] = *defaults;
  WriteFieldIds();
  native.arguments["pruning"] = PruningOf(question_, parts_.data_filters, *output);
  native.arguments["caseSensitive"] = config_.spark_boolean("spark.sql.caseSensitive", false);
  if (question_.is_before_spark_4()) native.arguments["widens"] = false;
  // Before 4.1 Spark always did what the setting asks for, whatever is set under its name.
  const bool null_structs =
      question_.is_before_spark_4() || question_.spark_version.starts_with("4.0.") ||
      config_.spark_boolean("spark.sql.legacy.parquet.returnNullStructIfAllFieldsMissing", false);
  if (null_structs && has_nested) native.arguments["nullStructs"] = true;
  for (const ReaderOption& option : kRebaseModes) {
    native.arguments[std::string(option.option)] = Option(option, kDefaultRebaseMode);
  }
  native.shown_values = ShownScan(*parts_.paths, node_.output.size(), parts_.data_filters);
}

Judgement ScanTranslation::Run() {
  CheckPaths();
  CheckSettings();
  CheckSchemas();
  if (judgement_.reasons.empty()) Write();
  return std::move(judgement_);
}

}  // namespace

Judgement JudgeFileSourceScan(const OperatorQuestion& question) {
  const PlanNode& node = question.node;
  const PlanValue* relation = node.argument("relation");
  const PlanValue* format = ArgumentOf(relation, "fileFormat");
  if (format == nullptr) return Refused("the file format is not known");
  if (format->text == kCsvFormat) return JudgeCsvScan(question);
  if (format->text == kOrcFormat) return JudgeOrcScan(question);
  if (format->text == kJsonFormat) return JudgeJsonScan(question);
  if (format->text == kTextFormat) return JudgeLineScan(question);
  if (format->text != kParquetFormat) {
    return Refused(
        fmt::format("file format {} is not read natively", ShortClassName(format->text)));
  }
  ScanParts parts;
  parts.paths = ArgumentOf(ArgumentOf(relation, "location"), "rootPaths");
  parts.options = ArgumentOf(relation, "options");
  parts.data_schema = SchemaOf(node.argument("requiredSchema"));
  parts.partition_schema = SchemaOf(ArgumentOf(relation, "partitionSchema"));
  parts.data_filters = node.argument("dataFilters");
  parts.defaults = node.argument("existenceDefaults");
  parts.leaves_splits = true;
  parts.has_metadata = true;
  ScanTranslation translation(question, parts);
  translation.Refuse(ReasonsAgainstRelation(question, *relation->object));
  return translation.Run();
}

Judgement JudgeBatchScan(const OperatorQuestion& question) {
  const PlanNode& node = question.node;
  const PlanValue* scan = node.argument("scan");
  if (scan == nullptr || scan->object == nullptr || scan->object->class_name != kParquetScan) {
    const std::string_view name =
        scan == nullptr ? "" : (scan->object != nullptr ? scan->object->class_name : scan->text);
    return Refused(fmt::format("data source scan {} is not read natively", ShortClassName(name)));
  }
  ScanParts parts;
  parts.paths = ArgumentOf(ArgumentOf(scan, "fileIndex"), "rootPaths");
  parts.options = ArgumentOf(scan, "options");
  parts.data_schema = SchemaOf(ArgumentOf(scan, "readDataSchema"));
  parts.partition_schema = SchemaOf(ArgumentOf(scan, "readPartitionSchema"));
  parts.data_filters = ArgumentOf(scan, "dataFilters");
  ScanTranslation translation(question, parts);
  if (IsSet(ArgumentOf(scan, "pushedAggregate"))) {
    translation.Refuse("aggregates pushed into the scan are not run natively");
  }
  const PlanValue* variants = ArgumentOf(scan, "pushedVariantExtractions");
  if (variants != nullptr && !variants->items.empty()) {
    translation.Refuse("variant columns are not read natively");
  }
  for (const char* name : {"commonPartitionValues", "joinKeyPositions", "reducers"}) {
    if (!IsSet(ArgumentOf(node.argument("spjParams"), name))) continue;
    translation.Refuse("storage-partitioned joins are not read natively");
    break;
  }
  return translation.Run();
}

}  // namespace reprise
