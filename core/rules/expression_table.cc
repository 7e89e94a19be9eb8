#include "rules/expression_table.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "rules/expression_translation.h"
#include "rules/expression_writers.h"

namespace reprise {

namespace {

#define CATALYST_EXPRESSIONS "org.apache.spark.sql.catalyst.expressions."

struct Row {
  std::string_view class_name;
  std::string_view function;
  std::string_view signature;
  ExpressionRule::Writer write;
  std::string_view limits;
  bool is_tried = false;
};

constexpr Row kRows[] = {
#define EXPRESSION(spark_class, function, maker, signature, writer, limits) \
  {CATALYST_EXPRESSIONS spark_class, function, signature, writers::writer, limits},
#define EXPRESSION_AT(spark_class, function, maker, signature, writer, limits) \
  {"org.apache.spark.sql." spark_class, function, signature, writers::writer, limits},
#define TRIED(spark_class, function, maker, signature, writer, limits) \
  {CATALYST_EXPRESSIONS spark_class, function, signature, writers::writer, limits, true},
#define MARKER(spark_class, signature) \
  {CATALYST_EXPRESSIONS spark_class, "", signature, writers::Vanish, ""},
#include "vocabulary/expressions.def"
};

const std::vector<ExpressionRule>& Rules() {
  static const auto* const rules = [] {
    auto* parsed = new std::vector<ExpressionRule>();
    for (const Row& row : kRows) {
      parsed->push_back({row.class_name, row.function, row.signature, row.write, row.limits,
                         row.is_tried, Signature::Parse(row.signature)});
    }
    return parsed;
  }();
  return *rules;
}

using RulesByClass = std::unordered_map<std::string_view, const ExpressionRule*>;

const RulesByClass* ByClass(bool is_tried) {
  auto* map = new RulesByClass();
  for (const ExpressionRule& rule : Rules()) {
    if (rule.is_tried == is_tried) map->emplace(rule.class_name, &rule);
  }
  return map;
}

struct KnownReason {
  std::string_view class_name;
  std::string_view reason;
};

constexpr std::string_view kSubquery = "subqueries are not run natively yet";
constexpr std::string_view kNondeterministic = "nondeterministic expressions are not run natively";
constexpr std::string_view kForeignCode = "code of the user's is not run natively";
constexpr std::string_view kInputFile =
    "the name and place of the file being read are not known natively";

constexpr KnownReason kReasons[] = {
    {CATALYST_EXPRESSIONS "ScalarSubquery", kSubquery},
    {CATALYST_EXPRESSIONS "InSubquery", kSubquery},
    {CATALYST_EXPRESSIONS "Exists", kSubquery},
    {CATALYST_EXPRESSIONS "BloomFilterMightContain", kSubquery},
    {CATALYST_EXPRESSIONS "Rand", kNondeterministic},
    {CATALYST_EXPRESSIONS "Randn", kNondeterministic},
    {CATALYST_EXPRESSIONS "RandStr", kNondeterministic},
    {CATALYST_EXPRESSIONS "Uniform", kNondeterministic},
    {CATALYST_EXPRESSIONS "Uuid", kNondeterministic},
    {CATALYST_EXPRESSIONS "Shuffle", kNondeterministic},
    {CATALYST_EXPRESSIONS "MonotonicallyIncreasingID", kNondeterministic},
    {CATALYST_EXPRESSIONS "SparkPartitionID", kNondeterministic},
    {CATALYST_EXPRESSIONS "CallMethodViaReflection", kForeignCode},
    {CATALYST_EXPRESSIONS "ScalaUDF", kForeignCode},
    {CATALYST_EXPRESSIONS "PythonUDF", kForeignCode},
    {"org.apache.spark.sql.hive.HiveSimpleUDF", kForeignCode},
    {"org.apache.spark.sql.hive.HiveGenericUDF", kForeignCode},
    {CATALYST_EXPRESSIONS "InputFileName", kInputFile},
    {CATALYST_EXPRESSIONS "InputFileBlockStart", kInputFile},
    {CATALYST_EXPRESSIONS "InputFileBlockLength", kInputFile},
};

#undef CATALYST_EXPRESSIONS

}  // namespace

std::span<const ExpressionRule> ExpressionTable() { return Rules(); }

const ExpressionRule* FindExpressionRule(std::string_view class_name) {
  static const RulesByClass* const by_class = ByClass(/*is_tried=*/false);
  const auto found = by_class->find(class_name);
  return found == by_class->end() ? nullptr : found->second;
}

const ExpressionRule* FindTriedRule(std::string_view class_name) {
  static const RulesByClass* const by_class = ByClass(/*is_tried=*/true);
  const auto found = by_class->find(class_name);
  return found == by_class->end() ? nullptr : found->second;
}

std::string ReasonWithoutRule(std::string_view class_name) {
  const auto known = std::ranges::find(kReasons, class_name, &KnownReason::class_name);
  if (known != std::end(kReasons)) return std::string(known->reason);
  return "it is not supported natively";
}

bool IsNondeterministic(std::string_view class_name) {
  const auto known = std::ranges::find(kReasons, class_name, &KnownReason::class_name);
  return known != std::end(kReasons) && known->reason == kNondeterministic;
}

std::optional<bool> AnsiOf(const PlanObject& expression) {
  if (const PlanValue* fail = expression.argument("failOnError")) {
    if (fail->is(PlanValue::Kind::kBoolean)) return fail->boolean;
  }
  const PlanValue* context = expression.argument("evalContext");
  const PlanValue* mode = context != nullptr && context->object != nullptr
                              ? context->object->argument("evalMode")
                              : expression.argument("evalMode");
  if (mode == nullptr || !mode->is(PlanValue::Kind::kEnum)) return std::nullopt;
  if (mode->text == "ANSI") return true;
  if (mode->text == "LEGACY") return false;
  return std::nullopt;
}

std::string ReasonWithoutMode(const PlanObject& expression) {
  const PlanValue* context = expression.argument("evalContext");
  const PlanValue* mode = context != nullptr && context->object != nullptr
                              ? context->object->argument("evalMode")
                              : expression.argument("evalMode");
  if (mode != nullptr && mode->text == "TRY") return "TRY mode is not supported natively";
  return "its evaluation mode is not known";
}

ExpressionSpec ColumnSpec(int index, const Field& field) {
  ExpressionSpec spec;
  spec.function = "column";
  spec.type = field.type;
  spec.nullable = field.nullable;
  spec.attributes["index"] = index;
  return spec;
}

}  // namespace reprise
