// WindowExec -> window: columns computed over the other rows of a partition.
// WindowGroupLimitExec -> window_group_limit: the first rows of each partition.
//
// Input:   `partitionSpec`, `orderSpec` and `windowExpression`, each of which is an Alias of a
//          WindowExpression(function, WindowSpecDefinition(…, SpecifiedWindowFrame(lower, upper))).
// Output:  the arguments of operators/window/window.h.
// Example: sum(v#2) windowspecdefinition(k#1, v#2 ASC, specifiedwindowframe(RowFrame, -1,
//          currentrow$()))  ->  {"function":"sum",…,"frame":{"range":false,"lower":-1,
//          "upper":"current"}}
#include <limits>

#include "plan/date_text.h"
#include "plan/plan_text.h"
#include "rules/aggregate_functions.h"
#include "rules/expression_table.h"
#include "rules/operator_table.h"
#include "rules/order_translation.h"
#include "vocabulary/window_functions.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

/// What a literal counts in, where it is an interval.
enum class IntervalUnit { kNone, kMonths, kMicros };

IntervalUnit IntervalUnitOf(const PlanObject& literal) {
  const PlanValue* type = literal.argument("dataType");
  if (type == nullptr || type->data_type == nullptr) return IntervalUnit::kNone;
  // "interval year to month", "interval day to second" and parts of these.
  const std::string name = TypeText(type->data_type->type);
  if (!name.starts_with("interval")) return IntervalUnit::kNone;
  const bool months = name.starts_with("interval year") || name.starts_with("interval month");
  return months ? IntervalUnit::kMonths : IntervalUnit::kMicros;
}

/// A date moved by days, by months, or by an interval of whole days.
std::optional<ExpressionSpec> MovedDate(const ExpressionSpec& date, IntervalUnit unit, int64_t by) {
  const auto call = [&](const char* function, int64_t amount) {
    const ExpressionSpec literal{
        "literal", DataType{TypeKind::kInteger}, false, {{"value", amount}}, {}};
    return ExpressionSpec{function, date.type, true, Json::object(), {date, literal}};
  };
  if (unit == IntervalUnit::kMonths) return call("add_months", by);
  if (unit == IntervalUnit::kNone) return call("date_add", by);
  if (by % kMicrosPerDay != 0) return std::nullopt;
  return call("date_add", by / kMicrosPerDay);
}

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
        ansi_(question.config.spark_boolean("spark.sql.ansi.enabled", true)),
        uses_segment_trees_(
            question.config.spark_boolean("spark.sql.window.segmentTree.enabled", false)),
        translation_(question) {}

  Judgement RunWindow();
  Judgement RunGroupLimit();

 private:
  void Refuse(std::string reason) { translation_.judgement().reasons.push_back(std::move(reason)); }
  void Refuse(const PlanObject& expression, std::string reason) {
    RefuseExpression(&translation_, expression, std::move(reason));
  }
  bool TranslateKeys();
  void TranslateFunction(const PlanValue& item, Json* functions);
  std::optional<Json> FunctionJson(const PlanObject& function);
  bool AddNumber(const PlanObject& function, Json* json);
  void AddTakenValue(const PlanObject& function, Json* json);
  std::optional<Json> FrameJson(const PlanObject& function, const PlanObject& frame);
  std::optional<Json> BoundJson(const PlanObject& function, const PlanObject& bound, bool range);
  std::optional<ExpressionSpec> ValueBound(const PlanObject& function, const PlanObject& literal);

  const PlanNode& node_;
  const bool ansi_;
  const bool uses_segment_trees_;
  OperatorTranslation translation_;
  Json order_ = Json::array();
};

bool WindowTranslation::TranslateKeys() {
  const PlanValue* partition = node_.argument("partitionSpec");
  const PlanValue* order = node_.argument("orderSpec");
  if (partition == nullptr || order == nullptr) {
    Refuse("it has no arguments \"partitionSpec\" and \"orderSpec\"");
    return false;
  }
  translation_.native().arguments["partition"] =
      translation_.TranslateKeys(partition->items, translation_.input());
  order_ = OrderJson(&translation_, order->items);
  translation_.native().arguments["ordering"] = order_;
  return true;
}

