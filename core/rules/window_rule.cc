// WindowExec -> window: columns computed over the other rows of a partition.
// WindowGroupLimitExec -> window_group_limit: the first rows of each partition.
//
// Input:   `partitionSpec`, `orderSpec` and `windowExpression`, each of which is an Alias of a
//          WindowExpression(function, WindowSpecDefinition(…, SpecifiedWindowFrame(lower, upper))).
// Output:  the arguments of operators/window/window.h.
// Example: sum(v#2) windowspecdefinition(k#1, v#2 ASC, specifiedwindowframe(RowFrame, -1,
//          currentrow$()))  ->  {"function":"sum",…,"frame":{"range":false,"lower":-1,
//          "upper":"current"}}
#include "plan/plan_text.h"
#include "rules/aggregate_functions.h"
#include "rules/expression_table.h"
#include "rules/operator_table.h"
#include "rules/window_translation.h"
#include "vocabulary/window_functions.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

/// Whether what comes out depends on the pieces that were summed first: a double, or the error of
/// one that overflows.
bool IsSummed(std::string_view function) {
  return function != "count" && function != "min" && function != "max" &&
         !function.starts_with("first") && !function.starts_with("last") &&
         FindAggregateFunction(function) != nullptr;
}

class WindowTranslation {
 public:
  explicit WindowTranslation(const OperatorQuestion& question)
      : node_(question.node),
        config_(question.config),
        uses_segment_trees_(
            question.config.spark_boolean("spark.sql.window.segmentTree.enabled", false)),
        translation_(question) {}

  Judgement RunWindow();
  Judgement RunGroupLimit();

 private:
  void Refuse(const PlanObject& expression, std::string reason) {
    RefuseExpression(&translation_, expression, std::move(reason));
  }
  bool TranslateKeys();
  void TranslateFunction(const PlanValue& item, FrameTranslation* frames, Json* functions);
  std::optional<Json> FunctionJson(const PlanObject& function);
  bool AddNumber(const PlanObject& function, Json* json);
  void AddTakenValue(const PlanObject& function, Json* json);

  const PlanNode& node_;
  const Config& config_;
  const bool uses_segment_trees_;
  OperatorTranslation translation_;
};

bool WindowTranslation::TranslateKeys() {
  auto keys = WindowKeysJson(&translation_, node_);
  if (!keys) return false;
  translation_.native().arguments = *std::move(keys);
  return true;
}

/// "number" of lead, lag, nth_value and ntile.
bool WindowTranslation::AddNumber(const PlanObject& function, Json* json) {
  const bool is_tile = (*json)["function"] == "ntile";
  const auto number = LiteralInteger(function.child(is_tile ? 0 : 1));
  if (!number) {
    Refuse(function, "its number is no constant");
    return false;
  }
  const bool is_back = ShortClassName(function.class_name) == "Lag";
  (*json)["number"] = is_back ? -*number : *number;
  return true;
}

/// What is taken of another row, and its default.
void WindowTranslation::AddTakenValue(const PlanObject& function, Json* json) {
  const PlanValue* ignore_nulls = function.argument("ignoreNulls");
  (*json)["skipsNulls"] = ignore_nulls != nullptr && ignore_nulls->boolean;
  (*json)["inputs"] = translation_.TranslateAll(function.children.first(1));
  const PlanObject* fallback = function.child(2);
  if (fallback == nullptr) return;
  const PlanValue* value = fallback->argument("value");
  if (value != nullptr && value->is_null()) return;
  const auto spec = translation_.Translate(function.children[2]);
  if (!spec) return;
  // Evaluated for every row, which Spark does not.
  if (spec->function != "column" && spec->function != "literal") {
    return Refuse(function, "its default is neither a column nor a constant");
  }
  if (translation_.is_before_spark_4() && (*json)["skipsNulls"] && spec->function == "column") {
    return Refuse(function,
                  "before Spark 4 it fails where it ignores nulls, its default is a column and a "
                  "partition has fewer rows than it goes on by");
  }
  (*json)["default"] = ToJson(*spec);
}

