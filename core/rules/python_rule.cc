// ArrowEvalPythonExec -> python_eval, MapInPandasExec and MapInArrowExec -> python_map,
// FlatMapGroupsInPandasExec and FlatMapGroupsInArrowExec -> python_map_groups,
// ArrowAggregatePythonExec -> python_aggregate: functions of the user's that Python's workers run
// over Arrow's batches.
//
// Input:   ArrowEvalPythonExec's `udfs` and `evalType`; of those over rows `func`, and `isBarrier`
// or `groupingAttributes`; of the aggregate `groupingExpressions`, `aggExpressions` and
// `resultExpressions`.
// Output:  no arguments; the verdict's "python" says what runs below, which of its columns are sent
//          and how the results are read (PythonExchange).
// Example: ArrowEvalPython [f(a#1 + 1)] over [a#1, b#2]  ->  project [a, b, a + 1] and
//          python_batches below, column 2 sent, results behind the columns a and b
#include <algorithm>
#include <charconv>
#include <limits>

#include "plan/plan_text.h"
#include "rules/operator_table.h"
#include "rules/operator_translation.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

/// PythonEvalType of functions that give a result for each row: of batches, or over an iterator of
/// them, which may give batches of other sizes.
constexpr int64_t kEvalTypes[] = {/*SQL_ARROW_BATCHED_UDF*/ 101, /*SQL_SCALAR_PANDAS_UDF*/ 200,
                                  /*SQL_SCALAR_PANDAS_ITER_UDF*/ 204, /*SQL_SCALAR_ARROW_UDF*/ 250,
                                  /*SQL_SCALAR_ARROW_ITER_UDF*/ 251};

/// Those of functions that give one result for a group.
constexpr int64_t kAggregateTypes[] = {/*SQL_GROUPED_AGG_PANDAS_UDF*/ 202,
                                       /*SQL_GROUPED_AGG_ARROW_UDF*/ 252};

constexpr std::string_view kToPython = "RepriseToPython";
constexpr std::string_view kFromPython = "RepriseFromPython";

