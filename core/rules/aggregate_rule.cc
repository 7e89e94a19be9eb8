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
#include <utility>

#include "plan/plan_text.h"
#include "plan/value_form.h"
#include "rules/aggregate_functions.h"
#include "rules/expression_table.h"
#include "rules/guest_expressions.h"
#include "rules/operator_table.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

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
  void Refuse(const PlanObject& function, std::string reason) {
    RefuseExpression(&translation_, function, std::move(reason));
  }
  void Find(const PlanValue& expression);
  bool CheckModes();
  void TranslateKeys(const PlanValue& keys);
  void TranslateAggregates();
  void CheckBuffer(const FoundAggregate& aggregate, size_t first_column);
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
  std::vector<FoundAggregate> aggregates_;
  Binding results_;  // keys, then results of the functions
  std::vector<Field> buffers_;
  bool makes_results_ = true;
};

/// What is not native, Spark may evaluate.
void AggregateTranslation::Find(const PlanValue& expression) {
  std::vector<Refusal>& refusals = translation_.judgement().refusals;
  const size_t before = refusals.size();
  auto found = FindAggregate(&translation_, expression);
  if (!found && translation_.may_have_guests()) {
    found = FindGuestAggregate(expression, translation_.input(),
                               {refusals.begin() + static_cast<int64_t>(before), refusals.end()});
    if (found) refusals.resize(before);
  }
  if (found) aggregates_.push_back(*std::move(found));
}

/// Spark never mixes functions that give results with functions that hand on buffers, but for
/// streams.
bool AggregateTranslation::CheckModes() {
  if (aggregates_.empty()) return true;
  makes_results_ = aggregates_[0].mode->makes_results;
  for (const FoundAggregate& aggregate : aggregates_) {
    if (aggregate.mode->makes_results == makes_results_) continue;
    Refuse("some of its functions are partial and others final");
    return false;
  }
  return true;
}

void AggregateTranslation::TranslateKeys(const PlanValue& keys) {
  auto json = nlohmann::json::array();
  for (const PlanValue& key : keys.items) {
    const auto spec = translation_.TranslateKey(key);
    const auto attribute = AttributeOf(key);
    if (!spec) continue;
    if (!attribute) return Refuse("a grouping expression has no name: " + ValueText(key));
    results_.Add(attribute->expr_id, {std::string(attribute->name), spec->type, spec->nullable});
    json.push_back(ToJson(*spec));
  }
  translation_.native().arguments["keys"] = std::move(json);
}

void AggregateTranslation::CheckBuffer(const FoundAggregate& aggregate, size_t first_column) {
  const auto& columns = translation_.input().fields();
  for (size_t i = 0; i < aggregate.buffer.size(); ++i) {
    const DataType& found = columns[first_column + i].type;
    if (HaveSameForm(found, aggregate.buffer[i].type)) continue;
    Refuse(*aggregate.function,
           fmt::format("input column {} of type {} is not the buffer's {} of type {}",
                       first_column + i, TypeText(found), aggregate.buffer[i].name,
                       TypeText(aggregate.buffer[i].type)));
  }
}

void AggregateTranslation::TranslateAggregates() {
  size_t merged = 0;
  for (const FoundAggregate& aggregate : aggregates_) {
    if (!aggregate.mode->reads_rows) merged += aggregate.buffer.size();
  }
  const size_t columns = translation_.input().fields().size();
  if (merged > columns)
    return Refuse("its input has fewer columns than its functions have buffers");
  size_t next_buffer = columns - merged;
  auto json = nlohmann::json::array();
  for (const FoundAggregate& aggregate : aggregates_) {
    nlohmann::json item = AggregateJson(&translation_, aggregate);
    if (!aggregate.mode->reads_rows) {
      CheckBuffer(aggregate, next_buffer);
      item["bufferIndex"] = next_buffer;
      next_buffer += aggregate.buffer.size();
    }
    buffers_.insert(buffers_.end(), aggregate.buffer.begin(), aggregate.buffer.end());
    if (aggregate.guest) {
      auto& guests = translation_.native().guest_functions;
      item["guest"] = guests.size();
      guests.push_back({*aggregate.guest, json.size(), aggregate.mode->reads_rows});
    }
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
    if (!attribute || !HaveSameForm(attribute->type, aggregates_[i].result_type)) {
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
  NativeOperator& native = translation_.native();
  native.arguments["results"] = translation_.TranslateResults(*list, results_);
  if (native.results && native.arguments.contains("deferred")) {
    native.results->arguments["deferred"] = false;
  }
}

/// A partial aggregate's output is its keys and then the buffers.
void AggregateTranslation::CheckPartialOutput() {
  const auto& output = translation_.native().output;
  const size_t keys = translation_.native().arguments["keys"].size();
  const bool same_count = output.size() == keys + buffers_.size();
  for (size_t i = 0; same_count && i < buffers_.size(); ++i) {
    if (HaveSameForm(output[keys + i].type, buffers_[i].type)) continue;
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
  const auto is_unfixed = [](const Field& buffer) {
    return kUnfixed.has(StoredType(buffer.type)) && !IsCalendarInterval(buffer.type);
  };
  if (std::ranges::any_of(buffers_, is_unfixed)) return false;
  return keyed || !is_generated_;
}

/// What depends on whether Spark generates code. Of which functions' arguments it evaluates first
/// what is common to them: a filter that is a condition around a function's update keeps its
/// arguments for itself. And whether results are computed where they are used.
void AggregateTranslation::NameGenerated(bool keyed) {
  nlohmann::json& arguments = translation_.native().arguments;
  const bool has_code = is_generated_ && !node_.class_name.ends_with("ObjectHashAggregateExec") &&
                        !(keyed && node_.class_name.ends_with("SortAggregateExec"));
  if (!HasCommonSubexpressions(config_, /*can_be_off=*/!has_code)) {
    arguments["commons"] = "none";
  } else if (!has_code) {
    arguments["commons"] = "unfiltered";
  }
  if (!has_code) arguments["deferred"] = false;
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
  for (const PlanValue& value : aggregates->items) Find(value);
  TranslateKeys(*keys);
  if (aggregates_.size() != aggregates->items.size() || !CheckModes()) return translation_.Take();
  TranslateAggregates();
  // What refers to a refused key or function would only repeat the refusal.
  const Judgement& so_far = translation_.judgement();
  if (!so_far.reasons.empty() || !so_far.refusals.empty()) return translation_.Take();
  const bool keyed = !keys->items.empty();
  const bool is_bounded = HasBoundedSums(keyed);
  if (is_bounded != keyed) translation_.native().arguments["boundedSums"] = !keyed;
  for (GuestFunction& guest : translation_.native().guest_functions) guest.in_unsafe = is_bounded;
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