std::optional<Json> WindowTranslation::FunctionJson(const PlanObject& function) {
  const WindowFunctionRow* row = FindWindowFunction(function.class_name);
  if (row == nullptr) {
    Refuse(function, "the window function is not supported natively");
    return std::nullopt;
  }
  if (!function.type) {
    Refuse(function, "its type is not known");
    return std::nullopt;
  }
  Json json = {{"function", row->function}, {"result", JsonName(*function.type)}};
  const bool takes = row->function == "offset" || row->function == "nth_value";
  if ((takes || row->function == "ntile") && !AddNumber(function, &json)) return std::nullopt;
  if (takes) AddTakenValue(function, &json);
  return json;
}

void WindowTranslation::TranslateFunction(const PlanValue& item, FrameTranslation* frames,
                                          Json* functions) {
  const auto windowed = FindWindowedFunction(&translation_, item);
  if (!windowed) return;
  const PlanObject* function = windowed->function->object;
  std::optional<Json> json;
  if (ShortClassName(function->class_name) == "AggregateExpression") {
    const auto found = FindAggregate(&translation_, *windowed->function);
    if (!found) return;
    if (!found->row->is_running) {
      return Refuse(*found->function, "the window function is not supported natively");
    }
    if (found->expression->children.size() > 1) {
      return Refuse(*found->function, "FILTER is not supported natively in windows");
    }
    function = found->function;
    json = AggregateJson(&translation_, *found);
  } else {
    json = FunctionJson(*function);
  }
  if (!json) return;
  const bool has_frame = json->contains("mode") || (*json)["function"] == "nth_value";
  if (has_frame) {
    auto frame_json = frames->FrameJson(*function, windowed->frame);
    if (!frame_json) return;
    const bool is_moving = !(*frame_json)["lower"].is_null() && !(*frame_json)["upper"].is_null();
    if (uses_segment_trees_ && is_moving && IsSummed((*json)["function"].get<std::string>())) {
      return Refuse(*function, "spark.sql.window.segmentTree.enabled is not supported natively");
    }
    (*json)["frame"] = *std::move(frame_json);
  }
  functions->push_back(*std::move(json));
}

Judgement WindowTranslation::RunWindow() {
  if (!translation_.ok()) return translation_.Take();
  const PlanValue* expressions = node_.argument("windowExpression");
  if (expressions == nullptr || !TranslateKeys()) {
    return Refused("it has no arguments \"partitionSpec\", \"orderSpec\" and \"windowExpression\"");
  }
  Json functions = Json::array();
  FrameTranslation frames(config_, translation_.native().arguments["ordering"], &translation_);
  for (const PlanValue& item : expressions->items) TranslateFunction(item, &frames, &functions);
  translation_.native().arguments["functions"] = std::move(functions);
  translation_.native().arguments_text = ValueText(*expressions);
  return translation_.Take();
}

Judgement WindowTranslation::RunGroupLimit() {
  if (!translation_.ok()) return translation_.Take();
  const PlanValue* rank = node_.argument("rankLikeFunction");
  const PlanValue* limit = node_.argument("limit");
  const WindowFunctionRow* row = rank != nullptr && rank->object != nullptr
                                     ? FindWindowFunction(rank->object->class_name)
                                     : nullptr;
  if (row == nullptr || limit == nullptr || !limit->is(PlanValue::Kind::kInteger) ||
      !TranslateKeys()) {
    return Refused("its function or its limit is not known");
  }
  translation_.native().arguments["function"] = row->function;
  translation_.native().arguments["limit"] = limit->integer;
  translation_.native().arguments_text = fmt::format("{}, {}", ValueText(*rank), limit->integer);
  return translation_.Take();
}

}  // namespace

Judgement JudgeWindow(const OperatorQuestion& question) {
  return WindowTranslation(question).RunWindow();
}

Judgement JudgeWindowGroupLimit(const OperatorQuestion& question) {
  return WindowTranslation(question).RunGroupLimit();
}

}  // namespace reprise
