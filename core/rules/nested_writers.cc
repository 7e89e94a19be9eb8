// Writes what makes and reads arrays, maps and structs.
#include <algorithm>

#include "plan/item_types.h"
#include "plan/nested_type.h"
#include "rules/expression_writers.h"

namespace reprise::writers {

namespace {

using Form = NestedType::Form;

/// Whether values of the type are of one of these forms.
bool HasForm(const DataType& type, std::initializer_list<Form> forms) {
  const auto nested = ParseNestedType(type);
  return nested && std::ranges::find(forms, nested->form) != forms.end();
}

std::nullopt_t RefuseOperand(const PlanObject& expression, const DataType& operand,
                             ExpressionTranslator& translator) {
  return translator.Refuse(expression, TypeText(operand) + " operands are not supported natively");
}

/// The value at a key of a map.
Written ValueAt(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                ExpressionTranslator& translator) {
  if (!CanBeFound(operands[1].type)) {
    return RefuseOperand(expression, operands[1].type, translator);
  }
  ExpressionSpec spec = SpecOf(rule, expression, std::move(operands));
  spec.function = "map_value";
  return spec;
}

}  // namespace

/// GetStructField(child, ordinal). Spark merges subqueries over the same rows into one, whose
/// result is a struct of theirs: a field of it is a literal once the subquery has run.
Written FieldOf(const ExpressionRule& rule, const PlanObject& expression, Operands,
                ExpressionTranslator& translator) {
  const PlanObject* child = expression.children.size() == 1 ? expression.child(0) : nullptr;
  const PlanValue* ordinal = expression.argument("ordinal");
  if (child == nullptr || ordinal == nullptr || !ordinal->is(PlanValue::Kind::kInteger)) {
    return translator.Refuse(expression, "its field is not known");
  }
  ExpressionSpec spec = SpecOf(rule, expression, {});
  if (child->class_name != "org.apache.spark.sql.execution.ScalarSubquery") {
    auto operand = translator.Translate(*child);
    if (!operand) return std::nullopt;
    if (!HasForm(operand->type, {Form::kStruct})) {
      return RefuseOperand(expression, operand->type, translator);
    }
    spec.arguments.push_back(*std::move(operand));
    spec.attributes["ordinal"] = ordinal->integer;
    return spec;
  }
  const auto number = SubqueryNumber(*child);
  if (!number || !IsNativeType(spec.type)) {
    return translator.Refuse(expression, "the subquery's result is not known natively");
  }
  spec.function = "runtime_value";
  spec.attributes["id"] = *number;
  spec.attributes["field"] = ordinal->integer;
  return spec;
}

/// GetArrayItem(child, ordinal, failOnError).
Written ItemOf(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
               ExpressionTranslator& translator) {
  if (!HasForm(operands[0].type, {Form::kArray})) {
    return RefuseOperand(expression, operands[0].type, translator);
  }
  return Arithmetic(rule, expression, std::move(operands), translator);
}

/// Size(child, legacySizeOfNull).
Written SizeOf(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
               ExpressionTranslator& translator) {
  if (!HasForm(operands[0].type, {Form::kArray, Form::kMap})) {
    return RefuseOperand(expression, operands[0].type, translator);
  }
  const PlanValue* legacy = expression.argument("legacySizeOfNull");
  if (legacy == nullptr || !legacy->is(PlanValue::Kind::kBoolean)) {
    return translator.Refuse(expression, "the size of null is not known");
  }
  ExpressionSpec spec = SpecOf(rule, expression, std::move(operands));
  spec.attributes["legacy"] = legacy->boolean;
  return spec;
}

/// CreateMap(children): keys that are no literals could be null, or meet each other.
Written MapOfLiterals(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                      ExpressionTranslator& translator) {
  std::vector<nlohmann::json> keys;
  for (size_t i = 0; i < operands.size(); i += 2) {
    const nlohmann::json value = operands[i].attributes.value("value", nlohmann::json());
    const bool is_literal = operands[i].function == "literal" && !value.is_null();
    if (!is_literal || std::ranges::find(keys, value) != keys.end()) {
      return translator.Refuse(expression, "its keys are no literals that differ");
    }
    keys.push_back(value);
  }
  return SpecOf(rule, expression, std::move(operands));
}

/// GetMapValue(child, key).
Written MapValueOf(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                   ExpressionTranslator& translator) {
  if (!HasForm(operands[0].type, {Form::kMap})) {
    return RefuseOperand(expression, operands[0].type, translator);
  }
  return ValueAt(rule, expression, std::move(operands), translator);
}

/// ElementAt(left, right, defaultValueOutOfBound, failOnError).
Written ElementAt(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                  ExpressionTranslator& translator) {
  if (HasForm(operands[0].type, {Form::kMap})) {
    return ValueAt(rule, expression, std::move(operands), translator);
  }
  if (!HasForm(operands[0].type, {Form::kArray})) {
    return RefuseOperand(expression, operands[0].type, translator);
  }
  const PlanValue* otherwise = expression.argument("defaultValueOutOfBound");
  if (otherwise != nullptr && !otherwise->is(PlanValue::Kind::kNull)) {
    return translator.Refuse(expression, "a default value is not supported natively");
  }
  return Arithmetic(rule, expression, std::move(operands), translator);
}

/// ArrayContains(left, right).
Written ContainedIn(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                    ExpressionTranslator& translator) {
  if (!HasForm(operands[0].type, {Form::kArray})) {
    return RefuseOperand(expression, operands[0].type, translator);
  }
  if (!CanBeFound(operands[1].type)) {
    return RefuseOperand(expression, operands[1].type, translator);
  }
  return SpecOf(rule, expression, std::move(operands));
}

/// Functions that call lambdas for what stands in arrays or maps: of types of which each part is
/// known.
Written OfItems(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                ExpressionTranslator& translator) {
  for (const ExpressionSpec& operand : operands) {
    const bool is_collection = operand.function != "lambda" && operand.type.is(TypeKind::kOther);
    if (!is_collection || HasForm(operand.type, {Form::kArray, Form::kMap})) continue;
    return RefuseOperand(expression, operand.type, translator);
  }
  return SpecOf(rule, expression, std::move(operands));
}

}  // namespace reprise::writers
