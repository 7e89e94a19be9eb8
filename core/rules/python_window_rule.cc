// ArrowWindowPythonExec and Spark 4.0's WindowInPandasExec -> python_window: functions of the
// user's over windows, which Python's workers run over Arrow's batches.
//
// Input:   `partitionSpec`, `orderSpec` and `windowExpression`, each of which is an Alias of a
//          WindowExpression(AggregateExpression(PythonUDAF), WindowSpecDefinition(…, frame)).
// Output:  no arguments; the verdict's "python" as of python_rule.cc. A worker gets each partition,
//          and finds the rows of a frame by the numbers of two columns, which a "window" below
//          computes; over all rows of a partition it needs none.
// Example: f(v#2) over windowspecdefinition(k#1, v#2 ASC, specifiedwindowframe(RowFrame, -1,
//          currentrow$())) of [k#1, v#2]  ->  window [k, v, begin, end] and python_groups by k
//          below, columns 1, 2 and 3 sent, places [1, 2, 0], results behind the columns k and v
#include <algorithm>

#include "plan/plan_text.h"
#include "rules/aggregate_functions.h"
#include "rules/python_translation.h"
#include "rules/window_translation.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

/// PythonEvalType of functions over windows.
constexpr int64_t kWindowTypes[] = {/*SQL_WINDOW_AGG_PANDAS_UDF*/ 203,
                                    /*SQL_WINDOW_AGG_ARROW_UDF*/ 253};

/// A frame of all rows of a partition, whatever they are counted by.
bool IsWhole(const Json& frame) { return frame["lower"].is_null() && frame["upper"].is_null(); }

class WindowInPython {
 public:
  WindowInPython(const OperatorQuestion& question, OperatorTranslation* translation)
      : question_(question), translation_(*translation) {}

  /// Empty: it runs natively, unless an expression was refused.
  std::string Translate();
  /// Once translated.
  PythonExchange Take(const NativeOperator& native);

 private:
  void TranslateFunction(const PlanValue& item, FrameTranslation* frames);
  void AddFrames(const std::vector<Field>& input, PythonExchange* python);

  const OperatorQuestion& question_;
  OperatorTranslation& translation_;
  size_t input_count_ = 0;
  Json keys_;  // of partition and order
  PythonArguments arguments_;
  std::vector<Json> frames_;                  // different ones, without that of all rows
  std::vector<std::optional<int>> frame_of_;  // of each function among these
};

std::string WindowInPython::Translate() {
  const PlanNode& node = question_.node;
  const PlanValue* functions = node.argument("windowExpression");
  auto keys = WindowKeysJson(&translation_, node);
  input_count_ = translation_.input().fields().size();
  if (functions == nullptr || !keys ||
      functions->items.size() + input_count_ != node.output.size()) {
    return "its functions are not part of the plan";
  }
  if (HasLargeTypes(question_.config)) return kLargeTypes;
  std::string reason = WhyNotOfKinds(node, kWindowTypes);
  if (reason.empty()) {
    reason =
        WhyNotForeign(std::span(translation_.native().output).subspan(input_count_), "the result");
  }
  if (!reason.empty()) return reason;
  keys_ = *std::move(keys);
  arguments_ = ArgumentsBehind(translation_.input().fields());
  // Keys are there for the operators that send the rows, which have no guests.
  translation_.AllowGuests();
  FrameTranslation frames(question_.config, keys_["ordering"], &translation_);
  for (const PlanValue& item : functions->items) TranslateFunction(item, &frames);
  translation_.native().arguments_text = ValueText(*functions);
  return WhyNotSent(arguments_.columns, arguments_.sent, "argument");
}

void WindowInPython::TranslateFunction(const PlanValue& item, FrameTranslation* frames) {
  const auto windowed = FindWindowedFunction(&translation_, item);
  if (!windowed) return;
  const PlanObject& aggregate = *windowed->function->object;
  const PlanObject* function = aggregate.child(0);
  if (function == nullptr || !ShortClassName(function->class_name).starts_with("PythonUDAF")) {
    return RefuseExpression(&translation_, aggregate, "it is no function of Python's");
  }
  if (aggregate.children.size() > 1) {
    return RefuseExpression(&translation_, *function,
                            "FILTER is not supported natively in windows");
  }
  const auto frame = frames->FrameJson(*function, windowed->frame);
  if (!frame) return;
  AddArguments(*function, input_count_, &translation_, &arguments_);
  std::optional<int>& number = frame_of_.emplace_back();
  if (IsWhole(*frame)) return;
  const auto found = std::ranges::find(frames_, *frame);
  number = static_cast<int>(found - frames_.begin());
  if (found == frames_.end()) frames_.push_back(*frame);
}

/// Where frames begin and end stands behind `input`, and is sent behind the arguments.
void WindowInPython::AddFrames(const std::vector<Field>& input, PythonExchange* python) {
  OperatorSpec window;
  window.kind = "window";
  window.name = "RepriseWindow";
  window.inputs = {input};
  window.output = input;
  window.arguments = keys_;
  const int first = static_cast<int>(arguments_.sent.size());
  for (const Json& frame : frames_) {
    for (const char* bound : {"begin", "end"}) {
      const Field column{fmt::format("frame_{}", bound), DataType{TypeKind::kInteger}, false};
      window.arguments["functions"].push_back(
          {{"function", column.name}, {"frame", frame}, {"result", JsonName(column.type)}});
      arguments_.expressions.push_back(ToJson(ExpressionSpec{
          "column", column.type, column.nullable, {{"index", window.output.size()}}, {}}));
      window.output.push_back(column);
      arguments_.columns.push_back(column);
      arguments_.sent.push_back(static_cast<int>(arguments_.columns.size()) - 1);
    }
  }
  for (size_t i = 0; i < frame_of_.size(); ++i) {
    if (!frame_of_[i]) continue;
    const int begin = first + 2 * *frame_of_[i];
    std::vector<int>& places = arguments_.places[i];
    places.insert(places.begin(), {begin, begin + 1});
  }
  python->before.push_back(std::move(window));
}

PythonExchange WindowInPython::Take(const NativeOperator& native) {
  PythonExchange python;
  std::vector<Field> input = native.inputs[0];
  if (!frames_.empty()) {
    AddFrames(input, &python);
    input = python.before.back().output;
  }
  if (input != arguments_.columns) {
    python.before.push_back(
        ProjectOf(std::move(input), arguments_.columns, std::move(arguments_.expressions)));
  }
  AddGroups(question_, std::move(arguments_.columns), std::move(arguments_.sent),
            std::move(keys_["partition"]), &python);
  python.places = std::move(arguments_.places);
  python.results = ReadFromPython(native.output, input_count_);
  return python;
}

}  // namespace

Judgement JudgeWindowInPython(const OperatorQuestion& question) {
  if (question.is_before_spark_4()) return Refused(kOtherThread);
  OperatorTranslation translation(question);
  if (!translation.ok()) return translation.Take();
  WindowInPython window(question, &translation);
  std::string reason = window.Translate();
  if (!reason.empty()) return Refused(std::move(reason));
  Judgement judgement = translation.Take();
  if (!judgement.reasons.empty() || !judgement.refusals.empty()) return judgement;
  PythonExchange python = window.Take(*judgement.native);
  return ReadingResults(std::move(judgement), std::move(python));
}

}  // namespace reprise
