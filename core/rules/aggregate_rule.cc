// HashAggregateExec and SortAggregateExec -> hash_aggregate: groups rows and computes aggregate
// functions.
//
// Input:   `groupingExpressions`, `aggregateExpressions` (each with its mode) and
// `resultExpressions`. Output:  {"keys":[EXPR…],"aggregates":[{…}…],"results":[EXPR…]?,"sorted":…?}
// as operators/aggregate/hash_aggregate.h describes; whether the input of a SortAggregateExec stays
// sorted is asked by the pass "sorts". Example: HashAggregateExec(keys [k#1], functions
// [partial_sum(x#2)])  ->
//          {"keys":[column 0],"aggregates":[{"function":"sum","mode":"partial","inputs":[column
//          1],…}]}
//
// Merging aggregates find the buffers in the last columns of their input, in the order of the
// functions that merge (BaseAggregateExec.inputAttributes).
#include <algorithm>

#include "plan/plan_text.h"
#include "rules/expression_table.h"
#include "rules/operator_table.h"
#include "rules/operator_translation.h"
#include "vocabulary/aggregates.h"

namespace reprise {

namespace {

struct Mode {
  std::string_view spark;
  std::string_view spec;
  bool reads_rows;     // else merges buffers
  bool makes_results;  // else hands on buffers
};

constexpr Mode kModes[] = {
    {"Partial", "partial", true, false},
    {"PartialMerge", "partial_merge", false, false},
    {"Final", "final", false, true},
    {"Complete", "complete", true, true},
};

/// One aggregate expression, looked up.
struct Aggregate {
  const PlanObject* expression = nullptr;
  const PlanObject* function = nullptr;
  const AggregateRow* rule = nullptr;
  const Mode* mode = nullptr;
  DataType input_type;
  DataType result_type;
  std::vector<Field> buffer;
};

class AggregateTranslation {
 public:
  explicit AggregateTranslation(const OperatorQuestion& question)
      : node_(question.node),
        config_(question.config),
        is_generated_(IsGenerated(question)),
        translation_(question) {}

  Judgement Run();

 private:
  void Refuse(std::string reason) { translation_.judgement().reasons.push_back(std::move(reason)); }
  void Refuse(const PlanObject& function, std::string reason);
  void LookUp(const PlanValue& value);
  bool CheckModes();
  void TranslateKeys(const PlanValue& keys);
  void TranslateAggregates();
  nlohmann::json AggregateJson(const Aggregate& aggregate);
  void CheckBuffer(const Aggregate& aggregate, size_t first_column);
  bool NameResults();
  void TranslateResults();
  void CheckPartialOutput();
  bool HasBoundedSums(bool keyed) const;
  void NameGenerated(bool keyed);
  std::string Text(const PlanValue& keys, const PlanValue& aggregates) const;