int64_t SparkInteger(const Config& config, SparkKey key, std::string_view otherwise) {
  const std::string_view text = config.spark(key, otherwise);
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// What the core only carries has another form in Arrow.
bool HasArrowForm(const DataType& type) {
  return !type.is(TypeKind::kNull) && !type.is(TypeKind::kOther);
}

/// Empty: the columns travel to Python, or back.
std::string WhyNotForeign(std::span<const Field> columns, std::string_view what) {
  for (const Field& column : columns) {
    if (HasArrowForm(column.type)) continue;
    return fmt::format("{} {} is {}, which does not go to Python natively", what, column.name,
                       TypeText(column.type));
  }
  return "";
}

/// The same of those of the columns that are sent.
std::string WhyNotSent(std::span<const Field> columns, const std::vector<int>& sent,
                       std::string_view what) {
  for (const int column : sent) {
    std::string reason = WhyNotForeign(columns.subspan(static_cast<size_t>(column), 1), what);
    if (!reason.empty()) return reason;
  }
  return "";
}

/// The arguments of a Python function, those of the innermost where functions are chained.
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

/// Columns that are there anyway, what is computed for arguments behind them, and which of all are
/// arguments.
struct Arguments {
  std::vector<Field> columns;
  Json expressions = Json::array();  // one a column
  std::vector<int> sent;
};

/// An argument more. `input_count`: so many of the columns are the input's, and serve as they are.
/// One without a native form is a guest, or refused.
void AddArgument(const PlanObject& expression, int input_count, OperatorTranslation* translation,
                 Arguments* arguments) {
  PlanValue value;
  value.kind = PlanValue::Kind::kObject;
  value.object = &expression;
  const auto spec = translation->Translate(value);
  if (!spec) return;
  const int index = spec->function == "column" ? spec->attributes["index"].get<int>() : -1;
  if (index >= 0 && index < input_count) return arguments->sent.push_back(index);
  arguments->columns.push_back(
      {fmt::format("argument{}", arguments->sent.size()), spec->type, spec->nullable});
  arguments->expressions.push_back(ToJson(*spec));
  arguments->sent.push_back(static_cast<int>(arguments->columns.size()) - 1);
}

/// Of all functions, one after the other.
Arguments ArgumentsOf(const PlanValue& functions, OperatorTranslation* translation) {
  Arguments arguments{translation->input().fields()};
  const int input_count = static_cast<int>(arguments.columns.size());
  for (int i = 0; i < input_count; ++i) {
    const Field& field = arguments.columns[static_cast<size_t>(i)];
    arguments.expressions.push_back(
        ToJson(ExpressionSpec{"column", field.type, field.nullable, {{"index", i}}, {}}));
  }
  std::vector<const PlanObject*> expressions;
  for (const PlanValue& function : functions.items) {
    CollectArguments(*function.object, &expressions);
  }
  for (const PlanObject* expression : expressions) {
    AddArgument(*expression, input_count, translation, &arguments);
  }
  return arguments;
}

/// Where batches of rows end, of which the columns `sent` are sent.
Json BatchesOf(const Config& config, const std::vector<int>& sent) {
  return {{"rows", SparkInteger(config, "spark.sql.execution.arrow.maxRecordsPerBatch", "10000")},
          {"bytes", SparkInteger(config, "spark.sql.execution.arrow.maxBytesPerBatch", "67108864")},
          {"sent", sent}};
}

/// Puts "python_batches" behind what is sent, the columns `sent` of `columns`.
void AddBatches(const Config& config, std::vector<Field> columns, std::vector<int> sent,
                PythonExchange* python) {
  OperatorSpec spec;
  spec.kind = kPythonBatchesKind;
  spec.name = kToPython;
  spec.inputs = {columns};
  spec.output = std::move(columns);
  spec.arguments = BatchesOf(config, sent);
  python->before.push_back(std::move(spec));
  python->sent = std::move(sent);
}

/// Spark 4.0 sends each group as one batch, whatever its size; later ones divide it.
Json GroupsOf(const OperatorQuestion& question, const std::vector<int>& sent) {
  if (!question.spark_version.starts_with("4.0.")) return BatchesOf(question.config, sent);
  return {{"rows", 0}, {"bytes", std::numeric_limits<int64_t>::max()}, {"sent", sent}};
}

/// As Spark sends them: keys that are no columns of the rows, then the columns of the rows, which
/// stand behind the keys in the child's output.
std::vector<int> WithoutDuplicates(const PlanValue& keys, const PlanNode& child) {
  const size_t key_count = keys.items.size();
  const auto id_of = [](const PlanValue& value) {
    const auto attribute = AttributeOf(value);
    return attribute ? attribute->expr_id : -1;
  };
  const std::span<const PlanValue> output = child.output;
  const auto rows = output.subspan(std::min(key_count, output.size()));
  std::vector<int> sent;
  for (const PlanValue& key : keys.items) {
    if (std::ranges::find(rows, id_of(key), id_of) != rows.end()) continue;
    const auto place = std::ranges::find(output, id_of(key), id_of);
    sent.push_back(static_cast<int>(place - output.begin()));
  }
  for (size_t i = output.size() - rows.size(); i < output.size(); ++i) {
    sent.push_back(static_cast<int>(i));
  }
  return sent;
}

/// How the results are read, behind `kept` of the columns that were put aside.
OperatorSpec Results(const std::vector<Field>& output, size_t kept) {
  OperatorSpec spec;
  spec.kind = kArrowInputKind;
  spec.name = kFromPython;
  spec.output = output;
  spec.arguments = {{"kept", kept}};
  return spec;
}

/// The operator reads the one leaf of the results; its child's columns are those of `union_of`.
Judgement ReadingResults(Judgement judgement, PythonExchange python) {
  if (!judgement.native) return judgement;
  NativeOperator& native = *judgement.native;
  native.union_of = std::move(native.inputs);
  native.inputs = {native.output};
  native.python = std::move(python);
  return judgement;
}

bool HasLargeTypes(const Config& config) {
  return config.spark_boolean("spark.sql.execution.arrow.useLargeVarTypes", false);
}

constexpr const char* kLargeTypes =
    "spark.sql.execution.arrow.useLargeVarTypes is not supported natively";

// A fragment runs on its task's thread.
constexpr const char* kOtherThread =
    "Spark before 4.0 writes to Python's workers on a thread of its own";

/// Empty: functions of the kind are evaluated natively under these settings.
std::string WhyNotEvaluated(const Config& config, int64_t eval_type) {
  if (std::ranges::find(kEvalTypes, eval_type) == std::end(kEvalTypes)) {
    return fmt::format("functions of evaluation type {} are not supported natively", eval_type);
  }
  if (HasLargeTypes(config)) return kLargeTypes;
  if (!config.spark("spark.sql.execution.pythonUDF.arrow.concurrency.level", "").empty()) {
    return "spark.sql.execution.pythonUDF.arrow.concurrency.level is not supported natively";
  }
  return "";
}

OperatorSpec Project(std::vector<Field> input, std::vector<Field> output, Json expressions) {
  OperatorSpec project;
  project.kind = "project";
  project.name = "RepriseProject";
  project.inputs = {std::move(input)};
  project.output = std::move(output);
  project.arguments["expressions"] = std::move(expressions);
  return project;
}

/// An aggregate whose functions are Python's: what is sent, and what is made of the results.
class AggregateInPython {
 public:
  AggregateInPython(const OperatorQuestion& question, OperatorTranslation* translation)
      : question_(question), translation_(*translation) {}

  /// Empty: it runs natively, unless an expression was refused.
  std::string Translate();
  /// Once translated.
  PythonExchange Take(const NativeOperator& native);

 private:
  std::string TranslateKeys(const PlanValue& keys);
  std::string TranslateFunctions(const PlanValue& functions);

  const OperatorQuestion& question_;
  OperatorTranslation& translation_;
  Arguments arguments_;        // behind the keys
  Json keys_ = Json::array();  // over these columns
  Binding results_;            // the keys, then the functions' results
  Json made_of_results_;
};

std::string AggregateInPython::TranslateKeys(const PlanValue& keys) {
  for (const PlanValue& key : keys.items) {
    const auto spec = translation_.TranslateKey(key);
    if (!spec) continue;
    const auto attribute = AttributeOf(key);
    if (!attribute) return "a grouping expression has no name: " + ValueText(key);
    // Spark moves the ends of such windows as it goes through the rows.
    if (attribute->name == "session_window") return "session windows are not supported natively";
    const Field field{std::string(attribute->name), spec->type, spec->nullable};
    results_.Add(attribute->expr_id, field);
    keys_.push_back(ToJson(ExpressionSpec{
        "column", field.type, field.nullable, {{"index", arguments_.columns.size()}}, {}}));
    arguments_.columns.push_back(field);
    arguments_.expressions.push_back(ToJson(*spec));
  }
  return "";
}

std::string AggregateInPython::TranslateFunctions(const PlanValue& functions) {
  for (const PlanValue& value : functions.items) {
    const PlanObject* expression = value.object;
    const PlanValue* id = expression == nullptr ? nullptr : expression->argument("resultId");
    if (id == nullptr || expression->children.size() != 1 || !expression->type) {
      return "one of its functions is not known";
    }
    std::vector<const PlanObject*> arguments;
    CollectArguments(*expression->child(0), &arguments);
    for (const PlanObject* argument : arguments) {
      AddArgument(*argument, /*input_count=*/0, &translation_, &arguments_);
    }
    const Field result{"result", *expression->type, true};
    std::string reason = WhyNotForeign(std::span(&result, 1), "the");
    if (!reason.empty()) return reason;
    results_.Add(id->integer, result);
  }
  return "";
}

std::string AggregateInPython::Translate() {
  const PlanNode& node = question_.node;
  const PlanValue* keys = node.argument("groupingExpressions");
  const PlanValue* functions = node.argument("aggExpressions");
  const PlanValue* results = node.argument("resultExpressions");
  if (keys == nullptr || functions == nullptr || results == nullptr ||
      results->items.size() != node.output.size()) {
    return "its functions are not part of the plan";
  }
  if (HasLargeTypes(question_.config)) return kLargeTypes;
  // Before Spark 4.1 there was one kind.
  const PlanValue* eval_type = node.argument("evalType");
  if (eval_type != nullptr &&
      std::ranges::find(kAggregateTypes, eval_type->integer) == std::end(kAggregateTypes)) {
    return fmt::format("functions of evaluation type {} are not supported natively",
                       eval_type->integer);
  }
  std::string reason = TranslateKeys(*keys);
  if (reason.empty()) reason = TranslateFunctions(*functions);
  if (reason.empty()) reason = WhyNotSent(arguments_.columns, arguments_.sent, "argument");
  if (!reason.empty()) return reason;
  made_of_results_ = translation_.TranslateAll(results->items, results_);
  translation_.native().arguments_text =
      fmt::format("{}, {}, {}", ValueText(*keys), ValueText(*functions), ValueText(*results));
  return "";
}

PythonExchange AggregateInPython::Take(const NativeOperator& native) {
  PythonExchange python;
  python.before.push_back(
      Project(native.inputs[0], arguments_.columns, std::move(arguments_.expressions)));
  OperatorSpec groups;
  groups.kind = kPythonGroupsKind;
  groups.name = kToPython;
  groups.inputs = {arguments_.columns};
  groups.output = arguments_.columns;
  groups.output.push_back({"last", DataType{TypeKind::kBoolean}, false});
  groups.arguments = GroupsOf(question_, arguments_.sent);
  python.group_end = static_cast<int>(arguments_.columns.size());
  const size_t kept = keys_.size();
  groups.arguments["keys"] = std::move(keys_);
  python.before.push_back(std::move(groups));
  python.sent = std::move(arguments_.sent);
  python.results = Results(results_.fields(), kept);
  python.after.push_back(Project(results_.fields(), native.output, std::move(made_of_results_)));
  return python;
}

}  // namespace