/// The integer that a function's argument is.
std::optional<int64_t> LiteralInteger(const PlanObject* literal) {
  if (literal == nullptr || ShortClassName(literal->class_name) != "Literal") return std::nullopt;
  const PlanValue* value = literal->argument("value");
  if (value == nullptr || !value->is(PlanValue::Kind::kInteger)) return std::nullopt;
  return value->integer;
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

/// What a row's key is compared with: the key moved by a constant, as Spark's createBoundOrdering
/// has it. The expression's column 0 is the key.
std::optional<ExpressionSpec> WindowTranslation::ValueBound(const PlanObject& function,
                                                            const PlanObject& literal) {
  const PlanValue* amount = literal.argument("value");
  if (order_.size() != 1 || amount == nullptr ||
      amount->integer == std::numeric_limits<int64_t>::min()) {
    Refuse(function, "its frame has a bound that is no constant, or has no opposite");
    return std::nullopt;
  }
  auto key = ExpressionSpecFromJson(order_[0]["expression"]);
  if (!key.ok()) return std::nullopt;
  const ExpressionSpec column{"column", key->type, true, {{"index", 0}}, {}};
  const bool descends = !order_[0]["ascending"].get<bool>();
  const IntervalUnit unit = IntervalUnitOf(literal);
  const bool is_integer = amount->is(PlanValue::Kind::kInteger);
  const int64_t moved = is_integer ? (descends ? -amount->integer : amount->integer) : 0;
  if (key->type.is(TypeKind::kDate) && is_integer) {
    if (auto date = MovedDate(column, unit, moved)) return date;
  }
  const bool is_local = key->type.is(TypeKind::kTimestampNtz);
  const bool is_instant = key->type.is(TypeKind::kTimestamp);
  // Whole days are moved in the session's zone, which is not part of the plan.
  if (is_integer && unit == IntervalUnit::kMicros &&
      (is_local || (is_instant && std::abs(moved) < kMicrosPerDay))) {
    return ExpressionSpec{"timestamp_add", key->type, true, {{"micros", moved}}, {column}};
  }
  if (literal.type == key->type && (key->type.is_integral() || key->type.is_floating())) {
    auto by = LiteralSpec(*amount, key->type);
    Json* const value = by.ok() ? &by->attributes["value"] : nullptr;
    if (value != nullptr && value->is_number()) {
      if (descends && value->is_number_float()) *value = -value->get<double>();
      if (descends && value->is_number_integer()) *value = -value->get<int64_t>();
      // Spark makes this addition itself: in the query's text it stands nowhere.
      return ExpressionSpec{"add",
                            key->type,
                            true,
                            {{"ansi", ansi_}, {"context", "unplaced"}},
                            {column, *std::move(by)}};
    }
  }
  Refuse(function, fmt::format("a range by {} over {} is not supported natively",
                               ExpressionText(literal), TypeText(key->type)));
  return std::nullopt;
}

std::optional<Json> WindowTranslation::BoundJson(const PlanObject& function,
                                                 const PlanObject& bound, bool range) {
  const std::string_view name = ShortClassName(bound.class_name);
  if (name.starts_with("Unbounded")) return Json(nullptr);
  if (name.starts_with("CurrentRow")) return Json("current");
  if (!range) {
    const auto rows = LiteralInteger(&bound);
    if (rows) return Json(*rows);
    Refuse(function, "its frame has a bound that is no constant");
    return std::nullopt;
  }
  const auto value = ValueBound(function, bound);
  if (!value) return std::nullopt;
  return ToJson(*value);
}

std::optional<Json> WindowTranslation::FrameJson(const PlanObject& function,
                                                 const PlanObject& frame) {
  const PlanValue* type = frame.argument("frameType");
  if (type == nullptr || frame.child(0) == nullptr || frame.child(1) == nullptr) {
    Refuse(function, "its frame is not known");
    return std::nullopt;
  }
  const bool range = type->text == "RangeFrame";
  auto lower = BoundJson(function, *frame.child(0), range);
  auto upper = BoundJson(function, *frame.child(1), range);
  if (!lower || !upper) return std::nullopt;
  return Json{{"range", range}, {"lower", *std::move(lower)}, {"upper", *std::move(upper)}};
}

void WindowTranslation::TranslateFunction(const PlanValue& item, Json* functions) {
  const PlanObject* window = item.object != nullptr ? item.object->child(0) : nullptr;
  const PlanObject* function = window != nullptr ? window->child(0) : nullptr;
  const PlanObject* spec = window != nullptr ? window->child(1) : nullptr;
  if (function == nullptr || spec == nullptr || spec->children.empty() ||
      ShortClassName(window->class_name) != "WindowExpression") {
    return Refuse("it computes what is no window function: " + ValueText(item));
  }
  std::optional<Json> json;
  if (ShortClassName(function->class_name) == "AggregateExpression") {
    const auto found = FindAggregate(&translation_, window->children[0]);
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
    const PlanObject* frame = spec->children.back().object;
    auto frame_json = frame != nullptr ? FrameJson(*function, *frame) : std::nullopt;
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
    return Refused("it has no argument \"windowExpression\"");
  }
  Json functions = Json::array();
  for (const PlanValue& item : expressions->items) TranslateFunction(item, &functions);
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
