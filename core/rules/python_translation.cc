#include "rules/python_translation.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "plan/nested_type.h"
#include "plan/plan_text.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kFromPython = "RepriseFromPython";

int64_t SparkInteger(const Config& config, SparkKey key, std::string_view otherwise) {
  const std::string_view text = config.spark(key, otherwise);
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// Of what the core only carries, arrays, maps and structs of types that it computes with.
bool HasArrowForm(const DataType& type) {
  if (!type.is(TypeKind::kOther)) return !type.is(TypeKind::kNull);
  const auto nested = ParseNestedType(type);
  return nested && !nested->parts.empty() && ConsistsOf(*nested, [](const NestedType& leaf) {
           return leaf.form == NestedType::Form::kPlain && IsNativeType(leaf.type);
         });
}

void CollectArguments(const PlanObject& function, std::vector<const PlanObject*>* arguments) {
  const PlanObject* only = function.children.size() == 1 ? function.child(0) : nullptr;
  if (only != nullptr && ShortClassName(only->class_name).starts_with("PythonUD")) {
    return CollectArguments(*only, arguments);
  }
  for (size_t i = 0; i < function.children.size(); ++i) {
    const PlanObject* argument = function.child(i);
    const bool is_named = ShortClassName(argument->class_name) == "NamedArgumentExpression";
    arguments->push_back(is_named ? argument->child(0) : argument);
  }
}

/// The column that an argument is. Nested ones have columns of their own: what is sent of them is
/// not what travels.
int AddColumn(const ExpressionSpec& spec, size_t input_count, PythonArguments* arguments) {
  const int index = spec.function == "column" ? spec.attributes["index"].get<int>() : -1;
  const bool is_input = index >= 0 && index < static_cast<int>(input_count);
  if (is_input && !spec.type.is(TypeKind::kOther)) return index;
  arguments->columns.push_back(
      {fmt::format("argument{}", arguments->sent.size()), spec.type, spec.nullable});
  arguments->expressions.push_back(ToJson(spec));
  return static_cast<int>(arguments->columns.size()) - 1;
}

/// Spark 4.0 sends each group as one batch, whatever its size; later ones divide it.
Json GroupsOf(const OperatorQuestion& question, const std::vector<int>& sent) {
  if (!question.spark_version.starts_with("4.0.")) return BatchesOf(question.config, sent);
  return {{"rows", 0}, {"bytes", std::numeric_limits<int64_t>::max()}, {"sent", sent}};
}

}  // namespace

bool HasLargeTypes(const Config& config) {
  return config.spark_boolean("spark.sql.execution.arrow.useLargeVarTypes", false);
}

std::string WhyNotForeign(std::span<const Field> columns, std::string_view what) {
  for (const Field& column : columns) {
    if (HasArrowForm(column.type)) continue;
    return fmt::format("{} {} is {}, which does not go to Python natively", what, column.name,
                       TypeText(column.type));
  }
  return "";
}

std::string WhyNotSent(std::span<const Field> columns, const std::vector<int>& sent,
                       std::string_view what) {
  for (const int column : sent) {
    std::string reason = WhyNotForeign(columns.subspan(static_cast<size_t>(column), 1), what);
    if (!reason.empty()) return reason;
  }
  return "";
}

std::string WhyNotOfKinds(const PlanNode& node, std::span<const int64_t> kinds) {
  const PlanValue* kind = node.argument("evalType");
  if (kind == nullptr || std::ranges::find(kinds, kind->integer) != kinds.end()) return "";
  return fmt::format("functions of evaluation type {} are not supported natively", kind->integer);
}

PythonArguments ArgumentsBehind(const std::vector<Field>& input) {
  PythonArguments arguments{input};
  for (size_t i = 0; i < input.size(); ++i) {
    arguments.expressions.push_back(
        ToJson(ExpressionSpec{"column", input[i].type, input[i].nullable, {{"index", i}}, {}}));
  }
  return arguments;
}

void AddArguments(const PlanObject& function, size_t input_count, OperatorTranslation* translation,
                  PythonArguments* arguments) {
  std::vector<const PlanObject*> expressions;
  CollectArguments(function, &expressions);
  std::vector<int>& places = arguments->places.emplace_back();
  std::vector<int>& sent = arguments->sent;
  for (const PlanObject* expression : expressions) {
    PlanValue value;
    value.kind = PlanValue::Kind::kObject;
    value.object = expression;
    const auto spec = translation->Translate(value);
    if (!spec) continue;
    const int column = AddColumn(*spec, input_count, arguments);
    // A column that several functions get is sent once, as by Spark.
    const auto found = std::ranges::find(sent, column);
    places.push_back(static_cast<int>(found - sent.begin()));
    if (found == sent.end()) sent.push_back(column);
  }
}

Json BatchesOf(const Config& config, const std::vector<int>& sent) {
  return {{"rows", SparkInteger(config, "spark.sql.execution.arrow.maxRecordsPerBatch", "10000")},
          {"bytes", SparkInteger(config, "spark.sql.execution.arrow.maxBytesPerBatch", "67108864")},
          {"sent", sent}};
}

void AddGroups(const OperatorQuestion& question, std::vector<Field> columns, std::vector<int> sent,
               Json keys, PythonExchange* python) {
  OperatorSpec groups;
  groups.kind = kPythonGroupsKind;
  groups.name = kToPython;
  groups.inputs = {columns};
  groups.output = std::move(columns);
  groups.output.push_back({"last", DataType{TypeKind::kBoolean}, false});
  groups.arguments = GroupsOf(question, sent);
  groups.arguments["keys"] = std::move(keys);
  python->group_end = static_cast<int>(groups.output.size()) - 1;
  python->sent = std::move(sent);
  python->before.push_back(std::move(groups));
}

OperatorSpec ReadFromPython(const std::vector<Field>& output, size_t kept) {
  OperatorSpec spec;
  spec.kind = kArrowInputKind;
  spec.name = kFromPython;
  spec.output = output;
  spec.arguments = {{"kept", kept}};
  return spec;
}

Judgement ReadingResults(Judgement judgement, PythonExchange python) {
  if (!judgement.native) return judgement;
  NativeOperator& native = *judgement.native;
  native.union_of = std::move(native.inputs);
  native.inputs = {native.output};
  native.python = std::move(python);
  return judgement;
}

OperatorSpec ProjectOf(std::vector<Field> input, std::vector<Field> output, Json expressions) {
  OperatorSpec project;
  project.kind = "project";
  project.name = "RepriseProject";
  project.inputs = {std::move(input)};
  project.output = std::move(output);
  project.arguments["expressions"] = std::move(expressions);
  return project;
}

}  // namespace reprise
