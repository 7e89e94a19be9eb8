// FileSourceScanExec over CSVFileFormat -> csv_scan: reads the file splits that Spark gives to each
// task.
//
// Input:   the relation's options; the schema of its files, and the columns read of it.
// Output:  {"columns":[FIELD…],"positions":[INT…],"width":INT,"partitionColumns":[FIELD…],
//          "separator":…,"quote":…,"escape":…,"header":bool,"nullValue":…,"emptyValue":…,"zone":…}
// Example: of (a int, b string) a scan of b  ->  {"columns":[b],"positions":[1],"width":2,…}
#include <algorithm>

#include "plan/plan_text.h"
#include "rules/class_names.h"
#include "rules/operator_table.h"
#include "rules/plan_zones.h"
#include "rules/source_options.h"

namespace reprise {

namespace {

using ValueKind = PlanValue::Kind;

struct NamedValue {
  std::string_view name;
  std::string_view value;
};

/// Options that are read natively at Spark's default alone.
constexpr NamedValue kDefaults[] = {
    {"charset", "UTF-8"},
    {"charToEscapeQuoteEscaping", ""},
    {"columnPruning", "true"},
    {"comment", ""},
    {"encoding", "UTF-8"},
    {"enforceSchema", "true"},
    {"ignoreCorruptFiles", "false"},
    {"ignoreLeadingWhiteSpace", "false"},
    {"ignoreMissingFiles", "false"},
    {"ignoreTrailingWhiteSpace", "false"},
    {"locale", "en-US"},
    {"maxCharsPerColumn", "-1"},
    {"maxColumns", "20480"},
    {"multiLine", "false"},
    {"nanValue", "NaN"},
    {"negativeInf", "-Inf"},
    {"positiveInf", "Inf"},
};

/// Options that are not read natively at all.
constexpr std::string_view kRefused[] = {"lineSep", "singleVariantColumn"};

/// Formats of types, natively only where they are as by default.
struct FormatOption {
  TypeKind type;
  NamedValue format;  // an empty value: there is no pattern for the default
};
constexpr FormatOption kFormats[] = {
    {TypeKind::kDate, {"dateFormat", "yyyy-MM-dd"}},
    {TypeKind::kTimestamp, {"timestampFormat", ""}},
    {TypeKind::kTimestampNtz, {"timestampNTZFormat", ""}},
};

constexpr TypeKind kCsvTypes[] = {
    TypeKind::kByte,  TypeKind::kShort,  TypeKind::kInteger,   TypeKind::kLong,
    TypeKind::kFloat, TypeKind::kDouble, TypeKind::kBoolean,   TypeKind::kDecimal,
    TypeKind::kDate,  TypeKind::kString, TypeKind::kTimestamp, TypeKind::kTimestampNtz,
};

const PlanType* StructOf(const PlanValue* value) {
  return value != nullptr && value->is(ValueKind::kType) && value->data_type->is_struct
             ? value->data_type
             : nullptr;
}

bool IsSet(const PlanValue* value) { return value != nullptr && !value->is_null(); }

class CsvTranslation {
 public:
  explicit CsvTranslation(const OperatorQuestion& question)
      : question_(question), relation_(*question.node.argument("relation")->object) {
    options_ = relation_.argument("options");
    file_schema_ = StructOf(relation_.argument("dataSchema"));
    columns_ = StructOf(question.node.argument("requiredSchema"));
    partition_columns_ = StructOf(relation_.argument("partitionSchema"));
  }

  Judgement Run() {
    if (file_schema_ == nullptr || columns_ == nullptr || partition_columns_ == nullptr) {
      Refuse("the schemas that it reads are not known");
      return std::move(judgement_);
    }
    CheckScan();
    CheckOptions();
    CheckFormats();
    CheckSchemas();
    ReadFormat();
    if (judgement_.reasons.empty()) Write();
    return std::move(judgement_);
  }

 private:
  void Refuse(std::string reason) { judgement_.reasons.push_back(std::move(reason)); }

  std::string_view Option(std::string_view name, std::string_view otherwise) const {
    const PlanValue* set = FindOption(options_, name);
    return set == nullptr ? otherwise : std::string_view(set->text);
  }

