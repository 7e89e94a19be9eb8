// GenerateExec -> generate: a row for every item of a collection.
//
// Input:   `generator` (Explode, PosExplode or Inline over a collection; or one whose rows Spark
//          evaluates as a guest, an array of structs), `requiredChildOutput`, `outer` and
//          `generatorOutput`.
// Output:  {"columns":[COLUMN…],"collection":EXPR,"gives":"elements"|"entries"|"fields",
//          "position":bool,"outer":bool}
// Example: Generate posexplode(a#1), [k#2], true, [pos#3, col#4]  ->  {"columns":[1],
//          "collection":column 0,"gives":"elements","position":true,"outer":true}
#include "plan/nested_type.h"
#include "plan/plan_text.h"
#include "rules/aggregate_functions.h"
#include "rules/class_names.h"
#include "rules/operator_table.h"
#include "rules/operator_translation.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kGenerators[] = {"Explode", "Inline", "PosExplode"};

/// Their rows depend on the input row alone.
constexpr std::string_view kGuestGenerators[] = {"JsonTuple", "ReplicateRows", "Stack"};

/// The columns that are handed on, of the child's output.
std::optional<Json> ColumnsJson(const OperatorTranslation& translation, const PlanValue& required) {
  auto columns = Json::array();
  for (const PlanValue& value : required.items) {
    const auto attribute = AttributeOf(value);
    const int index = attribute ? translation.input().IndexOf(attribute->expr_id) : -1;
    if (index < 0) return std::nullopt;
    columns.push_back(index);
  }
  return columns;
}

/// What one item gives; null where the collection's type has no form that is known.
Json GivesJson(const DataType& collection, bool is_inline) {
  const auto type = ParseNestedType(collection);
  if (!type) return nullptr;
  if (type->form == NestedType::Form::kMap && !is_inline) return "entries";
  if (type->form != NestedType::Form::kArray) return nullptr;
  if (!is_inline) return "elements";
  return type->parts[0].form == NestedType::Form::kStruct ? Json("fields") : Json(nullptr);
}

/// What the rows are made of; nothing after it has been refused.
std::optional<ExpressionSpec> TranslateCollection(OperatorTranslation* translation,
                                                  const PlanObject& generator) {
  const std::string_view name = ShortClassName(generator.class_name);
  if (Has(kGuestGenerators, name)) {
    const PlanObject* only = &generator;
    return translation->TranslateAsGuest({&only, 1});
  }
  if (Has(kGenerators, name) && generator.children.size() == 1) {
    return translation->Translate(generator.children[0]);
  }
  RefuseExpression(translation, generator, "the generator is not supported natively");
  return std::nullopt;
}

}  // namespace

Judgement JudgeGenerate(const OperatorQuestion& question) {
  OperatorTranslation translation(question);
  if (!translation.ok()) return translation.Take();
  translation.AllowGuests();
  const PlanNode& node = question.node;
  const PlanValue* generator = node.argument("generator");
  const PlanValue* required = node.argument("requiredChildOutput");
  const PlanValue* outer = node.argument("outer");
  if (generator == nullptr || generator->object == nullptr || required == nullptr ||
      outer == nullptr) {
    return Refused("its generator is not part of the plan");
  }
  const PlanObject& object = *generator->object;
  const std::string_view name = ShortClassName(object.class_name);
  auto columns = ColumnsJson(translation, *required);
  if (!columns) return Refused("it hands on what is no column of its input");
  const auto collection = TranslateCollection(&translation, object);
  if (!collection) return translation.Take();
  Json gives = GivesJson(collection->type, name == "Inline" || Has(kGuestGenerators, name));
  if (gives.is_null()) {
    RefuseExpression(&translation, object,
                     TypeText(collection->type) + " is not supported natively");
    return translation.Take();
  }
  translation.native().arguments = {{"columns", *std::move(columns)},
                                    {"collection", ToJson(*collection)},
                                    {"gives", std::move(gives)},
                                    {"position", name == "PosExplode"},
                                    {"outer", outer->boolean}};
  translation.native().arguments_text =
      fmt::format("{}, {}, {}", ValueText(*generator), ValueText(*required), outer->boolean);
  return translation.Take();
}

}  // namespace reprise