Judgement JudgeAggregateInPython(const OperatorQuestion& question) {
  if (question.is_before_spark_4()) return Refused(kOtherThread);
  OperatorTranslation translation(question);
  if (!translation.ok()) return translation.Take();
  translation.AllowGuests();
  AggregateInPython aggregate(question, &translation);
  std::string reason = aggregate.Translate();
  if (!reason.empty()) return Refused(std::move(reason));
  Judgement judgement = translation.Take();
  if (!judgement.refusals.empty()) return judgement;
  PythonExchange python = aggregate.Take(*judgement.native);
  return ReadingResults(std::move(judgement), std::move(python));
}

Judgement JudgeArrowEvalPython(const OperatorQuestion& question) {
  if (question.is_before_spark_4()) return Refused(kOtherThread);
  OperatorTranslation translation(question);
  if (!translation.ok()) return translation.Take();
  const PlanValue* functions = question.node.argument("udfs");
  const PlanValue* eval_type = question.node.argument("evalType");
  if (functions == nullptr || eval_type == nullptr || !eval_type->is(PlanValue::Kind::kInteger)) {
    return Refused("its functions are not part of the plan");
  }
  std::string reason = WhyNotEvaluated(question.config, eval_type->integer);
  const size_t kept = translation.input().fields().size();
  if (reason.empty()) {
    reason = WhyNotForeign(std::span(translation.native().output).subspan(kept), "the result");
  }
  if (!reason.empty()) return Refused(std::move(reason));
  translation.AllowGuests();
  Arguments arguments = ArgumentsOf(*functions, &translation);
  reason = WhyNotSent(arguments.columns, arguments.sent, "argument");
  if (!reason.empty()) return Refused(std::move(reason));
  translation.native().arguments_text = ValueText(*functions);
  Judgement judgement = translation.Take();
  if (!judgement.native) return judgement;
  PythonExchange python;
  if (arguments.columns.size() > kept) {
    python.before.push_back(
        Project(judgement.native->inputs[0], arguments.columns, std::move(arguments.expressions)));
  }
  AddBatches(question.config, std::move(arguments.columns), std::move(arguments.sent), &python);
  python.results = Results(judgement.native->output, kept);
  return ReadingResults(std::move(judgement), std::move(python));
}