  const PlanNode& node_;
  const Config& config_;
  const bool is_generated_;  // whole-stage code
  OperatorTranslation translation_;
  std::vector<Aggregate> aggregates_;
  Binding results_;  // keys, then results of the functions
  std::vector<Field> buffers_;
  bool makes_results_ = true;
};

void AggregateTranslation::Refuse(const PlanObject& function, std::string reason) {
  translation_.judgement().refusals.push_back({std::string(ShortClassName(function.class_name)),
                                               ExpressionText(function), std::move(reason)});
}

void AggregateTranslation::LookUp(const PlanValue& value) {
  Aggregate aggregate;
  aggregate.expression = value.object;
  if (value.object != nullptr) aggregate.function = value.object->child(0);
  if (aggregate.function == nullptr) return Refuse("an aggregate expression is not known");
  const PlanObject& function = *aggregate.function;
  aggregate.rule = FindAggregateClass(function.class_name);
  if (aggregate.rule == nullptr) {
    return Refuse(function, "the aggregate function is not supported natively");
  }
  const PlanValue* mode = value.object->argument("mode");
  const auto known = std::ranges::find(kModes, mode ? mode->text : "", &Mode::spark);
  if (known == std::end(kModes)) return Refuse(function, "its mode is not known");
  aggregate.mode = known;
  if (aggregate.rule->has_mode && !AnsiOf(function)) {
    return Refuse(function, ReasonWithoutMode(function));
  }
  const PlanValue* null_on_zero = function.argument("nullOnDivideByZero");
  if (null_on_zero != nullptr && !null_on_zero->boolean) {
    return Refuse(function, "spark.sql.legacy.statisticalAggregate is not supported natively");
  }
  if (!function.type) return Refuse(function, "its type is not known");
  aggregate.result_type = *function.type;
  for (size_t i = 0; i < function.children.size(); ++i) {
    const PlanObject* input = function.child(i);
    if (input == nullptr || !input->type) return Refuse(function, "its input is not known");
    aggregate.input_type = *input->type;
    if (aggregate.rule->input_types.has(aggregate.input_type)) continue;
    return Refuse(function, TypeText(aggregate.input_type) + " is not supported natively");
  }
  if (aggregate.rule->function != "count" && function.children.size() != 1) {
    return Refuse(function, "it has not one operand");
  }
  aggregate.buffer = aggregate.rule->buffer(aggregate.input_type);
  aggregates_.push_back(std::move(aggregate));
}

/// Spark never mixes functions that give results with functions that hand on buffers, but for
/// streams.
bool AggregateTranslation::CheckModes() {
  if (aggregates_.empty()) return true;
  makes_results_ = aggregates_[0].mode->makes_results;
  for (const Aggregate& aggregate : aggregates_) {
    if (aggregate.mode->makes_results == makes_results_) continue;
    Refuse("some of its functions are partial and others final");
    return false;
  }
  return true;
}

void AggregateTranslation::TranslateKeys(const PlanValue& keys) {
  auto json = nlohmann::json::array();
  for (const PlanValue& key : keys.items) {
    const auto spec = translation_.Translate(key);
    const auto attribute = AttributeOf(key);
    if (!spec) continue;
    if (!attribute) return Refuse("a grouping expression has no name: " + ValueText(key));
    results_.Add(attribute->expr_id, {std::string(attribute->name), spec->type, spec->nullable});
    json.push_back(ToJson(*spec));
  }
  translation_.native().arguments["keys"] = std::move(json);
}

nlohmann::json AggregateTranslation::AggregateJson(const Aggregate& aggregate) {
  const PlanObject& function = *aggregate.function;
  const bool is_count = aggregate.rule->function == "count";
  // First and Last say by an argument whether they pass over nulls.
  const PlanValue* ignore_nulls = function.argument("ignoreNulls");
  const bool not_null = ignore_nulls != nullptr && ignore_nulls->boolean;
  nlohmann::json json = {
      {"function", std::string(aggregate.rule->function) + (not_null ? "_not_null" : "")},
      {"mode", aggregate.mode->spec},
      {"buffer", ToJson(aggregate.buffer)},
      {"result", JsonName(aggregate.result_type)},
      {"ansi", AnsiOf(function).value_or(false)}};
  const PlanValue* context = function.argument("context");
  if (context != nullptr) json["context"] = context->text;
  json["inputType"] = is_count ? nlohmann::json() : nlohmann::json(JsonName(aggregate.input_type));
  if (!aggregate.mode->reads_rows) return json;
  auto inputs = nlohmann::json::array();
  for (const PlanValue& child : function.children) {
    const auto input = translation_.Translate(child);
    if (input) inputs.push_back(ToJson(*input));
  }
  json["inputs"] = std::move(inputs);
  json["filter"] = nullptr;
  if (aggregate.expression->children.size() > 1) {
    const auto filter = translation_.Translate(aggregate.expression->children[1]);
    if (filter) json["filter"] = ToJson(*filter);
  }
  return json;
}

void AggregateTranslation::CheckBuffer(const Aggregate& aggregate, size_t first_column) {
  const auto& columns = translation_.input().fields();
  for (size_t i = 0; i < aggregate.buffer.size(); ++i) {
    const DataType& found = columns[first_column + i].type;
    if (found == aggregate.buffer[i].type) continue;
    Refuse(*aggregate.function,
           fmt::format("input column {} of type {} is not the buffer's {} of type {}",
                       first_column + i, TypeText(found), aggregate.buffer[i].name,
                       TypeText(aggregate.buffer[i].type)));
  }
}

void AggregateTranslation::TranslateAggregates() {
  size_t merged = 0;
  for (const Aggregate& aggregate : aggregates_) {
    if (!aggregate.mode->reads_rows) merged += aggregate.buffer.size();
  }
  const size_t columns = translation_.input().fields().size();
  if (merged > columns)
    return Refuse("its input has fewer columns than its functions have buffers");
  size_t next_buffer = columns - merged;
  auto json = nlohmann::json::array();
  for (const Aggregate& aggregate : aggregates_) {
    nlohmann::json item = AggregateJson(aggregate);
    if (!aggregate.mode->reads_rows) {
      CheckBuffer(aggregate, next_buffer);
      item["bufferIndex"] = next_buffer;
      next_buffer += aggregate.buffer.size();
    }
    buffers_.insert(buffers_.end(), aggregate.buffer.begin(), aggregate.buffer.end());
    json.push_back(std::move(item));
  }
  translation_.native().arguments["aggregates"] = std::move(json);
}

/// The functions' results by `aggregateAttributes`: AggUtils gives those of DISTINCT functions
/// other exprIds than the functions' own resultIds.
bool AggregateTranslation::NameResults() {
  if (aggregates_.empty()) return true;
  const PlanValue* names = node_.argument("aggregateAttributes");
  if (names == nullptr || names->items.size() != aggregates_.size()) {
    Refuse("it has not one attribute for each function");
    return false;
  }
  for (size_t i = 0; i < aggregates_.size(); ++i) {
    const auto attribute = AttributeOf(names->items[i]);
    if (!attribute || attribute->type != aggregates_[i].result_type) {
      Refuse(*aggregates_[i].function, "its result has no name");
      return false;
    }
    results_.Add(attribute->expr_id, {std::string(attribute->name), attribute->type,
                                      aggregates_[i].function->nullable});
  }
  return true;
}

void AggregateTranslation::TranslateResults() {
  if (!NameResults()) return;
  const PlanValue* list = node_.argument("resultExpressions");
  if (list == nullptr || list->items.size() != node_.output.size()) {
    return Refuse("it has not one result expression for each output column");
  }
  auto json = nlohmann::json::array();
  for (const PlanValue& item : list->items) {
    const auto spec = translation_.Translate(item, results_);
    if (spec) json.push_back(ToJson(*spec));
  }
  translation_.native().arguments["results"] = std::move(json);
}

/// A partial aggregate's output is its keys and then the buffers.
void AggregateTranslation::CheckPartialOutput() {
  const auto& output = translation_.native().output;
  const size_t keys = translation_.native().arguments["keys"].size();
  const bool same_count = output.size() == keys + buffers_.size();
  for (size_t i = 0; same_count && i < buffers_.size(); ++i) {
    if (output[keys + i].type == buffers_[i].type) continue;
    return Refuse(fmt::format("output column {} of type {} is not the buffer's {} of type {}",
                              keys + i, TypeText(output[keys + i].type), buffers_[i].name,
                              TypeText(buffers_[i].type)));
  }
  if (!same_count) Refuse("its output is not its keys and buffers");
}

/// Whether Spark keeps the buffers in UnsafeRows, where a sum of decimals that is too large is null
/// at once. Buffers with values of no fixed width are in other rows (UnsafeRow.isMutable), and
/// generated code keeps those of an aggregate without keys in variables.
bool AggregateTranslation::HasBoundedSums(bool keyed) const {
  static constexpr TypeSet kUnfixed = TypesOf({TypeKind::kString, TypeKind::kBinary});
  if (std::ranges::any_of(buffers_, [](const Field& f) { return kUnfixed.has(f.type); })) {
    return false;
  }
  return keyed || !is_generated_;
}

/// What depends on whether Spark generates code. Of which functions' arguments it evaluates first
/// what is common to them: a filter that is a condition around a function's update keeps its
/// arguments for itself. And whether results are computed where they are used.
void AggregateTranslation::NameGenerated(bool keyed) {
  nlohmann::json& arguments = translation_.native().arguments;
  const bool has_code =
      is_generated_ && !(keyed && node_.class_name.ends_with("SortAggregateExec"));
  if (!HasCommonSubexpressions(config_, /*can_be_off=*/!has_code)) {
    arguments["commons"] = "none";
  } else if (!has_code) {
    arguments["commons"] = "unfiltered";
  }
  if (!has_code || node_.class_name.ends_with("ObjectHashAggregateExec")) {
    arguments["deferred"] = false;
  }
}

std::string AggregateTranslation::Text(const PlanValue& keys, const PlanValue& aggregates) const {
  return fmt::format("keys={}, functions={}", ValueText(keys), ValueText(aggregates));
}

Judgement AggregateTranslation::Run() {
  if (!translation_.ok()) return translation_.Take();
  translation_.AllowGuests();
  const PlanValue* keys = node_.argument("groupingExpressions");
  const PlanValue* aggregates = node_.argument("aggregateExpressions");
  if (keys == nullptr || aggregates == nullptr) {
    return Refused("it has no arguments \"groupingExpressions\" and \"aggregateExpressions\"");
  }
  const PlanValue* streaming = node_.argument("isStreaming");
  if (streaming != nullptr && streaming->boolean) Refuse("streams are not run natively");
  for (const PlanValue& value : aggregates->items) LookUp(value);
  TranslateKeys(*keys);
  if (aggregates_.size() != aggregates->items.size() || !CheckModes()) return translation_.Take();
  TranslateAggregates();
  // What refers to a refused key or function would only repeat the refusal.
  const Judgement& so_far = translation_.judgement();
  if (!so_far.reasons.empty() || !so_far.refusals.empty()) return translation_.Take();
  const bool keyed = !keys->items.empty();
  if (HasBoundedSums(keyed) != keyed) translation_.native().arguments["boundedSums"] = !keyed;
  NameGenerated(keyed);
  if (makes_results_) {
    TranslateResults();
  } else {
    CheckPartialOutput();
  }
  if (node_.class_name.ends_with("SortAggregateExec")) {
    translation_.native().arguments["sorted"] = true;
  }
  translation_.native().arguments_text = Text(*keys, *aggregates);
  return translation_.Take();
}

}  // namespace

Judgement JudgeAggregate(const OperatorQuestion& question) {
  return AggregateTranslation(question).Run();
}

}  // namespace reprise