  void CheckScan() {
    if (IsSet(question_.node.argument("stream"))) Refuse("streams are not run natively");
    const PlanValue* disabled = question_.node.argument("disableBucketedScan");
    const bool buckets_off = disabled != nullptr && disabled->boolean;
    if (IsSet(relation_.argument("bucketSpec")) && !buckets_off &&
        question_.config.spark_boolean("spark.sql.sources.bucketing.enabled", true)) {
      Refuse("bucketed tables are not read natively");
    }
    const size_t read = columns_->fields.size() + partition_columns_->fields.size();
    if (question_.node.output.size() > read) {
      Refuse("metadata columns of the files (_metadata) are not read natively");
    } else if (question_.node.output.size() < read) {
      Refuse("its output has fewer columns than it reads");
    }
  }

  void CheckOptions() {
    for (const NamedValue& option : kDefaults) {
      const PlanValue* set = FindOption(options_, option.name);
      if (set == nullptr || EqualIgnoringCase(set->text, option.value)) continue;
      Refuse(fmt::format("option {} is \"{}\", which is not supported natively", option.name,
                         set->text));
    }
    for (const std::string_view name : kRefused) {
      if (FindOption(options_, name) == nullptr) continue;
      Refuse(fmt::format("option {} is not supported natively", name));
    }
    for (const SparkKey key : {SparkKey("spark.sql.files.ignoreCorruptFiles"),
                               SparkKey("spark.sql.files.ignoreMissingFiles")}) {
      if (!question_.config.spark_boolean(key, false)) continue;
      Refuse(fmt::format("{} is not supported natively", key.text()));
    }
    if (!question_.config.spark_boolean("spark.sql.csv.parser.columnPruning.enabled", true)) {
      Refuse("spark.sql.csv.parser.columnPruning.enabled=false is not supported natively");
    }
  }

  void CheckFormats() {
    const std::string_view policy =
        question_.config.spark("spark.sql.legacy.timeParserPolicy", "CORRECTED");
    for (const FormatOption& option : kFormats) {
      const auto is_of_type = [&](const StructField& field) { return field.type.is(option.type); };
      if (std::ranges::none_of(columns_->fields, is_of_type)) continue;
      const PlanValue* set = FindOption(options_, option.format.name);
      if (set != nullptr && (option.format.value.empty() || set->text != option.format.value)) {
        Refuse(fmt::format("option {} is not supported natively", option.format.name));
      }
      if (policy == "LEGACY") {
        Refuse("spark.sql.legacy.timeParserPolicy=LEGACY is not supported natively");
      }
    }
  }

  void CheckSchemas() {
    const std::string_view corrupt =
        Option("columnNameOfCorruptRecord",
               question_.config.spark("spark.sql.columnNameOfCorruptRecord", "_corrupt_record"));
    for (const StructField& field : file_schema_->fields) {
      if (field.name == corrupt) {
        Refuse(fmt::format("column {} has records that cannot be read, which only Spark gives",
                           field.name));
      }
    }
    for (const StructField& field : columns_->fields) CheckColumn(field);
    for (const StructField& field : partition_columns_->fields) {
      if (IsNativeType(field.type)) continue;
      Refuse(fmt::format("partition column {} of type {} is not read natively", field.name,
                         TypeText(field.type)));
    }
  }

  void CheckColumn(const StructField& field) {
    if (std::ranges::find(kCsvTypes, field.type.kind) == std::end(kCsvTypes)) {
      Refuse(fmt::format("column {} of type {} is not read natively", field.name,
                         TypeText(field.type)));
    }
    if (field.metadata.find("\"EXISTS_DEFAULT\"") != std::string_view::npos) {
      Refuse(fmt::format("column {} has a default value, which is not read natively", field.name));
    }
    const auto count = std::ranges::count(file_schema_->fields, field.name, &StructField::name);
    if (count != 1) {
      Refuse(fmt::format("{} columns of the files are named {}", count, field.name));
    }
  }