Judgement JudgeMapInPython(const OperatorQuestion& question) {
  if (question.is_before_spark_4()) return Refused(kOtherThread);
  OperatorTranslation translation(question);
  if (!translation.ok()) return translation.Take();
  const PlanNode& node = question.node;
  const PlanValue* function = node.argument("func");
  const PlanValue* is_barrier = node.argument("isBarrier");
  const PlanValue* profile = node.argument("profile");
  if (function == nullptr || is_barrier == nullptr || profile == nullptr) {
    return Refused("its function is not part of the plan");
  }
  if (is_barrier->boolean) return Refused("barrier execution is Spark's");
  if (!profile->is_null()) return Refused("a resource profile of its own is Spark's");
  if (HasLargeTypes(question.config)) return Refused(kLargeTypes);
  std::string reason = WhyNotForeign(translation.input().fields(), "the input");
  if (reason.empty()) reason = WhyNotForeign(translation.native().output, "the result");
  if (!reason.empty()) return Refused(std::move(reason));
  translation.native().arguments_text = ValueText(*function);
  Judgement judgement = translation.Take();
  std::vector<Field> columns = translation.input().fields();
  std::vector<int> sent;
  for (int i = 0; i < std::ssize(columns); ++i) sent.push_back(i);
  PythonExchange python;
  python.as_struct = true;
  AddBatches(question.config, std::move(columns), std::move(sent), &python);
  python.results = Results(judgement.native->output, 0);
  return ReadingResults(std::move(judgement), std::move(python));
}

