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

#include "plan/plan_text.h"
#include "rules/python_translation.h"

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

/// Empty: functions of the kind are evaluated natively under these settings.
std::string WhyNotEvaluated(const Config& config, const PlanNode& node) {
  std::string reason = WhyNotOfKinds(node, kEvalTypes);
  if (!reason.empty()) return reason;
  if (HasLargeTypes(config)) return kLargeTypes;
  if (!config.spark("spark.sql.execution.pythonUDF.arrow.concurrency.level", "").empty()) {
    return "spark.sql.execution.pythonUDF.arrow.concurrency.level is not supported natively";
  }
  return "";
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
  PythonArguments arguments_;  // behind the keys
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
    AddArguments(*expression->child(0), /*input_count=*/0, &translation_, &arguments_);
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
  std::string reason = WhyNotOfKinds(node, kAggregateTypes);
  if (reason.empty()) reason = TranslateKeys(*keys);
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
      ProjectOf(native.inputs[0], arguments_.columns, std::move(arguments_.expressions)));
  const size_t kept = keys_.size();
  AddGroups(question_, std::move(arguments_.columns), std::move(arguments_.sent), std::move(keys_),
            &python);
  python.per_group = true;
  python.places = std::move(arguments_.places);
  python.results = ReadFromPython(results_.fields(), kept);
  python.after.push_back(ProjectOf(results_.fields(), native.output, std::move(made_of_results_)));
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
  std::string reason = WhyNotEvaluated(question.config, question.node);
  const size_t kept = translation.input().fields().size();
  if (reason.empty()) {
    reason = WhyNotForeign(std::span(translation.native().output).subspan(kept), "the result");
  }
  if (!reason.empty()) return Refused(std::move(reason));
  translation.AllowGuests();
  PythonArguments arguments = ArgumentsBehind(translation.input().fields());
  for (const PlanValue& function : functions->items) {
    AddArguments(*function.object, kept, &translation, &arguments);
  }
  reason = WhyNotSent(arguments.columns, arguments.sent, "argument");
  if (!reason.empty()) return Refused(std::move(reason));
  translation.native().arguments_text = ValueText(*functions);
  Judgement judgement = translation.Take();
  if (!judgement.native) return judgement;
  PythonExchange python;
  if (arguments.columns.size() > kept) {
    python.before.push_back(ProjectOf(judgement.native->inputs[0], arguments.columns,
                                      std::move(arguments.expressions)));
  }
  python.places = std::move(arguments.places);
  AddBatches(question.config, std::move(arguments.columns), std::move(arguments.sent), &python);
  python.results = ReadFromPython(judgement.native->output, kept);
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
  python.results = ReadFromPython(judgement.native->output, 0);
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
  Json groups = translation.TranslateKeys(keys->items, translation.input());
  translation.native().arguments_text =
      fmt::format("{}, {}", ValueText(*keys), ValueText(*function));
  Judgement judgement = translation.Take();
  if (!judgement.refusals.empty()) return judgement;
  PythonExchange python;
  python.as_struct = ShortClassName(node.class_name) == "FlatMapGroupsInArrowExec";
  AddGroups(question, std::move(columns), sent, std::move(groups), &python);
  python.results = ReadFromPython(judgement.native->output, 0);
  return ReadingResults(std::move(judgement), std::move(python));
}

}  // namespace reprise
