#include "rules/text_rule.h"

#include <algorithm>

#include "plan/plan_text.h"
#include "rules/file_relation.h"
#include "rules/plan_zones.h"
#include "rules/source_options.h"
#include "vocabulary/text_types.h"

namespace reprise {

namespace {

constexpr NamedValue kDefaults[] = {
    {"charset", "UTF-8"},
    {"encoding", "UTF-8"},
    {"ignoreCorruptFiles", "false"},
    {"ignoreMissingFiles", "false"},
    {"locale", "en-US"},
    {"multiLine", "false"},
};
constexpr std::string_view kRefused[] = {"singleVariantColumn"};

/// Formats of types, natively only where they are as by default.
struct TimeFormat {
  TypeKind type;
  std::string_view option;
  std::string_view pattern;  // of the default; empty: it has none
};
constexpr TimeFormat kTimeFormats[] = {
    {TypeKind::kDate, "dateFormat", "yyyy-MM-dd"},
    {TypeKind::kTimestamp, "timestampFormat", ""},
    {TypeKind::kTimestampNtz, "timestampNTZFormat", ""},
};

/// Whether a column, or a part of one, is of the type.
bool HasType(const PlanType& schema, TypeKind kind) {
  return std::ranges::any_of(schema.fields, [&](const StructField& field) {
    const auto tree = JsonTextTree(field.type);
    const auto is_other = [&](const NestedType& leaf) { return !leaf.type.is(kind); };
    return tree ? !ConsistsOf(*tree, is_other) : field.type.is(kind);
  });
}

/// Whether what begins as a separator of lines may have another beginning of it within, as "aab"
/// has: what Hadoop finds in a text then depends on how it reads it.
bool IsAmbiguous(std::string_view separator) {
  for (size_t length = 2; length < separator.size(); ++length) {
    for (size_t at = 1; at < length; ++at) {
      if (separator.starts_with(separator.substr(at, length - at))) return true;
    }
  }
  return false;
}

}  // namespace

TextTranslation::TextTranslation(const OperatorQuestion& question, std::string_view kind,
                                 std::span<const NamedValue> defaults,
                                 std::span<const std::string_view> refused)
    : question_(question),
      relation_(*question.node.argument("relation")->object),
      kind_(kind),
      defaults_(defaults),
      refused_(refused),
      options_(relation_.argument("options")),
      file_schema_(SchemaOf(relation_.argument("dataSchema"))),
      columns_(SchemaOf(question.node.argument("requiredSchema"))),
      partition_columns_(SchemaOf(relation_.argument("partitionSchema"))) {}

Judgement TextTranslation::Run() {
  if (file_schema_ == nullptr || columns_ == nullptr || partition_columns_ == nullptr) {
    Refuse("the schemas that it reads are not known");
    return std::move(judgement_);
  }
  CheckScan();
  CheckOptions();
  CheckLineEnds();
  CheckTimes();
  CheckSchemas();
  CheckFormat();
  if (judgement_.reasons.empty()) Write();
  return std::move(judgement_);
}

std::string_view TextTranslation::Option(std::string_view name, std::string_view otherwise) const {
  const PlanValue* set = FindOption(options_, name);
  return set == nullptr ? otherwise : std::string_view(set->text);
}

void TextTranslation::CheckScan() {
  Refuse(ReasonsAgainstRelation(question_, relation_));
  Refuse(ReasonsAgainstOutput(question_, *columns_, *partition_columns_));
}

void TextTranslation::CheckOptions() {
  for (const auto& defaults : {std::span<const NamedValue>(kDefaults), defaults_}) {
    for (const NamedValue& option : defaults) {
      const PlanValue* set = FindOption(options_, option.name);
      if (set == nullptr || EqualIgnoringCase(set->text, option.value)) continue;
      Refuse(fmt::format("option {} is \"{}\", which is not supported natively", option.name,
                         set->text));
    }
  }
  for (const auto& refused : {std::span<const std::string_view>(kRefused), refused_}) {
    for (const std::string_view name : refused) {
      if (FindOption(options_, name) == nullptr) continue;
      Refuse(fmt::format("option {} is not supported natively", name));
    }
  }
  // There an error of a file's first record is another one than those of later records.
  if (question_.is_before_spark_4() && EqualIgnoringCase(Option("mode", ""), "FAILFAST")) {
    Refuse("option mode is FAILFAST, which is read natively since Spark 4.0");
  }
  for (const SparkKey key : {SparkKey("spark.sql.files.ignoreCorruptFiles"),
                             SparkKey("spark.sql.files.ignoreMissingFiles")}) {
    if (!question_.config.spark_boolean(key, false)) continue;
    Refuse(fmt::format("{} is not supported natively", key.text()));
  }
}

void TextTranslation::CheckLineEnds() {
  if (!IsAmbiguous(Option("lineSep", ""))) return;
  Refuse(fmt::format("option lineSep is \"{}\", which begins anew within itself",
                     Option("lineSep", "")));
}

void TextTranslation::CheckTimes() {
  const std::string_view policy =
      question_.config.spark("spark.sql.legacy.timeParserPolicy", "CORRECTED");
  for (const TimeFormat& format : kTimeFormats) {
    if (!HasType(*columns_, format.type)) continue;
    const PlanValue* set = FindOption(options_, format.option);
    if (set != nullptr && (format.pattern.empty() || set->text != format.pattern)) {
      Refuse(fmt::format("option {} is not supported natively", format.option));
    }
    if (policy == "LEGACY") {
      Refuse("spark.sql.legacy.timeParserPolicy=LEGACY is not supported natively");
    }
  }
}

void TextTranslation::CheckSchemas() {
  const std::string_view corrupt =
      Option("columnNameOfCorruptRecord",
             question_.config.spark("spark.sql.columnNameOfCorruptRecord", "_corrupt_record"));
  for (const StructField& field : file_schema_->fields) {
    if (field.name != corrupt) continue;
    Refuse(fmt::format("column {} has records that cannot be read, which only Spark gives",
                       field.name));
  }
  for (const StructField& field : columns_->fields) CheckColumn(field);
  Refuse(ReasonsAgainstPartitions(*partition_columns_));
}

void TextTranslation::CheckColumn(const StructField& field) {
  if (!IsTextType(field.type) && !(kind_ == kJsonScanKind && JsonTextTree(field.type))) {
    Refuse(
        fmt::format("column {} of type {} is not read natively", field.name, TypeText(field.type)));
  }
  if (auto reason = ReasonAgainstDefault(field)) Refuse(*std::move(reason));
  const auto count = std::ranges::count(file_schema_->fields, field.name, &StructField::name);
  if (count != 1) Refuse(fmt::format("{} columns of the files are named {}", count, field.name));
}

void TextTranslation::Write() {
  auto output = BindingOf(question_.node.output);
  if (!output.ok()) return Refuse("output " + output.status().message());
  NativeOperator native;
  native.kind = kind_;
  native.reads_files = true;
  // Lines that are in doubt are replayed by Spark alone.
  native.replays_unlike_spark = true;
  native.output = output->fields();
  WriteColumns(*columns_, &native);
  if (HasType(*columns_, TypeKind::kTimestamp)) {
    const auto zone = ZoneOf(relation_);
    if (!zone) return Refuse("the rules of the time zone are not part of the plan");
    if (!zone->is_null()) native.arguments["zone"] = *zone;
  }
  native.arguments["lineSeparator"] = Option("lineSep", "");
  WriteFormat(&native);
  const PlanValue* paths = ArgumentOf(relation_.argument("location"), "rootPaths");
  native.shown_values = {{"", paths == nullptr ? "" : ValueText(*paths)}};
  native.arguments_text = fmt::format(", columns={}", columns_->fields.size());
  judgement_.native = std::move(native);
}

}  // namespace reprise