Judgement JudgeFlatMapGroupsInPython(const OperatorQuestion& question) {
  if (question.is_before_spark_4()) return Refused(kOtherThread);
  OperatorTranslation translation(question);
  if (!translation.ok()) return translation.Take();
  const PlanNode& node = question.node;
  const PlanValue* function = node.argument("func");
  const PlanValue* keys = node.argument("groupingAttributes");
  if (function == nullptr || keys == nullptr || !keys->is(PlanValue::Kind::kList)) {
    return Refused("its function is not part of the plan");
  }
  if (HasLargeTypes(question.config)) return Refused(kLargeTypes);
  std::vector<Field> columns = translation.input().fields();
  const std::vector<int> sent = WithoutDuplicates(*keys, *node.children[0]);
  std::string reason = WhyNotForeign(translation.native().output, "the result");
  if (reason.empty()) reason = WhyNotSent(columns, sent, "the input");
  if (!reason.empty()) return Refused(std::move(reason));
  OperatorSpec groups;
  groups.kind = kPythonGroupsKind;
  groups.name = kToPython;
  groups.inputs = {columns};
  groups.output = std::move(columns);
  groups.output.push_back({"last", DataType{TypeKind::kBoolean}, false});
  groups.arguments = GroupsOf(question, sent);
  groups.arguments["keys"] = translation.TranslateKeys(keys->items, translation.input());
  translation.native().arguments_text =
      fmt::format("{}, {}", ValueText(*keys), ValueText(*function));
  Judgement judgement = translation.Take();
  if (!judgement.refusals.empty()) return judgement;
  PythonExchange python;
  python.as_struct = ShortClassName(node.class_name) == "FlatMapGroupsInArrowExec";
  python.group_end = static_cast<int>(groups.output.size()) - 1;
  python.sent = sent;
  python.before.push_back(std::move(groups));
  python.results = Results(judgement.native->output, 0);
  return ReadingResults(std::move(judgement), std::move(python));
}

}  // namespace reprise
