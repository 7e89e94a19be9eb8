#include "rules/window_translation.h"

#include <limits>

#include "plan/date_text.h"
#include "plan/plan_text.h"
#include "rules/aggregate_functions.h"
#include "rules/expression_table.h"
#include "rules/order_translation.h"

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

}  // namespace

std::optional<int64_t> LiteralInteger(const PlanObject* literal) {
  if (literal == nullptr || ShortClassName(literal->class_name) != "Literal") return std::nullopt;
  const PlanValue* value = literal->argument("value");
  if (value == nullptr || !value->is(PlanValue::Kind::kInteger)) return std::nullopt;
  return value->integer;
}

std::optional<Json> WindowKeysJson(OperatorTranslation* translation, const PlanNode& node) {
  const PlanValue* partition = node.argument("partitionSpec");
  const PlanValue* order = node.argument("orderSpec");
  if (partition == nullptr || order == nullptr) return std::nullopt;
  return Json{{"partition", translation->TranslateKeys(partition->items, translation->input())},
              {"ordering", OrderJson(translation, order->items)}};
}

std::optional<WindowedFunction> FindWindowedFunction(OperatorTranslation* translation,
                                                     const PlanValue& item) {
  const PlanObject* window = item.object != nullptr ? item.object->child(0) : nullptr;
  const PlanObject* function = window != nullptr ? window->child(0) : nullptr;
  const PlanObject* spec = window != nullptr ? window->child(1) : nullptr;
  if (function == nullptr || spec == nullptr || spec->children.empty() ||
      ShortClassName(window->class_name) != "WindowExpression") {
    translation->judgement().reasons.push_back("it computes what is no window function: " +
                                               ValueText(item));
    return std::nullopt;
  }
  return WindowedFunction{&window->children[0], spec->children.back().object};
}

void FrameTranslation::Refuse(const PlanObject& function, std::string reason) {
  RefuseExpression(&translation_, function, std::move(reason));
}

/// What a row's key is compared with: the key moved by a constant, as Spark's createBoundOrdering
/// has it. The expression's column 0 is the key.
std::optional<ExpressionSpec> FrameTranslation::ValueBound(const PlanObject& function,
                                                           const PlanObject& literal) {
  const PlanValue* amount = literal.argument("value");
  if (ordering_.size() != 1 || amount == nullptr ||
      amount->integer == std::numeric_limits<int64_t>::min()) {
    Refuse(function, "its frame has a bound that is no constant, or has no opposite");
    return std::nullopt;
  }
  auto key = ExpressionSpecFromJson(ordering_[0]["expression"]);
  if (!key.ok()) return std::nullopt;
  const ExpressionSpec column{"column", key->type, true, {{"index", 0}}, {}};
  const bool descends = !ordering_[0]["ascending"].get<bool>();
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

std::optional<Json> FrameTranslation::BoundJson(const PlanObject& function, const PlanObject& bound,
                                                bool range) {
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

std::optional<Json> FrameTranslation::FrameJson(const PlanObject& function,
                                                const PlanObject* frame) {
  const PlanValue* type = frame != nullptr ? frame->argument("frameType") : nullptr;
  if (type == nullptr || frame->child(0) == nullptr || frame->child(1) == nullptr) {
    Refuse(function, "its frame is not known");
    return std::nullopt;
  }
  const bool range = type->text == "RangeFrame";
  auto lower = BoundJson(function, *frame->child(0), range);
  auto upper = BoundJson(function, *frame->child(1), range);
  if (!lower || !upper) return std::nullopt;
  return Json{{"range", range}, {"lower", *std::move(lower)}, {"upper", *std::move(upper)}};
}

}  // namespace reprise
