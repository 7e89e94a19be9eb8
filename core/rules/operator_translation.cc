#include "rules/operator_translation.h"

#include <algorithm>
#include <cstdlib>

#include "plan/plan_text.h"
#include "rules/expression_table.h"
#include "rules/guest_expressions.h"

namespace reprise {

bool HasCommonSubexpressions(const Config& config, bool can_be_off) {
  const bool is_on =
      !can_be_off || config.spark_boolean("spark.sql.subexpressionElimination.enabled", true);
  return is_on &&
         !config.spark_boolean("spark.sql.subexpressionElimination.skipForShortcutExpr", false);
}

bool IsGenerated(const OperatorQuestion& question) {
  if (!question.config.spark_boolean("spark.sql.codegen.wholeStage", true)) return false;
  const std::string text(question.config.spark("spark.sql.codegen.maxFields", "100"));
  const auto fields_max = static_cast<size_t>(std::max(0, std::atoi(text.c_str())));
  return question.node.output.size() <= fields_max &&
         std::ranges::all_of(question.node.children,
                             [&](const auto& child) { return child->output.size() <= fields_max; });
}

OperatorTranslation::OperatorTranslation(const OperatorQuestion& question, size_t child_count)
    : config_(question.config),
      spark_version_(question.spark_version),
      scala_version_(question.scala_version) {
  const PlanNode& node = question.node;
  if (node.children.size() != child_count) {
    judgement_.reasons.push_back(fmt::format("it has {} children", node.children.size()));
    return;
  }
  for (const PlanNode* child : node.children) {
    auto input = BindingOf(child->output);
    if (!input.ok()) {
      judgement_.reasons.push_back("input " + input.status().message());
      continue;
    }
    input_.Append(*input);
    inputs_.push_back(std::move(*input));
  }
  auto output = BindingOf(node.output);
  if (!output.ok()) judgement_.reasons.push_back("output " + output.status().message());
  if (!ok()) return;
  judgement_.native.emplace();
  for (const Binding& input : inputs_) native().inputs.push_back(input.fields());
  native().output = output->fields();
  native().guests.resize(inputs_.size());
}

void OperatorTranslation::AllowGuests() {
  may_have_guests_ = config_.boolean("spark.reprise.sql.guests.enabled");
}

Judgement OperatorTranslation::Take() {
  if (judgement_.native) {
    for (size_t child = 0; child < inputs_.size(); ++child) {
      for (const Guest& guest : native().guests[child]) {
        native().inputs[child].push_back(guest.column);
      }
    }
    if (native().sample) native().sample->inputs = native().inputs;
  }
  return std::move(judgement_);
}

std::optional<ExpressionSpec> OperatorTranslation::Translate(const PlanValue& expression,
                                                             const Binding& binding,
                                                             std::vector<Guest>* guests) {
  ExpressionTranslator translator = TranslatorOf(binding, guests);
  auto spec = translator.Translate(expression);
  // A column or a constant as it is says nothing.
  if (spec && spec->function != "column" && spec->function != "literal") {
    std::string text = fmt::format("<{}> {}", ShortClassName(expression.object->class_name),
                                   ValueText(expression));
    auto& accepted = judgement_.accepted;
    if (std::ranges::find(accepted, text) == accepted.end()) accepted.push_back(std::move(text));
  }
  Note(translator);
  return spec;
}

nlohmann::json OperatorTranslation::TranslateAll(std::span<const PlanValue> expressions,
                                                 const Binding& binding,
                                                 std::vector<Guest>* guests) {
  auto json = nlohmann::json::array();
  for (const PlanValue& expression : expressions) {
    const auto spec = Translate(expression, binding, guests);
    if (spec) json.push_back(ToJson(*spec));
  }
  return json;
}

nlohmann::json OperatorTranslation::TranslateResults(const PlanValue& list,
                                                     const Binding& binding) {
  // Rows come in another order than Spark's, or not all of them.
  if (!may_have_guests_ || std::ranges::any_of(list.items, MaySeeOtherRows)) {
    return TranslateAll(list.items, binding);
  }
  ResultProjection results;
  nlohmann::json expressions = TranslateAll(list.items, binding, &results.guests);
  if (results.guests.empty()) return expressions;
  results.arguments = {{"expressions", std::move(expressions)}};
  if (!HasCommonSubexpressions(config_)) results.arguments["commons"] = false;
  results.arguments_text = ValueText(list);
  results.output = std::exchange(native().output, binding.fields());
  native().results = std::move(results);
  auto columns = nlohmann::json::array();
  for (size_t i = 0; i < binding.fields().size(); ++i) {
    columns.push_back(ToJson(ColumnSpec(static_cast<int>(i), binding.fields()[i])));
  }
  return columns;
}

std::optional<ExpressionSpec> OperatorTranslation::TranslateKey(const PlanValue& expression,
                                                                const Binding& binding) {
  return KeyOf(expression,
               &binding == &input_ ? Translate(expression) : Translate(expression, binding));
}

std::optional<ExpressionSpec> OperatorTranslation::KeyOf(const PlanValue& expression,
                                                         std::optional<ExpressionSpec> spec) {
  if (!spec || IsKeyType(spec->type)) return spec;
  judgement_.refusals.push_back(
      {std::string(ShortClassName(expression.object->class_name)), ValueText(expression),
       "a key of type " + TypeText(spec->type) + " is not compared by its bytes"});
  return std::nullopt;
}

nlohmann::json OperatorTranslation::TranslateKeys(std::span<const PlanValue> keys,
                                                  const Binding& binding) {
  auto json = nlohmann::json::array();
  for (const PlanValue& key : keys) {
    if (const auto spec = TranslateKey(key, binding)) json.push_back(ToJson(*spec));
  }
  return json;
}

nlohmann::json OperatorTranslation::TranslateKeysOf(size_t child, std::span<const PlanValue> keys) {
  auto json = nlohmann::json::array();
  std::vector<Guest>* const guests = may_have_guests_ ? &native().guests[child] : nullptr;
  for (const PlanValue& key : keys) {
    const auto spec = KeyOf(key, Translate(key, inputs_[child], guests));
    if (spec) json.push_back(ToJson(*spec));
  }
  return json;
}

Binding OperatorTranslation::InputWithGuests() const {
  Binding all;
  for (size_t child = 0; child < inputs_.size(); ++child) {
    all.Append(inputs_[child]);
    for (const Guest& guest : judgement_.native->guests[child]) all.AddUnnamed(guest.column);
  }
  return all;
}

std::optional<ExpressionSpec> OperatorTranslation::TranslateAsGuest(
    std::span<const PlanObject* const> conditions) {
  ExpressionTranslator refused = TranslatorOf(input_);
  for (const PlanObject* condition : conditions) refused.Translate(*condition);
  ExpressionTranslator translator = TranslatorOf(input_, GuestsBelow());
  auto spec = translator.TranslateAsGuest(conditions, refused.refusals());
  if (!spec) Note(refused);
  return spec;
}

std::optional<Guest> OperatorTranslation::GuestOfPairs(const PlanObject& condition,
                                                       const Binding& binding) const {
  if (!may_have_guests_) return std::nullopt;
  ExpressionTranslator refused = TranslatorOf(binding);
  refused.Translate(condition);
  std::vector<Guest> guests;
  ExpressionTranslator translator = TranslatorOf(binding, &guests);
  const PlanObject* const alone[] = {&condition};
  if (!translator.TranslateAsGuest(alone, refused.refusals())) return std::nullopt;
  return std::move(guests[0]);
}

void OperatorTranslation::Note(const ExpressionTranslator& translator) {
  for (const Refusal& refusal : translator.refusals()) {
    auto& all = judgement_.refusals;
    if (std::ranges::find(all, refusal) == all.end()) all.push_back(refusal);
  }
}

}  // namespace reprise