  /// One byte or none.
  std::string ByteOption(std::string_view name, std::string_view otherwise) {
    const std::string_view text = Option(name, otherwise);
    const bool is_byte = text.size() == 1 && static_cast<unsigned char>(text[0]) < 0x80;
    if (!is_byte && !text.empty()) {
      Refuse(fmt::format("option {} is \"{}\", which is more than one byte", name, text));
    }
    return std::string(text);
  }

  void ReadFormat() {
    const bool has_sep = FindOption(options_, "sep") != nullptr;
    const std::string_view separator_name = has_sep ? "sep" : "delimiter";
    // Spark's CSVExprUtils.toDelimiterStr reads escapes.
    separator_ = Option(separator_name, ",") == "\\t" ? "\t" : ByteOption(separator_name, ",");
    quote_ = ByteOption("quote", "\"");
    escape_ = ByteOption("escape", "\\");
    const std::string_view line_ends = "\r\n";
    if (separator_.empty() || separator_ == "\\" || separator_ == quote_ || separator_ == escape_ ||
        line_ends.find(separator_) != std::string_view::npos) {
      Refuse(fmt::format("option {} is \"{}\", which is not supported natively", separator_name,
                         separator_));
    }
  }

  /// Whether a column needs the time zone, and the plan does not say it.
  bool LacksZone(NativeOperator* native) const {
    const auto is_zoned = [](const StructField& field) {
      return field.type.is(TypeKind::kTimestamp);
    };
    if (std::ranges::none_of(columns_->fields, is_zoned)) return false;
    const auto zone = ZoneOf(relation_);
    if (zone && !zone->is_null()) native->arguments["zone"] = *zone;
    return !zone;
  }

  void Write() {
    auto output = BindingOf(question_.node.output);
    if (!output.ok()) return Refuse("output " + output.status().message());
    NativeOperator native;
    native.kind = kCsvScanKind;
    native.reads_files = true;
    // Each engine has its own replay of what the other reads of doubtful lines.
    native.replays_unlike_spark = true;
    native.output = output->fields();
    std::vector<Field> columns;
    auto positions = nlohmann::json::array();
    for (size_t i = 0; i < columns_->fields.size(); ++i) {
      const StructField& read = columns_->fields[i];
      const auto found = std::ranges::find(file_schema_->fields, read.name, &StructField::name);
      positions.push_back(found - file_schema_->fields.begin());
      columns.push_back({std::string(read.name), native.output[i].type, native.output[i].nullable});
    }
    const std::vector<Field> constants(native.output.begin() + columns.size(), native.output.end());
    native.arguments["columns"] = ToJson(columns);
    native.arguments["positions"] = std::move(positions);
    native.arguments["width"] = file_schema_->fields.size();
    native.arguments["partitionColumns"] = ToJson(constants);
    native.arguments["separator"] = separator_;
    native.arguments["quote"] = quote_;
    native.arguments["escape"] = escape_;
    native.arguments["header"] = EqualIgnoringCase(Option("header", "false"), "true");
    native.arguments["nullValue"] = Option("nullValue", "");
    native.arguments["emptyValue"] = Option("emptyValue", "");
    if (LacksZone(&native)) return Refuse("the rules of the time zone are not part of the plan");
    const PlanValue* location = relation_.argument("location");
    const PlanValue* paths = location != nullptr && location->object != nullptr
                                 ? location->object->argument("rootPaths")
                                 : nullptr;
    native.shown_values = {{"", paths == nullptr ? "" : ValueText(*paths)}};
    native.arguments_text = fmt::format(", columns={}", columns.size());
    judgement_.native = std::move(native);
  }

  const OperatorQuestion& question_;
  const PlanObject& relation_;
  const PlanValue* options_ = nullptr;
  const PlanType* file_schema_ = nullptr;
  const PlanType* columns_ = nullptr;
  const PlanType* partition_columns_ = nullptr;
  std::string separator_;
  std::string quote_;
  std::string escape_;
  Judgement judgement_;
};

}  // namespace

Judgement JudgeCsvScan(const OperatorQuestion& question) { return CsvTranslation(question).Run(); }

}  // namespace reprise
