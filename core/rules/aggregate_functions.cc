#include "rules/aggregate_functions.h"

#include <algorithm>

#include "plan/plan_text.h"
#include "rules/class_names.h"
#include "rules/expression_table.h"
#include "rules/guest_expressions.h"

namespace reprise {

namespace {

constexpr AggregateModeRow kAggregateModes[] = {
    {"Partial", "partial", true, false},
    {"PartialMerge", "partial_merge", false, false},
    {"Final", "final", false, true},
    {"Complete", "complete", true, true},
};

const AggregateModeRow* ModeOf(const PlanObject& expression) {
  const PlanValue* mode = expression.argument("mode");
  const auto* known =
      std::ranges::find(kAggregateModes, mode ? mode->text : "", &AggregateModeRow::spark);
  return known == std::end(kAggregateModes) ? nullptr : known;
}

}  // namespace

void RefuseExpression(OperatorTranslation* translation, const PlanObject& expression,
                      std::string reason) {
  translation->judgement().refusals.push_back({std::string(ShortClassName(expression.class_name)),
                                               ExpressionText(expression), std::move(reason)});
}

namespace {

bool IsCollect(const FoundAggregate& aggregate) {
  return aggregate.row->function == "collect_list" || aggregate.row->function == "collect_set";
}

bool IsBloomFilter(const FoundAggregate& aggregate) {
  return aggregate.row->function == "bloom_filter";
}

/// BloomFilterAggregate(child, estimatedNumItemsExpression, numBitsExpression): what says how the
/// filter is made.
std::optional<nlohmann::json> BloomFilterOf(const OperatorTranslation& translation,
                                            const FoundAggregate& aggregate) {
  nlohmann::json sizes = {{"version", translation.is_before_spark_4_1() ? 1 : 2}};
  constexpr const char* kSizes[] = {"items", "bits"};
  for (size_t i = 0; i < 2; ++i) {
    const PlanObject* literal = aggregate.function->child(1 + i);
    const PlanValue* value = literal == nullptr ? nullptr : literal->argument("value");
    if (value == nullptr || !value->is(PlanValue::Kind::kInteger)) return std::nullopt;
    sizes[kSizes[i]] = value->integer;
  }
  return sizes;
}

/// Why this version's collect_list or collect_set is another than the native one.
std::optional<std::string> ReasonNotCollected(const OperatorTranslation& translation,
                                              const FoundAggregate& aggregate) {
  if (!IsCollect(aggregate)) return std::nullopt;
  const PlanValue* ignore_nulls = aggregate.function->argument("ignoreNulls");
  if (ignore_nulls != nullptr && !ignore_nulls->boolean)
    return "RESPECT NULLS is not supported natively";
  if (aggregate.row->function == "collect_list") return std::nullopt;
  if (translation.scala_version().starts_with("2.12.")) {
    return "Scala 2.12 gives sets in another order than later versions";
  }
  const DataType& type = aggregate.input_type;
  if (!translation.is_before_spark_4_2() &&
      (type.is(TypeKind::kFloat) || type.is(TypeKind::kDouble))) {
    return "since Spark 4.2 sets of " + TypeText(type) + " go by the bits of their numbers";
  }
  return std::nullopt;
}

}  // namespace

std::optional<FoundAggregate> FindAggregate(OperatorTranslation* translation,
                                            const PlanValue& expression) {
  FoundAggregate aggregate;
  aggregate.expression = expression.object;
  if (expression.object != nullptr) aggregate.function = expression.object->child(0);
  if (aggregate.function == nullptr) {
    translation->judgement().reasons.push_back("an aggregate expression is not known");
    return std::nullopt;
  }
  const PlanObject& function = *aggregate.function;
  const auto refuse = [&](std::string reason) {
    RefuseExpression(translation, function, std::move(reason));
    return std::nullopt;
  };
  aggregate.row = FindAggregateClass(function.class_name);
  if (aggregate.row == nullptr) {
    return refuse("the aggregate function is not supported natively");
  }
  aggregate.mode = ModeOf(*expression.object);
  if (aggregate.mode == nullptr) return refuse("its mode is not known");
  if (aggregate.row->has_mode && !AnsiOf(function)) return refuse(ReasonWithoutMode(function));
  const PlanValue* null_on_zero = function.argument("nullOnDivideByZero");
  if (null_on_zero != nullptr && !null_on_zero->boolean) {
    return refuse("spark.sql.legacy.statisticalAggregate is not supported natively");
  }
  if (!function.type) return refuse("its type is not known");
  aggregate.result_type = *function.type;
  if (function.children.size() < aggregate.row->settings) return refuse("it lacks operands");
  const size_t inputs = function.children.size() - aggregate.row->settings;
  for (size_t i = 0; i < inputs; ++i) {
    const PlanObject* input = function.child(i);
    if (input == nullptr || !input->type) return refuse("its input is not known");
    aggregate.input_type = *input->type;
    if (aggregate.row->input_types.has(aggregate.input_type)) continue;
    return refuse(TypeText(aggregate.input_type) + " is not supported natively");
  }
  if (auto reason = ReasonNotCollected(*translation, aggregate)) return refuse(*std::move(reason));
  if (aggregate.row->function != "count" && inputs != 1) {
    return refuse("it has not one operand");
  }
  if (IsBloomFilter(aggregate) && !BloomFilterOf(*translation, aggregate)) {
    return refuse("its sizes are no literals");
  }
  if (aggregate.result_type.is(TypeKind::kOther) &&
      aggregate.row->result(aggregate.input_type) != aggregate.result_type) {
    return refuse("a result of " + TypeText(aggregate.result_type) + " is not supported natively");
  }
  aggregate.buffer = aggregate.row->buffer(aggregate.input_type);
  return aggregate;
}

std::optional<FoundAggregate> FindGuestAggregate(const PlanValue& expression, const Binding& input,
                                                 std::vector<Refusal> refusals) {
  FoundAggregate aggregate;
  aggregate.expression = expression.object;
  if (expression.object != nullptr) aggregate.function = expression.object->child(0);
  if (aggregate.function == nullptr) return std::nullopt;
  const PlanObject& function = *aggregate.function;
  aggregate.mode = ModeOf(*expression.object);
  const PlanValue* buffer = function.argument("buffer");
  if (aggregate.mode == nullptr || buffer == nullptr || !function.type ||
      !CanTravel(*function.type)) {
    return std::nullopt;
  }
  aggregate.result_type = *function.type;
  for (const PlanValue& item : buffer->items) {
    const auto field = AttributeOf(item);
    if (!field || !CanTravel(field->type)) return std::nullopt;
    aggregate.buffer.push_back({std::string(field->name), field->type, field->nullable});
  }
  Guest guest;
  guest.expression = ShortClassName(function.class_name);
  guest.text = ExpressionText(function);
  guest.refusals = std::move(refusals);
  if (aggregate.mode->reads_rows) {
    const auto columns = ColumnsOfGuest(function, input);
    if (!columns) return std::nullopt;
    guest.reads = *columns;
  }
  aggregate.guest = std::move(guest);
  return aggregate;
}

namespace {

void AddFilter(OperatorTranslation* translation, const FoundAggregate& aggregate,
               nlohmann::json* json) {
  (*json)["filter"] = nullptr;
  if (aggregate.expression->children.size() <= 1) return;
  const auto filter = translation->Translate(aggregate.expression->children[1]);
  if (filter) (*json)["filter"] = ToJson(*filter);
}

nlohmann::json GuestJson(OperatorTranslation* translation, const FoundAggregate& aggregate) {
  nlohmann::json json = {{"function", std::string(kGuestFunction)},
                         {"mode", aggregate.mode->spec},
                         {"buffer", ToJson(aggregate.buffer)},
                         {"result", JsonName(aggregate.result_type)},
                         {"ansi", false}};
  if (!aggregate.mode->reads_rows) return json;
  json["inputs"] = nlohmann::json::array();
  const std::vector<Field>& columns = translation->input().fields();
  for (const int column : aggregate.guest->reads) {
    json["inputs"].push_back(ToJson(ColumnSpec(column, columns[static_cast<size_t>(column)])));
  }
  AddFilter(translation, aggregate, &json);
  return json;
}

}  // namespace

nlohmann::json AggregateJson(OperatorTranslation* translation, const FoundAggregate& aggregate) {
  if (aggregate.guest) return GuestJson(translation, aggregate);
  const PlanObject& function = *aggregate.function;
  const bool is_count = aggregate.row->function == "count";
  // First and Last say by an argument whether they pass over nulls; what collects does.
  const PlanValue* ignore_nulls = function.argument("ignoreNulls");
  const bool not_null = !IsCollect(aggregate) && ignore_nulls != nullptr && ignore_nulls->boolean;
  nlohmann::json json = {
      {"function", std::string(aggregate.row->function) + (not_null ? "_not_null" : "")},
      {"mode", aggregate.mode->spec},
      {"buffer", ToJson(aggregate.buffer)},
      {"result", JsonName(aggregate.result_type)},
      {"ansi", AnsiOf(function).value_or(false)}};
  const PlanValue* context = function.argument("context");
  if (context != nullptr) json["context"] = context->text;
  json["inputType"] = is_count ? nlohmann::json() : nlohmann::json(JsonName(aggregate.input_type));
  if (IsBloomFilter(aggregate)) json.update(*BloomFilterOf(*translation, aggregate));
  if (!aggregate.mode->reads_rows) return json;
  const size_t inputs = function.children.size() - aggregate.row->settings;
  json["inputs"] = translation->TranslateAll(function.children.first(inputs));
  AddFilter(translation, aggregate, &json);
  return json;
}

}  // namespace reprise
