#include "rules/order_translation.h"

#include "plan/plan_text.h"

namespace reprise {

std::optional<nlohmann::json> OrderJson(OperatorTranslation* translation, const PlanValue& order) {
  const PlanObject* object = order.object;
  const PlanValue* direction = object != nullptr ? object->argument("direction") : nullptr;
  const PlanValue* nulls = object != nullptr ? object->argument("nullOrdering") : nullptr;
  if (direction == nullptr || nulls == nullptr || object->children.empty()) {
    translation->judgement().reasons.push_back("it is sorted by what is no SortOrder: " +
                                               ValueText(order));
    return std::nullopt;
  }
  // Further children are expressions of the same order, which nobody has to compute.
  const auto expression = translation->Translate(object->children[0]);
  if (!expression) return std::nullopt;
  if (!IsNativeType(expression->type)) {
    translation->judgement().reasons.push_back("an order of " + TypeText(expression->type) +
                                               " is not known natively");
    return std::nullopt;
  }
  return nlohmann::json{{"expression", ToJson(*expression)},
                        {"ascending", direction->text == "Ascending"},
                        {"nullsFirst", nulls->text == "NullsFirst"}};
}

nlohmann::json OrderJson(OperatorTranslation* translation, std::span<const PlanValue> orders) {
  auto json = nlohmann::json::array();
  for (const PlanValue& order : orders) {
    if (auto one = OrderJson(translation, order)) json.push_back(std::move(*one));
  }
  return json;
}

}  // namespace reprise
